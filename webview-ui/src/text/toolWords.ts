/** What a tool card says: verb, target, outcome. */

import type { ApprovalAnswer } from "../../../src/shared/approval";
import type { Json } from "../../../src/shared/messages";
import { inOneLine } from "../../../src/shared/shown";
import type { ToolFailure } from "../../../src/shared/toolResult";
import { toolTraits } from "../../../src/shared/toolTraits";

/** `input` null: not known */
type ToolCall = { toolName: string; input: Json | null };

/** What the call works on, as the model named it; "" where nothing can be said. One line. */
export function toolTarget(call: ToolCall): string {
  const value = targetField(call);
  const isPattern = toolTraits(call.toolName).target?.kind === "pattern";
  return isPattern && value !== "" ? `"${value}"` : inOneLine(value);
}

/** Path of the file that the card can open; null: there is none. */
export function toolFile(call: ToolCall): string | null {
  return (toolTraits(call.toolName).target?.kind === "file" && targetField(call)) || null;
}

/** The command that the call runs, as the model wrote it; null: it runs none. */
export function toolCommand(call: ToolCall): string | null {
  return toolTraits(call.toolName).target?.kind === "command" ? targetField(call) : null;
}

function targetField({ toolName, input }: ToolCall): string {
  const { target } = toolTraits(toolName);
  if (target === null || input === null || typeof input !== "object" || Array.isArray(input)) return "";
  const value = input[target.field];
  return typeof value === "string" ? value : "";
}

/** What failed in a way that people should know without the model's words. `said`: for the open card. */
const failures: Partial<Record<string, { short: string; said: string }>> = {
  CONFLICT: {
    short: "conflict, nothing written",
    said: "The same lines were changed after the agent read the file, so nothing was written. The agent got both versions:",
  },
  STALE: {
    short: "file changed, nothing written",
    said: "The file changed after the agent read it, so nothing was written. The agent was told to read it again.",
  },
};

/** undefined: the digest and the error's own words say it */
export function failureWords(code: string | null): { short: string; said: string } | undefined {
  return code === null ? undefined : failures[code];
}

interface RefusedCall {
  outcome: { code: string | null; by: ToolFailure["by"] | null; durationMs: number } | null;
  approval: { answer?: ApprovalAnswer | undefined } | null;
}

/** What a person, a stop, the mode or a lack of trust kept from running is no failure; undefined: it is none of these. */
export function refusalWords({ outcome, approval }: RefusedCall): { short: string; said: string } | undefined {
  if (outcome?.code === "ABORTED") return outcome.durationMs > 0 ? STOPPED : NOT_RUN;
  if (outcome?.code !== "DENIED") return undefined;
  if (outcome.by) return forbidden[outcome.by];
  const { decision, by, words = "" } = approval?.answer ?? { by: "nobody" };
  if (decision === "allow") return NOTHING_LEFT;
  if (by === "stop") return NOT_RUN;
  if (by === "nobody")
    return { short: "Not allowed", said: "It needed approval and nobody was there, so it did not run." };
  if (words.trim() === "") return { short: "Denied", said: "You denied this, so it did not run." };
  return { short: `Denied: ${words.trim()}`, said: `You denied this and said: ${words.trim()}` };
}

const STOPPED = { short: "Stopped", said: "You stopped it while it was running." };
const NOT_RUN = { short: "Not run, the turn was stopped", said: "The turn was stopped before this ran." };
const NOTHING_LEFT = { short: "Nothing to do", said: "Your changes to the proposal left nothing to write." };
const forbidden: Record<NonNullable<ToolFailure["by"]>, { short: string; said: string }> = {
  mode: {
    short: "Not run: plan only",
    said: "In this mode the agent only reads and plans. Choose another mode to let it do this.",
  },
  rule: {
    short: "Not run: forbidden by a rule",
    said: "A rule in your settings forbids this, so it did not run.",
  },
  hook: {
    short: "Not run: forbidden by a hook",
    said: "A hook forbids this, so it did not run.",
  },
  trust: {
    short: "Not run: workspace not trusted",
    said: "This workspace is not trusted, so Strata only reads here. Trust it to let the agent do this.",
  },
};

/** The digest without what the card says beside it: tool, target, lines changed, time. */
export function outcomeWords(digest: string, toolName: string, target: string): string {
  const withoutTool = stripLead(digest.trim(), toolName);
  // Of a call that names nothing the digest has the folder that is open.
  const withoutFolder = target === "" ? withoutTool.replace(/^\. /, "") : withoutTool;
  const withoutTarget = stripLead(withoutFolder, target.replace(/ ⏎ /g, " ").replace(/\s+/g, " "));
  return withoutTarget
    .replace(/^\+\d+ [−-]\d+(?: · | |$)/, "")
    .replace(/(?:^| · )(?:[\d.]+ m?s|\d+ min(?: \d+ s)?)(?= · |$)/, "");
}

/** `lead` may stand in the text whole, or cut with "…". */
function stripLead(text: string, lead: string): string {
  if (lead === "") return text;
  const cut = text.indexOf("…");
  const length = text.startsWith(lead) ? lead.length : cut > 0 && lead.startsWith(text.slice(0, cut)) ? cut + 1 : 0;
  return length === 0 ? text : text.slice(length).replace(/^[\s:·,–—→]+/, "");
}

/** Where a long output names the handle of all of it: its words for people; undefined: it is all there. */
export function wholeOutput(text: string): { handle: string; words: string } | undefined {
  const [, lines, handle] =
    /\((\d[\d,]*) lines?\b[^\n]*?\b(obs:[0-9a-f]{12})\b[^\n]*\)\s*$/.exec(text.slice(-500)) ?? [];
  return lines === undefined || handle === undefined
    ? undefined
    : { handle, words: `Open all ${Number(lines.replaceAll(",", "")).toLocaleString("en")} lines` };
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
