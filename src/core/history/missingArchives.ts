/** Words for what cannot be looked at: archives that are missing, or that cannot be read. */
import type { LogRecord, RecordOf } from "../../shared/records";
import type { Archives } from "./archives";

/** A session's log, as far as it is needed here. */
interface Log {
  readonly records: readonly LogRecord[];
  readonly archived?: Archives;
}

/**
 * A sentence for each, or nothing. Looks through the other archives for what says which turns stood there.
 * @param missing names: `archive/0002.jsonl`
 * @param so what it means: "what went there cannot be searched"
 */
export async function missingArchivesText(log: Log, missing: Iterable<string>, so: string): Promise<string> {
  const names = [...missing];
  const records = await archivingCompactions(log, names);
  return names.map(name => missingArchiveText(records, name, so)).join(" ");
}

/** Those of the missing archives that may hold something of a turn. */
export async function missingForTurn(log: Log, missing: readonly string[], turn: number): Promise<string[]> {
  const records = await archivingCompactions(log, missing);
  return missing.filter(name => {
    const turns = archivedTurns(records, name);
    return !turns || (turns.from <= turn && turn <= turns.to);
  });
}

/** @param records in which the compaction may be that wrote the archive */
export function missingArchiveText(records: readonly LogRecord[], name: string, so: string): string {
  const turns = archivedTurns(records, name);
  const about = turns ? ` (turns ${turns.from}–${turns.to})` : "";
  return `${name} of this session is missing or cannot be read${about}: ${so}.`;
}

/** What a search could not look at, in words; empty: it looked at everything. */
export async function unsearchedText(
  log: Log,
  { unread, broken }: { unread: readonly string[]; broken: readonly string[] },
): Promise<string> {
  const gaps = await missingArchivesText(log, unread, "what went there cannot be searched");
  const lines = broken.length > 0 ? `Lines of ${broken.join(", ")} that may have these words cannot be read.` : "";
  return [gaps, lines].filter(Boolean).join(" ");
}

const compactions = (records: readonly LogRecord[]): RecordOf<"compaction">[] =>
  records.filter(record => record.kind === "compaction");

/** The newest summary of the compaction that wrote it says what it is about. */
function archivedTurns(records: readonly LogRecord[], name: string): { from: number; to: number } | undefined {
  return compactions(records)
    .find(({ archive }) => archive === name)
    ?.summaries.at(-1)?.turns;
}

/** The compactions that wrote these archives, among others. */
async function archivingCompactions(log: Log, names: readonly string[]): Promise<RecordOf<"compaction">[]> {
  const live = compactions(log.records);
  if (names.every(name => live.some(({ archive }) => archive === name))) return live;
  return [...live, ...(await archivedCompactions(log, names))];
}

/** A compaction's record goes to an archive with what stands before it. */
async function archivedCompactions({ archived }: Log, names: readonly string[]): Promise<RecordOf<"compaction">[]> {
  const marks = names.map(name => `"archive":${JSON.stringify(name)}`);
  const mayBe = (text: string) => marks.some(mark => text.includes(mark));
  const found: LogRecord[] = [];
  for await (const record of archived?.records(new Set(), mayBe) ?? []) found.push(record);
  return compactions(found);
}
