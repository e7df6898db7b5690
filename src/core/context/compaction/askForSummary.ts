/**
 * Asks a model for a summary: one request over what goes, with the instruction in its tail. Neither the model nor its server
 * can hold a compaction up for long or stop it (docs/context.md).
 */
import summaryPrompt from "../../../../prompts/summary.md";
import type { SummaryFailure } from "../../../shared/compaction";
import { addUsage } from "../../../shared/cost";
import { errorMessage } from "../../../shared/errorMessage";
import type { AgentEvent } from "../../../shared/events";
import { t } from "../../../shared/l10n";
import type { MessagePart, StrataMessage, Usage } from "../../../shared/messages";
import type { RecordOf } from "../../../shared/records";
import type { ModelConnection, Models, Redactor, Sleeper, WallClock } from "../../ground/ports";
import { codeSpan, count, counted, oneLine, renderTemplate, sanitizeText } from "../../ground/text/format";
import { foldedMessages } from "../../log/applyMessage";
import { forSession, toCallOptions } from "../requests/callOptions";
import { type RequestDeps, requestStep } from "../requests/request";
import type { AssembleRequest } from "../requests/requestBuilder";
import { connectSideModel } from "../requests/sideModel";
import type { MemorySlots } from "./memorySlots";
import { isUnusable, readSummary, SUMMARY_TOKENS, type SummarySections } from "./readSummary";

/** How long a model is waited for, in ms: in all, and while nothing comes once it writes; and how often it is asked. */
export interface Patience {
  inAll: number;
  silent: number;
  tries: number;
}

const PATIENT: Patience = { inAll: 120_000, silent: 60_000, tries: 3 };

/**
 * @param timeoutMs what a person waits for their model, where that is longer
 * @param isSecond after a summary that did not come: half of it, since the same wait again would help nobody
 */
export function patienceFor(timeoutMs: number, isSecond: boolean): Patience {
  const { inAll, silent, tries } = { ...PATIENT, inAll: Math.max(PATIENT.inAll, timeoutMs) };
  return isSecond ? { inAll: inAll / 2, silent: silent / 2, tries: 1 } : { inAll, silent, tries };
}

/** For models that think before they write, which counts as output. */
const THINKING_TOKENS = 8_000;
const GUIDANCE_CHARACTERS = 2_000;

export interface AskDeps extends RequestDeps {
  redactor: Pick<Redactor, "redact">;
  models: Models;
}

export type ModelSummary = (
  | { sections: SummarySections }
  | { failure: NonNullable<RecordOf<"compaction">["failure"]> }
) & {
  /** over all tries, where the provider told */
  usage?: Usage;
};

interface AskInput {
  assemble: AssembleRequest;
  /** history from its beginning to the last message that goes */
  messages: readonly StrataMessage[];
  instruction: string;
  patience: Patience;
  /** tokens that the model's words may take */
  room: number;
  /** the model in use; undefined: as the settings have it */
  connection: ModelConnection | undefined;
}

/** Of a small window a summary takes less. In tokens, as the window. */
export const summaryTokens = (window: number): number => Math.round(Math.min(SUMMARY_TOKENS, 0.06 * window));

const failed = (code: SummaryFailure, message: string) => ({ failure: { code, message } });

export const nothingFits = (): ModelSummary =>
  failed("nothing-fits", t("The model's server refused every shorter request too, so no summary could be asked for."));

/** The owner's sentence. */
const timedOut = () => failed("timeout", t("Summary generation timed out, keeping recent history only."));

/**
 * Nothing that a model or its server does stops a compaction. Rejects with StorageError, and with the signal's reason when it is
 * aborted.
 */
export async function askForSummary(input: AskInput, deps: AskDeps, signal: AbortSignal): Promise<ModelSummary> {
  const limit = new SummaryDeadline(input.patience, deps.clock);
  const spent: Usage[] = [];
  try {
    const connection = await connect(input.connection, deps);
    const words =
      "failure" in connection ? connection : await tryOften(input, connection, { ...deps, spent, limit }, signal);
    signal.throwIfAborted();
    const usage = spent.reduce(addUsage, { input: 0, output: 0, cachedInput: 0 });
    return { ...words, ...(spent.length > 0 ? { usage } : {}) };
  } finally {
    await limit.end();
  }
}

