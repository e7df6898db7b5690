import type { TurnSoFar } from "../../shared/compaction";
import type { Usage } from "../../shared/messages";
import type { LogRecord } from "../../shared/records";

export interface TurnTotals {
  steps: number;
  toolCalls: number;
  toolFailures: number;
  usage: Usage;
  durationMs: number;
}

/**
 * What a turn counted, from its records, with the summaries that were written while it ran. Time runs from the turn's first
 * message, or from where it was taken up again.
 * @param now ms since the epoch
 */
export function turnTotals(records: readonly LogRecord[], turn: number, now: number): TurnTotals {
  const { steps, toolCalls, toolFailures, usage, started } = turnSoFar(records, turn);
  return { steps, toolCalls, toolFailures, usage, durationMs: started === undefined ? 0 : Math.max(0, now - started) };
}

/** What a turn counted up to now. Records that a compaction took are counted in its snapshot. */
export function turnSoFar(records: readonly LogRecord[], turn: number): TurnSoFar {
  const totals = { steps: 0, toolCalls: 0, toolFailures: 0 };
  const usage = { input: 0, output: 0, cachedInput: 0 };
  const spent = (more: Usage | undefined) => {
    usage.input += more?.input ?? 0;
    usage.output += more?.output ?? 0;
    usage.cachedInput += more?.cachedInput ?? 0;
  };
  let started: number | undefined;
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    if (record?.kind === "turnEnd") break;
    if (record?.kind === "compaction" && record.snapshot.soFar?.turn === turn) {
      const { soFar } = record.snapshot;
      for (const key of ["steps", "toolCalls", "toolFailures"] as const) totals[key] += soFar[key];
      spent(soFar.usage);
      spent(record.usage);
      started = soFar.started ?? started;
      break;
    }
    if (record?.kind === "result" && record.turn === turn) {
      totals.toolCalls++;
      if (record.status === "error") totals.toolFailures++;
    }
    if (record?.kind !== "message" || record.message.metadata.turn !== turn) continue;
    started = record.ts;
    if (record.message.role === "assistant") totals.steps++;
    spent(record.message.metadata.usage);
  }
  return { turn, ...totals, usage, ...(started === undefined ? {} : { started }) };
}
