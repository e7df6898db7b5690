/** What a tool card says: verb, object, outcome. */
import type { Json } from "../../../src/shared/messages";
import type { ToolItem } from "../store/state";

interface ToolWords {
  /** codicon */
  icon: string;
  /** the call's field that names what it works on */
  object: string;
  /** the object is a file that can be opened */
  file?: boolean;
  /** its text is what a command printed */
  command?: boolean;
}

const known: Record<string, ToolWords> = {
  Read: { icon: "file", object: "file_path", file: true },
  LS: { icon: "folder", object: "path" },
  Glob: { icon: "list-tree", object: "pattern" },
  Grep: { icon: "search", object: "pattern" },
  Edit: { icon: "edit", object: "file_path", file: true },
  MultiEdit: { icon: "edit", object: "file_path", file: true },
  Write: { icon: "new-file", object: "file_path", file: true },
  Bash: { icon: "terminal", object: "command", command: true },
  BashOutput: { icon: "output", object: "bash_id", command: true },
  KillBash: { icon: "debug-stop", object: "shell_id", command: true },
  Recall: { icon: "history", object: "handle" },
  Diagnostics: { icon: "pulse", object: "file_path" },
  TodoWrite: { icon: "checklist", object: "" },
};
const unknown: ToolWords = { icon: "tools", object: "" };

export function toolIcon(toolName: string): string {
  return (known[toolName] ?? unknown).icon;
}

/** Its text is what a command printed. */
export function printsCommand(toolName: string): boolean {
  return (known[toolName] ?? unknown).command === true;
}

/** What the call works on, as the model named it; "" where nothing can be said. One line. */
export function toolObject(tool: Pick<ToolItem, "toolName" | "input">): string {
  const { object } = known[tool.toolName] ?? unknown;
  const value = fieldOf(tool.input, object);
  if (tool.toolName === "Grep" && value !== "") return `"${value}"`;
  return value.replace(/\s*\n\s*/g, " ⏎ ");
}

/** Path of the file that the card can open; null: there is none. */
export function toolFile(tool: Pick<ToolItem, "toolName" | "input">): string | null {
  const words = known[tool.toolName] ?? unknown;
  return (words.file === true && fieldOf(tool.input, words.object)) || null;
}

/** What failed in a way that people should know without the model's words. `said`: for the open card. */
const failures: Partial<Record<string, { short: string; said: string }>> = {
  CONFLICT: {
    short: "conflict, nothing written",
    said: "The file was changed in the place of this edit after the agent had read it, so nothing was written. The agent got both sides:",
  },
  STALE: {
    short: "file changed, nothing written",
    said: "The file was changed after the agent had read it, so nothing was written. The agent was told to read it again.",
  },
};

/** undefined: the digest and the error's own words say it */
export function failureOf(code: string | null): { short: string; said: string } | undefined {
  return code === null ? undefined : failures[code];
}

/** The digest without what the card says beside it: tool, object, lines changed, time. */
export function outcomeOf(digest: string, toolName: string, object: string): string {
  const withoutTool = stripLead(digest.trim(), toolName);
  const withoutObject = stripLead(withoutTool, object.replace(/ ⏎ /g, " ").replace(/\s+/g, " "));
  return withoutObject
    .replace(/^\+\d+ [−-]\d+(?: · | |$)/, "")
    .replace(/(?:^| · )(?:[\d.]+ m?s|\d+ min(?: \d+ s)?)$/, "");
}

/** `lead` may stand in the text whole, or cut with "…". */
function stripLead(text: string, lead: string): string {
  if (lead === "") return text;
  const cut = text.indexOf("…");
  const length = text.startsWith(lead) ? lead.length : cut > 0 && lead.startsWith(text.slice(0, cut)) ? cut + 1 : 0;
  return length === 0 ? text : text.slice(length).replace(/^[\s:·,–—→]+/, "");
}

function fieldOf(input: Json | null, field: string): string {
  if (input === null || typeof input !== "object" || Array.isArray(input)) return "";
  const value = input[field];
  return typeof value === "string" ? value : "";
}

/** Terminal output as lines of text: colours gone, a line that was painted over shows its last state. */
export function terminalLines(output: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes begin with one
  const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-_])/g;
  return output
    .replace(escapes, "")
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map(line => line.slice(line.lastIndexOf("\r") + 1));
}

const failure =
  /^\s*(?:not ok\b|✗|✘|×|FAIL(?:ED)?\b|ERROR\b|error(?:\[\w+\])?:|fatal:|Traceback\b|panic:|[\w.]*(?:Error|Exception):)|\berror TS\d+:/;

/** A line that says what failed. */
export function isFailureLine(line: string): boolean {
  return failure.test(line);
}
