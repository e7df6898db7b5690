/**
 * Handles: `obs:` and the first characters of the sha256 of a recorded output (CONTEXT.md, sections 2 and 7). Each that
 * ever stood in a request resolves to the recorded bytes for the life of the session.
 */
import type { LogRecord, RecordOf } from "../../shared/records";
import type { SessionFiles } from "../ports";
import { handleOf } from "../tools/format";

/** What a session's outputs are found in: its records, oldest first, and its blobs. `History` is one. */
export interface SessionLog {
  readonly records: readonly LogRecord[];
  readonly files: Pick<SessionFiles, "getBlob">;
}

export type ResultRecord = RecordOf<"result">;

/** A recorded output, as it was redacted then. */
export interface RecordedOutput {
  /** the newest result with this output */
  record: ResultRecord;
  handle: string;
  text: string;
}

/** The handle leads nowhere; the message says why, for models and people. */
export class HandleError extends Error {
  constructor(
    readonly code: "INVALID_INPUT" | "NOT_FOUND" | "AMBIGUOUS",
    message: string,
  ) {
    super(message);
    this.name = "HandleError";
  }
}

/** More than 12 characters tell apart what 12 do not; fewer do where they are unique. */
const HANDLE = /^(?:obs:)?([0-9a-f]{4,64})…?$/i;

/** Rejects with HandleError, and with StorageError where the blob cannot be read. */
export async function resolveHandle(log: SessionLog, handle: string): Promise<RecordedOutput> {
  const record = findHandle(log.records, handle);
  const text = await outputOf(log, record);
  const sha256 = record.raw?.sha256 ?? "";
  if (text === undefined) {
    throw new HandleError(
      "NOT_FOUND",
      `The output ${handleOf(sha256)} (${describe(record)}) is missing: the session's files have no blob ${sha256}. What was shown of it is still in the conversation; run the call again for the rest.`,
    );
  }
  return { record, handle: handleOf(sha256), text };
}

/** @throws HandleError */
export function findHandle(records: readonly LogRecord[], handle: string): ResultRecord {
  const prefix = HANDLE.exec(handle.trim())?.[1]?.toLowerCase();
  if (prefix === undefined) {
    throw new HandleError("INVALID_INPUT", `"${handle}" is no handle. One looks like obs:3fa9c1d2e4b5.`);
  }
  const found = new Map<string, ResultRecord>();
  for (const record of records) {
    if (record.kind === "result" && record.raw?.sha256.startsWith(prefix)) found.set(record.raw.sha256, record);
  }
  const [first, second] = [...found];
  if (!first) {
    throw new HandleError(
      "NOT_FOUND",
      `No output of this session has the handle obs:${prefix}. Search by words instead.`,
    );
  }
  if (second) {
    const names = [first, second].map(([sha256, record]) => `obs:${sha256} (${describe(record)})`);
    throw new HandleError("AMBIGUOUS", `obs:${prefix} could be ${names.join(" or ")}. Give more of it.`);
  }
  return first[1];
}

/**
 * The whole output of a call; undefined: it gave none, or its blob is missing. Rejects with StorageError.
 */
export async function outputOf(log: SessionLog, { raw, forms }: ResultRecord): Promise<string | undefined> {
  if (!raw) return undefined;
  if (raw.inline) return forms.shown;
  const bytes = await log.files.getBlob(raw.sha256);
  // A byte order mark is a part of what was printed.
  return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Lines as handles count them: by `\n` alone, so that no byte gets lost; the end of the last one opens no further line. */
export function outputLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/** "10-40", "10", "10-" → 1-based first and last line; undefined: it is none. */
export function parseLines(text: string): { first: number; last: number } | undefined {
  const found = /^\s*(\d{1,9})\s*(?:([-–])\s*(\d{1,9})?)?\s*$/.exec(text);
  if (!found) return undefined;
  const first = Number(found[1]);
  const last = found[3] !== undefined ? Number(found[3]) : found[2] ? Number.POSITIVE_INFINITY : first;
  return first >= 1 && last >= first ? { first, last } : undefined;
}

function describe(record: ResultRecord): string {
  const digest = record.digest.length > 80 ? `${record.digest.slice(0, 79)}…` : record.digest;
  return `${digest}, turn ${record.turn}`;
}
