/**
 * Writes the summary of what goes: what code extracts, and what a model says where one can be asked. The model gets an ordinary
 * request over the messages that go, which begins as the requests before it, so that the provider's cache pays for most of it;
 * the instruction stands in its tail (docs/context.md).
 */
import summaryPrompt from "../../../prompts/summary.md";
import type { Summary, SummaryFailure } from "../../shared/compaction";
import { errorMessage } from "../../shared/errorMessage";
import type { Json, StrataMessage, Usage } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import { foldedMessages } from "../history/applyMessage";
import type { ModelConnection, Models } from "../ports";
import { type RequestDeps, requestStep } from "../requests/request";
import type { AssembleRequest, BuilderPorts } from "../requests/requestBuilder";
import { codeSpan, counted, oneLine, renderTemplate, sanitizeText } from "../text/format";
import { type MemorySlots, memorySlots } from "./memorySlots";
import { isUnusable, readSummary, type SummarySections } from "./readSummary";
import { composeSummary, failureWords, missingSlots } from "./summaryText";

const SUMMARY_TIMEOUT_MS = 120_000;
const SUMMARY_TOKENS = 2_000;
/** For models that think before they write, which counts as output. */
const THINKING_TOKENS = 8_000;
const MAX_TRIES = 3;
const GUIDANCE_CHARACTERS = 2_000;

export interface WriteSummaryDeps extends RequestDeps, BuilderPorts {
  models: Models;
}

interface WriteSummaryInput {
  assemble: AssembleRequest;
  removed: readonly string[];
  guidance?: string | undefined;
  /** false: the server refused every request, so no model is asked */
  askModel: boolean;
  tell(phase: "summarising" | "checking"): void;
}

/** A summary on its way into the log. */
export type WrittenSummary = { summary: Summary } & Pick<RecordOf<"compaction">, "failure" | "usage">;

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
    model: deps.settings.get()["model.name"],
  });
  const place = summaryPlace(gone);
  const { guidance } = input;
  const previous = conversation.summaries.length;
  const instruction = summaryInstruction({ slots, guidance, turns: place.turns, previous });
  const messages = conversation.messages.slice(0, conversation.messages.findLastIndex(({ id }) => removed.has(id)) + 1);
  input.tell("summarising");
  const words = input.askModel
    ? await summarise({ assemble: input.assemble, messages, instruction }, deps, signal)
    : nothingFits;
  input.tell("checking");
  const times = { start: place.startTs, cutoff: place.cutoffTs };
  const { text, failure } = checkSummary(words, slots, given =>
    deps.redactor.redact(composeSummary({ slots, times, sections: given.sections, ...given.failure })),
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

type ModelSummary = ({ sections: SummarySections } | { failure: NonNullable<WrittenSummary["failure"]> }) & {
  /** over all tries, where the provider told */
  usage?: Usage;
};

interface SummariseInput {
  assemble: AssembleRequest;
  /** history from its beginning to the last message that goes */
  messages: readonly StrataMessage[];
  instruction: string;
}

const failed = (code: SummaryFailure, message: string) => ({ failure: { code, message } });

const nothingFits: ModelSummary = failed(
  "nothing-fits",
  "The model's server refused every shorter request too, so no summary could be asked for.",
);

/**
 * Nothing that a model or its server does stops a compaction. Rejects with StorageError, and with the signal's reason when it is
 * aborted.
 */
async function summarise(input: SummariseInput, deps: WriteSummaryDeps, signal: AbortSignal): Promise<ModelSummary> {
  const ended = new AbortController();
  let timedOut = false;
  const limit = deps.clock.sleep(SUMMARY_TIMEOUT_MS, ended.signal).then(
    () => {
      timedOut = true;
      ended.abort();
    },
    () => undefined,
  );
  const spent: Usage[] = [];
  try {
    const connection = await connect(deps);
    const words =
      "failure" in connection
        ? connection
        : await trySummarise(input, connection, deps, spent, AbortSignal.any([signal, ended.signal]));
    signal.throwIfAborted();
    const given = timedOut || words === "stopped" ? failed("timeout", failureWords.timeout) : words;
    const sum = (key: keyof Usage) => spent.reduce((total, usage) => total + (usage[key] ?? 0), 0);
    const usage = { input: sum("input"), output: sum("output"), cachedInput: sum("cachedInput") };
    return { ...given, ...(spent.length > 0 ? { usage } : {}) };
  } finally {
    ended.abort();
    await limit;
  }
}

async function connect({ models, settings }: WriteSummaryDeps): Promise<ModelConnection | ReturnType<typeof failed>> {
  const name = settings.get()["summary.model"].trim();
  try {
    return await models.connect(name ? { name } : undefined);
  } catch (error) {
    const words = errorMessage(error);
    return failed("failed", `The model for summaries cannot be used: ${words}`);
  }
}

async function trySummarise(
  input: SummariseInput,
  model: ModelConnection,
  deps: WriteSummaryDeps,
  spent: Usage[],
  signal: AbortSignal,
): Promise<ModelSummary | "stopped"> {
  const { turn, runId, step } = deps.history.conversation;
  // What the model writes is no answer: nobody is shown it while it streams.
  const quiet = { ...deps, emit: () => undefined };
  let { messages } = input;
  let most = SUMMARY_TOKENS;
  let complaint = "";
  let tooLong = Number.POSITIVE_INFINITY;
  let failure: ReturnType<typeof failed> | undefined;
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const connection = { ...model, maxOutputTokens: most };
    const callOptions: Record<string, Json> = { providerOptions: model.providerOptions, maxOutputTokens: most };
    const instruction = input.instruction + complaint;
    const tail = [{ source: "prompt:summary", text: instruction }];
    const request = input.assemble({ messages, tail, callOptions });
    if (failure && request.tokens >= tooLong) return failure;
    const result = await requestStep({ turn, runId, step, purpose: "summary" }, connection, request, quiet, signal);
    if (result.kind === "stopped") return "stopped";
    if (result.kind === "failed") {
      const { code, message } = result.error;
      failure = failed("failed", message);
      if (code === "context-too-long") {
        tooLong = request.tokens;
        messages = allFolded(messages);
      } else if (code === "bad-answer") most = THINKING_TOKENS;
      else return failure;
      continue;
    }
    if (result.usage) spent.push(result.usage);
    const text = result.parts.map(part => (part.type === "text" ? part.text : "")).join("\n");
    const sections = readSummary(text, instruction);
    if (!isUnusable(sections)) return { sections };
    failure = failed("unusable", `The model's summary could not be used. ${sections.why}`);
    complaint = `\n\nYour last answer could not be used. ${sections.why} Write the sections as text, and call no tool.`;
    if (result.finishReason === "length") most = THINKING_TOKENS;
  }
  return failure ?? "stopped";
}

function allFolded(messages: readonly StrataMessage[]): StrataMessage[] {
  const results = messages.flatMap(({ id: messageId, parts }) =>
    parts.flatMap(part => (part.type === "dynamic-tool" ? [{ messageId, callId: part.toolCallId }] : [])),
  );
  return foldedMessages(messages, results);
}

export interface InstructionInput {
  slots: MemorySlots;
  /** the user's words, from `/compact words` */
  guidance?: string | undefined;
  /** first and last turn that go */
  turns: { from: number; to: number };
  /** how many summaries of earlier turns stand in the request */
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
