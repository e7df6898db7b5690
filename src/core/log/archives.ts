/**
 * A session's archives: a header line, then the records that went, byte for byte as they stood in the live log. The header
 * says where each output stands, so that a handle is found without reading the rest (docs/formats.md). They are read in
 * parts, from the newest line to the oldest, so that nobody holds a whole one; what is learned of them is small and kept.
 * One that is missing stops nothing: it is named.
 * An archive is read in parts, from its end: its header says where each output is, and is believed only where it fits.
 */

import * as z from "zod";
import { isObject } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { headerSchema, LOG_VERSION, type LogHeader, type LogRecord } from "../../shared/records";
import { type ArchiveName, type SessionPartReader, StorageError } from "../ground/ports";
import { concatBytes } from "../ground/text/bytes";
import { parseJson } from "../ground/text/json";
import { decodeLine, LINE_END } from "./codec";
import { recordedTexts } from "./recordKinds";

/** What a header says of the lines behind it. It only counts where `bytes` is what the file has. */
const indexSchema = z.object({
  bytes: z.int(),
  /** numbers of the first and the last record; 0: there is none */
  first: z.int(),
  last: z.int(),
  /** sha256 of an output or a summary; where its line begins, in bytes behind the header; the bytes of that line */
  texts: z.custom<[string, number, number][]>(isTexts),
});
type ArchiveIndex = z.infer<typeof indexSchema>;

/** By hand: there are hundreds in each of many archives, and somebody waits for them. */
function isTexts(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      entry =>
        Array.isArray(entry) &&
        typeof entry[0] === "string" &&
        Number.isSafeInteger(entry[1]) &&
        Number.isSafeInteger(entry[2]),
    )
  );
}

const archiveHeaderSchema = headerSchema.extend({ index: indexSchema.optional().catch(undefined) });

export function archiveText(header: LogHeader, lines: readonly string[]): string {
  const utf8 = new TextEncoder();
  const index = buildIndex(lines.map(text => ({ text, length: utf8.encode(text).length })));
  return `${JSON.stringify({ ...header, archives: [], index })}\n${lines.join("")}`;
}

/** "newer": of a version that this one must leave alone; undefined: it is no header */
function archiveHeader(line: string): z.infer<typeof archiveHeaderSchema> | "newer" | undefined {
  const value = parseJson(line);
  const header = archiveHeaderSchema.safeParse(value).data;
  if (isObject(value) && typeof value.version === "number" && value.version > LOG_VERSION) return "newer";
  return header;
}

/** @param lines one after the other, `length` in bytes with their ends */
function buildIndex(lines: Iterable<{ text: string; length: number }>): ArchiveIndex {
  const index: ArchiveIndex = { bytes: 0, first: 0, last: 0, texts: [] };
  for (const { text, length } of lines) {
    const { record, seq } = decodeLine(text);
    if (seq) {
      index.first ||= seq;
      index.last = seq;
    }
    for (const { sha256 } of record ? recordedTexts(record) : []) index.texts.push([sha256, index.bytes, length]);
    index.bytes += length;
  }
  return index;
}

interface ArchivePart {
  name: ArchiveName;
  /** where the first line begins, in bytes of the file */
  start: number;
  bytes: Uint8Array;
}

/** What is known of an archive without its records. */
interface ArchiveFacts {
  /** where the records begin */
  body: number;
  size: number;
  index: ArchiveIndex | undefined;
  /** the index was made from the lines */
  read?: true;
}

/** Which numbers an archive's records have, from `first` to `last`, and where they stand in the file. */
export interface ArchiveRange {
  name: ArchiveName;
  first: number;
  last: number;
  body: number;
  size: number;
}

