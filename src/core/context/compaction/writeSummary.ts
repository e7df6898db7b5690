/**
 * Writes the summary of what goes (docs/context.md): what code extracts from the records, and what a model says. It is asked by one
 * request over what goes, with the instruction in its tail; tools and first bytes are those of any request, so that the provider's
 * cache pays for most of it. Neither the model nor its server can hold a compaction up for long or stop it.
 */
import summaryPrompt from "../../../../prompts/summary.md";
import type { Summary, SummaryFailure } from "../../../shared/compaction";
import { addUsage } from "../../../shared/cost";
import { defined } from "../../../shared/defined";
import { errorMessage } from "../../../shared/errorMessage";
import { t } from "../../../shared/l10n";
import type { StrataMessage, Usage } from "../../../shared/messages";
import type { RecordOf } from "../../../shared/records";
import type { ModelConnection, Models } from "../../ground/ports";
import { timeLimit } from "../../ground/ports/basics";
import { estimateTokens } from "../../ground/text/estimate";
import {
  clipEnd,
  codeSpan,
  collapseWhitespace,
  count,
  counted,
  oneLine,
  renderTemplate,
  sanitizeText,
} from "../../ground/text/format";
import { foldedMessages } from "../../log/applyMessage";
import { type NextLedger, nextLedger } from "../../log/ledger/ledger";
import { ledgerRoom } from "../../log/ledger/pages";
import { connectSideModel, type RequestDeps, requestStep } from "../requests/request";
import { type AssembleRequest, type BuilderPorts, forSession, toCallOptions } from "../requests/requestBuilder";
import { composeSummary, type MemorySlots, memorySlots } from "./summaryText";

/** How often a model is asked, and how long it is waited for in all, in ms. */
const TRIES = 3;
export const LEAST_PATIENCE = 120_000;

/** For models that think before they write, which counts as output. */
const THINKING_TOKENS = 8_000;
const GUIDANCE_CHARACTERS = 2_000;

/** A model's words in a summary, where the window is not small: there they take a share of it. */
const SUMMARY_TOKENS = 2_000;
const SHARE = 0.06;

export type WriteSummaryDeps = RequestDeps & BuilderPorts & { models: Models };

/** Usage is over all tries, where the provider told. */
type ModelSummary = ({ text: string } | { failure: NonNullable<RecordOf<"compaction">["failure"]> }) & {
  usage?: Usage;
};

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
export async function writeSummary(input: WriteSummaryInput, deps: WriteSummaryDeps, signal: AbortSignal) {
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
  const asked = await modelWords(input, slots, place.turns, deps, signal);
  input.tell("checking");
  const ledger = await nextLedger(removed, ledgerRoom(input.window), deps);
  const failure = "failure" in asked ? asked.failure : undefined;
  const said = "failure" in asked ? { failure: asked.failure.code } : asked;
  const standing = conversation.summaries.map(({ text }) => text);
  const text = deps.redactor.redact(composeSummary({ slots, said, standing }));
  return {
    summary: { id: deps.ids.next("sum"), text, sha256: deps.hash.sha256(text), ...place },
    ...{ ledger, memory: slots },
    ...defined({ failure, usage: asked.usage }),
  };
}

const failed = (code: SummaryFailure, message: string) => ({ failure: { code, message } });

/** The owner's sentence. */
const timedOut = () => failed("timeout", t("Summary generation timed out, keeping recent history only."));

/** Nothing that a model or its server does stops a compaction. Rejects as `writeSummary`. */
async function modelWords(
  input: WriteSummaryInput,
  slots: MemorySlots,
  turns: Summary["turns"],
  deps: WriteSummaryDeps,
  signal: AbortSignal,
): Promise<ModelSummary> {
  const { removed, guidance, patience } = input;
  if (!patience)
    return failed(
      "nothing-fits",
      t("The model's server refused every shorter request too, so no summary could be asked for."),
    );
  const { messages: all, summaries, turn } = deps.history.conversation;
  const last = all.findLastIndex(({ id }) => removed.includes(id));
  const isRunning = turns.to === turn && all.slice(last + 1).some(({ metadata }) => metadata?.turn === turn);
  const room = Math.round(Math.min(SUMMARY_TOKENS, SHARE * input.window));
  const instruction = summaryInstruction({ slots, guidance, turns, previous: summaries.length, isRunning, room });
  const question = { ...input, patience, room, instruction, messages: all.slice(0, last + 1) };
  const limit = timeLimit(patience, deps.clock);
  const spent: Usage[] = [];
  try {
    const model = await connectSideModel("summary.model", deps, input.connection).catch(errorMessage);
    const words =
      typeof model === "string"
        ? failed("failed", t("The model for summaries cannot be used: {0}", model))
        : await tryOften(question, model, { ...deps, spent }, AbortSignal.any([signal, limit.signal]));
    signal.throwIfAborted();
    return {
      ...words,
      ...(spent.length > 0 && { usage: spent.reduce(addUsage, { input: 0, output: 0, cachedInput: 0 }) }),
    };
  } finally {
    limit.end();
  }
}

interface SummaryQuestion extends WriteSummaryInput {
  /** history from its beginning to the last message that goes */
  messages: readonly StrataMessage[];
  instruction: string;
  patience: number;
  /** tokens that the model's words may take */
  room: number;
}

