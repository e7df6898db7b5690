/**
 * Handles: `obs:` and the first characters of the sha256 of a recorded output; `turn:` and a number: the turn as its records tell it
 * (docs/context.md). Each that ever stood in a request resolves to what was recorded for the life of the session.
 */
import type { Trust } from "../../shared/manifest";
import type { LogRecord, RecordOf } from "../../shared/records";
import {
  type BlobReader,
  type CallerFiles,
  CodedError,
  ErrorForPeople,
  type Hash,
  onlyFor,
  type SessionTextReader,
} from "../ground/ports";
import { isoMinutes, oneLine, toHandle } from "../ground/text/format";
import { type Archives, missingForModel, wholeHistory } from "./archives";
import { opensTurn, turnOf } from "./branches";
import { refKey } from "./conversation";
import { childrenOf, readLog } from "./readLog";
import type { RecordedText } from "./recordedTexts";
import { recordedTexts, trustOf } from "./recordKinds";

/** What a session's outputs are found in: its live records, oldest first, its archives and its blobs. `History` is one. */
export interface SessionLog {
  readonly records: readonly LogRecord[];
  /** absent: nothing was ever archived */
  readonly archived?: Archives;
  readonly files: BlobReader & Partial<SessionTextReader> & CallerFiles;
  /** absent: the bytes are not compared with those that were recorded */
  readonly hash?: Hash;
}

export type ResultRecord = RecordOf<"result">;

export interface RecordedOutput {
  handle: string;
  text: string;
  /** of the newest call with this output; of a summary: what it is about */
  digest: string;
  turn: number;
  trust?: RecordedText["trust"];
}

/** The handle leads nowhere; the message says why, for models and people. */
export class HandleError extends CodedError<"INVALID_INPUT" | "NOT_FOUND" | "AMBIGUOUS"> {
  override readonly name = "HandleError";
}

/** More than 12 characters tell apart what 12 do not; fewer do where they are unique. */
const HANDLE = /^(?:obs:)?([0-9a-f]{4,64})…?$/i;
const TURN = /^turn:(\d{1,9})$/i;

/**
 * Of the session; where it has none, of the first of its children that has one, the newest first. Rejects with HandleError, and with
 * StorageError where the blob cannot be read.
 */
export async function resolveHandle(log: SessionLog, handle: string): Promise<RecordedOutput> {
  const turn = TURN.exec(handle.trim())?.[1];
  if (turn !== undefined) return turnTranscript(log, Number(turn));
  const prefix = HANDLE.exec(handle.trim())?.[1]?.toLowerCase();
  if (prefix === undefined)
    throw new HandleError("INVALID_INPUT", `"${handle}" is no handle. One looks like obs:3fa9c1d2e4b5 or turn:12.`);
  const missing = new Set<string>();
  const found = await findInTree(log, prefix, missing);
  if (found) return found;
  const gaps = missingForModel(log.records, missing, "what went there cannot be found");
  throw new HandleError(
    "NOT_FOUND",
    `No output of this session has the handle obs:${prefix}. ${gaps ? `${gaps} ` : ""}Search by words instead.`,
  );
}

async function findInTree(log: SessionLog, prefix: string, missing: Set<string>): Promise<RecordedOutput | undefined> {
  const [first, second] = await findSources(log, prefix, missing);
  if (first) return readSource(log, prefix, first, second);
  for await (const files of childrenOf(log.files)) {
    const gone = new Set<string>();
    const unread = onlyFor(ErrorForPeople, () => void gone.add("history.jsonl"));
    const child = await readLog(files, log.hash, new RegExp(`"sha256":"${prefix}`)).catch(unread);
    const found = child && (await findInTree(child, prefix, gone));
    if (found) return { ...found, digest: `${found.digest}, of agent ${files.id}` };
    for (const name of gone) missing.add(`sessions/${files.id}/${name}`);
  }
  return undefined;
}

