/**
 * Handles: `obs:` and the first characters of the sha256 of a recorded output (docs/context.md). Each that ever stood in a
 * request resolves to the recorded bytes for the life of the session.
 */
import type { LogRecord, RecordOf } from "../../shared/records";
import { type BlobReader, ErrorForPeople, type Hash, type SessionTextReader } from "../ports";
import { toHandle } from "../text/format";
import type { Archives } from "./archives";
import { missingForModel } from "./missingArchives";
import type { RecordedText } from "./recordedTexts";
import { recordedTexts } from "./recordKinds";

/** What a session's outputs are found in: its live records, oldest first, its archives and its blobs. `History` is one. */
export interface SessionLog {
  readonly records: readonly LogRecord[];
  /** absent: nothing was ever archived */
  readonly archived?: Archives;
  readonly files: BlobReader & Partial<SessionTextReader>;
  /** absent: nobody asks whether the bytes are those that were recorded */
  readonly hash?: Hash;
}

export type ResultRecord = RecordOf<"result">;

export interface RecordedOutput {
  handle: string;
  text: string;
  /** of the newest call with this output; of a summary: what it is about */
  digest: string;
  turn: number;
  /** whose text it is */
  trust?: RecordedText["trust"];
}

/** The handle leads nowhere; the message says why, for models and people. */
export class HandleError extends ErrorForPeople {
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

/**
 * Live records first, then the archives from the newest. Rejects with HandleError, and with StorageError where the blob
 * cannot be read.
 */
export async function resolveHandle(log: SessionLog, handle: string): Promise<RecordedOutput> {
  const prefix = HANDLE.exec(handle.trim())?.[1]?.toLowerCase();
  if (prefix === undefined) {
    throw new HandleError("INVALID_INPUT", `"${handle}" is no handle. One looks like obs:3fa9c1d2e4b5.`);
  }
  const missing = new Set<string>();
  const [first, second] = await findSources(log, prefix, missing);
  if (!first) {
    const gaps = missingForModel(log.records, missing, "what went there cannot be found");
    throw new HandleError(
      "NOT_FOUND",
      `No output of this session has the handle obs:${prefix}. ${gaps ? `${gaps} ` : ""}Search by words instead.`,
    );
  }
  if (second) {
    const names = [first, second].map(([sha256, source]) => `obs:${sha256} (${describe(source)})`);
    throw new HandleError("AMBIGUOUS", `obs:${prefix} could be ${names.join(" or ")}. Give more of it.`);
  }
  const [sha256, source] = first;
  const bytes = await recordedBytes(log, source);
  const output = `The output ${toHandle(sha256)} (${describe(source)})`;
  const rest = "What was shown of it stands in the conversation; run the call again for the rest.";
  if (bytes === undefined) {
    const text = `${output} is missing: the session's files have no blob ${sha256}. ${rest}`;
    throw new HandleError("NOT_FOUND", text);
  }
  if (log.hash && log.hash.sha256(bytes) !== sha256) {
    const text = `${output} is damaged: its bytes are not those that were recorded, so they are not given. ${rest}`;
    throw new HandleError("NOT_FOUND", text);
  }
  const { digest, turn, trust } = source;
  return { handle: toHandle(sha256), text: decodeOutput(bytes), digest, turn, trust };
}

/** Whether the handle leads to a recorded output of the session. Rejects with StorageError. */
export async function isHandle(log: SessionLog, handle: string): Promise<boolean> {
  const prefix = HANDLE.exec(handle)?.[1]?.toLowerCase();
  return prefix !== undefined && (await findSources(log, prefix, new Set())).length > 0;
}

/** All that a handle could mean, by sha256. @param missing gets the names of archives that could not be looked at */
async function findSources(log: SessionLog, prefix: string, missing: Set<string>): Promise<[string, RecordedText][]> {
  const archived = async (from: "index" | "lines") => [
    ...((await log.archived?.withText(prefix, missing, from)) ?? new Map<string, LogRecord>()).values(),
  ];
  const found = textsWith(prefix, [...(await archived("index")), ...log.records]);
  // Where an index says nothing the lines themselves may: the index is damaged then.
  return [...(found.size > 0 ? found : textsWith(prefix, await archived("lines")))];
}

/** By sha256; of several with the same text the newest. */
function textsWith(prefix: string, records: readonly LogRecord[]): Map<string, RecordedText> {
  const texts = records.flatMap(recordedTexts).filter(({ sha256 }) => sha256.startsWith(prefix));
  return new Map(texts.map(text => [text.sha256, text]));
}

/** As they were recorded; undefined: the blob is missing. Rejects with StorageError. */
export async function recordedBytes(
  { files }: Pick<SessionLog, "files">,
  { sha256, text }: RecordedText,
): Promise<string | Uint8Array | undefined> {
  return text ?? files.getBlob(sha256);
}

/** As text: a byte order mark is a part of what was printed. */
export function decodeOutput(bytes: string | Uint8Array): string {
  return typeof bytes === "string" ? bytes : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Lines as handles count them: by `\n` alone, so that no byte gets lost; the end of the last one opens no further line. */
export function outputLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

function describe({ digest, turn }: RecordedText): string {
  return `${digest.length > 80 ? `${digest.slice(0, 79)}…` : digest}, turn ${turn}`;
}