async function tryOften(
  input: SummaryQuestion,
  model: ModelConnection,
  deps: WriteSummaryDeps & { spent: Usage[] },
  signal: AbortSignal,
): Promise<ModelSummary> {
  const { turn, runId, step } = deps.history.conversation;
  // A summary is no answer, so it is not shown while it streams.
  const quiet = { ...deps, emit: () => undefined };
  let { messages } = input;
  let asked = model;
  let most = input.room;
  let complaint = "";
  let tooLong = Number.POSITIVE_INFINITY;
  let failure: ReturnType<typeof failed> | undefined;
  for (let tried = 0; tried < TRIES; tried++) {
    // What a step is waited for ends no summary: that is the limit's.
    const timeoutMs = Math.max(asked.timeoutMs, input.patience);
    const connection = { ...forSession(asked, deps.history.files.id), maxOutputTokens: most, timeoutMs };
    const instruction = input.instruction + complaint;
    const tail = [{ source: "prompt:summary", text: deps.redactor.redact(instruction) }];
    const request = input.assemble({ messages, tail, callOptions: toCallOptions(connection), connection });
    if (failure && request.tokens >= tooLong) break;
    const result = await requestStep({ turn, runId, step, purpose: "summary" }, connection, request, quiet, signal);
    if (result.kind === "stopped") return timedOut();
    if (result.kind === "failed") {
      const { code, message } = result.error;
      failure = failed("failed", message);
      if (code === "context-too-long") {
        tooLong = request.tokens;
        messages = allFolded(messages);
      } else if (code === "bad-answer") most = THINKING_TOKENS;
      else if (code === "no-tools" && asked.withoutTools) asked = asked.withoutTools();
      else if (code === "unreadable-call") complaint = complaintOf("It had a call in it.");
      else break;
      continue;
    }
    if (result.usage) deps.spent.push(result.usage);
    const text = sanitizeText(result.parts.map(part => (part.type === "text" ? part.text : "")).join("\n")).trim();
    const isCut = result.finishReason === "length";
    const why = isCut ? "The summary was too long and was cut off." : whyUnusable(text, instruction);
    if (why === undefined) return { text: withinRoom(text, input.room) };
    failure = failed("unusable", t("The model's summary could not be used. {0}", why));
    complaint = complaintOf(why);
    if (isCut) most = THINKING_TOKENS;
  }
  return failure ?? timedOut();
}

const complaintOf = (why: string): string =>
  `\n\nYour last answer could not be used. ${why} Write the sections as text, and call no tool.`;

/** Characters of its own: what has fewer is no summary, and without a heading it may be a step of the task. */
const LEAST_CHARACTERS = { withHeadings: 12, prose: 200 };

/** A sentence for the model and for people; undefined: the text is a summary. */
function whyUnusable(text: string, instruction: string): string | undefined {
  if (text === "") return "The model wrote nothing.";
  const asked = new Set(sanitizeText(instruction).split("\n").map(collapseWhitespace));
  const lines = text.split("\n").map(collapseWhitespace);
  const size = (all: readonly string[]) => all.join("").length;
  const own = size(lines.filter(line => !asked.has(line) && !line.startsWith("#")));
  const echoed = size(lines.filter(line => asked.has(line) && !line.startsWith("#")));
  if (echoed > own) return "The model repeated the instruction.";
  const least = /^#/m.test(text) ? LEAST_CHARACTERS.withHeadings : LEAST_CHARACTERS.prose;
  return own < least ? "The model wrote no summary." : undefined;
}

/** Models count tokens otherwise than the estimate. */
const TOLERANCE = 1.5;

/** @param room tokens */
const withinRoom = (text: string, room: number): string =>
  clipEnd(text, Math.floor((text.length * TOLERANCE * room) / Math.max(1, estimateTokens(text))));

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
  /** tokens that it may take */
  room?: number;
  /** how many summaries of earlier turns stand in the request */
  previous?: number;
  /** they are the first steps of the turn that runs */
  isRunning?: boolean;
}

const ENDED_RULE = "No plans, no next steps, no progress of a task that is still under way.";
const RUNNING_RULE =
  "The newest task is still under way, and its first steps are among what leaves: say what was done, found, tried in vain and decided in them, and what is still to do, so that it goes on and does nothing twice.";

export function summaryInstruction({
  slots,
  guidance,
  turns,
  previous = 0,
  isRunning = false,
  room = SUMMARY_TOKENS,
}: InstructionInput): string {
  const { files, moreFiles } = slots;
  const wish = sanitizeText(guidance ?? "").trim();
  return renderTemplate(summaryPrompt, {
    words: count(Math.round(room * 0.75)),
    tokens: count(room),
    turns: turns.from === turns.to ? `round ${turns.from}` : `rounds ${turns.from} to ${turns.to}`,
    files: filesRule([
      ...files.map(({ path }) => codeSpan(path)),
      ...(moreFiles > 0 ? [`and ${counted(moreFiles, "more file")}`] : []),
    ]),
    earlier:
      previous > 0
        ? "- Summaries of earlier rounds stand at the head of the conversation. They stay: do not repeat them.\n"
        : "",
    progress: isRunning ? RUNNING_RULE : ENDED_RULE,
    guidance:
      wish === ""
        ? ""
        : `- The user wishes for this summary: “${oneLine(wish, GUIDANCE_CHARACTERS)}”. Heed it within these rules.\n`,
  });
}

const filesRule = (lines: readonly string[]) =>
  lines.length === 0
    ? ""
    : `- Files changed in these rounds; say in File System State what changed in each:\n${lines.map(line => `  - ${line}\n`).join("")}`;

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
