/** Recall: what was said or shown before, by handle, by words, turn by turn, or in earlier sessions (docs/context.md). */
import * as z from "zod";
import description from "../../../prompts/tools/recall.md";
import { mapBounded } from "../../shared/async";
import { defined } from "../../shared/defined";
import type { Trust } from "../../shared/manifest";
import { type Clock, type SessionMeta, type SessionStorage, StorageError, ToolError } from "../ground/ports";
import { estimateTokens, fittingLines } from "../ground/text/estimate";
import { clipEnd, counted, isoMinutes, numberedLine, oneLine, parseLines } from "../ground/text/format";
import { fromModelText } from "../ground/text/hiddenText";
import { missingForModel } from "../log/archives";
import {
  foreignTrust,
  HandleError,
  outputLines,
  type RecordedOutput,
  resolveHandle,
  type SessionLog,
} from "../log/handles";
import { runLines } from "../log/runs";
import { type Hit, hitLine, MAX_HITS, matchingLines, searchLog, wordsIn } from "../log/searchLog";
import { linesOfSession } from "../log/sessionSearch";
import { type ResultForms, rangeText } from "../tool/resultForms";
import { defineTool, lookingCall, success, type ToolOutcome } from "../tool/tool";

/** As much as Read gives. */
const MAX_TOKENS = 12_000;

const input = z.object({
  handle: z.string().optional().describe("obs:… or turn:…"),
  lines: z.string().optional().describe('Of the handle: "10-40"'),
  query: z.string().optional().describe("Words of one line; with handle: only its lines"),
  source: z
    .enum(["history", "runs", "sessions"])
    .optional()
    .describe("runs: a line for each turn; sessions: earlier ones of this workspace; default: history"),
});
export type RecallInput = z.infer<typeof input>;

/** @param log the session's own, read at each call */
export const recallTool = ({ log, earlier }: { log: SessionLog; earlier?: EarlierSessions }) =>
  defineTool({
    name: "Recall",
    description,
    input,
    effect: "session",
    forms,
    async prepare(asked) {
      const wanted = parseWanted(asked);
      const { handle, query, source } = wanted;
      const what = { history: [], runs: query ? [] : ["the turns"], sessions: ["earlier sessions"] }[source];
      const title = ["Recall", ...what, oneLine(handle || query, 200)].join(" ").trim();
      return lookingCall("Recall", { title, about: [handle, query] }, run =>
        source === "sessions" ? recallSessions(earlier, query, run.signal) : recall(log, wanted, run.signal),
      );
    },
  });

const forms: ResultForms = { folded: rangeText };

interface RecallQuery {
  handle: string;
  query: string;
  lines: { first: number; last: number } | undefined;
  source: NonNullable<RecallInput["source"]>;
}

function parseWanted(asked: RecallInput): RecallQuery {
  const [handle, query, range] = [asked.handle, asked.query, asked.lines].map(text => text?.trim() ?? "");
  const { source = "history" } = asked;
  const lines = range ? parseLines(range) : undefined;
  if (range && !lines)
    throw new ToolError("INVALID_INPUT", `lines "${range}" cannot be read. Write "10-40", "10" or "10-".`);
  if (!handle && !query && source === "history") {
    throw new ToolError(
      "INVALID_INPUT",
      'Say what to recall: a handle (obs:…), a query, or source "runs" or "sessions".',
    );
  }
  if (handle && source === "sessions")
    throw new ToolError("INVALID_INPUT", "A handle is of this session. Leave out the handle, or the source.");
  if (lines && !handle) throw new ToolError("INVALID_INPUT", "lines counts in one output: give its handle too.");
  return { handle: handle ?? "", query: query ?? "", lines, source };
}

/** A handle that leads nowhere, or a blob that cannot be read, is an observation; the turn continues. */
async function recall(log: SessionLog, wanted: RecallQuery, signal: AbortSignal): Promise<ToolOutcome> {
  const { handle, query, lines, source } = wanted;
  try {
    if (!handle) return asRecorded(await (source === "runs" ? searchRuns(log, query) : searchHits(log, query, signal)));
    const output = await resolveHandle(log, handle);
    return withTrust(asRecorded(query ? recallMatches(output, query) : recallLines(output, lines)), [output]);
  } catch (error) {
    if (error instanceof HandleError) throw new ToolError(error.code, error.message);
    if (error instanceof StorageError) throw new ToolError("IO", `The output could not be read: ${error.message}`);
    throw error;
  }
}

