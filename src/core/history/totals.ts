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
 * What a turn counted, from its records. Time runs from the turn's first message, or from where it was taken up again.
 * @param now ms since the epoch
 */
export function turnTotals(records: readonly LogRecord[], turn: number, now: number): TurnTotals {
  const totals = { steps: 0, toolCalls: 0, toolFailures: 0, input: 0, output: 0, cachedInput: 0 };
  let started: number | undefined;
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at];
    if (record?.kind === "turnEnd") break;
    if (record?.kind === "result" && record.turn === turn) {
      totals.toolCalls++;
      if (record.status === "error") totals.toolFailures++;
    }
    if (record?.kind !== "message" || record.message.metadata.turn !== turn) continue;
    started = record.ts;
    const { usage } = record.message.metadata;
    if (record.message.role === "assistant") totals.steps++;
    if (usage) {
      totals.input += usage.input;
      totals.output += usage.output;
      totals.cachedInput += usage.cachedInput ?? 0;
    }
  }
  const { steps, toolCalls, toolFailures, input, output, cachedInput } = totals;
  const durationMs = started === undefined ? 0 : Math.max(0, now - started);
  return { steps, toolCalls, toolFailures, usage: { input, output, cachedInput }, durationMs };
}
