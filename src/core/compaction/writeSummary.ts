/** The summary of what goes: what code extracts, and what a model says where one can be asked (CONTEXT.md, section 5). */
import type { Summary } from "../../shared/compaction";
import type { StrataMessage } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import type { AssembleRequest } from "../agent/requestBuilder";
import type { History } from "../history/history";
import type { Hash, Ids, ModelConnection } from "../ports";
import { summaryInstruction } from "./instruction";
import type { Progress } from "./progress";
import { memorySlots, type SlotsInput } from "./slots";
import { type SummariseDeps, type SummariseInput, type SummaryWords, summarise } from "./summarise";
import { composeSummary } from "./summaryText";

export interface WriteSummaryDeps extends SummariseDeps {
  history: History;
  ids: Ids;
  hash: Hash;
  /** Secrets → placeholders. */
  redact(text: string): string;
  /** The model that writes summaries. Rejects with NoModelError. */
  connect(): Promise<ModelConnection>;
  /** for the summary's Environment */
  facts(): Pick<SlotsInput, "facts" | "model">;
}

export interface WriteSummaryInput {
  assemble: AssembleRequest;
  /** ids of the messages that go */
  removed: readonly string[];
  guidance?: string;
  /** false: the server refused every request, so no model is asked */
  askModel: boolean;
}

/** A summary on its way into the log. */
export type Written = { summary: Summary } & Pick<RecordOf<"compaction">, "failure" | "usage">;

/** Rejects with StorageError, and with the signal's reason when it is aborted. */
export async function writeSummary(
  input: WriteSummaryInput,
  deps: WriteSummaryDeps,
  progress: Pick<Progress, "tell">,
  signal: AbortSignal,
): Promise<Written> {
  const { conversation, records } = deps.history;
  const removed = new Set(input.removed);
  const gone = conversation.messages.filter(({ id }) => removed.has(id));
  const slots = memorySlots({ messages: gone, records, goal: conversation.goal, ...deps.facts() });
  const place = placeOf(gone);
  const instruction = summaryInstruction({
    slots,
    ...(input.guidance ? { guidance: input.guidance } : {}),
    turns: place.turns,
    previous: conversation.summaries.length,
  });
  const messages = conversation.messages.slice(0, conversation.messages.findLastIndex(({ id }) => removed.has(id)) + 1);
  progress.tell("summarising");
  const words = input.askModel
    ? await modelWords({ assemble: input.assemble, messages, instruction }, deps, signal)
    : nothingFits;
  progress.tell("checking");
  const failure = "failure" in words ? words.failure : undefined;
  const text = deps.redact(
    composeSummary({
      slots,
      sections: "sections" in words ? words.sections : undefined,
      times: { start: place.startTs, cutoff: place.cutoffTs },
      ...(failure ? { failure: failure.code } : {}),
    }),
  );
  return {
    summary: { id: deps.ids.next("sum"), text, sha256: deps.hash.sha256(text), ...place },
    ...(failure ? { failure } : {}),
    ...(words.usage ? { usage: words.usage } : {}),
  };
}

const nothingFits: SummaryWords = {
  failure: {
    code: "nothing-fits",
    message: "The model's server refused every shorter request too, so no summary could be asked for.",
  },
};

/** Nothing that a model or its server does stops a compaction. */
async function modelWords(
  input: Omit<SummariseInput, "connection">,
  deps: WriteSummaryDeps,
  signal: AbortSignal,
): Promise<SummaryWords> {
  let connection: ModelConnection;
  try {
    connection = await deps.connect();
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { failure: { code: "failed", message: `The model for summaries cannot be used: ${words}` } };
  }
  return summarise({ ...input, connection }, deps, signal);
}

/** What a summary is about. */
function placeOf(messages: readonly StrataMessage[]): Omit<Summary, "id" | "text" | "sha256"> {
  const times = messages.map(({ metadata }) => metadata?.ts ?? 0);
  const turns = messages.map(({ metadata }) => metadata?.turn ?? 0);
  return {
    turns: { from: Math.min(...turns), to: Math.max(...turns) },
    sourceRange: { fromId: messages[0]?.id ?? "", toId: messages.at(-1)?.id ?? "", count: messages.length },
    startTs: Math.min(...times),
    cutoffTs: Math.max(...times),
  };
}