/** Records have texts as the model got them: as those marks stood there, they are to come out again. */
const asRecorded = (outcome: ToolOutcome): ToolOutcome => ({
  ...outcome,
  result: { ...outcome.result, text: fromModelText(outcome.result.text) },
});

/** What comes back is as foreign as it was: the first of them that is. */
const withTrust = (outcome: ToolOutcome, texts: readonly { trust?: Trust | undefined }[]): ToolOutcome => ({
  ...outcome,
  ...defined({ trust: foreignTrust(texts.map(({ trust }) => trust)) }),
});

function recallLines({ handle, digest, turn, text }: RecordedOutput, asked: RecallQuery["lines"]): ToolOutcome {
  const lines = outputLines(text);
  const [first, wantedLast] = [asked?.first ?? 1, Math.min(asked?.last ?? lines.length, lines.length)];
  if (first > lines.length) {
    throw new ToolError(
      "INVALID_INPUT",
      `${handle} has ${counted(lines.length, "line")}: there is no line ${first}. Ask for lines from 1 to ${lines.length}.`,
      { handle, total: lines.length },
    );
  }
  const part = linesThatFit(lines.slice(first - 1, wantedLast));
  const last = first - 1 + part.length;
  const isCut = part[0] !== lines[first - 1];
  const isWhole = first === 1 && last === lines.length && !isCut;
  const range = isWhole ? "whole" : `lines ${first}–${last} of ${lines.length}${isCut ? ", cut" : ""}`;
  const goOn =
    last < lines.length ? ` Go on with lines "${last + 1}-${Math.min(lines.length, last + part.length)}".` : "";
  const of = `${oneLine(digest, 120)}, turn ${turn}`;
  return success({
    data: { handle, first, last, total: lines.length, ...((last < wantedLast || isCut) && { truncated: true }) },
    text: `${part.join("\n")}\n(${handle}, ${range}: ${of}.${goOn})`,
    digest: `Recall ${handle} ${range}`,
  });
}

/** As many as fit, one at least: that one is cut where it alone is too long. */
function linesThatFit(lines: readonly string[], room = MAX_TOKENS): string[] {
  const [first] = lines;
  const most = fittingLines(lines, room);
  return most === 0 && first !== undefined ? [clipEnd(first, room)] : lines.slice(0, most);
}

function recallMatches({ handle, digest, turn, text }: RecordedOutput, query: string): ToolOutcome {
  const { lines: all, isPartial } = matchingLines(text, query);
  const shown = all.slice(0, MAX_HITS);
  const more = all.length - shown.length;
  const words = counted(all.length, "line");
  return success({
    data: { handle, query, hits: all.length, ...(more > 0 && { truncated: true }) },
    text: [
      ...shown.map(hit => numberedLine(hit.line, hit.text)),
      `(${words} of ${handle} with ${isPartial ? "the most words of " : ""}${JSON.stringify(query)}${more > 0 ? `; the first ${MAX_HITS} are shown` : ""}: ${oneLine(digest, 120)}, turn ${turn})`,
    ].join("\n"),
    digest: `Recall ${handle} ${JSON.stringify(query)} ${words}`,
  });
}

async function searchHits(log: SessionLog, query: string, signal: AbortSignal): Promise<ToolOutcome> {
  const found = await searchLog(log, query, MAX_HITS, signal);
  const { hits, isPartial, more, missing } = found;
  const unsearched = missingForModel(log.records, found.unread);
  const notes = [
    isPartial && hits.length > 0 && "(No line has all these words; these have the most of them.)",
    hits.length === 0 && `Nothing in this session has a line with ${query}. Try other words.`,
    more && `(The newest ${MAX_HITS} are shown; there may be more. Add words to narrow it.)`,
    missing.length > 0 &&
      `(Not searched, their blobs are missing or damaged: ${missing.slice(0, 10).join(", ")}${missing.length > 10 ? ", …" : ""})`,
    unsearched && `(${unsearched})`,
  ].filter(note => note);
  const outcome = success({
    data: { query, hits: hits.length, ...(more && { truncated: true }) },
    text: [...hits.map(hitLine), ...notes].join("\n"),
    digest: `Recall ${JSON.stringify(query)} ${counted(hits.length, "hit")}`,
    partial: missing.length > 0 || unsearched !== "",
  });
  return withTrust(outcome, hits);
}

