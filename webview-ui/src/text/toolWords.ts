/** What a tool card says: verb, target, outcome. */

import type { ApprovalAnswer } from "../../../src/shared/approval";
import { plural, t } from "../../../src/shared/l10n";
import type { Json } from "../../../src/shared/messages";
import { inOneLine, plainText } from "../../../src/shared/shown";
import type { CommandEnd, ErrorCode, ToolFailure } from "../../../src/shared/toolResult";
import { toolTraits } from "../../../src/shared/toolTraits";
import { formatDuration } from "./format";

/** `input` null: not known */
type ToolCall = { toolName: string; input: Json | null };

/** What the call works on, as the model named it; "" where nothing can be said. One line. */
export function toolTarget(call: ToolCall): string {
  const value = targetField(call);
  const isPattern = toolTraits(call.toolName).target?.kind === "pattern";
  return isPattern && value !== "" ? `"${value}"` : inOneLine(value);
}

/** Path of the file that the card can open; null: none */
export const toolFile = (call: ToolCall): string | null =>
  (toolTraits(call.toolName).target?.kind === "file" && targetField(call)) || null;

/** The command that the call runs, as the model wrote it; null: it runs none. */
export const toolCommand = (call: ToolCall): string | null =>
  toolTraits(call.toolName).target?.kind === "command" ? targetField(call) : null;

function targetField({ toolName, input }: ToolCall): string {
  const { target } = toolTraits(toolName);
  if (target === null || input === null || typeof input !== "object" || Array.isArray(input)) return "";
  const value = input[target.field];
  return typeof value === "string" ? value : "";
}

/** What a refusal or the end of a command says better has no words here. */
type FailureCode = Exclude<ErrorCode, "ABORTED" | "DENIED" | "EXIT">;

/** What failed, without the model's words. */
const failures: Record<FailureCode, () => string> = {
  CONFLICT: () => t("conflict, nothing written"),
  STALE: () => t("file changed, nothing written"),
  NO_MATCH: () => t("text not found"),
  NOT_FOUND: () => t("not found"),
  NOT_READ: () => t("not read yet"),
  AMBIGUOUS: () => t("found more than once"),
  INVALID_INPUT: () => t("invalid call"),
  BINARY: () => t("binary file"),
  TOO_LARGE: () => t("too large"),
  OUTSIDE_WORKSPACE: () => t("outside the workspace"),
  TIMEOUT: () => t("took too long"),
  INTERRUPTED: () => t("interrupted, effect unknown"),
  UNKNOWN_TOOL: () => t("no such tool"),
  IO: () => t("failed"),
};

/** undefined: the digest and the error's own words say it */
export const failureWords = (code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(failures, code) ? failures[code as FailureCode]() : undefined;

interface RefusedCall {
  outcome: { error?: Pick<ToolFailure, "code" | "by"> | undefined; durationMs: number } | null;
  approval: { answer?: ApprovalAnswer | undefined } | null;
}

/** What a person, a stop, the mode or a lack of trust kept from running is no failure; undefined: it ran. */
export function refusalWords({ outcome, approval }: RefusedCall): string | undefined {
  const code = outcome?.error?.code;
  if (code === "ABORTED") return outcome && outcome.durationMs > 0 ? t("Stopped") : t("Not run, the turn was stopped");
  if (code !== "DENIED") return undefined;
  if (outcome?.error?.by) return forbidden[outcome.error.by]();
  const { decision, by, words = "" } = approval?.answer ?? { by: "nobody" };
  if (decision === "allow") return t("Nothing to do");
  if (by === "stop") return t("Not run, the turn was stopped");
  if (by === "nobody") return t("Not allowed");
  return words.trim() === "" ? t("Denied") : t("Denied: {0}", words.trim());
}

const forbidden: Record<NonNullable<ToolFailure["by"]>, () => string> = {
  mode: () => t("Not run: plan only"),
  rule: () => t("Not run: forbidden by a rule"),
  hook: () => t("Not run: forbidden by a hook"),
  trust: () => t("Not run: workspace not trusted"),
};

/** What a command came to: "1 of 3 failed", "exit 1", "killed after 120 s"; "": it did what it should, and nothing was counted. */
export function endWords({ exitCode, signal, by, tests, errors }: CommandEnd, durationMs: number): string {
  if (by === "limit") return t("killed after {0}", formatDuration(durationMs));
  if (by === "sandbox") return t("ended by the sandbox");
  const { failed = 0, passed } = tests ?? {};
  if (failed > 0 && passed !== undefined) return t("{0} of {1} failed", failed, failed + passed);
  if (failed > 0) return t("{0} failed", failed);
  if (exitCode === 0) return passed ? t("{0} passed", passed) : "";
  if (errors !== undefined) return plural(errors, "1 error", "{0} errors");
  if (exitCode !== undefined) return t("exit {0}", exitCode);
  return signal === undefined ? "" : t("ended by {0}", signal);
}

/**
 * The digest without what the card says beside it: tool, target, lines changed, that the file is new, time; and without that it was
 * not saved, which digests of earlier versions say and the editor shows while it is so.
 */
export function outcomeWords(digest: string, toolName: string, target: string): string {
  const withoutTool = stripLead(digest.trim(), toolName);
  // Of a call that names nothing the digest has the folder that is open.
  const withoutFolder = target === "" ? withoutTool.replace(/^\. /, "") : withoutTool;
  const withoutTarget = stripLead(withoutFolder, target.replace(/ ⏎ /g, " ").replace(/\s+/g, " "));
  return withoutTarget
    .replace(/^\+\d+ [−-]\d+(?: \(new\))?(?: · | |$)/, "")
    .replace(/(?:^| · )not saved(?= · |$)/, "")
    .replace(/(?:^| · )(?:[\d.]+ m?s|\d+ min(?: \d+ s)?)(?= · |$)/, "");
}

/** How loud an outcome's words are: problems of code, of an edit's own or of those that were looked at; "": not at all. */
export function problemTone(words: string): "failure" | "caution" | "" {
  const [, kind] = /(?:^| · )[1-9][\d,]* (?:new )?(error|warning)s?\b/.exec(words) ?? [];
  return kind === undefined ? "" : kind === "error" ? "failure" : "caution";
}

/** `lead` may stand in the text whole, or cut with "…". */
function stripLead(text: string, lead: string): string {
  if (lead === "") return text;
  const cut = text.indexOf("…");
  const length = text.startsWith(lead) ? lead.length : cut > 0 && lead.startsWith(text.slice(0, cut)) ? cut + 1 : 0;
  return length === 0 ? text : text.slice(length).replace(/^[\s:·,–—→]+/, "");
}

/** Terminal output as lines of text: colours gone, a line that was painted over shows its last state. */
export const terminalLines = (output: string): string[] =>
  output
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map(line => plainText(line.slice(line.lastIndexOf("\r") + 1)));

const failure =
  /^\s*(?:not ok\b|✗|✘|×|FAIL(?:ED)?\b|ERROR\b|error(?:\[\w+\])?:|fatal:|Traceback\b|panic:|[\w.]*(?:Error|Exception):)|\berror TS\d+:/;

/** A line that says what failed. */
export const isFailureLine = (line: string): boolean => failure.test(line);
