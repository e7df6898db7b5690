/**
 * The log's records (docs/formats.md): what `history.jsonl` holds after its header, one JSON object a line.
 * A session is its log: panel, model input and search are projections of these records. Kinds that a version does not
 * know are kept and skipped; a header of a newer version is refused and left untouched.
 */
import * as z from "zod";
import { compactionRecords } from "./compactionRecords";
import { conversationRecords } from "./conversationRecords";
import { fileRecords } from "./fileRecords";
import { sessionRecords } from "./sessionRecords";

export const LOG_VERSION = 1;

export const headerSchema = z.object({
  kind: z.literal("header"),
  version: z.int(),
  sessionId: z.string(),
  /** ms since the epoch */
  created: z.number(),
  /** the id under which it was begun, where that was another: what was hidden in it then can be put back in it now */
  family: z.string().optional(),
  archives: z.array(z.string()),
});
export type LogHeader = z.infer<typeof headerSchema>;

export const recordSchema = z.discriminatedUnion("kind", [
  ...conversationRecords,
  ...sessionRecords,
  ...compactionRecords,
  ...fileRecords,
]);
export type LogRecord = z.infer<typeof recordSchema>;
export type RecordKind = LogRecord["kind"];
export type RecordOf<K extends RecordKind> = Extract<LogRecord, { kind: K }>;
/** A record before the history gave it its id, number and time. */
export type NewRecord = { [K in RecordKind]: Omit<RecordOf<K>, "id" | "seq" | "ts"> & { id?: string } }[RecordKind];
