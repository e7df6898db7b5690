/**
 * A session's archives: a header line, then the records that went, byte for byte as they stood in the live log (docs/formats.md). They
 * are read in parts, from the newest line to the oldest, so that nobody holds a whole one. One that is missing stops nothing: it is named.
 * Which records go there with the messages that a compaction removes, too.
 */
import { parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import type { LogHeader, LogRecord } from "../../shared/records";
import { type ArchiveName, type SessionPartReader, StorageError } from "../ground/ports";
import { concatBytes } from "../ground/text/bytes";
import { decodeLine, isNewer, LINE_END } from "./codec";
import { kindOf } from "./recordKinds";

export const archiveText = (header: LogHeader, lines: readonly string[]): string =>
  `${JSON.stringify({ ...header, archives: [] })}\n${lines.join("")}`;

/** Whole lines. */
interface ArchivePart {
  name: ArchiveName;
  bytes: Uint8Array;
}

/** Which numbers an archive's records have, from `first` to `last`, and where they stand in the file, in bytes. */
export interface ArchiveRange {
  name: ArchiveName;
  first: number;
  last: number;
  body: number;
  size: number;
}

const HEAD_BYTES = 64 * 1024;
const PART_BYTES = 1024 * 1024;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export class Archives {
  /** Archives never change: what was found out once holds. */
  private readonly known = new Map<ArchiveName, ArchiveRange>();

  /** @param list names, oldest first, as the live log has them now */
  constructor(
    private readonly files: SessionPartReader,
    private readonly list: () => readonly ArchiveName[],
  ) {}

  get names(): ArchiveName[] {
    return this.list().toReversed();
  }

  /**
   * All archives, the newest lines first. Rejects with the signal's reason when it is aborted.
   * @param missing gets the names of those that are not there or cannot be read
   */
  async *parts(missing: Set<string>, signal?: AbortSignal): AsyncGenerator<ArchivePart> {
    for (const range of await this.ranges(missing)) {
      try {
        yield* this.readParts(range, signal);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        missing.add(range.name);
      }
    }
  }

  /**
   * The records of all archives, the newest first, whose lines may be wanted: nothing else is taken apart.
   * @param mayBe of a line, and of several as they stand in the file
   */
  async *records(missing: Set<string>, mayBe: (text: string) => boolean): AsyncGenerator<LogRecord> {
    for await (const part of this.parts(missing)) {
      if (!mayBe(utf8.decode(part.bytes))) continue;
      for (const text of archiveLines(part).reverse()) {
        const { record } = mayBe(text) ? decodeLine(text) : {};
        if (record) yield record;
      }
    }
  }

  /** Parts of one archive, the newest lines first. Rejects with StorageError. */
  async *readParts({ name, body, size }: ArchiveRange, signal?: AbortSignal): AsyncGenerator<ArchivePart> {
    // The end of a line of which the beginning is not read yet; put together once: a line may have any length.
    let rest: Uint8Array[] = [];
    for (let to = size; to > body; ) {
      signal?.throwIfAborted();
      const from = Math.max(body, to - PART_BYTES);
      const bytes = (await this.files.readPart(name, from, to))?.bytes;
      if (!bytes) throw new StorageError("NOT_FOUND", t("The session's file {0} is missing.", name));
      const cut = from === body ? 0 : bytes.indexOf(LINE_END) + 1;
      if (cut === 0 && from > body) {
        // the middle of one long line
        rest.unshift(bytes);
      } else {
        yield { name, bytes: concatBytes([bytes.subarray(cut), ...rest]) };
        rest = [bytes.slice(0, cut)];
      }
      to = from;
    }
  }

  /** Newest archive first. @param missing gets the names of the others */
  async ranges(missing: Set<string>): Promise<ArchiveRange[]> {
    const ranges: ArchiveRange[] = [];
    for (const name of this.names) {
      const range = await this.range(name).catch(error => {
        if (!(error instanceof StorageError)) throw error;
      });
      if (range) ranges.push(range);
      else missing.add(name);
    }
    return ranges;
  }

  /** undefined: it is not there, or of a newer version. Rejects with StorageError. */
  private async range(name: ArchiveName): Promise<ArchiveRange | undefined> {
    const known = this.known.get(name);
    if (known) return known;
    let head = await this.files.readPart(name, 0, HEAD_BYTES);
    // The first line of older ones names every text in them.
    while (head && !head.bytes.includes(LINE_END) && head.bytes.length < head.size)
      head = await this.files.readPart(name, 0, head.bytes.length * 4);
    const body = head ? head.bytes.indexOf(LINE_END) + 1 : 0;
    if (!head || body === 0 || isNewer(parseJson(utf8.decode(head.bytes.subarray(0, body))))) return undefined;
    const { size } = head;
    const numbers = async (from: number) =>
      lineNumbers(utf8.decode((await this.files.readPart(name, from, Math.min(size, from + HEAD_BYTES)))?.bytes));
    const [first = 0] = await numbers(body);
    // A last line that is longer than what is read of it may have any number.
    const last = (await numbers(Math.max(body, size - HEAD_BYTES))).at(-1) ?? Number.MAX_SAFE_INTEGER;
    const range = { name, first, last, body, size };
    this.known.set(name, range);
    return range;
  }
}

/**
 * Of live log and archives as one history, oldest first, each once: what is archived only where its line may be wanted.
 * @param missing as `Archives.parts`
 */
export async function wholeHistory(
  { records, archived }: { records: readonly LogRecord[]; archived?: Archives },
  missing: Set<string>,
  mayBe: (text: string) => boolean,
): Promise<LogRecord[]> {
  const found = new Map<string, LogRecord>();
  for await (const record of archived?.records(missing, mayBe) ?? []) found.set(record.id, record);
  for (const record of records) found.set(record.id, record);
  return [...found.values()].sort((a, b) => a.seq - b.seq);
}

/** The numbers of records, where they stand as lines are written. */
const lineNumbers = (text: string): number[] =>
  [...text.matchAll(/^\{"id":"[^"\\]*","seq":(\d+),/gm)].map(([, seq]) => Number(seq));

/** A record's number; 0: it has to be parsed. */
export const lineSeq = (line: string): number => lineNumbers(line)[0] ?? 0;

/** The lines of a part, oldest first, each with its end. */
export const archiveLines = ({ bytes }: ArchivePart): string[] => utf8.decode(bytes).match(/[^\n]+\n?|\n/g) ?? [];

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
