/** Recall: what the session said or showed before, by handle, by words, or turn by turn (docs/context.md). */
import * as z from "zod";
import description from "../../../prompts/tools/recall.md";
import { defined } from "../../shared/defined";
import type { Trust } from "../../shared/manifest";
import {
  foreignTrust,
  HandleError,
  outputLines,
  type RecordedOutput,
  resolveHandle,
  type SessionLog,
} from "../history/handles";
import { missingForModel, unsearchedText } from "../history/missingArchives";
import { hitLine, MAX_HITS, matchingLines, runLines, searchLog } from "../history/searchLog";
import { StorageError, ToolError } from "../ports";
import { estimateTokens } from "../text/estimate";
import { clipEnd, counted, numberedLine, oneLine, parseLines } from "../text/format";
import { fromModelText } from "../text/hiddenText";
import { keptText, type ResultForms, rangeText } from "../toolkit/resultForms";
import { defineTool, lookingCall, success, type ToolOutcome } from "../toolkit/tool";

/** As much as Read gives. */
const MAX_TOKENS = 12_000;

const input = z.object({
  handle: z.string().optional().describe("obs:…"),
  lines: z.string().optional().describe('Of the handle: "10-40"'),
  query: z.string().optional().describe("Words of one line; with handle: only its lines"),
  source: z.enum(["history", "runs"]).optional().describe("runs: a line for each turn; default: history"),
});
export type RecallInput = z.infer<typeof input>;

/** @param log the session's own, as it stands when it is asked for */
export function recallTool({ log }: { log: SessionLog }) {
  return defineTool({
    name: "Recall",
    description,
    input,
    effect: "session",
    forms,
    async prepare(asked) {
      const wanted = parseWanted(asked);
      const { handle, query } = wanted;
      const title = `Recall ${oneLine(handle || query || "the turns", 200)}`;
      return lookingCall("Recall", { title, about: [handle, query] }, run => recall(log, wanted, run.signal));
    },
  });
}

const forms: ResultForms = {
  kept: keptText,
  folded: rangeText,
};

interface RecallQuery {
  handle: string;
  query: string;
  lines: { first: number; last: number } | undefined;
  runs: boolean;
}

function parseWanted(asked: RecallInput): RecallQuery {
  const [handle, query, range] = [asked.handle, asked.query, asked.lines].map(text => text?.trim() ?? "");
  const runs = asked.source === "runs";
  const lines = range ? parseLines(range) : undefined;
  if (range && !lines) {
    throw new ToolError("INVALID_INPUT", `lines "${range}" cannot be read. Write "10-40", "10" or "10-".`);
  }
  if (!handle && !query && !runs) {
    throw new ToolError("INVALID_INPUT", 'Say what to recall: a handle (obs:…), a query, or source "runs".');
  }
  if (lines && !handle) throw new ToolError("INVALID_INPUT", "lines counts in one output: give its handle too.");
  return { handle: handle ?? "", query: query ?? "", lines, runs };
}

/** A handle that leads nowhere, or a blob that cannot be read, is an observation; the turn goes on. */
async function recall(log: SessionLog, wanted: RecallQuery, signal: AbortSignal): Promise<ToolOutcome> {
  const { handle, query, lines, runs } = wanted;
  try {
    if (!handle) return asRecorded(await (runs ? searchRuns(log, query) : searchHits(log, query, signal)));
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
function linesThatFit(lines: readonly string[]): string[] {
  let tokens = 0;
  const most = lines.findIndex(line => {
    tokens += estimateTokens(`${line}\n`);
    return tokens > MAX_TOKENS;
  });
  if (most === 0) return [clipEnd(lines[0] ?? "", MAX_TOKENS)];
  return most < 0 ? [...lines] : lines.slice(0, most);
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
  const unsearched = unsearchedText(log.records, found);
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

function hasAll(line: string, query: string): boolean {
  const { lines, isPartial } = matchingLines(line, query);
  return lines.length > 0 && !isPartial;
}

async function searchRuns(log: SessionLog, query: string): Promise<ToolOutcome> {
  const { lines, missing } = await runLines(log);
  const gaps = missingForModel(log.records, missing, "turns that went there are not listed");
  const wanted = query ? lines.filter(line => hasAll(line, query)) : lines;
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
