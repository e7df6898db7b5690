/**
 * What is decided about a tool by its name, in one table. Records and the panel know a call by its name alone, so it is data and
 * no method. `defineTool` takes only names that have a row here; the tools of servers share one row.
 */
export interface ToolTraits {
  /** codicon */
  icon: string;
  /** the field of the input that names what the call works on; null: no field does */
  target: { field: string; kind: TargetKind } | null;
  /** What a permission rule with this tool's name matches. Rules for `Read` and `Edit` cover every tool that reads or edits files. */
  rules: "readFiles" | "searchFiles" | "editFiles" | "command" | "input";
  /** the conversation has a row for its failures alone: the todo line says the rest */
  row?: "failures";
  /** searches of the session leave out its input and its results */
  isUnsearched?: true;
  /** the result's text is what a command printed */
  printsOutput?: true;
  /** its row stays where the work is hidden: it has the person's own answer */
  staysInFocus?: true;
  /** What the person allowed for the session holds for all tools of its `rules` that share it. */
  sharesGrants?: true;
  /** it runs commands of a shell: what they change is looked up */
  runsCommands?: true;
  /** It only looks: the conversation has one line for a run of such calls, which counts these. */
  looksAt?: LookedAt;
}

export type LookedAt = "file" | "folder" | "search" | "symbol";

/** A `file` can be opened, a `pattern` is shown in quotes, a `command` in the terminal's font. */
type TargetKind = "text" | "file" | "pattern" | "command";

const text = (field: string) => ({ field, kind: "text" as const });
const file = { field: "file_path", kind: "file" } as const;

/** One row a tool. `rules` has no default: which rules cover a tool is a matter of safety. */
const traits = {
  Read: { icon: "file", target: file, rules: "readFiles", looksAt: "file" },
  LS: { icon: "folder", target: text("path"), rules: "searchFiles", looksAt: "folder" },
  Glob: { icon: "list-tree", target: text("pattern"), rules: "searchFiles", looksAt: "search" },
  Grep: { icon: "search", target: { field: "pattern", kind: "pattern" }, rules: "searchFiles", looksAt: "search" },
  Edit: { icon: "edit", target: file, rules: "editFiles", sharesGrants: true },
  // Now a part of Edit, as KillBash is of BashOutput: sessions of earlier versions have calls of them.
  MultiEdit: { icon: "edit", target: file, rules: "editFiles", sharesGrants: true },
  Write: { icon: "new-file", target: file, rules: "editFiles", sharesGrants: true },
  Bash: {
    icon: "terminal",
    target: { field: "command", kind: "command" },
    rules: "command",
    printsOutput: true,
    sharesGrants: true,
    runsCommands: true,
  },
  BashOutput: { icon: "output", target: text("bash_id"), rules: "input", printsOutput: true },
  KillBash: { icon: "debug-stop", target: text("shell_id"), rules: "input", printsOutput: true },
  // What was recalled is found at its place, and a search for words is no find.
  Recall: { icon: "history", target: text("handle"), rules: "input", isUnsearched: true },
  Diagnostics: { icon: "pulse", target: text("file_path"), rules: "searchFiles" },
  Code: { icon: "symbol-method", target: text("symbol"), rules: "readFiles", looksAt: "symbol" },
  Refactor: { icon: "replace-all", target: text("symbol"), rules: "editFiles" },
  // No tool any more: sessions of earlier versions have such calls.
  RunTask: { icon: "run-all", target: text("name"), rules: "input" },
  FindTools: { icon: "plug", target: text("query"), rules: "input" },
  AskUser: { icon: "comment-discussion", target: null, rules: "input", staysInFocus: true },
  TodoWrite: { icon: "checklist", target: null, rules: "input", row: "failures" },
  Skill: { icon: "book", target: text("skill"), rules: "input" },
  Task: { icon: "organization", target: text("description"), rules: "input", staysInFocus: true },
} as const satisfies Record<string, ToolTraits>;

/** A tool of ours. A new one gets its row above. */
export type OwnToolName = keyof typeof traits;

const foreign: ToolTraits = { icon: "plug", target: null, rules: "input" };

export const isOwnTool = (name: string): name is OwnToolName => Object.hasOwn(traits, name);

/** @param toolName as the model calls it: `server:tool` of a foreign tool. An unknown one has their traits. */
export function toolTraits(toolName: string): ToolTraits {
  if (isOwnTool(toolName)) return traits[toolName];
  return toolName.includes(":") ? foreign : { ...foreign, icon: "tools" };
}

/** Our tools of which it is true, by name. */
export const toolsThat = (holds: (each: ToolTraits) => boolean): string[] =>
  Object.keys(traits).filter(name => holds(toolTraits(name)));

// The name that a tool has on the wire: pure, so that a call of long ago has the same one.

/** Every provider takes it. */
const PLAIN = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME = 64;

/**
 * `mcp__server__tool`; where that is not the name letter for letter, or would be too long, with a hash of it behind. The same
 * name always has the same one.
 */
export function wireName(name: string): string {
  if (PLAIN.test(name)) return name;
  const at = name.indexOf(":");
  const parts = at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
  const readable = ["mcp", ...parts].map(part => part.replace(/[^a-zA-Z0-9_-]/g, "_")).join("__");
  const isExact = parts.length === 2 && parts.every(isSimple) && readable.length <= MAX_NAME;
  const hash = `_${fnv64(name)}`;
  return isExact ? readable : readable.slice(0, MAX_NAME - hash.length) + hash;
}

/** No part of the name looks like a separator or a hash. */
const isSimple = (part: string): boolean =>
  /^[a-zA-Z0-9-](?:[a-zA-Z0-9_-]*[a-zA-Z0-9-])?$/.test(part) && !part.includes("__") && !/_[0-9a-f]{16}$/.test(part);

/** FNV-1a, 64 bits in hex: tells texts apart, guards nothing. */
export function fnv64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

const NEVER_RAN: ReadonlySet<string> = new Set(["DENIED", "INVALID_INPUT"]);

/** By its result, a command that ran, or tried to: not one that was forbidden, or that a stop came before. */
export function ranCommand(result: { toolName: string; error?: { code: string } | undefined; durationMs: number }) {
  if (!toolTraits(result.toolName).runsCommands) return false;
  if (result.error?.code === "ABORTED") return result.durationMs > 0;
  return result.error === undefined || !NEVER_RAN.has(result.error.code);
}
