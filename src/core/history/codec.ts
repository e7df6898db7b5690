/**
 * `history.jsonl` as text: a header line, then one self-contained record a line (CONTEXT.md, section 6). Pure.
 */
import { headerSchema, LOG_VERSION, type LogHeader, type LogRecord, recordSchema } from "../../shared/records";
import { isObject, parseJson } from "../text/json";

export function encodeLine(value: LogHeader | LogRecord): string {
  return `${JSON.stringify(value)}\n`;
}

/** The log was written by a newer version: it is left untouched. */
export class NewerLogError extends Error {
  constructor(version: number) {
    super(
      `This session was written by a newer version of Strata (log version ${version}, this one reads up to ${LOG_VERSION}). Update Strata to open it; the session was left as it is.`,
    );
    this.name = "NewerLogError";
  }
}

/** There is no header that could be read: this is not a session's log. */
export class NotALogError extends Error {
  constructor() {
    super("The session's log has no readable first line, so it cannot be opened. Its files were left as they are.");
    this.name = "NotALogError";
  }
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
  lines.slice(1).forEach((line, index) => {
    decodeInto(log, line, index + 2);
  });
  if (end < text.length) {
    log.torn = { keepBytes: utf8.encode(text.slice(0, end)).length, text: text.slice(end) };
  }
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
  if (isNewer(value)) throw new NewerLogError(value.version);
  const header = headerSchema.safeParse(value);
  if (!header.success) throw new NotALogError();
  return header.data;
}

function isNewer(header: unknown): header is { version: number } {
  return isObject(header) && typeof header.version === "number" && header.version > LOG_VERSION;
}

function decodeInto(log: DecodedLog, line: string, number: number): void {
  const { record, seq } = decodeLine(line);
  if (record) log.records.push(record);
  if (seq === undefined) log.broken.push({ line: number, text: line });
  else log.lastSeq = Math.max(log.lastSeq, seq);
}

/** Beyond it numbers cannot be told apart: nobody counted so far, the line is damaged. */
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
