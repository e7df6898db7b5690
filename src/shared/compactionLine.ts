/** Compactions as people see them, in the panel, the terminal and reports alike: in one line; which can be undone. */
import type { Rounds, Summary } from "./compaction";
import { formatTokens, inARow, inSentences } from "./format";
import { locale, plural, t } from "./l10n";
import type { RecordOf } from "./records";

export type CompactionRecord = RecordOf<"compaction">;
type Compaction = Omit<CompactionRecord, "id" | "kind">;

interface CompactionFigures {
  tokens: { before: number; after: number };
  /** in the provider's count */
  counted?: { before: number; after: number } | undefined;
  rounds: Rounds;
  /** said where no turn was summarised */
  folded?: CompactionRecord["folded"];
}

/** "History compacted: 148k → 41k tokens, 12 turns summarised, 10 kept" */
export function compactionLine({ tokens, counted = tokens, rounds, folded = [] }: CompactionFigures): string {
  const [before, after] = [formatTokens(counted.before), formatTokens(counted.after)];
  const counts = compactedParts({ tokens, rounds, folded }).reduce((first, next) => t("{0}, {1}", first, next));
  return t("History compacted: {0} → {1} tokens, {2}", before, after, counts);
}

/** Why, after a comma. */
export function compactionReason({ reason, guidance }: Compaction): string {
  if (reason === "manual") return guidance === undefined ? t("as you asked") : t("as you asked: “{0}”", guidance);
  if (reason === "threshold") return t("because the context was nearly full");
  return t("because the model's server rejected the request as too long");
}

export const turnsText = (from: number, to: number): string =>
  from === to ? t("turn {0}", to) : t("turns {0} to {1}", from, to);

/** "Summarised: turns 1 to 12 (9:00 – 9:40). Kept: turns 13 to 21, the newest · turn 22, under way · turn 3, pinned." */
export function turnsWords({ rounds, summaries, snapshot: { turn: newest, turnOpen, pins } }: Compaction): string {
  const summary = summaries.at(-1);
  const from = (summary?.turns.to ?? 0) + 1;
  const to = turnOpen ? newest - 1 : newest;
  const pinned = pins.length === 1 ? t("turn {0}", pins[0] ?? 0) : t("turns {0}", inARow(pins.map(String)));
  const current = from > newest ? t("the end of turn {0}", newest) : t("turn {0}", newest);
  const kept: [isKept: boolean, turns: string, why: string][] = [
    [rounds.kept > 0 && from <= to, turnsText(from, to), t("the newest")],
    [turnOpen && rounds.kept + rounds.pinned > 0, current, t("under way")],
    [rounds.pinned > 0 && pins.length > 0, pinned, t("pinned")],
  ];
  const parts = kept.flatMap(([isKept, turns, why]) => (isKept ? [t("{0}, {1}", turns, why)] : []));
  return inSentences([
    summary && t("Summarised: {0} ({1}).", turnsText(summary.turns.from, summary.turns.to), timesText(summary)),
    parts.length === 0 ? t("No turn was kept.") : t("Kept: {0}.", parts.join(" · ")),
  ]);
}

const timesText = ({ startTs, cutoffTs }: Summary): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).formatRange(startTs, cutoffTs);

/** The summary that it made, as the model reads it. Markdown. */
export const newestSummary = ({ summaries }: Compaction): string => summaries.at(-1)?.text ?? t("(no summary)");

/** "12 turns summarised", "10 kept", "1 pinned" */
export const compactedParts = ({ rounds, folded = [] }: CompactionFigures): string[] => [
  ...(rounds.summarised > 0 || folded.length === 0
    ? [plural(rounds.summarised, "1 turn summarised", "{0} turns summarised"), t("{0} kept", rounds.kept)]
    : [
        plural(folded.length, "1 observation shortened", "{0} observations shortened"),
        plural(rounds.kept, "1 turn kept", "{0} turns kept"),
      ]),
  ...(rounds.pinned > 0 ? [t("{0} pinned", rounds.pinned)] : []),
];

/**
 * Ids of the compactions that can be undone and redone now: the newest one with an effect; and the one undone last, while no
 * other followed it.
 * @param changes oldest first
 */
export function undoableCompactions(
  changes: Iterable<{ kind: "compaction"; id: string } | { kind: "undo" | "redo"; compactionId: string }>,
): { undo: string | undefined; redo: string | undefined } {
  const all: string[] = [];
  const undone = new Set<string>();
  /** since the newest compaction */
  let redoable: string[] = [];
  for (const change of changes) {
    if (change.kind === "compaction") {
      all.push(change.id);
      redoable = [];
      continue;
    }
    const { kind, compactionId } = change;
    redoable = redoable.filter(id => id !== compactionId);
    if (kind === "redo") undone.delete(compactionId);
    else {
      undone.add(compactionId);
      redoable.push(compactionId);
    }
  }
  return { undo: all.findLast(id => !undone.has(id)), redo: redoable.at(-1) };
}

export const noCompactionTo = (way: "undo" | "redo") =>
  t(way === "undo" ? "There is no compaction to undo." : "There is no compaction to redo.");
