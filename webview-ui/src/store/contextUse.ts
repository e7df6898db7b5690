/** How full the context is, from where the host said it last, as records and events go on. Pure. */
import type { AgentEvent } from "../../../src/shared/events";
import type { ContextUse } from "../../../src/shared/panelProtocol";
import type { LogRecord, RecordOf } from "../../../src/shared/records";

/** @param use undefined: nothing was sent yet */
export function contextAfter(
  use: ContextUse | undefined,
  event: AgentEvent,
  /** what that compaction made of a request, where its record is known */
  tokensOf: (compactionId: string) => RecordOf<"compaction">["tokens"] | undefined,
): ContextUse | undefined {
  if (event.type === "record") return afterRecord(use, event.record, tokensOf);
  if (event.type !== "request") return use;
  return { ...use, tokens: event.estimatedTokens, window: event.contextWindow, layers: event.layers ?? [] };
}

function afterRecord(
  use: ContextUse | undefined,
  record: LogRecord,
  tokensOf: (compactionId: string) => RecordOf<"compaction">["tokens"] | undefined,
): ContextUse | undefined {
  if (record.kind === "compaction") return { ...use, tokens: (record.counted ?? record.tokens).after, layers: [] };
  if (record.kind === "message") return afterMessage(use, record);
  if (use === undefined || (record.kind !== "undo" && record.kind !== "redo")) return use;
  const tokens = tokensOf(record.compactionId);
  if (tokens === undefined) return { ...use, layers: [] };
  const saved = tokens.before - tokens.after;
  return { ...use, tokens: Math.max(0, use.tokens + (record.kind === "undo" ? saved : -saved)), layers: [] };
}

function afterMessage(use: ContextUse | undefined, { message }: RecordOf<"message">): ContextUse | undefined {
  const { usage, requestTokens } = message.metadata;
  if (usage === undefined) return use;
  const ratio = requestTokens ? usage.input / requestTokens : use?.ratio;
  return { ...use, tokens: usage.input + usage.output, layers: use?.layers ?? [], ...(ratio ? { ratio } : {}) };
}
