/** Compactions, for people: what one would do, and what one left out. Pure. */

import { entryOf } from "../../../shared/entry";
import { dateTimeText, formatPercent, formatTokens } from "../../../shared/format";
import { plural, t } from "../../../shared/l10n";
import { textOf } from "../../../shared/messages";
import type { LogRecord, RecordOf } from "../../../shared/records";
import { oneLine, toHandle } from "../../ground/text/format";
import type { Report, ReportLine, ReportSection } from "../../ground/text/report";
import type { CompactionPreview } from "./preview";

/** "Strata: Preview Compaction". All tokens are in the provider's measure, as the meter's. */
export function previewReport(
  { tokens, rounds, folded, unneeded }: CompactionPreview,
  { window, tokens: next }: { window: number; tokens: number },
): Report {
  const share = (estimate: number) => {
    const counted = Math.round((estimate * next) / Math.max(1, tokens.before));
    return t("{0} ({1} of the window)", formatTokens(counted), formatPercent(counted / Math.max(1, window)));
  };
  const report = (title: string, lines: readonly string[]): Report => ({
    title: t("What a compaction would do now"),
    sections: [{ title, lines: lines.map(label => ({ label })) }],
  });
  const [before, after] = [share(tokens.before), share(tokens.after)];
  if (unneeded !== undefined) return report(unneeded, [t("A request takes {0} now.", before)]);
  const { summarised, kept, pinned } = rounds;
  const goes =
    summarised === 0
      ? t("No turn would be summarised.")
      : plural(
          summarised,
          "1 turn would be summarised. Nothing is lost: the model can look it up, and Undo brings it back.",
          "{0} turns would be summarised. Nothing is lost: the model can look them up, and Undo brings them back.",
        );
  const stays =
    pinned > 0
      ? plural(kept, "1 turn would stay, and {1} pinned", "{0} turns would stay, and {1} pinned", pinned)
      : plural(kept, "1 turn would stay", "{0} turns would stay");
  const folds = plural(
    folded.length,
    "1 tool output in turns that stay would become one line.",
    "{0} tool outputs in turns that stay would become one line each.",
  );
  return report(goes, [
    ...(folded.length > 0 ? [folds] : []),
    stays,
    t("A request takes {0} now, and would take {1} after it.", before, after),
    t("Pin a turn at its message to keep it word for word."),
  ]);
}

const WORDS = 600;

/**
 * "What was left out" of a compaction.
 * @param archivedRecords those of its archive, and what came after; of a missing archive none, which is said
 */
export function leftOutReport(record: RecordOf<"compaction">, archivedRecords: readonly LogRecord[]): Report {
  const turns = removedTurns(record, archivedRecords);
  const { title, lines } = entryOf(record) ?? { title: "", lines: [] };
  const line =
    turns.length > 0
      ? t("Nothing is lost. Undo brings it back.")
      : t("The archive {0} cannot be read, or has none of these turns.", record.archive);
  return {
    title: t("What the compaction left out"),
    sections: [
      ...turns,
      { title: `${title} ${dateTimeText(record.ts)}`, lines: [...lines, line].map(label => ({ label })) },
    ],
  };
}

function removedTurns({ removed }: RecordOf<"compaction">, records: readonly LogRecord[]): ReportSection[] {
  const gone = new Set(removed);
  const turns = new Map<number, ReportLine[]>();
  const of = (turn: number) => turns.get(turn) ?? turns.set(turn, []).get(turn) ?? [];
  // A record may stand twice: in an archive, and in the log again after an undo.
  const seen = new Set<string>();
  for (const record of records) {
    if (seen.has(record.id)) continue;
    seen.add(record.id);
    if (record.kind === "message" && gone.has(record.message.id))
      of(record.message.metadata.turn).push(...messageLines(record));
    if (record.kind === "result" && gone.has(record.messageId)) of(record.turn).push(callLine(record));
  }
  return [...turns].sort(([a], [b]) => a - b).map(([turn, lines]) => ({ title: t("Turn {0}", turn), lines }));
}

function messageLines({ message }: RecordOf<"message">): ReportLine[] {
  const words = textOf(message.parts);
  if (words.trim() === "" || message.metadata.kind === "notice") return [];
  return [{ label: message.role === "user" ? t("You") : "Strata", detail: oneLine(words, WORDS) }];
}

const callLine = ({ digest, raw }: RecordOf<"result">): ReportLine => ({
  label: oneLine(digest, 200),
  ...(raw && { from: toHandle(raw.sha256) }),
});
