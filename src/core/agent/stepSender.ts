/**
 * Sends the request of a step, kept within the model's window (docs/context.md): change forms, fold, compact what has to be, send,
 * and where the provider still finds it too long, keep less and send again.
 */
import { defined } from "../../shared/defined";
import { listed } from "../../shared/format";
import { t } from "../../shared/l10n";
import { hostOf, isNear } from "../../shared/nearAddress";
import { countRequest } from "../../shared/tokenCount";
import type { TurnError } from "../../shared/turnEnd";
import { ageTurns, foldLimit, resultsToFold } from "../context/ages";
import type { AssembledRequest } from "../context/assemble";
import type { Compactor } from "../context/compaction/compactor";
import { isPlanning, KEPT_TAIL, reminder } from "../context/layers";
import type { RequestDeps, RequestPurpose, StepEnd, StepPlace } from "../context/requests/request";
import { requestStep } from "../context/requests/request";
import { forSession, type RequestBuilder, warnOnce, withLearntWindow } from "../context/requests/requestBuilder";
import type { Hash, Ids, ModelConnection } from "../ground/ports";
import { sourceRules } from "../ground/text/sources";
import { isCutCount } from "../log/applyMessage";
import type { Conversation } from "../log/conversation";
import type { History } from "../log/history";
import { standingText } from "./injections";
import type { ModelChain } from "./modelChain";

/** A request that is too long goes out again, each time with less of history, until nothing is left. */
type Shortening = 0 | 1 | 2 | 3 | "all";
const nextShortening = (level: Shortening) => (level === 3 || level === "all" ? "all" : ((level + 1) as 1 | 2 | 3));

export class StepSender {
  /**
   * Models as they are asked, by the connection of a turn: where a server refuses tools, the same model continues over the text protocol
   * (docs/context.md), and the conversation says so; what a server was started with becomes known while it answers.
   */
  private readonly inPlace = new WeakMap<ModelConnection, ModelConnection>();

  constructor(
    private readonly builder: RequestBuilder,
    private readonly compactor: Compactor,
    private readonly deps: RequestDeps & { hash: Hash },
  ) {}

  /** Sends the request of one step of the newest turn to the model that is asked now. Rejects with StorageError. */
  async send(place: StepPlace, chain: ModelChain, signal: AbortSignal): Promise<StepEnd> {
    const { compactor } = this;
    const { history, ids } = this.deps;
    // No window is too small for the first request of a conversation: it could not be shorter.
    if (place.turn > 1 || place.step > 1)
      this.inPlace.set(chain.connection, await withLearntWindow(this.inUse(chain.connection)));
    await this.changeForms(chain.connection);
    let connection = forSession(this.inUse(chain.connection), history.files.id);
    let request = await this.build(connection);
    if (await this.makeRoom(request, signal)) request = await this.build(connection);
    await warnOfUnseen(request, connection, history);
    let purpose: RequestPurpose = {};
    let isRepair = false;
    const requests = { ...this.deps, hasFallback: chain.hasNext };
    let level: Shortening = 0;
    for (;;) {
      if (signal.aborted) return { kind: "stopped", requestId: ids.next("req"), parts: [] };
      const tokens = countRequest(request.tokens, history.conversation);
      const result = await requestStep({ ...place, ...purpose }, connection, request, requests, signal);
      if (result.kind === "answered") {
        await compactor.learnRequestFits(tokens);
        await warnOfCutPrompt(result, connection, history);
      }
      const textual = await this.withoutTools(result, chain.connection);
      if (textual) {
        compactor.setModel(textual);
        connection = forSession(textual, history.files.id);
        request = await this.build(connection);
        continue;
      }
      const unreadable = await unreadableOf(result, place, history);
      if (unreadable !== undefined && !isRepair) {
        isRepair = true;
        connection = askedOnce(connection);
        request = await this.build(connection, unreadable);
        continue;
      }
      if (result.kind !== "failed" || result.error.code !== "context-too-long") return result;
      const rules = largeRules(request, history.conversation, compactor.window);
      if (rules) return { kind: "failed", error: rulesTooLarge(rules, connection, result.error) };
      await compactor.learnRequestTooLong(tokens);
      let isShorter = false;
      // A level that leaves nothing out is skipped.
      while (!isShorter) {
        level = nextShortening(level);
        const { kind } = await compactor.compact({ reason: "context-too-long", level }, signal);
        if (kind === "cancelled") break;
        if (level === "all") return { kind: "failed", error: startedAfresh(result.error, place) };
        isShorter = kind === "done";
      }
      if (!isShorter && !signal.aborted) return result;
      request = await this.build(connection);
      purpose = { cause: "context-error-retry" };
    }
  }

