/**
 * Turn by turn what was asked, what ran and what came out: `runs.jsonl`, an entry for each turn, and `runs/0001.jsonl` …
 * with the older ones (docs/formats.md). The records say it all too, so nothing is lost with these files: they spare
 * reading the archives.
 * `runs.jsonl` is a cache: where it is missing or damaged, the records answer.
 */

import * as z from "zod";
import type { TurnSoFar } from "../../shared/compaction";
import { addUsage } from "../../shared/cost";
import { defined } from "../../shared/defined";
import type { Usage } from "../../shared/messages";
import type { LogRecord, RecordOf } from "../../shared/records";
import { toolTraits } from "../../shared/toolTraits";
import { type SessionFiles, StorageError } from "../ground/ports";
import { isSessionFileName } from "../ground/ports/storage";
import { oneLine } from "../ground/text/format";
import { parseJson } from "../ground/text/json";
import { lastTurn, recordsOfTurns, type SessionLog } from "./handles";

export const runSchema = z.object({
  runId: z.string(),
  turn: z.int(),
  /** of the user's message, ms since the epoch; absent: the message is not to be had */
  ts: z.number().optional(),
  /** how it ended; absent: it runs */
  reason: z.string().optional(),
  error: z.string().optional(),
  /** one line each; empty: there was no text */
  userPreview: z.string(),
  outputPreview: z.string(),
  /** digests of the first calls, and how many calls there were */
  toolCalls: z.object({ count: z.int(), digests: z.array(z.string()) }),
});
export type CommandRun = z.infer<typeof runSchema>;

/** The one entry that stands for those that moved. */
export const olderRunsSchema = z.object({
  kind: z.literal("older"),
  /** oldest first: `runs/0001.jsonl` */
  files: z.array(z.string().refine(isSessionFileName)),
  runs: z.int(),
  turns: z.object({ from: z.int(), to: z.int() }),
});
type OlderRuns = z.infer<typeof olderRunsSchema>;

const MAX_RUNS = 200;
/** Those that stay when the others move: not every turn's end has to move some. */
const KEPT_RUNS = 100;
const PREVIEW = 200;
const MAX_DIGESTS = 8;
const DIGEST = 80;
/** No session has more; a log that came from elsewhere may say anything. */
const MAX_TURNS = 100_000;

function buildRuns(records: readonly LogRecord[]): CommandRun[] {
  const runs = new Map<number, CommandRun>();
  const runOf = (turn: number, runId: string) => {
    const toolCalls: CommandRun["toolCalls"] = { count: 0, digests: [] };
    const run = runs.get(turn) ?? { runId, turn, userPreview: "", outputPreview: "", toolCalls };
    runs.set(turn, run);
    return run;
  };
  for (const record of records) {
    if (record.kind === "message") {
      const { turn, runId } = record.message.metadata;
      takeMessage(runOf(turn, runId), record);
    }
    if (record.kind === "result") {
      const { toolCalls } = runOf(record.turn, "");
      toolCalls.count++;
      if (toolCalls.count <= MAX_DIGESTS) toolCalls.digests.push(oneLine(record.digest, DIGEST));
    }
    if (record.kind === "turnEnd") {
      const { turn, runId, reason, error } = record;
      Object.assign(runOf(turn, runId), { runId, reason, error: error?.code });
    }
  }
  return [...runs.values()].sort((a, b) => a.turn - b.turn);
}

function takeMessage(run: CommandRun, { message, ts }: RecordOf<"message">): void {
  const words = oneLine(message.parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join("\n"), PREVIEW);
  if (message.role === "assistant") run.outputPreview = words || run.outputPreview;
  else if (run.ts === undefined) Object.assign(run, { ts, userPreview: words });
}

/**
 * Every turn of a session, newest first. Rejects with StorageError.
 * @returns `missing`: archives that cannot be read and may hold turns that are not among these
 */
export async function readRuns(log: SessionLog): Promise<{ runs: CommandRun[]; missing: string[] }> {
  const known = new Map((await readStoredRuns(log)).map(run => [run.turn, run]));
  for (const run of buildRuns(log.records)) if (isWhole(run) || !known.has(run.turn)) known.set(run.turn, run);
  const last = log.records.reduce((most, record) => Math.max(most, lastTurn(record)), 0);
  const lacking = new Set<number>();
  for (let turn = 1; turn <= Math.min(last, MAX_TURNS); turn++) if (!isWhole(known.get(turn))) lacking.add(turn);
  const missing = new Set<string>();
  for (const run of await archivedRuns(log, lacking, missing)) known.set(run.turn, run);
  const stillLacks = [...lacking].some(turn => !isWhole(known.get(turn)));
  return { runs: [...known.values()].sort((a, b) => b.turn - a.turn), missing: stillLacks ? [...missing] : [] };
}

