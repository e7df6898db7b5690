/** How files of agents name tools, Claude's way, VS Code's or ours → the names of ours. */
import { toolsThat } from "../../../shared/toolTraits";

/** What others call ours. Behind the last: they are known, and have no like here. */
const SPELLINGS = `Read: readfile notebookread viewimage
Read LS: read
LS: listdirectory listdir
Glob: filesearch findfiles
Grep: textsearch searchresults
Grep Glob: codebase
Grep Glob LS Code: search
Code: usages lsp
Diagnostics: problems
Edit: MultiEdit multiedit notebookedit
Edit Write: edit editfiles
Write: createfile
Bash BashOutput: Bash bash shell powershell runcommands runinterminal
Bash BashOutput RunTask: execute
BashOutput: KillBash killbash killshell taskoutput taskstop getterminaloutput
RunTask: runtasks createandruntask
FindTools: toolsearch
AskUser: askuserquestion askquestions
TodoWrite: todo todos managetodolist taskcreate taskget tasklist taskupdate
Skill: slashcommand
Task: agent customagent runsubagent
: web fetch webfetch websearch changes extensions vscodeapi githubrepo browser vscode exitplanmode enterplanmode exitworktree enterworktree sendmessage`;
const listOf = (names = "") => names.split(" ").filter(Boolean);
const known: ReadonlyMap<string, readonly string[]> = new Map([
  ...toolsThat(() => true).flatMap(name => [name, name.toLowerCase()].map((key): [string, string[]] => [key, [name]])),
  ...SPELLINGS.split("\n").flatMap(line => {
    const [ours, theirs] = line.split(": ");
    return listOf(theirs).map((key): [string, string[]] => [key, listOf(ours)]);
  }),
]);
/** Exactly, or in any case: Claude's `Edit` is one tool, VS Code's `edit` all that edits. */
const ownTools = (name: string) => known.get(name) ?? known.get(name.toLowerCase().replace(/[_-]/g, ""));

/** Ours that come to the same by another way: where a tool is taken away, they are too. */
const waysAround: Readonly<Record<string, readonly string[]>> = {
  Read: ["Code"],
  Edit: ["Refactor"],
  Write: ["Refactor"],
  Bash: ["BashOutput", "RunTask"],
};

/** What only looks, or works on the session alone. */
export const lookingTools: readonly string[] = [
  ...toolsThat(({ rules }) => rules === "readFiles" || rules === "searchFiles"),
  ...["Recall", "TodoWrite", "AskUser", "Skill"],
];

interface NamedTools {
  /** "*" alone: all */
  names: readonly string[];
  /** as written: they are no tools here */
  unknown: readonly string[];
  /** as written: some calls of a tool, or some tools of a server. They are not in `names`, but where they are taken away. */
  parts: readonly string[];
}

/** @param takesAway they are those that it does not have @returns undefined: it is no list of names */
export function namedTools(value: unknown, takesAway: boolean): NamedTools | undefined {
  const written = namesIn(value);
  if (!written) return undefined;
  // Behind other words it may be a piece of a pattern.
  const isAll = written.includes("*") && (takesAway || Array.isArray(value) || written.length === 1);
  if (isAll) return { names: ["*"], unknown: [], parts: [] };
  const read = written.map(name => ({ name, ...namedTool(name) }));
  const names = read.flatMap(({ ours = [], isPart }) => (isPart && !takesAway ? [] : ours));
  return {
    names: [...new Set(takesAway ? names.flatMap(name => [name, ...(waysAround[name] ?? [])]) : names)],
    unknown: read.flatMap(({ name, ours }) => (ours ? [] : [name])),
    parts: read.flatMap(({ name, ours, isPart }) => (ours && isPart ? [name] : [])),
  };
}

/** As people write lists of names: YAML's, or a text with commas or blanks between them. undefined: no list */
export function namesIn(value: unknown): string[] | undefined {
  if (value === null) return [];
  if (typeof value === "string") return value.match(/[^\s,()[\]"']+(?:\s*\((?:[^()]|\([^()]*\))*\)?)?/g) ?? [];
  if (!Array.isArray(value)) return undefined;
  return value.every(each => typeof each === "string") ? value.map(each => each.trim()) : undefined;
}

/** In two, where it has that mark behind its beginning. */
function splitAt(text: string, mark: string): string[] {
  const at = text.indexOf(mark, 1);
  return at < 0 || at + mark.length === text.length ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

function namedTool(written: string): { ours?: readonly string[] | undefined; isPart?: boolean } {
  const [, before = written, calls = ""] = /^([^()]+)\((.*?)\)?$/s.exec(written) ?? [];
  const name = before.trim();
  const isPart = !/^:?\**$/.test(calls);
  const own = ownTools(name);
  if (own) return { ours: own, isPart };
  const [server, tool = "*"] = name.startsWith("mcp__")
    ? splitAt(name.slice(5), "__")
    : (/^([^:]+):(.+)$/.exec(name) ?? /^(.+)\/([^/]+)$/.exec(name) ?? []).slice(1);
  if (server === undefined || server.includes("*")) return {};
  // A part of a set of VS Code's: `search/usages`.
  const set = name.includes("/") ? ownTools(server) : undefined;
  if (set) return tool === "*" ? { ours: set, isPart } : { ours: ownTools(tool), isPart };
  const isSome = tool !== "*" && tool.includes("*");
  return { ours: [`${server}:${isSome ? "*" : tool}`], isPart: isPart || isSome };
}
