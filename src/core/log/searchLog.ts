/** Finding something again in a session (docs/context.md): by words, newest first, and turn by turn. */
import { defined } from "../../shared/defined";
import type { LogRecord } from "../../shared/records";
import { counted, cutPoint, isoMinutes, oneLine, toHandle } from "../ground/text/format";
import { archiveLines } from "./archives";
import { decodeLine } from "./codec";
import { decodeOutput, outputLines, recordedBytes, type SessionLog } from "./handles";
import { kindOf, trustOf } from "./recordKinds";

export interface Hit {
  turn: number;
  ts: number;
  /** who said it, or the digest of the call */
  source: string;
  /** of an output: its handle and the line in it, from 1 */
  handle?: string;
  line?: number;
  text: string;
  /** whose text it is */
  trust?: ReturnType<typeof trustOf>;
}

interface SearchHits {
  /** newest first; those of one output in its order */
  hits: Hit[];
  /** No line has all words: these have the most of them. */
  isPartial: boolean;
  /** the search ended at the limit: older ones may be there */
  more: boolean;
  /** handles of outputs that could not be searched: their blobs are missing, or hold other bytes than were recorded */
  missing: string[];
  /** archives that are missing or cannot be read, or have lines that may hold the words and are no records */
  unread: string[];
}

export const MAX_HITS = 20;
/** A long log full of the same word must not take the room of everything else. */
const MAX_PER_SOURCE = 3;
const LINE = 200;
/** Records whose outputs are read at the same time. */
const AT_ONCE = 8;
/** How the line of a result says that its output is in a blob: nothing else in a log has this outside of a string. */
const IN_BLOB = '"inline":false';

/**
 * Lines that hold every word, or where there are none the most words, whatever their case, in the text of messages, in what
 * the model wrote with its tools and in whole outputs: of the live log, then of the archives, the newest first. Rejects with
 * StorageError, and with the signal's reason when it is aborted.
 */
export async function searchLog(log: SessionLog, query: string, most = MAX_HITS, signal?: AbortSignal) {
  let found: SearchHits | undefined;
  for (const matcher of createMatchers(query)) {
    found = await searchFor(log, matcher, most, signal);
    if (found.hits.length > 0) break;
  }
  return found ?? nothingFound();
}

/** The same for the newest lines that have every word. */
export async function newestLines(log: SessionLog, query: string, most: number, signal?: AbortSignal): Promise<Hit[]> {
  const [matcher] = createMatchers(query);
  return matcher ? (await searchFor(log, matcher, most, signal)).hits : [];
}

const nothingFound = (): SearchHits => ({
  hits: [],
  isPartial: false,
  more: false,
  missing: [],
  unread: [],
});

async function searchFor(log: SessionLog, matcher: LineMatcher, most: number, signal?: AbortSignal) {
  const found: SearchHits = { ...nothingFound(), isPartial: matcher.isPartial };
  const unread = new Set<string>();
  const outputs = new Set<string>();
  for await (const group of newestFirst(log, matcher, unread, signal)) {
    signal?.throwIfAborted();
    for (const { hits, missing } of await Promise.all(group.map(record => recordHits(log, record, matcher)))) {
      // The same lines of the same output, in another turn, would take the room of what else there is.
      const fresh = hits.filter(({ handle, line }) => !handle || line === undefined || !outputs.has(handle));
      for (const { handle, line } of fresh) if (handle && line !== undefined) outputs.add(handle);
      found.hits.push(...fresh.slice(0, most - found.hits.length));
      if (missing) found.missing.push(missing);
      found.more = found.hits.length >= most;
      if (found.more) break;
    }
    if (found.more) break;
  }
  return { ...found, unread: [...unread] };
}

/** The lines of one output that hold every word of the query, or where there are none the most of them. */
export function matchingLines(text: string, query: string) {
  for (const matcher of createMatchers(query)) {
    const lines = hitLines(text, matcher);
    if (lines.length > 0) return { lines, isPartial: matcher.isPartial };
  }
  return { lines: [], isPartial: false };
}

/** Records that may hold the words, each once, grouped as they are read: those that stand in both logs count as live. */
export async function* newestFirst(
  log: SessionLog,
  matcher: Pick<LineMatcher, "mayBeIn">,
  unread: Set<string>,
  signal?: AbortSignal,
): AsyncGenerator<LogRecord[]> {
  yield* readTogether(log.records.toReversed());
  if (!log.archived) return;
  const seen = new Set(log.records.map(({ id }) => id));
  for await (const { name, text } of log.archived.texts(unread, signal)) {
    // Most hold none of the words: they are not taken apart.
    if (!matcher.mayBeIn(text) && !text.includes(IN_BLOB)) continue;
    const records = archiveLines(text).flatMap(line => {
      const mayHit = matcher.mayBeIn(line);
      if (!mayHit && !line.includes(IN_BLOB)) return [];
      const { record, seq } = decodeLine(line);
      if (mayHit && seq === undefined) unread.add(name);
      if (!record || seen.has(record.id)) return [];
      seen.add(record.id);
      return [record];
    });
    yield* readTogether(records);
  }
}