const isWhole = (run: CommandRun | undefined): boolean => run?.ts !== undefined;

/** These turns as the archives, with the live log, have them. */
async function archivedRuns(log: SessionLog, wanted: ReadonlySet<number>, missing: Set<string>): Promise<CommandRun[]> {
  if (wanted.size === 0 || !log.archived) return [];
  return buildRuns(await recordsOfTurns(log, wanted, missing)).filter(({ turn }) => wanted.has(turn));
}

async function readStoredRuns({ files }: SessionLog): Promise<CommandRun[]> {
  if (!files.read) return [];
  try {
    const { older, runs } = decodeRuns((await files.read("runs.jsonl")) ?? "");
    const before: CommandRun[] = [];
    for (const name of older?.files ?? []) before.push(...decodeRuns((await files.read(name)) ?? "").runs);
    return [...before, ...runs];
  } catch (error) {
    // one that cannot be read: the records have it too
    if (error instanceof StorageError) return [];
    throw error;
  }
}

/** Lines that are none are passed over: the records have it too. */
function decodeRuns(text: string): { older: OlderRuns | undefined; runs: CommandRun[] } {
  const values = text.split("\n").map(parseJson);
  return {
    older: values.map(value => olderRunsSchema.safeParse(value).data).find(older => older !== undefined),
    runs: values.flatMap(value => runSchema.safeParse(value).data ?? []),
  };
}

/**
 * Enters the turn that ended last, and those of the live log that were never entered. Beyond 200 the older ones move to a
 * file of their own. Rejects with StorageError.
 */
export async function storeRuns(log: SessionLog & { files: RunFiles }): Promise<void> {
  const { files } = log;
  const text = (await files.read("runs.jsonl")) ?? "";
  const { older, runs } = decodeRuns(text);
  const known = new Set(runs.map(({ turn }) => turn));
  const ended = buildRuns(log.records).filter(({ reason }) => reason !== undefined);
  const last = ended.at(-1)?.turn;
  const isNew = (turn: number) => turn === last || !(known.has(turn) || turn <= (older?.turns.to ?? 0));
  const found = ended.filter(({ turn }) => isNew(turn));
  // The beginning of a turn so long that it was compacted itself stands in an archive.
  const cut = new Set(found.filter(run => !isWhole(run)).map(({ turn }) => turn));
  const archived = new Map((await archivedRuns(log, cut, new Set())).map(run => [run.turn, run]));
  const fresh = found.map(run => archived.get(run.turn) ?? run);
  if (runs.length + fresh.length <= MAX_RUNS && (text === "" || text.endsWith("\n"))) {
    await files.append("runs.jsonl", linesText(fresh));
    return;
  }
  const all = [...new Map([...runs, ...fresh].map(run => [run.turn, run])).values()].sort((a, b) => a.turn - b.turn);
  const moved = all.length > MAX_RUNS ? all.slice(0, -KEPT_RUNS) : [];
  const entry = await moveOlderRuns(files, moved, older);
  await files.replace("runs.jsonl", linesText([...(entry ? [entry] : []), ...all.slice(moved.length)]));
}

type RunFiles = Pick<SessionFiles, "read" | "append" | "replace" | "getBlob">;

/** A crash in between leaves a file that the next move writes again. */
async function moveOlderRuns(
  files: RunFiles,
  runs: readonly CommandRun[],
  older: OlderRuns | undefined,
): Promise<OlderRuns | undefined> {
  const [first, last] = [runs[0], runs.at(-1)];
  if (!first || !last) return older;
  const number = Number(/(?<!\d)(\d+)\.jsonl$/.exec(older?.files.at(-1) ?? "")?.[1] ?? 0) + 1;
  const name = `runs/${String(number).padStart(4, "0")}.jsonl` as const;
  await files.replace(name, linesText(runs));
  return {
    kind: "older",
    files: [...(older?.files ?? []), name],
    runs: (older?.runs ?? 0) + runs.length,
    turns: { from: older?.turns.from ?? first.turn, to: last.turn },
  };
}

const linesText = (entries: readonly (CommandRun | OlderRuns)[]): string =>
  entries.map(entry => `${JSON.stringify(entry)}\n`).join("");

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
