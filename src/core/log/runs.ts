/** Turn by turn what was asked, what ran and what came out, read off the records; and what a turn counted. */
import type { TurnSoFar } from "../../shared/compaction";
import { addUsage } from "../../shared/cost";
import { defined } from "../../shared/defined";
import type { Usage } from "../../shared/messages";
import type { LogRecord, RecordOf } from "../../shared/records";
import { toolTraits } from "../../shared/toolTraits";
import { counted, isoMinutes, oneLine } from "../ground/text/format";
import { wholeHistory } from "./archives";
import type { SessionLog } from "./handles";

interface TurnRun {
  turn: number;
  /** of the user's message, ms since the epoch; absent: the message is not to be had */
  ts?: number;
  /** how it ended; absent: it runs */
  reason?: string;
  error?: string | undefined;
  /** one line each; empty: there was no text */
  userPreview: string;
  outputPreview: string;
  /** digests of the first calls, and how many calls there were */
  toolCalls: { count: number; digests: string[] };
}

const PREVIEW = 120;
const MAX_DIGESTS = 8;
const DIGEST = 80;

/**
 * A line for every turn of a session, newest first. Rejects with StorageError.
 * @returns `missing`: archives that cannot be read and may hold turns that are not listed
 */
export async function runLines(log: SessionLog): Promise<{ lines: string[]; missing: string[] }> {
  const missing = new Set<string>();
  const mayBe = (text: string) => /"kind":"(?:message|result|turnEnd)"/.test(text);
  const runs = buildRuns(await wholeHistory(log, missing, mayBe));
  return { lines: runs.reverse().map(runLine), missing: [...missing] };
}

/** Oldest first. */
function buildRuns(records: readonly LogRecord[]): TurnRun[] {
  const runs = new Map<number, TurnRun>();
  const runOf = (turn: number) => {
    const toolCalls: TurnRun["toolCalls"] = { count: 0, digests: [] };
    const run = runs.get(turn) ?? { turn, userPreview: "", outputPreview: "", toolCalls };
    runs.set(turn, run);
    return run;
  };
  for (const record of records) {
    if (record.kind === "message") takeMessage(runOf(record.message.metadata.turn), record);
    if (record.kind === "result") {
      const { toolCalls } = runOf(record.turn);
      toolCalls.count++;
      if (toolCalls.count <= MAX_DIGESTS) toolCalls.digests.push(oneLine(record.digest, DIGEST));
    }
    if (record.kind === "turnEnd")
      Object.assign(runOf(record.turn), { reason: record.reason, error: record.error?.code });
  }
  return [...runs.values()].sort((a, b) => a.turn - b.turn);
}

function takeMessage(run: TurnRun, { message, ts }: RecordOf<"message">): void {
  const words = oneLine(message.parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join("\n"), PREVIEW);
  if (message.role === "assistant") run.outputPreview = words || run.outputPreview;
  else if (run.ts === undefined) Object.assign(run, { ts, userPreview: words });
}

function runLine({ turn, ts, reason, error, userPreview, outputPreview, toolCalls }: TurnRun): string {
  const outcome = reason ? reason + (error ? ` (${error})` : "") : "running";
  const asked = `"${userPreview}"`;
  const answered = outputPreview && `answered "${outputPreview}"`;
  const when = ts === undefined ? "" : isoMinutes(ts);
  return [`turn ${turn}`, when, outcome, asked, callsText(toolCalls), answered].filter(Boolean).join(" · ");
}

function callsText({ count, digests }: TurnRun["toolCalls"]): string {
  if (count === 0) return "no calls";
  const more = count - digests.length;
  return `${counted(count, "call")}: ${digests.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/**
 * What a turn counted, from its records, with the summaries that were written while it ran. Time runs from the turn's first
 * message, or from where it was taken up again; that in which a question waited for the person is no work.
 * @param now ms since the epoch
 */
export function turnTotals(records: readonly LogRecord[], turn: number, now: number) {
  const { turn: _, started = now, ...totals } = turnSoFar(records, turn, now);
  return { ...totals, durationMs: Math.max(0, now - started - (totals.waitedMs ?? 0)) };
}

const NEVER_RAN: ReadonlySet<string> = new Set(["DENIED", "INVALID_INPUT"]);

/** A command that ran, or tried to: not one that was forbidden, or that a stop came before. */
export function ranCommand({ toolName, error, durationMs }: RecordOf<"result">): boolean {
  if (!toolTraits(toolName).runsCommands) return false;
  if (error?.code === "ABORTED") return durationMs > 0;
  return error === undefined || !NEVER_RAN.has(error.code);
}

/**
 * Time, in ms, in which at least one question waited for an answer.
 * @param now where one still waits
 */
function waitedIn(records: readonly LogRecord[], now: number): number {
  const open = new Set<string>();
  let [since, waited] = [0, 0];
  const isOpen = (callId: string, asked: boolean, ts: number) => {
    if (asked && open.size === 0) since = ts;
    if (asked) open.add(callId);
    else if (open.delete(callId) && open.size === 0) waited += ts - since;
  };
  for (const record of records) {
    const { kind, ts } = record;
    if (kind === "approval") isOpen(record.action.callId, record.answer === undefined, ts);
    else if (kind === "question") isOpen(record.callId, record.answer === undefined, ts);
    else if (kind === "result") isOpen(record.callId, false, ts);
  }
  return open.size > 0 ? waited + Math.max(0, now - since) : waited;
}

/** What a turn counted up to now. Records that a compaction took are counted in its snapshot. */
export function turnSoFar(records: readonly LogRecord[], turn: number, now = records.at(-1)?.ts ?? 0): TurnSoFar {
  const totals = { steps: 0, toolCalls: 0, toolFailures: 0 };
  let usage: Usage = { input: 0, output: 0, cachedInput: 0 };
  const spent = (more: Usage | undefined) => {
    usage = addUsage(usage, more);
  };
  let started: number | undefined;
  let commands = 0;
  let waitedMs = 0;
  let at = records.length - 1;
  for (; at >= 0; at--) {
    const record = records[at];
    if (record?.kind === "turnEnd") break;
    if (record?.kind === "compaction" && record.snapshot.soFar?.turn === turn) {
      const { soFar } = record.snapshot;
      for (const key of ["steps", "toolCalls", "toolFailures"] as const) totals[key] += soFar[key];
      commands += soFar.commands ?? 0;
      spent(soFar.usage);
      spent(record.usage);
      started = soFar.started ?? started;
      waitedMs = soFar.waitedMs ?? 0;
      break;
    }
    if (record?.kind === "result" && record.turn === turn) {
      totals.toolCalls++;
      if (ranCommand(record)) commands++;
      if (record.status === "error") totals.toolFailures++;
    }
    if (record?.kind !== "message" || record.message.metadata.turn !== turn) continue;
    started = record.ts;
    if (record.message.role === "assistant") totals.steps++;
    spent(record.message.metadata.usage);
  }
  waitedMs += waitedIn(records.slice(at + 1), now);
  return {
    ...{ turn, ...totals, usage, ...defined({ started }) },
    ...(commands > 0 && { commands }),
    ...(waitedMs > 0 && { waitedMs }),
  };
}