async function readSource(
  log: SessionLog,
  prefix: string,
  first: RecordedText,
  second: RecordedText | undefined,
): Promise<RecordedOutput> {
  if (second) {
    const names = [first, second].map(source => `obs:${source.sha256} (${describe(source)})`);
    throw new HandleError("AMBIGUOUS", `obs:${prefix} could be ${names.join(" or ")}. Give more of it.`);
  }
  const { sha256, digest, turn: of, trust } = first;
  const bytes = await recordedBytes(log, first);
  const isSound = bytes !== undefined && (!log.hash || log.hash.sha256(bytes) === sha256);
  if (!isSound) {
    const why =
      bytes === undefined
        ? `is missing: the session's files have no blob ${sha256}.`
        : "is damaged: its bytes are not those that were recorded, so they are not given.";
    const rest = "What was shown of it stands in the conversation; run the call again for the rest.";
    throw new HandleError("NOT_FOUND", `The output ${toHandle(sha256)} (${describe(first)}) ${why} ${rest}`);
  }
  return { handle: toHandle(sha256), text: decodeOutput(bytes), digest, turn: of, trust };
}

/** What was said and done in a turn, live or archived; outputs by their handles. */
async function turnTranscript(log: SessionLog, turn: number): Promise<RecordedOutput> {
  const missing = new Set<string>();
  const isOpening = (record: LogRecord) => turnOf(record) === turn && opensTurn(record);
  const itsNumber = new RegExp(`"turn":${turn}(?!\\d)`);
  const found = log.records.some(isOpening)
    ? log.records
    : await wholeHistory(log, missing, text => itsNumber.test(text));
  const records = found.filter(record => turnOf(record) === turn);
  const [first] = records;
  if (!first) {
    const newest = log.records.reduce((most, record) => Math.max(most, lastTurn(record)), 0);
    const gaps = missingForModel(log.records, missing, "what went there cannot be found");
    const turns = newest === 0 ? "it has none yet" : `its turns are 1 to ${newest}`;
    throw new HandleError("NOT_FOUND", `No turn ${turn} of this session is to be had: ${turns}. ${gaps}`.trim());
  }
  const answered = new Set(records.flatMap(record => (record.kind === "result" ? [refKey(record)] : [])));
  const lines = records.flatMap(record => transcriptLines(record, answered));
  const opening = lines.find(line => line.startsWith(INDENT))?.trim() ?? "";
  const text = [`turn ${turn}, ${isoMinutes(first.ts)}`, ...lines, ""].join("\n");
  return {
    handle: `turn:${turn}`,
    text,
    digest: oneLine(opening, 80) || "without words",
    turn,
    trust: foreignTrust(records.map(trustOf)),
  };
}

const INDENT = "  ";

/** What somebody said is indented: no line of it looks like a call or the beginning of another's words. */
function transcriptLines(record: LogRecord, answered: ReadonlySet<string>): string[] {
  if (record.kind === "result") {
    const [digest, error] = [oneLine(record.digest, 200), oneLine(record.error?.message ?? "", 1_000)];
    const why = digest.includes(error) ? "" : `: ${error}`;
    const line = `→ ${digest}${why}${record.raw ? ` (${toHandle(record.raw.sha256)})` : ""}`;
    return record.toolName === "AskUser" ? [line, ...indented(record.forms.shown)] : [line];
  }
  if (record.kind === "attachment") return [`attached: ${record.name} (${oneLine(record.title, 200)})`];
  if (record.kind === "turnEnd") return [`ended: ${record.error?.code ?? record.reason}`];
  if (record.kind !== "message" || record.message.metadata.kind === "notice") return [];
  const { id, role, parts, metadata } = record.message;
  const who = role === "assistant" ? "you:" : metadata.kind === "steer" ? "the user, while you worked:" : "the user:";
  const said = parts.flatMap(part =>
    part.type === "text" && !part.providerMetadata?.strata?.shownOnly ? indented(part.text) : [],
  );
  const open = parts.flatMap(part =>
    part.type !== "dynamic-tool" || answered.has(refKey({ messageId: id, callId: part.toolCallId }))
      ? []
      : [`→ ${part.toolName}: no result yet, or interrupted`],
  );
  const words = said.some(line => line !== "") ? [who, ...said] : [];
  return [...words, ...open];
}

