/** Words for what cannot be looked at: archives that are missing, or that cannot be read. */
import { t } from "../../shared/l10n";
import type { LogRecord } from "../../shared/records";

/**
 * A sentence for each, for people.
 * @param records of the live log: the compaction among them that wrote an archive says which turns went there
 * @param missing names: `archive/0002.jsonl`
 * @param so what it means: "what went there cannot be searched"
 */
export const missingArchivesText = (records: readonly LogRecord[], missing: Iterable<string>, so: string): string =>
  Array.from(missing, name => {
    const turns = archivedTurns(records, name);
    return turns
      ? t("{0} of this session is missing or cannot be read (turns {1}–{2}): {3}.", name, turns.from, turns.to, so)
      : t("{0} of this session is missing or cannot be read: {1}.", name, so);
  }).join(" ");

/** The same for the model. */
export const missingForModel = (records: readonly LogRecord[], missing: Iterable<string>, so: string): string =>
  Array.from(missing, name => {
    const turns = archivedTurns(records, name);
    const about = turns ? ` (turns ${turns.from}–${turns.to})` : "";
    return `${name} of this session is missing or cannot be read${about}: ${so}.`;
  }).join(" ");

export const missingForTurn = (records: readonly LogRecord[], missing: readonly string[], turn: number): string[] =>
  missing.filter(name => {
    const turns = archivedTurns(records, name);
    return !turns || (turns.from <= turn && turn <= turns.to);
  });

/** What a search could not look at, in words; empty: it looked at everything. */
export function unsearchedText(
  records: readonly LogRecord[],
  { unread, broken }: { unread: readonly string[]; broken: readonly string[] },
): string {
  const gaps = missingForModel(records, unread, "what went there cannot be searched");
  const lines = broken.length > 0 ? `Lines of ${broken.join(", ")} that may have these words cannot be read.` : "";
  return [gaps, lines].filter(Boolean).join(" ");
}

/** The newest summary of the compaction that wrote it says what it is about; undefined: its record is archived itself. */
function archivedTurns(records: readonly LogRecord[], name: string): { from: number; to: number } | undefined {
  const wrote = records.find(record => record.kind === "compaction" && record.archive === name);
  return wrote?.kind === "compaction" ? wrote.summaries.at(-1)?.turns : undefined;
}
