/**
 * Writes the summary of what goes: what code extracts from the records, and what a model says where one can be asked
 * (docs/context.md).
 */
import type { Summary } from "../../../shared/compaction";
import { defined } from "../../../shared/defined";
import type { StrataMessage } from "../../../shared/messages";
import type { RecordOf } from "../../../shared/records";
import type { ModelConnection } from "../../ground/ports";
import { type NextLedger, nextLedger } from "../../log/ledger/ledger";
import { ledgerRoom } from "../../log/ledger/pages";
import type { AssembleRequest, BuilderPorts } from "../requests/requestBuilder";
import {
  type AskDeps,
  askForSummary,
  type ModelSummary,
  nothingFits,
  summaryInstruction,
  summaryTokens,
} from "./askForSummary";
import { composeSummary, type MemorySlots, memorySlots } from "./summaryText";

export type WriteSummaryDeps = AskDeps & BuilderPorts;

interface WriteSummaryInput {
  assemble: AssembleRequest;
  removed: readonly string[];
  guidance?: string | undefined;
  /** ms; undefined: the server refused every request, so no model is asked */
  patience: number | undefined;
  /** tokens of the model's context */
  window: number;
  /** the model in use, where no other writes summaries; undefined: as the settings have it */
  connection: ModelConnection | undefined;
  /** name of the model in use, for the summary's environment */
  model: string;
  tell(phase: "summarising" | "checking"): void;
}

/** A summary on its way into the log, the ledger beside it, and what of the summary must stay in requests when it is archived. */
export interface WrittenSummary extends Pick<RecordOf<"compaction">, "failure" | "usage"> {
  summary: Summary;
  ledger: NextLedger;
  memory: Pick<MemorySlots, "goal" | "environment">;
}

/** Rejects with StorageError, and with the signal's reason when it is aborted. */
export async function writeSummary(
  input: WriteSummaryInput,
  deps: WriteSummaryDeps,
  signal: AbortSignal,
): Promise<WrittenSummary> {
  const { conversation, records } = deps.history;
  const removed = new Set(input.removed);
  const gone = conversation.messages.filter(({ id }) => removed.has(id));
  const slots = memorySlots({
    messages: gone,
    records,
    goal: conversation.goal,
    facts: { roots: deps.files.roots, platform: deps.surroundings.platform, shell: deps.shell.name },
    model: input.model,
    window: input.window,
  });
  const place = summaryPlace(gone);
  input.tell("summarising");
  const asked = await modelWords(input, slots, place, deps, signal);
  input.tell("checking");
  const ledger = await nextLedger(removed, ledgerRoom(input.window), deps);
  const failure = "failure" in asked ? asked.failure : undefined;
  const said = "failure" in asked ? { failure: asked.failure.code } : asked;
  const text = deps.redactor.redact(composeSummary({ slots, said, isFirst: conversation.summaries.length === 0 }));
  return {
    summary: { id: deps.ids.next("sum"), text, sha256: deps.hash.sha256(text), ...place },
    ...{ ledger, memory: slots },
    ...defined({ failure, usage: asked.usage }),
  };
}

async function modelWords(
  { assemble, removed, guidance, patience, window, connection }: WriteSummaryInput,
  slots: MemorySlots,
  { turns }: Pick<Summary, "turns">,
  deps: WriteSummaryDeps,
  signal: AbortSignal,
): Promise<ModelSummary> {
  if (!patience) return nothingFits();
  const { messages: all, summaries, turn } = deps.history.conversation;
  const last = all.findLastIndex(({ id }) => removed.includes(id));
  const messages = all.slice(0, last + 1);
  const isRunning = turns.to === turn && all.slice(last + 1).some(({ metadata }) => metadata?.turn === turn);
  const room = summaryTokens(window);
  const previous = summaries.length;
  const instruction = summaryInstruction({ slots, guidance, turns, previous, isRunning, room });
  return askForSummary({ assemble, messages, instruction, patience, room, connection }, deps, signal);
}

function summaryPlace(messages: readonly StrataMessage[]): Omit<Summary, "id" | "text" | "sha256"> {
  const times = messages.map(({ metadata }) => metadata?.ts ?? 0);
  const turns = messages.map(({ metadata }) => metadata?.turn ?? 0);
  return {
    turns: { from: Math.min(...turns), to: Math.max(...turns) },
    sourceRange: { fromId: messages[0]?.id ?? "", toId: messages.at(-1)?.id ?? "", count: messages.length },
    startTs: Math.min(...times),
    cutoffTs: Math.max(...times),
  };
}
