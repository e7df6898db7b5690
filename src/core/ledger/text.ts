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
  "What the user said in rounds that are no longer in the conversation, copied from the log by Strata: nobody else writes here. It holds on unless the user said otherwise later.";

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
  const words = entry.pieces.map(
    ({ text, gap }, at) => `${gap ? (at === 0 ? "… " : " … ") : at === 0 ? "" : " "}${text}`,
  );
  return `${entryHead(entry)} “${words.join("")}${entry.cut ? " …" : ""}”`;
}

/** What a handle of a page gives. */
export function wholeText(words: readonly Words[]): string {
  return words.map(({ text, ...said }) => `${entryHead(said).slice(2)}\n${text}\n`).join("\n");
}