function* readTogether(records: readonly LogRecord[]): Generator<LogRecord[]> {
  for (let at = 0; at < records.length; at += AT_ONCE) yield records.slice(at, at + AT_ONCE);
}

function hitLines(text: string, matcher: LineMatcher): { line: number; text: string }[] {
  // Most texts hold none of the words: they are not taken apart.
  if (!matcher.isIn(text)) return [];
  return outputLines(text).flatMap((line, index) =>
    matcher.isIn(line) ? [{ line: index + 1, text: excerpt(line, matcher.placeIn(line)) }] : [],
  );
}

/** @returns `missing`: the handle of an output whose blob is not there, or seems to have the words and is damaged */
async function recordHits(log: SessionLog, record: LogRecord, matcher: LineMatcher) {
  const searched = kindOf(record).search(record);
  if (!searched) return { hits: [] };
  const { content, title = "" } = searched;
  const recorded = typeof content === "string" ? undefined : content;
  const bytes = typeof content === "string" ? content : await recordedBytes(log, content);
  const found = hitLines(bytes === undefined ? "" : decodeOutput(bytes), matcher);
  const isSound =
    bytes !== undefined && (!recorded || !log.hash || found.length === 0 || log.hash.sha256(bytes) === recorded.sha256);
  const handle = recorded && toHandle(recorded.sha256);
  const trust = trustOf(record);
  const from = {
    turn: searched.turn,
    ts: record.ts,
    source: oneLine(searched.source, 80),
    ...defined({ handle: handle || undefined, trust }),
  };
  const lines = isSound ? found : [];
  const more = lines.length - MAX_PER_SOURCE;
  const hits: Hit[] = lines.slice(0, MAX_PER_SOURCE).map(({ line, text }, at) => ({
    ...from,
    ...(handle && { line }),
    text: handle && at === MAX_PER_SOURCE - 1 && more > 0 ? `${text}  (and ${counted(more, "more line")} of it)` : text,
  }));
  if (hits.length === 0) hits.push(...hitLines(title, matcher).map(({ text }) => ({ ...from, text })));
  return isSound || !handle ? { hits } : { hits, missing: handle };
}

export function hitLine({ turn, ts, source, handle, line, text }: Hit): string {
  const place = handle ? `${handle}${line === undefined ? "" : ` line ${line}`} (${source})` : source;
  return `turn ${turn} · ${isoMinutes(ts)} · ${place}: ${text.trim()}`;
}

function excerpt(line: string, at: number): string {
  if (line.length <= LINE) return line;
  const from = cutPoint(line, Math.max(0, Math.min(at - LINE / 4, line.length - LINE)));
  const to = cutPoint(line, Math.min(line.length, from + LINE));
  return `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
}

/** The words of a search: whether a text has so many of them, whatever their case, and whether a log's line may have. */
interface LineMatcher {
  isPartial: boolean;
  isIn(text: string): boolean;
  /** where the first of them stands; 0: nowhere */
  placeIn(text: string): number;
  /**
   * The same for the lines of a log as they stand there, in JSON: false where no text of theirs has so many. Upper and
   * lower case are told apart by character alone, so that this holds for every alphabet.
   */
  mayBeIn(json: string): boolean;
}

/** How often a search begins anew with one word less: each time it reads the whole log. */
const MAX_LESS = 3;

/** First for all words, then for fewer and fewer, half of them at least. */
function createMatchers(query: string): LineMatcher[] {
  const words = [...new Set(query.split(/\s+/).filter(Boolean))];
  const least = Math.max(Math.ceil(words.length / 2), words.length - MAX_LESS);
  return words.slice(least - 1).map((_, less) => createMatcher(words, words.length - less));
}

function createMatcher(words: readonly string[], least: number): LineMatcher {
  const plain = words.map(expression);
  const escaped = words.map(word => expression(JSON.stringify(word).slice(1, -1)));
  const has = (all: readonly RegExp[], text: string) => {
    let missing = all.length - least;
    return all.every(one => one.test(text) || missing-- > 0);
  };
  return {
    isPartial: least < words.length,
    isIn: text => has(plain, text),
    placeIn: text => plain.map(word => word.exec(text)?.index).find(index => index !== undefined) ?? 0,
    mayBeIn: json => has(escaped, json),
  };
}

/**
 * Whether a text has every word.
 * @param inJson in the lines of a log, as they stand there: false where no text of theirs has them
 */
export function wordsIn(query: string, { inJson = false } = {}): (text: string) => boolean {
  const [matcher] = createMatchers(query);
  return text => matcher !== undefined && (inJson ? matcher.mayBeIn(text) : matcher.isIn(text));
}

/** A letter and its marks may be one character or several: either way it is the same word. */
function expression(word: string): RegExp {
  const forms = [...new Set([word, word.normalize("NFC"), word.normalize("NFD")])];
  return new RegExp(forms.map(form => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"), "iu");
}
