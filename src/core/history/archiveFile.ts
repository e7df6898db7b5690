/**
 * An archive's text (CONTEXT.md, section 6): a header line, then the records that went, byte for byte as they stood in the
 * live log. Its header says where each output stands, so that a handle is found without reading the rest. Pure.
 */
import * as z from "zod";
import { headerSchema, LOG_VERSION, type LogHeader } from "../../shared/records";
import { isObject, parseJson } from "../text/json";

/** What a header says of the lines behind it. It only counts where `bytes` is what the file has. */
const indexSchema = z.object({
  /** of all lines behind the header */
  bytes: z.int(),
  /** numbers of the first and the last record; 0: there is none */
  first: z.int(),
  last: z.int(),
  /** sha256 of an output or a summary; where its line begins, in bytes behind the header; the bytes of that line */
  texts: z.custom<[string, number, number][]>(isTexts),
});
export type ArchiveIndex = z.infer<typeof indexSchema>;

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

/** @param lines each with its end */
export function archiveText(header: LogHeader, lines: readonly string[]): string {
  return `${JSON.stringify({ ...header, archives: [], index: buildIndex(lines) })}\n${lines.join("")}`;
}

/** "newer": of a version that this one must leave alone; undefined: it is no header */
export function archiveHeader(line: string): z.infer<typeof archiveHeaderSchema> | "newer" | undefined {
  const value = parseJson(line);
  const header = archiveHeaderSchema.safeParse(value).data;
  if (isObject(value) && typeof value.version === "number" && value.version > LOG_VERSION) return "newer";
  return header;
}

/** The entries of an index, one line after the other. */
export class IndexBuilder {
  private readonly index: ArchiveIndex = { bytes: 0, first: 0, last: 0, texts: [] };

  /** @param bytes of the line with its end */
  add(line: string, bytes: number): void {
    const { index } = this;
    const value = parseJson(line);
    const seq = isObject(value) && typeof value.seq === "number" ? value.seq : undefined;
    if (seq !== undefined) {
      index.first ||= seq;
      index.last = seq;
    }
    for (const sha256 of searchableTexts(value)) index.texts.push([sha256, index.bytes, bytes]);
    index.bytes += bytes;
  }

  done(): ArchiveIndex {
    return this.index;
  }
}

function buildIndex(lines: readonly string[]): ArchiveIndex {
  const utf8 = new TextEncoder();
  const builder = new IndexBuilder();
  for (const line of lines) builder.add(line, utf8.encode(line).length);
  return builder.done();
}

/** What a record has that handles lead to: a call's output, an attachment as a whole, a compaction's summaries. */
export function searchableTexts(record: unknown): string[] {
  if (!isObject(record)) return [];
  const hasRaw = record.kind === "result" || record.kind === "attachment";
  const of = hasRaw ? [record.raw] : record.kind === "compaction" ? record.summaries : [];
  if (!Array.isArray(of)) return [];
  return of.flatMap(text => (isObject(text) && typeof text.sha256 === "string" ? [text.sha256] : []));
}