const indented = (text: string): string[] =>
  text
    .trim()
    .split(/\r\n?|\n/)
    .map(line => `${INDENT}${line}`.trimEnd());

/** The newest turn that a record knows of; 0: none. */
const lastTurn = (record: LogRecord) => (record.kind === "compaction" ? record.snapshot.turn : (turnOf(record) ?? 0));

/** Of texts together: that of the first which somebody else may have written. */
export const foreignTrust = (all: readonly (Trust | undefined)[]): Trust | undefined =>
  all.find(trust => trust === "outside" || trust === "web" || trust === "mcp");

/** All that a handle could mean, each text once, its newest. @param missing gets the names of archives that cannot be read */
async function findSources(log: SessionLog, prefix: string, missing: Set<string>) {
  const records = await wholeHistory(log, missing, text => text.includes(`"sha256":"${prefix}`));
  const texts = records.flatMap(recordedTexts).filter(({ sha256 }) => sha256.startsWith(prefix));
  return [...new Map(texts.map(text => [text.sha256, text])).values()];
}

/** As they were recorded; undefined: the blob is missing. Rejects with StorageError. */
export const recordedBytes = async ({ files }: Pick<SessionLog, "files">, { sha256, text }: RecordedText) =>
  text ?? files.getBlob(sha256);

/** As text: a byte order mark is a part of what was printed. */
export const decodeOutput = (bytes: string | Uint8Array): string =>
  typeof bytes === "string" ? bytes : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** Lines as handles count them: by `\n` alone, so that no byte gets lost; the end of the last one opens no further line. */
export function outputLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

const describe = ({ digest, turn }: RecordedText): string => `${oneLine(digest, 80)}, turn ${turn}`;

interface PrintedOutput {
  first: string;
  last: string;
  /** what lies between; absent: `first` is the whole text */
  hidden?: { lines: number; bytes: number };
  handle?: string;
}

/** bytes: shown whole up to so much; else so much of its beginning and its end, in whole lines */
const WHOLE = 16_000;
const FIRST = 2_000;
const LAST = 12_000;

const NEWLINE = 0x0a;

/** Rejects with StorageError where the blob cannot be read. */
export async function printedOutput({ files }: Pick<SessionLog, "files">, result: ResultRecord) {
  const { raw, forms, ended } = result;
  const bytes = raw && !raw.inline ? await files.getBlob(raw.sha256) : undefined;
  if (raw && bytes) return cutOutput(bytes, toHandle(raw.sha256));
  if (!ended) return { first: forms.shown, last: "" };
  const { first, count } = ended.printed;
  return {
    first: outputLines(forms.shown)
      .slice(first, first + count)
      .join("\n"),
    last: "",
  };
}

/** Pure. */
function cutOutput(bytes: Uint8Array, handle: string): PrintedOutput {
  if (bytes.length <= WHOLE) return { first: decodeOutput(bytes), last: "" };
  const head = bytes.lastIndexOf(NEWLINE, FIRST - 1) + 1 || FIRST;
  const least = bytes.length - LAST;
  const tail = bytes.indexOf(NEWLINE, least - 1) + 1 || least;
  const hidden = bytes.subarray(head, tail);
  let lines = 0;
  for (let at = hidden.indexOf(NEWLINE); at >= 0; at = hidden.indexOf(NEWLINE, at + 1)) lines += 1;
  return {
    // A character that was cut in two is left out.
    first: decodeOutput(bytes.subarray(0, head)).replace(/\ufffd$/, ""),
    last: decodeOutput(bytes.subarray(tail)).replace(/^\ufffd+/, ""),
    hidden: { lines, bytes: hidden.length },
    handle,
  };
}
