/** Turn by turn what was asked, what ran and what came out, read off the records; and what a turn counted. */
import type { TurnSoFar } from "../../shared/compaction";
import { addUsage } from "../../shared/cost";
import { defined } from "../../shared/defined";
import { textOf, type Usage } from "../../shared/messages";
import type { LogRecord, RecordOf } from "../../shared/records";
import { ranCommand } from "../../shared/toolTraits";
import { counted, isoMinutes, oneLine } from "../ground/text/format";
import { wholeHistory } from "./archives";
import { turnOf } from "./branches";
import type { SessionLog } from "./handles";

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
  const turns = Map.groupBy(await wholeHistory(log, missing, mayBe), turnOf);
  const lines = [...turns].flatMap(([turn, own]) => (turn === undefined ? [] : [{ turn, line: runLine(turn, own) }]));
  return { lines: lines.sort((a, b) => b.turn - a.turn).map(({ line }) => line), missing: [...missing] };
}

/** @param own the turn's records, oldest first; its message may be missing */
function runLine(turn: number, own: readonly LogRecord[]): string {
  const messages = own.filter(record => record.kind === "message");
  const said = ({ message: { parts } }: RecordOf<"message">) => oneLine(textOf(parts), PREVIEW);
  const opening = messages.find(({ message }) => message.role !== "assistant");
  const answer = messages.findLast(record => record.message.role === "assistant" && said(record) !== "");
  const end = own.findLast(record => record.kind === "turnEnd");
  const outcome = end ? end.reason + (end.error ? ` (${end.error.code})` : "") : "running";
  const asked = `"${opening ? said(opening) : ""}"`;
  const calls = callsText(own.flatMap(record => (record.kind === "result" ? [record.digest] : [])));
  const answered = answer && `answered "${said(answer)}"`;
  const when = opening && isoMinutes(opening.ts);
  return [`turn ${turn}`, when, outcome, asked, calls, answered].filter(Boolean).join(" · ");
}

function callsText(digests: readonly string[]): string {
  if (digests.length === 0) return "no calls";
  const told = digests.slice(0, MAX_DIGESTS).map(digest => oneLine(digest, DIGEST));
  const more = digests.length - told.length;
  return `${counted(digests.length, "call")}: ${told.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
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

/** Time, in ms, in which at least one question waited for an answer. @param now where one still waits */
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

/** ms of work in all turns, in that which is open too */
export function workedMs(records: readonly LogRecord[]): number {
  const ended = records.reduce((sum, record) => sum + (record.kind === "turnEnd" ? record.durationMs : 0), 0);
  const open = records.slice(records.findLastIndex(({ kind }) => kind === "turnEnd") + 1);
  const begun = open.find(record => record.kind === "message");
  return begun ? ended + turnTotals(open, begun.message.metadata.turn, open.at(-1)?.ts ?? 0).durationMs : ended;
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
    // Of a child that was begun in it.
    if (record?.kind === "child" && record.turn === turn) spent(record.usage);
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
