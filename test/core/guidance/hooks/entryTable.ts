/** Entries of hooks as files have them, and what each says or does when it runs in a folder with the files of `entryFiles`. */
import type { HookEvent } from "../../../../src/shared/hooks";

interface EntryRow {
  name: string;
  /** as the file calls the moment */
  written: string;
  /** stands under it, in its list */
  entry: unknown;
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

const entry = { type: "command" };
const args = (command: string, ...words: unknown[]) => ({ ...entry, command, args: words });

export const hookRows: readonly EntryRow[] = [
  // words without a shell
  {
    name: "args",
    written: "PreToolUse",
    entry: { hooks: [args("node", "args.js", "a b", "$HOME", "*", "'x'", ";ls")] },
    prints: JSON.stringify(["a b", "$HOME", "*", "'x'", ";ls"]),
  },
  {
    name: "args with the project's folder",
    written: "PreToolUse",
    entry: args("node", `$\{CLAUDE_PROJECT_DIR}/args.js`, "$CLAUDE_PROJECT_DIR"),
    prints: /^\["\/[^"$]+"\]$/,
  },
  { name: "args, none of them", written: "PreToolUse", entry: args("pwd"), prints: /^\/.+\n$/ },
  {
    name: "a program with a blank in its name",
    written: "PreToolUse",
    entry: args("./with blank.sh", "x"),
    prints: "blank x",
  },
  {
    name: "args that are no list",
    written: "PreToolUse",
    entry: { command: "node", args: "args.js" },
    problem: /`args` are not a list/,
  },
  { name: "no builtin of the shell", written: "PreToolUse", entry: args("cd", "/"), prints: "" },
  // straight under the moment, and groups
  {
    name: "a command straight under the moment",
    written: "PreToolUse",
    entry: { ...entry, command: "printf x" },
    prints: "x",
  },
  { name: "a command without its type", written: "PreToolUse", entry: { command: "printf x" }, prints: "x" },
  {
    name: "a group with one hook that is no list",
    written: "PreToolUse",
    entry: { matcher: "Bash", hooks: { ...entry, command: "printf x" } },
    prints: "x",
  },
  { name: "a matcher beside the command", written: "PreToolUse", entry: { matcher: "Edit", command: "printf x" } },
  {
    name: "a matcher as a list",
    written: "PreToolUse",
    entry: { matcher: ["Edit", "Bash"], command: "printf x" },
    prints: "x",
  },
  {
    name: "fields beside hooks",
    written: "PreToolUse",
    entry: { if: "Bash(git *)", hooks: [{ command: "printf x" }] },
  },
  // of VS Code
  {
    name: "bash and powershell",
    written: "preToolUse",
    entry: { ...entry, bash: "printf x", powershell: "Write-Output y", timeoutSec: 30 },
    prints: "x",
  },
  { name: "bash before command", written: "preToolUse", entry: { bash: "printf x", command: "printf y" }, prints: "x" },
  {
    name: "linux before command (VS Code)",
    written: "PreToolUse",
    entry: { command: "printf y", linux: "printf x", osx: "printf z", windows: "w" },
    prints: "x",
  },
  {
    name: "powershell alone",
    written: "preToolUse",
    entry: { powershell: "Write-Output y" },
    problem: /Windows only/,
  },
  { name: "osx alone", written: "PreToolUse", entry: { osx: "printf z" }, problem: /no command for this system/ },
  {
    name: "cwd and env",
    written: "preToolUse",
    entry: { bash: "sh ./here.sh", cwd: "sub", env: { NAME: "$CLAUDE_PROJECT_DIR/x 'y' $(ls)" } },
    prints: /^(\/.*)\/sub\|\1\/x 'y' \$\(ls\)$/,
  },
  { name: "cwd that is not there", written: "preToolUse", entry: { bash: "printf x", cwd: "nowhere" }, prints: "" },
  {
    name: "a matcher as a whole expression",
    written: "preToolUse",
    entry: { matcher: "^(?:Bash|apply_patch)$", bash: "printf x" },
    prints: "x",
  },
  {
    name: "a matcher that is an object",
    written: "preToolUse",
    entry: { matcher: { toolName: "bash" }, bash: "printf x" },
    problem: /Its matcher is not text/,
  },
  {
    name: "a script that reads a line",
    written: "PreToolUse",
    entry: { command: "read -r line && printf x" },
    prints: "x",
  },
  {
    name: "what it is told",
    written: "preToolUse",
    entry: { bash: "node told.js" },
    prints: "Bash,make all,string,s1,s1,PreToolUse",
  },
  {
    name: "a moment with a small letter",
    written: "sessionStart",
    event: "SessionStart",
    entry: { bash: "printf x" },
    prints: "x",
  },
  { name: "a moment in other capitals", written: "PRETOOLUSE", entry: { command: "printf x" }, prints: "x" },
  {
    name: "errorOccurred",
    written: "errorOccurred",
    entry: { bash: "printf x" },
    notes: [/"errorOccurred" is not a hook event/],
  },
  // shells
  { name: "shell: bash", written: "PreToolUse", entry: { command: "printf x", shell: "bash" }, prints: "x" },
  { name: "shell: sh", written: "PreToolUse", entry: { command: 'printf %s "$0"', shell: "sh" }, prints: "sh" },
  { name: "shell: cmd", written: "PreToolUse", entry: { command: "dir", shell: "cmd" }, problem: /`shell` is "cmd"/ },
  // what does not run
  {
    name: "type prompt",
    written: "PreToolUse",
    entry: { type: "prompt", prompt: "Is it safe?" },
    problem: /type "prompt"/,
  },
  { name: "type mcp_tool", written: "PreToolUse", entry: { type: "mcp_tool" }, problem: /type "mcp_tool"/ },
  { name: "disabled", written: "PreToolUse", entry: { command: "printf x", disabled: true } },
  { name: "enabled: false", written: "PreToolUse", entry: { command: "printf x", enabled: false } },
  { name: "no command", written: "PreToolUse", entry: { type: "command" }, problem: /is not a command/ },
  { name: "a text", written: "PreToolUse", entry: "printf x", problem: /is not a command/ },
  {
    name: "hooks that are no list",
    written: "PreToolUse",
    entry: { hooks: "x" },
    problem: /hooks that are not a list/,
  },
  {
    name: "env that is a list",
    written: "PreToolUse",
    entry: { command: "printf x", env: ["A=1"] },
    problem: /`env` is not an object/,
  },
  {
    name: "a variable that is none",
    written: "PreToolUse",
    entry: { command: "printf x", env: { "A;B": "1" } },
    problem: /`env` is not an object/,
  },
  // time
  { name: "timeout as a text", written: "PreToolUse", entry: { command: "printf x", timeout: "5" }, prints: "x" },
  {
    name: "timeout: 0",
    written: "PreToolUse",
    entry: { command: "printf x", timeout: 0 },
    prints: "x",
    notes: [/gets 60 s/],
  },
  {
    name: "timeout in ms",
    written: "PreToolUse",
    entry: { command: "printf x", timeout: 30_000 },
    prints: "x",
    notes: [/the maximum is 3600 s/],
  },
  { name: "timeout that is over", written: "PreToolUse", entry: { command: "sleep 20", timeout: 0.2 }, prints: "" },
  // other fields
  {
    name: "statusMessage and comments",
    written: "PreToolUse",
    entry: { command: "printf x", statusMessage: "Checking", description: "d", comment: "c", _x: 1 },
    prints: "x",
  },
  {
    name: "a field that nobody knows",
    written: "PreToolUse",
    entry: { command: "printf x", onlyOn: "main" },
    prints: "x",
    notes: [/`onlyOn` is not known and has no effect\./],
  },
  {
    name: "fields in other letters",
    written: "PreToolUse",
    entry: { Command: "printf x", timeout_sec: 5, If: "Bash(make *)" },
    prints: "x",
  },
];