/** Aborts its signal when the time is over, or when nothing more came for too long: a slow machine's model may read for a minute. */
class SummaryDeadline {
  private readonly over = new AbortController();
  private readonly ended = new AbortController();
  private readonly watched: Promise<void>;
  private heardAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly patience: Patience,
    private readonly clock: WallClock & Sleeper,
  ) {
    this.watched = this.watch(clock.now() + patience.inAll).catch(() => undefined); // it was ended
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Something came. */
  readonly hear = () => {
    this.heardAt = this.clock.now();
  };

  async end(): Promise<void> {
    this.ended.abort();
    await this.watched;
  }

  private async watch(deadline: number): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      // Before its first word it may be heard at any time.
      const left = Math.min(deadline, Math.min(this.heardAt, now) + this.patience.silent) - now;
      if (left <= 0) return this.over.abort();
      await this.clock.sleep(left, this.ended.signal);
    }
  }
}

async function connect(
  inUse: ModelConnection | undefined,
  deps: AskDeps,
): Promise<ModelConnection | ReturnType<typeof failed>> {
  try {
    return await connectSideModel("summary.model", deps, inUse);
  } catch (error) {
    const words = errorMessage(error);
    return failed("failed", t("The model for summaries cannot be used: {0}", words));
  }
}

const isText = ({ type }: AgentEvent) => type === "text" || type === "reasoning";

async function tryOften(
  input: AskInput,
  model: ModelConnection,
  deps: AskDeps & { spent: Usage[]; limit: SummaryDeadline },
  stop: AbortSignal,
): Promise<ModelSummary> {
  const { turn, runId, step } = deps.history.conversation;
  const { limit } = deps;
  const signal = AbortSignal.any([stop, limit.signal]);
  // What the model writes is no answer: nobody is shown it while it streams.
  const quiet = { ...deps, emit: (event: AgentEvent) => void (isText(event) && limit.hear()) };
  let { messages } = input;
  let asked = model;
  let most = input.room;
  let complaint = "";
  let tooLong = Number.POSITIVE_INFINITY;
  let failure: ReturnType<typeof failed> | undefined;
  let prose: SummarySections | undefined;
  for (let tried = 0; tried < input.patience.tries; tried++) {
    // What a step is waited for ends no summary: that is the limit's.
    const timeoutMs = Math.max(asked.timeoutMs, input.patience.inAll);
    const connection = { ...forSession(asked, deps.history.files.id), maxOutputTokens: most, timeoutMs };
    const instruction = input.instruction + complaint;
    const tail = [{ source: "prompt:summary", text: deps.redactor.redact(instruction) }];
    const request = input.assemble({ messages, tail, callOptions: toCallOptions(connection), connection });
    if (failure && request.tokens >= tooLong) break;
    const result = await requestStep({ turn, runId, step, purpose: "summary" }, connection, request, quiet, signal);
    if (result.kind === "stopped") return prose ? { sections: prose } : whatCame(result.parts, instruction, input.room);
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
    const sections = readSummary(writtenText(result.parts), instruction, input.room);
    if (!isUnusable(sections) && sections.hasHeadings) return { sections };
    const why = isUnusable(sections) ? sections.why : "The model wrote none of the sections.";
    if (!isUnusable(sections)) prose ??= sections;
    failure = failed("unusable", t("The model's summary could not be used. {0}", why));
    complaint = complaintOf(why);
    if (result.finishReason === "length") most = THINKING_TOKENS;
  }
  if (prose) return { sections: prose };
  return failure ?? timedOut();
}

const complaintOf = (why: string): string =>
  `\n\nYour last answer could not be used. ${why} Write the sections as text, and call no tool.`;

const writtenText = (parts: readonly MessagePart[]): string =>
  parts.map(part => (part.type === "text" ? part.text : "")).join("\n");

/** Of an answer that took too long: its whole lines, where they are a summary. */
function whatCame(parts: readonly MessagePart[], instruction: string, room: number): ModelSummary {
  const text = writtenText(parts);
  const sections = readSummary(text.slice(0, text.lastIndexOf("\n") + 1), instruction, room);
  return isUnusable(sections) ? timedOut() : { sections };
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
  /** tokens that it may take */
  room?: number;
  /** how many summaries of earlier turns stand in the request */
  previous?: number;
  /** they are the first steps of the turn that runs: it goes on after them */
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
  const more = moreFiles.reduce((sum, folder) => sum + folder.files, 0);
  const wish = sanitizeText(guidance ?? "").trim();
  return renderTemplate(summaryPrompt, {
    words: count(Math.round(room * 0.75)),
    tokens: count(room),
    turns: turns.from === turns.to ? `round ${turns.from}` : `rounds ${turns.from} to ${turns.to}`,
    files: filesRule([
      ...files.map(({ path }) => codeSpan(path)),
      ...(more > 0 ? [`and ${counted(more, "more file")}`] : []),
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