  private inUse(connection: ModelConnection): ModelConnection {
    return this.inPlace.get(connection) ?? connection;
  }

  /** The connection over which the request goes out once more; undefined: the result counts. Rejects with StorageError. */
  private async withoutTools(result: StepEnd, connection: ModelConnection): Promise<ModelConnection | undefined> {
    if (result.kind !== "failed" || result.error.code !== "no-tools") return undefined;
    const textual = this.inUse(connection).withoutTools?.();
    if (!textual) return undefined;
    this.inPlace.set(connection, textual);
    if (textual.warning) await warnOnce(this.deps.history, "no-tools", textual.warning);
    return textual;
  }

  /** Ended turns take their form by age; results of the running one are folded where they fill the window. */
  private async changeForms(connection: ModelConnection): Promise<void> {
    const { history, settings } = this.deps;
    this.compactor.setModel(this.inUse(connection));
    const memory = settings.get()["context.memory"];
    const aged = ageTurns(history.conversation, history.records, memory);
    if (aged) await history.write([aged]);
    const results = resultsToFold(history.conversation, foldLimit(memory, this.compactor.window));
    if (results.length > 0) await history.write([{ kind: "fold", results }]);
  }

  /** Compacts where the window has to be freed for a request. @returns whether it did */
  private async makeRoom(request: AssembledRequest, signal: AbortSignal): Promise<boolean> {
    const { compactor } = this;
    const { history } = this.deps;
    if (!compactor.isDue(request)) return false;
    // The rules alone fill the window: a shorter conversation does not help.
    if (largeRules(request, history.conversation, compactor.window)) return false;
    return (await compactor.compact({ reason: "threshold" }, signal)).kind === "done";
  }

  /** @param unreadable an answer that could not be read, in words: the request asks for it once more */
  private async build(connection: ModelConnection, unreadable?: string): Promise<AssembledRequest> {
    const isKept = connection.reasoningBinding === "request";
    if (isKept) await keepTail(this.builder.tailText(), this.deps);
    const change = isKept ? { tail: [] } : {};
    return unreadable === undefined
      ? this.builder.build(connection, change)
      : this.builder.rebuild(connection, unreadable, change);
  }
}

/** What it writes then as an example is one. */
function askedOnce(connection: ModelConnection): ModelConnection {
  const { answerReader } = connection;
  return answerReader ? { ...connection, answerReader: tools => answerReader(tools, true) } : connection;
}

/** What the model has to say once more, in words for it; undefined: nothing. The answer is kept for people. */
async function unreadableOf(result: StepEnd, { turn, step }: StepPlace, history: History): Promise<string | undefined> {
  if (result.kind === "failed") return result.unreadable;
  if (result.kind !== "answered" || result.finishReason !== "tool-calls") return undefined;
  if (result.parts.some(({ type }) => type === "dynamic-tool")) return undefined;
  const { requestId, parts } = result;
  await history.append({ kind: "attempt", requestId, turn, step, parts, reason: noCallCame() });
  return NO_CALL;
}

const noCallCame = () => t("The answer announced a tool call, but no call came.");
const NO_CALL =
  "It ended as an answer with a call does, and no call came with it, so nothing was run. Call the tool that you meant; where you meant none, only write the answer.";

/** Warns before pictures go to a model that cannot see them; the words beside them are sent. */
async function warnOfUnseen({ messages }: AssembledRequest, { name, seesImages }: ModelConnection, history: History) {
  if (seesImages !== false) return;
  if (!messages.some(({ content }) => typeof content !== "string" && content.some(({ type }) => type === "file")))
    return;
  await warnOnce(history, "unseen-images", t("{0} cannot see images, so it is told their names instead.", name));
}

/** Alone the first message of a conversation is no shorter. */
const startedAfresh = ({ message, details }: TurnError, { turn, step }: StepPlace): TurnError => ({
  code: "context-reset",
  message: t("{0} I set the conversation aside; your message is below.", message),
  ...defined({ details }),
  actions:
    turn + step > 2 ? ["send-alone", "bring-back", "set-window", "choose-model"] : ["set-window", "choose-model"],
});

/**
 * A server of one's own that counts far less than was sent, or any that counts the same of more, has cut the prompt at its beginning,
 * without a word: people hear it.
 */
