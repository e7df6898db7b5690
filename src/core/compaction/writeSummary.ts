/** The summary of what goes: what code extracts, and what a model says where one can be asked (CONTEXT.md, section 5). */

import summaryPrompt from "../../../prompts/summary.md";
import type { Summary, SummaryFailure } from "../../shared/compaction";
import { errorMessage } from "../../shared/errorMessage";
import type { StrataMessage } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import type { History } from "../history/history";
import type { Hash, Ids, ModelConnection } from "../ports";
import type { AssembleRequest } from "../requests/requestBuilder";
import { codeSpan, counted, oneLine, renderTemplate, sanitizeText } from "../text/format";
import type { CompactionProgress } from "./compactionProgress";
import { type MemorySlots, memorySlots, type SlotsInput } from "./memorySlots";
import type { SummarySections } from "./readSummary";
import { type ModelSummary, type SummariseDeps, type SummariseInput, summarise } from "./summarise";
import { composeSummary, missingSlots } from "./summaryText";

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
export type WrittenSummary = { summary: Summary } & Pick<RecordOf<"compaction">, "failure" | "usage">;

/** Rejects with StorageError, and with the signal's reason when it is aborted. */
export async function writeSummary(
  input: WriteSummaryInput,
  deps: WriteSummaryDeps,
  progress: Pick<CompactionProgress, "tell">,
  signal: AbortSignal,
): Promise<WrittenSummary> {
  const { conversation, records } = deps.history;
  const removed = new Set(input.removed);
  const gone = conversation.messages.filter(({ id }) => removed.has(id));
  const slots = memorySlots({ messages: gone, records, goal: conversation.goal, ...deps.facts() });
  const place = summaryPlace(gone);
  const instruction = summaryInstruction({
    slots,
    ...(input.guidance ? { guidance: input.guidance } : {}),
    turns: place.turns,
    previous: conversation.summaries.length,
  });
  const messages = conversation.messages.slice(0, conversation.messages.findLastIndex(({ id }) => removed.has(id)) + 1);
  progress.tell("summarising");
  const words = input.askModel
    ? await summariseByModel({ assemble: input.assemble, messages, instruction }, deps, signal)
    : nothingFits;
  progress.tell("checking");
  const times = { start: place.startTs, cutoff: place.cutoffTs };
  const { text, failure } = checkSummary(words, slots, given =>
    deps.redact(composeSummary({ slots, times, sections: given.sections, ...given.failure })),
  );
  return {
    summary: { id: deps.ids.next("sum"), text, sha256: deps.hash.sha256(text), ...place },
    ...(failure ? { failure } : {}),
    ...(words.usage ? { usage: words.usage } : {}),
  };
}

/** What the text is made of: a model's sections, or why there are none. */
export interface Given {
  sections: SummarySections | undefined;
  failure?: { failure: SummaryFailure };
}

/**
 * Nothing that a summary must hold is lost to a model's words: where something is, they stay out of it.
 * @param compose the text of a summary
 */
export function checkSummary(
  words: ModelSummary,
  slots: MemorySlots,
  compose: (given: Given) => string,
): { text: string; failure?: NonNullable<WrittenSummary["failure"]> } {
  if ("failure" in words) {
    const { failure } = words;
    return { text: compose({ sections: undefined, failure: { failure: failure.code } }), failure };
  }
  const text = compose({ sections: words.sections });
  const lost = missingSlots(text, slots);
  if (lost.length === 0) return { text };
  const message = `The model's summary could not be used: with it, this would have been lost (${lost.join("; ")}).`;
  return {
    text: compose({ sections: undefined, failure: { failure: "unusable" } }),
    failure: { code: "unusable", message },
  };
}

const nothingFits: ModelSummary = {
  failure: {
    code: "nothing-fits",
    message: "The model's server refused every shorter request too, so no summary could be asked for.",
  },
};

/** Nothing that a model or its server does stops a compaction. */
async function summariseByModel(
  input: Omit<SummariseInput, "connection">,
  deps: WriteSummaryDeps,
  signal: AbortSignal,
): Promise<ModelSummary> {
  let connection: ModelConnection;
  try {
    connection = await deps.connect();
  } catch (error) {
    const words = errorMessage(error);
    return { failure: { code: "failed", message: `The model for summaries cannot be used: ${words}` } };
  }
  return summarise({ ...input, connection }, deps, signal);
}

/** What a summary is about. */
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

/** What asks a model for a summary: follows the conversation that goes, in the tail of the request. Pure. */

const GUIDANCE_CHARACTERS = 2_000;

export interface InstructionInput {
  slots: MemorySlots;
  /** the user's words, from `/compact words` */
  guidance?: string;
  /** first and last turn that go */
  turns: { from: number; to: number };
  /** how many summaries of earlier rounds stand in the request */
  previous?: number;
}

export function summaryInstruction({ slots, guidance, turns, previous = 0 }: InstructionInput): string {
  const { constraints, files, moreFiles } = slots;
  const more = moreFiles.reduce((sum, folder) => sum + folder.files, 0);
  const wish = sanitizeText(guidance ?? "").trim();
  return renderTemplate(summaryPrompt, {
    turns: turns.from === turns.to ? `round ${turns.from}` : `rounds ${turns.from} to ${turns.to}`,
    constraints: listed(constraints.map(({ text }) => `“${text}”`)),
    files: listed([
      ...files.map(({ path }) => codeSpan(path)),
      ...(more > 0 ? [`and ${counted(more, "more file")}`] : []),
    ]),
    earlier:
      previous > 0
        ? "- Summaries of earlier rounds stand at the head of the conversation. They stay: do not repeat them.\n"
        : "",
    guidance:
      wish === ""
        ? ""
        : `- The user wishes for this summary: “${oneLine(wish, GUIDANCE_CHARACTERS)}”. Heed it within these rules.\n`,
  });
}

const listed = (lines: readonly string[]) =>
  lines.length > 0 ? lines.map(line => `  - ${line}`).join("\n") : "  - (none)";
