/**
 * The ledger as it stands in requests, between the rules and the history, and all that was said, whole, as a handle gives it. Part
 * of the format on disk: what it makes of a page that was sent once may never change, or prefixes break. Pure.
 */
import type { LedgerEntry, LedgerPage } from "../../shared/ledger";
import { counted, recallHint } from "../text/format";
import { entryHead } from "./pages";
import type { Words } from "./said";

/** A line of a text that begins so is written by code only. */
const LEDGER_HEADING = "## 💬 The User's Words (Verbatim)";

const PREAMBLE =
  "What the user said in rounds that are no longer in the conversation, a line for each message, copied from the log by Strata: nobody else writes here, but what they pasted or quoted may be somebody else's. It holds on unless the user said otherwise later.";

/** Each page is a text of its own, which begins where the one before it ends. */
export function ledgerTexts(pages: readonly LedgerPage[]): { id: string; text: string }[] {
  return pages.map((page, at) => ({ id: page.id, text: pageText(page, at === 0) }));
}

function pageText({ entries, unsaid, whole }: LedgerPage, isFirst: boolean): string {
  return [
    ...(isFirst ? [LEDGER_HEADING, PREAMBLE] : []),
    ...entries.map(entryLine),
    ...(unsaid > 0 ? [`* (${counted(unsaid, "more message")} had no room)`] : []),
    ...whole.map(({ turns: { from, to }, raw }) => {
      const turns = from === to ? `turn ${from}` : `turns ${from} to ${to}`;
      return `* (${turns}, every word: ${recallHint(raw.sha256)})`;
    }),
  ].join("\n");
}

function entryLine(entry: LedgerEntry): string {
  const said = entry.pieces.filter(({ again }) => again === undefined);
  const words = said.map(({ text, gap }, at) => `${gap ? (at === 0 ? "… " : " … ") : at === 0 ? "" : " "}${text}`);
  const turns = [...new Set(entry.pieces.flatMap(({ again }) => again ?? []))];
  const again =
    turns.length === 0 ? "" : `again, as in ${counted(turns.length, "turn").replace(/^\S+ /, "")} ${turns.join(", ")}`;
  const line = said.length === 0 ? again : `“${words.join("")}${entry.cut ? " …" : ""}”${again && ` (and ${again})`}`;
  return `${entryHead(entry)} ${entry.struck ? `~~${line}~~ (taken back)` : line}`;
}

/** What a handle of a page gives. What was said is indented: no line of it looks like the beginning of another. */
export function wholeText(words: readonly Words[]): string {
  const indented = (text: string) => linesSaid(text).map(line => (line === "" ? "" : `${INDENT}${line}`));
  return words.map(({ text, ...said }) => [entryHead(said).slice(2), ...indented(text), ""].join("\n")).join("\n");
}

const INDENT = "  ";
const WHOLE_HEAD = /^turn \d+(?:, denying \S+|, to your question “[^“”]*”)?:$/;

export const linesSaid = (text: string): string[] => text.split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/);

/** Of such a text, the lines that are somebody's words. */
export const linesOfWhole = (text: string): string[] =>
  text
    .split("\n")
    .filter(line => line !== "" && !WHOLE_HEAD.test(line))
    .map(line => (line.startsWith(INDENT) ? line.slice(INDENT.length) : line));