async function searchRuns(log: SessionLog, query: string): Promise<ToolOutcome> {
  const { lines, missing } = await runLines(log);
  const gaps = missingForModel(log.records, missing, "turns that went there are not listed");
  const wanted = query ? lines.filter(wordsIn(query)) : lines;
  const shown = linesThatFit(wanted);
  const more = wanted.length - shown.length;
  const notes = [
    wanted.length === 0 && "No turn fits.",
    more > 0 && `(${counted(more, "older turn")} not shown: add a query.)`,
    gaps && `(${gaps})`,
  ].filter(note => note);
  return success({
    data: { source: "runs", turns: wanted.length, ...(more > 0 && { truncated: true }) },
    text: [...shown, ...notes].join("\n"),
    digest: `Recall ${counted(wanted.length, "turn")}`,
    partial: gaps !== "",
  });
}

/** Sessions of this workspace beside this one. They are only read, so writers are not disturbed. */
export interface EarlierSessions {
  storage: SessionStorage;
  /** id of the session that asks */
  own: string;
  /** `strata.recall.sessions` */
  isOn(): boolean;
  clock: Pick<Clock, "steady">;
}

/** Other sessions get little room: with the notes, 2,000 tokens. */
const SESSION_TOKENS = 1_800;
const LINES_EACH = 3;
const AT_ONCE = 8;
const MOST_MS = 20_000;

async function recallSessions(earlier: EarlierSessions | undefined, query: string, signal: AbortSignal) {
  if (!earlier?.isOn())
    throw new ToolError("DENIED", "The user has turned off that earlier sessions are read (strata.recall.sessions).");
  try {
    const { storage, own, clock } = earlier;
    const sessions = (await storage.list()).filter(({ id }) => id !== own);
    const found: FoundSession[] = query ? [] : sessions.map(session => ({ session, hits: [] }));
    const start = clock.steady();
    let at = query ? 0 : sessions.length;
    // The newest are found first, so that there is room for no more ends the search.
    while (at < sessions.length && tokensOf(found) < SESSION_TOKENS && clock.steady() - start < MOST_MS) {
      const some = sessions.slice(at, at + AT_ONCE);
      const each = await mapBounded(some, AT_ONCE, ({ id }) =>
        linesOfSession(storage, { id, query, most: LINES_EACH, signal }),
      );
      signal.throwIfAborted();
      found.push(...some.map((session, place) => ({ session, hits: each[place] })));
      at += some.length;
    }
    return sessionsFound(found, query, sessions.length - at);
  } catch (error) {
    if (error instanceof StorageError) throw new ToolError("IO", `Sessions could not be read: ${error.message}`);
    throw error;
  }
}

/** `hits`: newest first; undefined: the session cannot be read */
interface FoundSession {
  session: SessionMeta;
  hits: Hit[] | undefined;
}

const tokensOf = (found: readonly FoundSession[]): number =>
  estimateTokens(found.flatMap(each => (each.hits?.length ? sessionLines(each) : [])).join("\n"));

/** Its handles lead nowhere here. */
const sessionLines = ({ session, hits = [] }: FoundSession): string[] => [
  `session ${JSON.stringify(oneLine(session.title, 100))}, ${isoMinutes(session.updated).slice(0, 10)}, ${counted(session.turns, "turn")}`,
  ...hits.map(({ handle: _, line: __, ...hit }) => `  ${hitLine(hit)}`),
];

function sessionsFound(found: readonly FoundSession[], query: string, left: number): ToolOutcome {
  const isTitled = wordsIn(query);
  const named = found.filter(({ session, hits = [] }) => query === "" || hits.length > 0 || isTitled(session.title));
  const lines = named.flatMap(sessionLines);
  const shown = linesThatFit(lines, SESSION_TOKENS);
  const unread = found.filter(({ hits }) => hits === undefined).length;
  const isCut = shown.length < lines.length;
  const notes = [
    named.length === 0 &&
      (query
        ? `No earlier session of this workspace has a line with ${query}. Try fewer words.`
        : "There is no earlier session in this workspace."),
    (isCut || left > 0) &&
      `(There may be more in ${left > 0 ? `${counted(left, "older session")}, which ${left === 1 ? "was" : "were"} not searched` : "these sessions"}: add words to narrow it.)`,
    unread > 0 && `(${counted(unread, "session")} could not be read.)`,
  ].filter(note => note);
  const outcome = success({
    data: { source: "sessions", query, sessions: named.length, ...((isCut || left > 0) && { truncated: true }) },
    text: [...shown, ...notes].join("\n"),
    digest: `Recall earlier sessions ${query ? `${JSON.stringify(query)} ` : ""}${counted(named.length, "session")}`,
    partial: unread > 0 || left > 0,
  });
  return withTrust(
    asRecorded(outcome),
    named.flatMap(({ hits = [] }) => hits),
  );
}
