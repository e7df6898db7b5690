/** Entries of hooks as files have them, and what each says or does when it runs in a folder with the files of `entryFiles`. */
import type { HookEvent } from "../../../../src/shared/hooks";

interface EntryRow {
  name: string;
  /** stands under its moment, in its list */
  entry: unknown;
  /** as the file calls the moment; default: PreToolUse */
  written?: string;
  /** default: PreToolUse */
  event?: HookEvent;
  /** what its stdout is; absent: it does not run */
  prints?: string | RegExp;
  problem?: RegExp;
  notes?: readonly RegExp[];
}

export const entryFiles: Readonly<Record<string, string>> = {
  "args.js": "process.stdout.write(JSON.stringify(process.argv.slice(2)))",
  "sub/here.sh": 'printf %s "$PWD|$NAME"',
  "with blank.sh": 'printf %s "blank $1"',
  "told.js":
    'let t="";process.stdin.on("data",d=>t+=d).on("end",()=>{const i=JSON.parse(t);process.stdout.write([i.tool_name,i.tool_input.command,typeof i.timestamp,i.sessionId,i.session_id,i.hookEventName].join())})',
};

const x = { command: "printf x" };
const args = (command: string, ...words: unknown[]) => ({ type: "command", command, args: words });

export const hookRows: readonly EntryRow[] = [
  // words without a shell
  {
    name: "args",
    entry: { hooks: [args("node", "args.js", "a b", "$HOME", "*", "'x'", ";ls")] },
    prints: JSON.stringify(["a b", "$HOME", "*", "'x'", ";ls"]),
  },
  {
    name: "args with the project's folder",
    entry: args("node", `$\{CLAUDE_PROJECT_DIR}/args.js`, "$CLAUDE_PROJECT_DIR", "'$CLAUDE_PROJECT_DIR'/x"),
    prints: /^\["(\/[^"$]+)","'\1'\/x"\]$/,
  },
  { name: "a program with a blank in its name", entry: args("./with blank.sh", "x"), prints: "blank x" },
  { name: "args that are no list", entry: { command: "node", args: "args.js" }, problem: /`args`: it must be a list/ },
  { name: "no builtin of the shell", entry: args("cd", "/"), prints: "" },
  // straight under the moment, and groups
  { name: "a command straight under the moment, without its type", entry: x, prints: "x" },
  { name: "a group with one hook that is no list", entry: { matcher: "Bash", hooks: x }, prints: "x" },
  { name: "a matcher beside the command", entry: { matcher: "Edit", ...x } },
  { name: "a matcher as a list", entry: { matcher: ["Edit", "Bash"], ...x }, prints: "x" },
  { name: "fields beside hooks", entry: { if: "Bash(git *)", hooks: [x] } },
  // of VS Code
  {
    name: "of Copilot alone",
    entry: { bash: "printf x", timeoutSec: 5 },
    problem: /only .* runs/,
    notes: [/`bash`/, /Sec/],
  },
  {
    name: "linux before command",
    entry: { command: "printf y", linux: "printf x", osx: "printf z", windows: "w" },
    prints: "x",
  },
  { name: "another system's that is no text", entry: { ...x, windows: 5, osx: {} }, prints: "x" },
  { name: "a shell that is not used", entry: { ...args("node", "args.js"), shell: "cmd" }, prints: "[]" },
  { name: "another system's alone", entry: { windows: "Write-Output y" }, problem: /is not a command/ },
  {
    ...{ name: "cwd and env", prints: /^(\/.*)\/sub\|\1\/x 'y' \$\(ls\)$/ },
    entry: { command: "sh ./here.sh", cwd: "sub", env: { NAME: "$CLAUDE_PROJECT_DIR/x 'y' $(ls)" } },
  },
  { name: "cwd that is not there", entry: { ...x, cwd: "nowhere" }, prints: "" },
  {
    name: "a matcher that is an object",
    entry: { matcher: { toolName: "bash" }, ...x },
    problem: /`matcher`: it is not valid/,
  },
  { name: "a script that reads a line", entry: { command: "read -r line && printf x" }, prints: "x" },
  {
    name: "what it is told",
    entry: { command: "node told.js" },
    prints: "Bash,make all,string,s1,s1,PreToolUse",
  },
  { name: "a moment with a small letter", written: "sessionStart", event: "SessionStart", entry: x, prints: "x" },
  { name: "a moment of others", written: "errorOccurred", entry: x, notes: [/"errorOccurred" is not a hook event/] },
  // shells
  { name: "shell: bash", entry: { ...x, shell: "bash" }, prints: "x" },
  { name: "shell: sh", entry: { command: 'printf %s "$0"', shell: "sh" }, prints: "sh" },
  { name: "shell: cmd", entry: { command: "dir", shell: "cmd" }, problem: /`shell`: / },
  // what does not run
  { name: "type prompt", entry: { type: "prompt", prompt: "Is it safe?" }, problem: /type "prompt"/ },
  { name: "disabled", entry: { ...x, disabled: true } },
  { name: "enabled: false", entry: { ...x, enabled: false } },
  { name: "no command", entry: { type: "command" }, problem: /is not a command/ },
  { name: "a text", entry: "printf x", problem: /is not a command/ },
  { name: "hooks that are no list", entry: { hooks: "x" }, problem: /hooks that are not a list/ },
  { name: "env that is a list", entry: { ...x, env: ["A=1"] }, problem: /`env`: / },
  { name: "a variable that is none", entry: { ...x, env: { "A;B": "1" } }, problem: /`env`: / },
  // time
  { name: "timeout as a text", entry: { ...x, timeout: "5" }, prints: "x" },
  { name: "timeout: true", entry: { ...x, timeout: true }, prints: "x", notes: [/gets 60 s/] },
  { name: "timeout: 0", entry: { ...x, timeout: 0 }, prints: "x", notes: [/gets 60 s/] },
  { name: "timeout in ms", entry: { ...x, timeout: 30_000 }, prints: "x", notes: [/gets 3600 s/] },
  { name: "timeout that is over", entry: { command: "sleep 20", timeout: 0.2 }, prints: "" },
  // other fields
  { name: "fields for people", entry: { ...x, statusMessage: "Checking", comment: "c", _x: 1 }, prints: "x" },
  {
    name: "an unknown field",
    entry: { ...x, onlyOn: "main" },
    prints: "x",
    notes: [/`onlyOn` is not known and has no/],
  },
];
