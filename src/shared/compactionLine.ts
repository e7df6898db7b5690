/** Compactions as people see them, in the panel, the terminal and reports alike: in one line; which can be undone. */
import { formatTokens } from "./format";
import { plural, t } from "./l10n";
import type { LogRecord, RecordOf } from "./records";
import { countAnswer } from "./tokenCount";

export type CompactionRecord = RecordOf<"compaction">;

/**
 * "History compacted: 148k → 41k tokens, 12 turns summarised, 10 kept"; a failure of the summary is said after it.
 * @param compaction `folded`: said where no turn was summarised
 */
export function compactionLine({
  tokens,
  counted = tokens,
  rounds,
  failure,
  folded = [],
}: Pick<CompactionRecord, "tokens" | "rounds" | "failure"> &
  Partial<Pick<CompactionRecord, "folded" | "counted">>): string {
  const [before, after] = [formatTokens(counted.before), formatTokens(counted.after)];
  const counts = compactedParts({ rounds, folded }).reduce((first, next) => t("{0}, {1}", first, next));
  const line = t("History compacted: {0} → {1} tokens, {2}", before, after, counts);
  return failure ? `${line}. ${failure.message}` : line;
}

/**
 * With what the first request after it took, where there was one while it stood: until then, an estimate is all there is.
 * @param records of the session, in any order
 */
export function withSent(compaction: CompactionRecord, records: readonly LogRecord[]): CompactionRecord {
  const later = records.filter(({ seq }) => seq > compaction.seq).sort((a, b) => a.seq - b.seq);
  for (const record of later) {
    if (record.kind === "compaction" || (record.kind === "undo" && record.compactionId === compaction.id)) break;
    const { usage, requestTokens, model } = record.kind === "message" ? record.message.metadata : {};
    if (!usage || requestTokens === undefined) continue;
    const { tokens, counted = tokens, snapshot } = compaction;
    const answer = countAnswer(usage, { requestTokens, model }, snapshot.calibration);
    return { ...compaction, counted: { before: counted.before, after: answer.counted - usage.output } };
  }
  return compaction;
}

/** Why, after a comma. */
export const compactionReasons: Record<CompactionRecord["reason"], () => string> = {
  threshold: () => t("because the model's window was nearly full"),
  manual: () => t("since you asked for it"),
  "context-too-long": () => t("because the provider rejected the request as too long"),
};

/** "12 turns summarised", "10 kept", "1 pinned" */
export function compactedParts({ rounds, folded }: Pick<CompactionRecord, "rounds" | "folded">): string[] {
  return [
    ...(rounds.summarised > 0 || folded.length === 0
      ? [plural(rounds.summarised, "1 turn summarised", "{0} turns summarised"), t("{0} kept", rounds.kept)]
      : [
          plural(folded.length, "1 observation shortened", "{0} observations shortened"),
          plural(rounds.kept, "1 turn kept", "{0} turns kept"),
        ]),
    ...(rounds.pinned > 0 ? [t("{0} pinned", rounds.pinned)] : []),
  ];
}

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