const HEAD_BYTES = 64 * 1024;
const PART_BYTES = 1024 * 1024;
const MAX_AT_ONCE = 16;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export class Archives {
  /** Archives never change: what was found out once holds. */
  private readonly known = new Map<ArchiveName, ArchiveFacts>();

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
    for (const name of this.names) {
      try {
        const facts = await this.facts(name);
        if (facts) yield* this.readParts(name, facts, facts.size, signal);
        else missing.add(name);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        missing.add(name);
      }
    }
  }

  /**
   * The records of all archives, the newest first, whose lines may be wanted: nothing else is taken apart.
   * @param mayBe of a line, and of several as they stand in the file
   */
  async *records(missing: Set<string>, mayBe: (text: string) => boolean): AsyncGenerator<LogRecord> {
    for await (const part of this.parts(missing)) yield* partRecords(part, mayBe);
  }

  /**
   * Parts of one archive, the newest lines first. Rejects with StorageError.
   * @param end begin there: lines from that byte on are left out
   */
  async *readParts(
    name: ArchiveName,
    { body }: Pick<ArchiveFacts, "body">,
    end: number,
    signal?: AbortSignal,
  ): AsyncGenerator<ArchivePart> {
    // The end of a line of which the beginning is not read yet; put together once: a line may have any length.
    let rest: Uint8Array[] = [];
    for (let to = end; to > body; ) {
      signal?.throwIfAborted();
      const from = Math.max(body, to - PART_BYTES);
      const bytes = (await this.files.readPart(name, from, to))?.bytes;
      if (!bytes) throw new StorageError("NOT_FOUND", t("The session's file {0} is missing.", name));
      const cut = from === body ? 0 : bytes.indexOf(LINE_END) + 1;
      if (cut === 0 && from > body) {
        // the middle of one long line
        rest.unshift(bytes);
      } else {
        yield { name, start: from + cut, bytes: concatBytes([bytes.subarray(cut), ...rest]) };
        rest = [bytes.slice(0, cut)];
      }
      to = from;
    }
  }

  /** Numbers of the first and last record of each, newest archive first. @param missing gets the names of the others */
  async ranges(missing: Set<string>): Promise<ArchiveRange[]> {
    const ranges = await this.each(missing, async (name, facts) => {
      const { first, last } = facts.index ?? (await this.indexOf(name, facts));
      return { name, body: facts.body, size: facts.size, first, last };
    });
    return ranges.filter(({ last }) => last > 0);
  }

  /**
   * The records with a text whose sha256 begins so, by that sha256; of several with the same text the newest.
   * @param missing gets the names of the archives that could not be looked at
   * @param from where to look: in what the headers say, or in the lines of all archives
   */
  async withText(prefix: string, missing: Set<string>, from: "index" | "lines"): Promise<Map<string, LogRecord>> {
    const found = await this.each(missing, async (name, facts) => {
      if (facts.index && (from === "index" || facts.read)) {
        const records = await this.indexed(name, facts.body, facts.index, prefix);
        if (records) return records;
      }
      const index = await this.indexOf(name, facts);
      return (await this.indexed(name, facts.body, index, prefix)) ?? new Map<string, LogRecord>();
    });
    return new Map(found.reverse().flatMap(records => [...records]));
  }

  /** undefined: the index does not fit what stands there. */
  private async indexed(
    name: ArchiveName,
    body: number,
    { texts }: ArchiveIndex,
    prefix: string,
  ): Promise<Map<string, LogRecord> | undefined> {
    const newest = new Map(texts.flatMap(([sha256, ...place]) => (sha256.startsWith(prefix) ? [[sha256, place]] : [])));
    const records = new Map<string, LogRecord>();
    for (const [sha256, [start, length]] of newest) {
      const part = await this.files.readPart(name, body + start, body + start + length);
      const record = part && decodeLine(utf8.decode(part.bytes)).record;
      if (!record || !recordedTexts(record).some(text => text.sha256 === sha256)) return undefined;
      records.set(sha256, record);
    }
    return records;
  }

  private async each<T>(
    missing: Set<string>,
    work: (name: ArchiveName, facts: ArchiveFacts) => Promise<T>,
  ): Promise<T[]> {
    const results: T[] = [];
    const { names } = this;
    for (let from = 0; from < names.length; from += MAX_AT_ONCE) {
      const each = names.slice(from, from + MAX_AT_ONCE).map(async name => {
        try {
          const facts = await this.facts(name);
          if (facts) return [await work(name, facts)];
        } catch (error) {
          if (!(error instanceof StorageError)) throw error;
        }
        missing.add(name);
        return [];
      });
      results.push(...(await Promise.all(each)).flat());
    }
    return results;
  }

  /** undefined: it is not there, or of a newer version. Rejects with StorageError. */
  private async facts(name: ArchiveName): Promise<ArchiveFacts | undefined> {
    const known = this.known.get(name);
    if (known) return known;
    const head = await this.head(name);
    const header = head && archiveHeader(utf8.decode(head.line));
    if (!head || header === "newer") return undefined;
    // Where the first line is broken the others count all the same.
    const index = header?.index?.bytes === head.size - head.line.length ? header.index : undefined;
    const facts = { body: head.line.length, size: head.size, index };
    this.known.set(name, facts);
    return facts;
  }

  private async head(name: ArchiveName): Promise<{ line: Uint8Array; size: number } | undefined> {
    for (let most = HEAD_BYTES; ; most *= 4) {
      const part = await this.files.readPart(name, 0, most);
      if (!part) return undefined;
      const end = part.bytes.indexOf(LINE_END) + 1;
      if (end > 0) return { line: part.bytes.subarray(0, end), size: part.size };
      if (part.bytes.length === part.size) return { line: part.bytes, size: part.size };
    }
  }

  /** Of an archive whose header says nothing, or not what stands there: from its lines, once. */
  private async indexOf(name: ArchiveName, facts: ArchiveFacts): Promise<ArchiveIndex> {
    const parts: ArchiveIndex[] = [];
    for await (const part of this.readParts(name, facts, facts.size)) {
      const { texts, ...rest } = buildIndex(archiveLines(part));
      const from = part.start - facts.body;
      parts.unshift({ ...rest, texts: texts.map(([sha256, start, length]) => [sha256, start + from, length]) });
    }
    const index = {
      bytes: facts.size - facts.body,
      first: parts.find(({ first }) => first > 0)?.first ?? 0,
      last: parts.findLast(({ last }) => last > 0)?.last ?? 0,
      texts: parts.flatMap(({ texts }) => texts),
    };
    this.known.set(name, { ...facts, index, read: true });
    return index;
  }
}

/** The records of a part, the newest first, whose lines may be wanted. */
export function* partRecords(part: ArchivePart, mayBe: (text: string) => boolean): Generator<LogRecord> {
  if (!mayBe(utf8.decode(part.bytes))) return;
  for (const { text } of archiveLines(part).reverse()) {
    const { record } = mayBe(text) ? decodeLine(text) : {};
    if (record) yield record;
  }
}

/** The lines of a part, oldest first; `start` in bytes of the file, `length` with its end. */
export function archiveLines({ start, bytes }: ArchivePart): { text: string; start: number; length: number }[] {
  const lines: { text: string; start: number; length: number }[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, from);
    const to = end < 0 ? bytes.length : end + 1;
    lines.push({ text: utf8.decode(bytes.subarray(from, to)), start: start + from, length: to - from });
    from = to;
  }
  return lines;
}
