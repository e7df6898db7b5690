/** Finding something again in a session (CONTEXT.md, section 7): by words, newest first, and turn by turn. */
import type { LogRecord, RecordOf } from "../../shared/records";
import { counted, cutPoint, handleOf, oneLine } from "../tools/format";
import { outputLines, outputOf, type SessionLog } from "./handles";

export interface Hit {
  turn: number;
  /** ms since the epoch */
  ts: number;
  /** who said it, or the digest of the call */
  source: string;
  /** of an output: its handle and the line in it, from 1 */
  handle?: string;
  line?: number;
  text: string;
}

export interface Found {
  /** newest first; those of one output in its order */
  hits: Hit[];
  /** the search ended at the limit: older ones may be there */
  more: boolean;
  /** handles of outputs that could not be searched: their blobs are missing */
  missing: string[];
}

export const MOST_HITS = 20;
/** A long log full of the same word must not take the room of everything else. */
const MOST_PER_SOURCE = 3;
const LINE = 200;

/**
 * Lines that hold every word, whatever its case, in the text of messages and in whole outputs.
 * Rejects with StorageError, and with the signal's reason when it is aborted.
 */
export async function searchLog(
  log: SessionLog,
  query: string,
  most = MOST_HITS,
  signal?: AbortSignal,
): Promise<Found> {
  const matcher = matcherOf(query);
  const found: Found = { hits: [], more: false, missing: [] };
  for (const record of log.records.toReversed()) {
    signal?.throwIfAborted();
    const hits = await hitsIn(log, record, matcher, found);
    found.hits.push(...hits.slice(0, most - found.hits.length));
    found.more = found.hits.length >= most;
    if (found.more) break;
  }
  return found;
}

/** The lines of one output that hold every word of the query. */
export function matchingLines(text: string, query: string): { line: number; text: string }[] {
  return matcherOf(query).linesOf(text);
}

function matcherOf(query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (text: string) => words.every(word => text.includes(word));
  return {
    linesOf(text: string): { line: number; text: string }[] {
      // Most texts hold none of the words: they are not taken apart.
      if (words.length === 0 || !matches(text.toLowerCase())) return [];
      return outputLines(text).flatMap((line, index) => {
        const lower = line.toLowerCase();
        return matches(lower) ? [{ line: index + 1, text: around(line, lower.indexOf(words[0] ?? "")) }] : [];
      });
    },
  };
}

async function hitsIn(
  log: SessionLog,
  record: LogRecord,
  matcher: ReturnType<typeof matcherOf>,
  found: Found,
): Promise<Hit[]> {
  if (record.kind === "message") return messageHits(record, matcher);
  // What was recalled stands elsewhere.
  if (record.kind !== "result" || record.toolName === "Recall" || !record.raw) return [];
  const handle = handleOf(record.raw.sha256);
  const text = await outputOf(log, record);
  if (text === undefined) found.missing.push(handle);
  const lines = matcher.linesOf(text ?? "");
  const more = lines.length - MOST_PER_SOURCE;
  const { turn, ts } = record;
  const source = oneLine(record.digest, 80);
  const hits: Hit[] = lines.slice(0, MOST_PER_SOURCE).map(({ line, text: words }, at) => ({
    ...{ turn, ts, source, handle, line },
    text: at === MOST_PER_SOURCE - 1 && more > 0 ? `${words}  (and ${counted(more, "more line")} of it)` : words,
  }));
  // What ran is a question too: "npm test".
  return hits.length > 0
    ? hits
    : matcher.linesOf(record.digest).map(({ text: words }) => ({ turn, ts, source, handle, text: words }));
}

function messageHits({ message, ts }: RecordOf<"message">, matcher: ReturnType<typeof matcherOf>): Hit[] {
  const { turn } = message.metadata;
  return message.parts
    .flatMap(part => (part.type === "text" ? matcher.linesOf(part.text) : []))
    .slice(0, MOST_PER_SOURCE)
    .map(({ text }) => ({ turn, ts, source: message.role, text }));
}

export function hitLine({ turn, ts, source, handle, line, text }: Hit): string {
  const place = handle ? `${handle}${line === undefined ? "" : ` line ${line}`} (${source})` : source;
  return `turn ${turn} · ${minute(ts)} · ${place}: ${text.trim()}`;
}

/** A line for each turn, newest first: when, how it ended, what was asked, what ran. */
export function runLines(records: readonly LogRecord[]): string[] {
  const runs = new Map<number, { asked?: RecordOf<"message">; end?: RecordOf<"turnEnd">; digests: string[] }>();
  const runOf = (turn: number) => {
    const run = runs.get(turn) ?? { digests: [] };
    runs.set(turn, run);
    return run;
  };
  for (const record of records) {
    if (record.kind === "message" && record.message.role === "user")
      runOf(record.message.metadata.turn).asked ??= record;
    if (record.kind === "result") runOf(record.turn).digests.push(record.digest);
    if (record.kind === "turnEnd") runOf(record.turn).end = record;
  }
  return [...runs].reverse().map(([turn, { asked, end, digests }]) => {
    const words = asked?.message.parts.find(part => part.type === "text")?.text ?? "";
    const outcome = end ? end.reason + (end.error ? ` (${end.error.code})` : "") : "running";
    const when = asked ? minute(asked.ts) : "";
    return [`turn ${turn}`, when, outcome, `"${oneLine(words, 120)}"`, callsText(digests)].filter(Boolean).join(" · ");
  });
}

const MOST_DIGESTS = 8;

function callsText(digests: readonly string[]): string {
  if (digests.length === 0) return "no calls";
  const shown = digests.slice(0, MOST_DIGESTS).map(digest => oneLine(digest, 80));
  const more = digests.length - shown.length;
  return `${counted(digests.length, "call")}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** ISO, to the minute */
const minute = (ts: number): string => `${new Date(ts).toISOString().slice(0, 16)}Z`;

/** Of a long line, what stands around the match. */
function around(line: string, at: number): string {
  if (line.length <= LINE) return line;
  const from = cutPoint(line, Math.max(0, Math.min(at - LINE / 4, line.length - LINE)));
  const to = cutPoint(line, Math.min(line.length, from + LINE));
  return `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
}