const CODE = "prompt-cut";
/** tokens: of less our estimate says too little */
const MIN_SENT = 3_000;
/** tokens that a server adds to new ones */
const MARGIN = 1_000;
/** of what we estimate; no tokenizer differs from it by so much */
const FAR_LESS = 0.5;

async function warnOfCutPrompt(
  result: Extract<StepEnd, { kind: "answered" }>,
  { name, address }: ModelConnection,
  history: History,
): Promise<void> {
  const { usage, requestTokens } = result;
  const isSame = usage !== undefined && isCutCount(history.conversation, usage.input, requestTokens);
  if (!isSame && !(isCut(result) && URL.canParse(address) && isNear(new URL(address).hostname))) return;
  if (history.records.some(record => record.kind === "note" && record.code === CODE)) return;
  const text = t(
    "{0} saw only {1} of about {2} tokens: {3} was started with a smaller window (Ollama: OLLAMA_CONTEXT_LENGTH; llama.cpp: -c).",
    name,
    usage?.input ?? 0,
    requestTokens,
    hostOf(address),
  );
  await history.append({ kind: "note", level: "warning", code: CODE, text });
}

/** Some servers do not count what came from their cache: a count of only the rest is no cut. */
function isCut({ usage, requestTokens, sharedTokens }: Extract<StepEnd, { kind: "answered" }>): boolean {
  if (!usage || usage.cachedInput || requestTokens < MIN_SENT || usage.input >= FAR_LESS * requestTokens) return false;
  const rest = requestTokens - sharedTokens;
  return sharedTokens === 0 || usage.input > 2 * rest + MARGIN;
}

/** of the window: the fixed part of requests leaves no room for a conversation */
const ALL = 0.9;
/** of the request: with less than this in it, the conversation is not the reason */
const LITTLE = 0.25;

/** The rules files, largest first, where no shorter conversation would help since they are in every request; undefined: one would. */
function largeRules({ segments, tokens }: AssembledRequest, conversation: Conversation, window: number) {
  const counted = countRequest(tokens, conversation) / Math.max(1, tokens);
  const files = segments.flatMap(({ source, tokens: size }) => {
    const path = sourceRules(source);
    return path === undefined ? [] : [{ path, tokens: Math.round(size * counted) }];
  });
  const sum = (layers: readonly string[]) =>
    segments.reduce((all, { layer, tokens: size }) => (layers.includes(layer) ? all + size * counted : all), 0);
  const rules = files.reduce((all, file) => all + file.tokens, 0);
  const isReason = sum(["L1", "L2"]) >= ALL * window || sum(["L3", "turn"]) <= LITTLE * tokens * counted;
  return isReason && rules >= (tokens * counted) / 2 ? files.sort((a, b) => b.tokens - a.tokens) : undefined;
}

function rulesTooLarge(
  files: readonly { path: string; tokens: number }[],
  { name }: ModelConnection,
  { details }: TurnError,
): TurnError {
  const named = files.map(({ path, tokens }) => t("{0} (about {1} tokens)", path, tokens));
  return {
    code: "rules-too-long",
    message: t("The rules files leave {0} no room for a conversation: {1}.", name, listed(named, 5)),
    ...defined({ details }),
    actions: ["retry", "choose-model", "set-window"],
  };
}

/**
 * The tail where a model's reasoning is bound to all that stood before it (docs/context.md): text that stands in one request and
 * not in the next would take the reasoning between them away, so it is said once, and stays where it was said.
 */
const NOTHING =
  "What was said before of plan mode, of the todo list, of running commands and of the editor holds no more.";
/** What was said of plan mode stays where it was said. */
const PLANNED = "Plan mode is over.";
/**
 * Adds the tail to the conversation, unless it is there. Rejects with StorageError.
 * @param tail undefined: there is nothing to say
 */
export async function keepTail(
  text: string | undefined,
  { history, ids, hash }: { history: History; ids: Ids; hash: Hash },
): Promise<void> {
  const { conversation } = history;
  const standing = standingText(conversation, KEPT_TAIL);
  if (text === undefined && standing === undefined) return;
  const after = text === undefined ? undefined : reminder(`${PLANNED}\n\n${text}`);
  const said = reminder(text ?? NOTHING);
  if (standing === said || (standing !== undefined && standing === after)) return;
  const wanted = (isPlanning(standing) && !isPlanning(text) && after) || said;
  await history.append({
    kind: "inject",
    messageId: ids.next("msg"),
    turn: conversation.turn,
    runId: conversation.runId,
    place: "end",
    source: KEPT_TAIL,
    fingerprint: `${KEPT_TAIL} ${hash.sha256(wanted)}`,
    text: wanted,
  });
}
