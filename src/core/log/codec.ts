/**
 * `history.jsonl` as text: a header line, then one self-contained record a line (docs/formats.md); read, taken apart and
 * put together again. Pure.
 */
import { isObject, parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { headerSchema, LOG_VERSION, type LogHeader, type LogRecord, recordSchema } from "../../shared/records";
import { type ArchiveName, ErrorForPeople } from "../ground/ports";

export const LINE_END = 10;

export const encodeLine = (value: LogHeader | LogRecord): string => `${JSON.stringify(value)}\n`;

/** It was written by a newer version. */
export class NewerLogError extends ErrorForPeople {
  override readonly name = "NewerLogError";
}

/** There is no header that could be read: this is not a session's log. */
export class NotALogError extends ErrorForPeople {
  override readonly name = "NotALogError";
}

export interface DecodedLog {
  header: LogHeader;
  records: LogRecord[];
  /** the highest number in the log, of records of unknown kinds too */
  lastSeq: number;
  /** lines in the middle that are no records, as they stand; 1-based line numbers */
  broken: { line: number; text: string }[];
  /** the last line was cut off: the log is whole up to `keepBytes` (UTF-8) */
  torn?: { keepBytes: number; text: string };
  /** the log without its broken and torn lines */
  readonly whole: string;
}

const utf8 = new TextEncoder();

/**
 * Reads a log. Records of kinds that this version does not know are passed over (they stay in the file).
 * @throws NewerLogError, NotALogError
 */
export function decodeLog(text: string): DecodedLog {
  const end = text.lastIndexOf("\n") + 1;
  const lines = text.slice(0, end).split("\n").slice(0, -1);
  const log: DecodedLog = {
    header: decodeHeader(lines[0]),
    records: [],
    lastSeq: 0,
    broken: [],
    get whole() {
      const broken = new Set(log.broken.map(({ line }) => line - 1));
      return lines
        .filter((_, index) => !broken.has(index))
        .map(line => `${line}\n`)
        .join("");
    },
  };
  for (const [index, line] of lines.entries()) {
    const { record, seq } = index === 0 ? { seq: 0 } : decodeLine(line);
    if (record) log.records.push(record);
    if (seq === undefined) log.broken.push({ line: index + 1, text: line });
    else log.lastSeq = Math.max(log.lastSeq, seq);
  }
  if (end < text.length) log.torn = { keepBytes: utf8.encode(text.slice(0, end)).length, text: text.slice(end) };
  return log;
}

/**
 * Nothing but the beginning of a header, as a crash in the very first write leaves it; some disks have zeros for what was not
 * written yet.
 */
export function neverBegan(text: string): boolean {
  const [written = ""] = text.split("\0", 1);
  if (text.includes("\n") || isNewer(parseJson(written))) return false;
  return HEADER_BEGINS.startsWith(written.slice(0, HEADER_BEGINS.length));
}

const HEADER_BEGINS = '{"kind":"header",';

function decodeHeader(line: string | undefined): LogHeader {
  const value = parseJson(line ?? "");
  if (isNewer(value))
    throw new NewerLogError(
      t(
        "This session was written by a newer version of Strata (log version {0}, this one reads up to {1}). Update Strata to open it; the session was left as it is.",
        ...[value.version, LOG_VERSION],
      ),
    );
  const header = headerSchema.safeParse(value);
  if (!header.success)
    throw new NotALogError(
      t("The session's log has no readable first line, so it cannot be opened. Its files were left as they are."),
    );
  return header.data;
}

export const isNewer = (header: unknown): header is { version: number } =>
  isObject(header) && typeof header.version === "number" && header.version > LOG_VERSION;

/** Beyond it numbers cannot be told apart: no log counts so far, so the line is damaged. */
const MAX_SEQ = 2 ** 52;

/** A line of a log. No record but a number: of a kind that this version does not know (0: it has none). Neither: broken. */
export function decodeLine(line: string): { record?: LogRecord; seq?: number } {
  const value = parseJson(line);
  if (isObject(value) && Math.abs(Number(value.seq ?? 0)) > MAX_SEQ) return {};
  const record = recordSchema.safeParse(value);
  if (record.success) return { record: record.data, seq: record.data.seq };
  if (!isObject(value) || typeof value.kind !== "string" || knownKinds.has(value.kind)) return {};
  return { seq: typeof value.seq === "number" ? value.seq : 0 };
}

const knownKinds: ReadonlySet<string> = new Set(recordSchema.options.map(option => option.shape.kind.value));

/** The lines that stay, and those of the records that go, each with its end. The header is in neither. */
export function splitLog(log: string, toArchive: ReadonlySet<string>): { kept: string[]; gone: string[] } {
  const kept: string[] = [];
  const gone: string[] = [];
  for (const { id, text } of recordLines(log)) (typeof id === "string" && toArchive.has(id) ? gone : kept).push(text);
  return { kept, gone };
}

/** The lines of these logs in the order of their numbers, each record once, each with its end. The headers are not among them. */
export function mergeLogs(...logs: readonly string[]): string[] {
  const seen = new Set<unknown>();
  return logs
    .flatMap(recordLines)
    .filter(({ id }) => id === undefined || (!seen.has(id) && seen.add(id)))
    .sort((a, b) => a.seq - b.seq)
    .map(({ text }) => text);
}

/** Of all records, also of kinds that this version does not know. */
export const recordIds = (log: string): Set<string> =>
  new Set(recordLines(log).flatMap(({ id }) => (typeof id === "string" ? [id] : [])));

export function nextArchiveName(archives: readonly string[]): ArchiveName {
  const taken = archives.map(name => Number(/(?:^|\/)(\d{4,8})\.jsonl$/.exec(name)?.[1] ?? 0));
  return `archive/${String(Math.max(0, ...taken) + 1).padStart(4, "0")}.jsonl`;
}

/** Lines keep their bytes, also where this version does not know all of them. */
function recordLines(log: string): { id: unknown; seq: number; text: string }[] {
  let last = 0;
  return log
    .split("\n")
    .slice(1, -1)
    .map(text => {
      const value = parseJson(text);
      const { id, seq } = isObject(value) ? value : {};
      // A line that says nothing of its place stays behind the one before it.
      if (typeof seq === "number") last = seq;
      return { id, seq: last, text: `${text}\n` };
    });
}

/** undefined: the bytes are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
