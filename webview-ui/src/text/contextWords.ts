/** What the view of the context says of pieces, their fate, and requests. */

import type { ChangedPiece, ContextRow, PieceKind, RequestLine } from "../../../src/shared/contextProtocol";
import { formatCost } from "../../../src/shared/cost";
import { turnsText } from "../../../src/shared/entry";
import { locale, plural, t } from "../../../src/shared/l10n";
import type { BreakCause, ContextStratum, Trust } from "../../../src/shared/manifest";
import { formatClockTime, formatPercent, visibleText } from "./format";

/** "11,312": to the token, as the log has it */
export const exactNumber = (value: number): string => value.toLocaleString(locale());

export const exactTokens = (value: number): string => plural(value, "1 token", "{0} tokens");

/** Of a part: only the whole is counted by the provider. */
export const aboutTokens = (value: number): string => plural(value, "about 1 token", "about {0} tokens");

export const stratumWords: Record<ContextStratum, () => string> = {
  conversation: () => t("Conversation"),
  tools: () => t("Tools and prompt"),
  rules: () => t("Rules and attachments"),
  tail: () => t("Reminders"),
};

export function pieceWords({ kind, name }: { kind: PieceKind; name: string }): string {
  const shown = visibleText(name);
  const words: Record<PieceKind, () => string> = {
    prompt: () => t("Strata's prompt"),
    facts: () => t("Facts about the workspace"),
    tool: () => shown,
    tools: () => t("Tools"),
    server: () => shown || t("Tools of servers"),
    skills: () => t("Names of skills"),
    rules: () => shown,
    skill: () => t("Skill {0}", shown),
    plan: () => t("Plan"),
    attachment: () => `@${shown}`,
    instructions: () => shown,
    turn: () => shown || t("(no words)"),
    summary: () => t("Summary"),
    ledger: () => t("Your words from earlier turns"),
    you: () => (shown ? t("You: {0}", shown) : t("Your message")),
    answer: () => (shown ? t("Answer: {0}", shown) : t("Answer")),
    result: () => shown || t("Tool output"),
    reminder: () => t("Reminder: {0}", shown),
    tail: () => tailWords[name]?.() ?? shown,
  };
  return words[kind]();
}

const tailWords: Readonly<Record<string, () => string>> = {
  todo: () => t("Todo list"),
  mode: () => t("Plan mode"),
  state: () => t("State of the work"),
  tasks: () => t("Background tasks"),
  editor: () => t("Open editor"),
  continue: () => t("Reminder to go on"),
  repair: () => t("Request to repeat"),
};

const trustWords: Record<Trust, () => string> = {
  strata: () => t("from Strata"),
  user: () => t("from you"),
  rules: () => t("from this workspace's rules"),
  workspace: () => t("from the workspace"),
  outside: () => t("from outside the workspace"),
  tool: () => t("from a tool"),
  web: () => t("from the web"),
  mcp: () => t("from a server"),
  model: () => t("from the model"),
};

/** Where a row came from and what becomes of it. */
export function rowNote(row: ContextRow, isPinned: boolean): string {
  const { kind, trust, turn, from, at, folded = 0, tools = 0 } = row;
  if (kind === "turn") {
    const outputs = folded > 0 ? plural(folded, "1 output shortened", "{0} outputs shortened") : "";
    return [isPinned ? t("pinned") : "", outputs].filter(Boolean).join(" · ");
  }
  if (kind === "summary") return summaryNote(from, turn, at);
  if (kind === "ledger") return t("kept word for word");
  if (kind === "server") return plural(tools, "1 tool", "{0} tools");
  if (row.stratum !== "rules") return "";
  return `${trustWords[trust]()} · ${turn === undefined ? t("in every request") : t("with turn {0}", turn)}`;
}

function summaryNote(from = 0, to = 0, at: number | undefined): string {
  const turns = turnsText(from, to);
  return at === undefined ? turns : `${turns} · ${t("summarised {0}", formatClockTime(at, Date.now()))}`;
}

/** Why a request did not begin with the bytes of the one before. */
const causeWords: Record<BreakCause, () => string> = {
  "turn-end": () => t("A turn ended: its outputs are sent in short form now."),
  fold: () => t("Old tool output was shortened."),
  compaction: () => t("History was compacted."),
  undo: () => t("A compaction was undone."),
  rewind: () => t("You went back to an earlier message."),
  branch: () => t("You went over to another branch."),
  "rules-changed": () => t("A rules file changed."),
  "skills-changed": () => t("The skills changed."),
  "tools-changed": () => t("The tools changed."),
  "model-changed": () => t("Another model answered."),
  "protocol-changed": () => t("Tools are described to the model in another way."),
  "context-error-retry": () => t("The request before was too long."),
  "workspace-changed": () => t("The workspace's folders changed."),
  "app-updated": () => t("Strata was updated."),
  "log-repaired": () => t("The session's log was repaired."),
};

export function requestTitle({ number, purpose, turn, step, attempt }: RequestLine): string {
  if (purpose === "summary") return t("{0}. For a summary", number);
  if (purpose === "title") return t("{0}. For the session's title", number);
  return attempt > 1
    ? t("{0}. Turn {1}, step {2}, try {3}", number, turn, step, attempt)
    : t("{0}. Turn {1}, step {2}", number, turn, step);
}

/** "60 % reused · $0.004" */
export function requestNote({ usage, purpose, shared, tokens }: RequestLine): string {
  const reused = usage?.cachedInput === undefined ? undefined : usage.cachedInput / Math.max(1, usage.input);
  const same = purpose === "title" ? "" : t("{0} the same", formatPercent(shared / Math.max(1, tokens)));
  const cost = usage?.cost ? formatCost(usage.cost) : "";
  return [reused === undefined ? same : t("{0} reused", formatPercent(reused)), cost].filter(Boolean).join(" · ");
}

/** What became of the beginning of a request, and what the provider counted. */
export function requestFacts({ cause, unexplained, shared, tokens, usage, number }: RequestLine): string[] {
  const same = t("The first {0} of {1} tokens are as in the request before.", exactNumber(shared), exactNumber(tokens));
  const defect = t("The beginning changed, and Strata does not know why. This is a defect.");
  const broken = cause ? causeWords[cause]() : unexplained ? defect : "";
  return [number === 1 ? "" : same, broken, usage ? usageWords(usage) : ""].filter(Boolean);
}

function usageWords({ input, output, cachedInput, cost }: NonNullable<RequestLine["usage"]>): string {
  const [read, cached, written] = [exactNumber(input), exactNumber(cachedInput ?? 0), exactNumber(output)];
  const counted =
    cachedInput === undefined
      ? t("The provider counted {0} tokens in and {1} out.", read, written)
      : t("The provider counted {0} tokens in, {1} of them from its cache, and {2} out.", read, cached, written);
  // Between sentences, Chinese has no blank.
  return cost ? t("{0} Cost: {1}.", counted, formatCost(cost)) : counted;
}

/** "+412", "−30" */
export function changeNumber({ tokens, was }: ChangedPiece, way: "added" | "removed" | "changed"): string {
  const change = way === "removed" ? -tokens : tokens - (was ?? 0);
  return new Intl.NumberFormat(locale(), { signDisplay: "exceptZero" }).format(change);
}
