/**
 * A session's archives: a header line, then the records that went, byte for byte as they stood in the live log (docs/formats.md). They
 * are read one by one, from the newest to the oldest, so that memory never holds all. One that is missing stops nothing: it is named.
 * Which records go there with the messages that a compaction removes, too.
 */
import { parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import type { LogHeader, LogRecord } from "../../shared/records";
import { type ArchiveName, onlyFor, type SessionTextReader, StorageError } from "../ground/ports";
import { decodeLine, isNewer } from "./codec";
import { kindOf } from "./recordKinds";

export const archiveText = (header: LogHeader, lines: readonly string[]): string =>
  `${JSON.stringify({ ...header, archives: [] })}\n${lines.join("")}`;

/** Which numbers an archive's records have, from `first` to `last`. */
interface ArchiveRange {
  name: ArchiveName;
  first: number;
  last: number;
}

export class Archives {
  /** Archives never change: what was found out once holds. */
  private readonly known = new Map<ArchiveName, ArchiveRange>();

  /** @param list names, oldest first, as the live log has them now */
  constructor(
    private readonly files: SessionTextReader,
    private readonly list: () => readonly ArchiveName[],
  ) {}

  get names(): ArchiveName[] {
    return this.list().toReversed();
  }

  /**
   * All archives, the newest first. Rejects with the signal's reason when it is aborted.
   * @param missing gets the names of those that are not there or cannot be read
   */
  async *texts(missing: Set<string>, signal?: AbortSignal): AsyncGenerator<{ name: ArchiveName; text: string }> {
    for (const name of this.names) {
      signal?.throwIfAborted();
      const text = await this.text(name, missing);
      if (text !== undefined) yield { name, text };
    }
  }

  /**
   * The records of all archives, the newest first, whose lines may be wanted: nothing else is taken apart.
   * @param mayBe of a line, and of several as they stand in the file
   */
  async *records(missing: Set<string>, mayBe: (text: string) => boolean): AsyncGenerator<LogRecord> {
    for await (const { text } of this.texts(missing)) {
      for (const line of mayBe(text) ? archiveLines(text) : []) {
        const { record } = mayBe(line) ? decodeLine(line) : {};
        if (record) yield record;
      }
    }
  }

  /** Without its header. undefined: it is not there, cannot be read or is of a newer version, and `missing` gets its name. */
  async text(name: ArchiveName, missing: Set<string>): Promise<string | undefined> {
    const text = await this.files.read(name).catch(onlyFor(StorageError, () => undefined));
    const body = (text?.indexOf("\n") ?? -1) + 1;
    if (text !== undefined && body > 0 && !isNewer(parseJson(text.slice(0, body)))) return text.slice(body);
    missing.add(name);
    return undefined;
  }

  /** The newest numbers first. @param missing gets the names of the others */
  async ranges(missing: Set<string>): Promise<ArchiveRange[]> {
    for (const name of this.names) {
      const text = this.known.has(name) ? undefined : await this.text(name, missing);
      const numbers = text === undefined ? undefined : lineNumbers(text);
      if (numbers)
        this.known.set(name, { name, first: numbers[0] ?? 0, last: numbers.at(-1) ?? Number.POSITIVE_INFINITY });
    }
    return this.names.flatMap(name => this.known.get(name) ?? []).sort((a, b) => b.last - a.last);
  }
}

/**
 * Of live log and archives as one history, oldest first, each once: what is archived only where its line may be wanted.
 * @param missing as `Archives.texts`
 */
export async function wholeHistory(
  { records, archived }: { records: readonly LogRecord[]; archived?: Archives },
  missing: Set<string>,
  mayBe: (text: string) => boolean,
): Promise<LogRecord[]> {
  const gone: LogRecord[] = [];
  for await (const record of archived?.records(missing, mayBe) ?? []) gone.push(record);
  return inOrder([...gone, ...records]);
}

/** By their numbers, each once: of two with one id the last. */
export const inOrder = <R extends LogRecord>(records: Iterable<R>): R[] =>
  [...new Map(Array.from(records, record => [record.id, record])).values()].sort((a, b) => a.seq - b.seq);

/** The numbers of records, where they stand as lines are written. */
const lineNumbers = (text: string): number[] =>
  [...text.matchAll(/^\{"id":"[^"\\]*","seq":(\d+),/gm)].map(([, seq]) => Number(seq));

/** A record's number; 0: it has to be parsed. */
export const lineSeq = (line: string): number => lineNumbers(line)[0] ?? 0;

/** The newest first. */
export const archiveLines = (text: string): string[] => text.split(/(?<=\n)/).reverse();

/**
 * A sentence for each, for people.
 * @param records of the live log: the compaction among them that wrote an archive says which turns went there
 * @param missing names: `archive/0002.jsonl`
 * @param so what it means: "not all that went there can be searched"
 */
export const missingArchivesText = (records: readonly LogRecord[], missing: Iterable<string>, so: string): string =>
  Array.from(missing, name => {
    const turns = archivedTurns(records, name);
    return turns
      ? t("{0} of this session is missing or cannot be read (turns {1}–{2}): {3}.", name, turns.from, turns.to, so)
      : t("{0} of this session is missing or cannot be read: {1}.", name, so);
  }).join(" ");

/** The same for the model. */
export const missingForModel = (
  records: readonly LogRecord[],
  missing: Iterable<string>,
  so = "not all that went there can be searched",
): string =>
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

/** The newest summary of the compaction that wrote it says what it is about; undefined: its record is archived itself. */
function archivedTurns(records: readonly LogRecord[], name: string): { from: number; to: number } | undefined {
  const wrote = records.find(record => record.kind === "compaction" && record.archive === name);
  return wrote?.kind === "compaction" ? wrote.summaries.at(-1)?.turns : undefined;
}

/** The message that a record is, or belongs to. */
export function owningMessageId(record: LogRecord): string | undefined {
  const { archive } = kindOf(record);
  return typeof archive === "object" && "messageId" in archive ? archive.messageId(record) : undefined;
}

/**
 * Ids of the records that go to an archive with the messages that a compaction removes. What stands between messages
 * (questions, notes, todos: the snapshot has what they said) goes with the message before it, or, at the beginning, with
 * the first one.
 * @param records the live log, oldest first
 */
export function recordsToArchive(records: readonly LogRecord[], removed: ReadonlySet<string>): Set<string> {
  const toArchive = new Set<string>();
  const first = records.map(owningMessageId).find(id => id !== undefined);
  let isArchiving = first !== undefined && removed.has(first);
  for (const record of records) {
    const messageId = owningMessageId(record);
    if (record.kind !== "result" && messageId !== undefined) isArchiving = removed.has(messageId);
    const own = messageId === undefined ? isArchiving && !staysInLog(record, removed) : removed.has(messageId);
    if (own) toArchive.add(record.id);
  }
  return toArchive;
}

function staysInLog(record: LogRecord, removed: ReadonlySet<string>): boolean {
  const { archive } = kindOf(record);
  if (typeof archive === "string") return archive === "stays";
  return "about" in archive && archive.about(record).some(({ messageId }) => !removed.has(messageId));
}
