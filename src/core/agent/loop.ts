/**
 * The loop (ARCHITECTURE.md, "The one flow"): one turn, one step at a time, until the model calls no tool, the user stops it, or
 * a limit is met. Read it from top to bottom; helpers stand below in call order.
 */

import { defined } from "../../shared/defined";
import type { AgentEvent } from "../../shared/events";
import type { MessageMetadata, MessagePart, ToolCallPart } from "../../shared/messages";
import type { NewRecord } from "../../shared/records";
import type { PermissionMode } from "../../shared/settingValues";
import type { TurnError } from "../../shared/turnEnd";
import type { StepEnd, StepPlace } from "../context/requests/request";
import type { BuilderPorts, ToolSet } from "../context/requests/requestBuilder";
import type { Spans } from "../context/requests/spans";
import type { Files, Models, Pictures, Search } from "../ground/ports";
import type { SessionHooks } from "../guidance/hooks/sessionHooks";
import type { KnownSkills } from "../guidance/skills/knownSkills";
import { askedAbout, type Conversation, suspendedCalls } from "../log/conversation";
import type { History } from "../log/history";
import { isCutCall } from "../tool/cutCall";
import type { Tool } from "../tool/tool";
import type { CallerSays } from "./denials";
import type { EndChecks } from "./endChecks";
import type { Injections } from "./injections";
import { ModelChain } from "./modelChain";
import { type Observation, observationRecords, pictureMessage, resultImages } from "./observation";
import { TurnSuspended } from "./questions";
import { type RunToolDeps, runTool } from "./runTool";
import type { StepSender } from "./stepSender";
import {
  cutCallsOutcome,
  haltedOutcome,
  isLimit,
  type LimitPorts,
  MAX_CUTS,
  noteCutAnswer,
  notRunObservation,
  questionGoneError,
  repeatedCallOutcome,
  stepLimit,
  type TurnOutcome,
} from "./turnEnds";

/** What a turn of a child has of its caller. */
export interface CallerLink extends CallerSays, NonNullable<LimitPorts["caller"]> {
  /** Keeps what was denied, for all of its tree. Rejects with StorageError. */
  write(records: readonly NewRecord[]): Promise<unknown>;
  /** what it is told when its budget comes to its end */
  nearEnd(): string | undefined;
}

export interface TurnPorts extends BuilderPorts, LimitPorts {
  caller?: CallerLink;
  files: Files;
  models: Models;
  search: Search;
  tellsStart?: true;
  /** absent: pictures are kept as they are, and those that are too large are named */
  pictures?: Pictures;
  /** absolute folders of Strata's own settings and storage, '/' separators: protected */
  ownFolders: readonly string[];
}

export interface TurnDeps {
  ports: TurnPorts;
  history: History;
  tools: ToolSet;
  skills: KnownSkills;
  hooks?: SessionHooks | undefined;
  questions: RunToolDeps["questions"];
  others?: RunToolDeps["others"];
  spans?: Spans | undefined;
  emit(event: AgentEvent): void;
  mode(): PermissionMode;
  taskReminder(): string | undefined;
  /** the folder in which commands run, where that changed and the log does not say so yet */
  takeChangedCwd(): string | undefined;
  /** what the command before did to files is known: another call may change them */
  commandsSettled(): Promise<void>;
}

interface TurnParts {
  sender: StepSender;
  injections: Injections;
  endChecks: EndChecks;
  forTools: RunToolDeps;
  /** absent: it is connected with the first request */
  chain: ModelChain | undefined;
  steering: Steering;
}

/** Messages that a person sends while a turn runs. */
export interface Steering {
  /** Puts those that came into the history; how many. */
  takeSteering(signal: AbortSignal): Promise<number>;
}

/** The same call with the same input so many times in a row is a model that is stuck; where it waits for something, more. */
const MAX_REPEATS = 3;
const MAX_POLLS = 20;

/** The newest turn of a history. */
export class Turn {
  private readonly tools: ReadonlyMap<string, Tool>;
  private readonly history: History;
  private readonly repeats = repeatCounter();
  private readonly begins = new Map<string, () => void>();
  private chain: ModelChain | undefined;

  constructor(
    private readonly deps: TurnDeps,
    private readonly parts: TurnParts,
  ) {
    this.tools = parts.forTools.tools;
    this.history = deps.history;
    this.chain = parts.chain;
  }

  /** Runs it to its end. Rejects with StorageError, which the caller tells while the user's text is kept, and TurnSuspended. */
  async run(signal: AbortSignal): Promise<TurnOutcome> {
    const { history, deps } = this;
    const { steering } = this.parts;
    const { hooks } = this.parts.forTools;
    const { runId, turn } = history.conversation;
    let isContinued: boolean = false;
    let cuts = 0;
    const unanswered = await this.runSuspended(signal);
    if (unanswered) return { reason: "error", error: unanswered };
    if (!signal.aborted && (await this.isAnswered(signal))) return { reason: "done" };
    for (let steps = 0; ; steps++) {
      if (signal.aborted) return { reason: "stopped" };
      await steering.takeSteering(signal);
      if (hooks?.halted !== undefined) return haltedOutcome(hooks.halted);
      if (steps >= deps.ports.settings.get()["agent.maxSteps"]) return { reason: "limit", error: stepLimit(steps) };
      await this.settle();
      const place: StepPlace = { runId, turn, step: history.conversation.step + 1 };

      const answer = await this.request(place, signal);
      if (answer.kind === "failed") return { reason: isLimit(answer.error) ? "limit" : "error", error: answer.error };
      if (answer.kind === "stopped" && answer.parts.length === 0) return { reason: "stopped" };
      const messageId = await this.appendAnswer(place, answer);
      if (answer.kind === "stopped") return { reason: "stopped" };

      const calls = answer.parts.filter(part => part.type === "dynamic-tool");
      if (calls.length === 0) {
        const goesOn: boolean = answer.finishReason === "length" && !isContinued;
        await noteCutAnswer(answer.finishReason, goesOn, history);
        await this.settle();
        const isSaid = (await steering.takeSteering(signal)) === 0 && !goesOn;
        if (isSaid && (await this.mayEnd(answer, steps, signal))) return { reason: "done" };
        isContinued = goesOn;
        continue;
      }
      isContinued = false;
      const stuck = calls.find(call => this.repeats(call) > this.maxRepeats(call));
      if (stuck) return this.stopRepeating(stuck, calls, { ...place, messageId });
      await this.runCalls(calls, { ...place, messageId }, signal);
      const cut = calls.find(isCutCall);
      cuts = cut ? cuts + 1 : 0;
      if (cut && cuts >= MAX_CUTS) return cutCallsOutcome(cut);
    }
  }

  /** It was cut off behind its last answer: that is not asked for again. */
  private async isAnswered(signal: AbortSignal): Promise<boolean> {
    if ((await this.parts.steering.takeSteering(signal)) > 0) return false;
    const { conversation } = this.history;
    const answer = finalAnswer(conversation);
    return answer !== undefined && this.mayEnd(answer, conversation.step - 1, signal);
  }

  /** @param steps before the answer. false: the model is told why with the next request */
  private async mayEnd(answer: { finishReason: string }, steps: number, signal: AbortSignal): Promise<boolean> {
    const { endChecks, forTools } = this.parts;
    return (await endChecks.mayEnd(answer, steps, signal)) && ((await forTools.hooks?.mayEnd(signal)) ?? true);
  }

  /**
   * The calls at which the turn was left, to go on here. The one that asked the person has its answer by then; where it could
   * not be asked again (the file moved, the mode forbids it) the turn ends until the person says so.
   */
  private async runSuspended(signal: AbortSignal): Promise<TurnError | undefined> {
    const { conversation } = this.history;
    // It was left again before it began: it waits on.
    if (signal.reason instanceof TurnSuspended) throw signal.reason;
    const suspended = signal.aborted ? [] : suspendedCalls(conversation);
    const [first] = suspended;
    if (!first) return undefined;
    const { runId, turn, step } = conversation;
    const place = { runId, turn, step, messageId: first.messageId };
    const calls = suspended.map(({ call }) => call);
    return this.runCalls(calls, place, signal, true);
  }

  /** Sends a step's request: to the model that is set, then to those that take over from it. */
  private async request(place: StepPlace, signal: AbortSignal): Promise<StepEnd> {
    const { ports, history } = this.deps;
    // Beside the building of the request; its manifest waits for it, and says where it failed.
    history.synced().catch(() => undefined);
    await ports.redactor.refresh("known");
    this.chain ??= await ModelChain.connect({ ...ports, history });
    for (;;) {
      const end = await this.parts.sender.send(place, this.chain, signal);
      if (end.kind !== "failed" || !(await this.chain.passOn(end.error))) return end;
    }
  }

  /** Synced before a tool with an effect runs. @returns the message's id */
  private async appendAnswer(
    { runId, turn, step }: StepPlace,
    answer: Extract<StepEnd, { kind: "answered" | "stopped" }>,
  ): Promise<string> {
    const finished: Partial<MessageMetadata> =
      answer.kind === "answered"
        ? {
            // As a log that is read again says it: without keys that have no value.
            ...defined({ usage: answer.usage }),
            model: answer.model,
            requestTokens: answer.requestTokens,
            ...defined({ sharedTokens: answer.sharedTokens || undefined }),
            finishReason: answer.finishReason,
          }
        : { stopped: true };
    if (answer.thoughtMs !== undefined) finished.thoughtMs = Math.round(answer.thoughtMs);
    const id = `msg_${answer.requestId.slice(answer.requestId.indexOf("_") + 1)}`;
    const ts = this.deps.ports.clock.now();
    const metadata = { ts, turn, step, runId, requestId: answer.requestId, kind: "normal" as const, ...finished };
    const parentId = this.history.conversation.messages.at(-1)?.id ?? null;
    const message = { id, role: "assistant" as const, parts: answer.parts, metadata };
    await this.history.write([{ kind: "message", parentId, message }]);
    return id;
  }

  /**
   * Reading calls, and tasks for other agents, that follow each other run together, the others one by one. Results are logged as they end.
   * @param resumed whether the turn was left at these calls, of which one waited for a person
   */
  private async runCalls(calls: readonly ToolCallPart[], place: CallPlace, signal: AbortSignal, resumed = false) {
    const { history } = this;
    const waits = ({ toolCallId }: ToolCallPart) => askedAbout(history.conversation, toolCallId) !== undefined;
    let unanswered: TurnError | undefined;
    const images: MessagePart[] = [];
    const runOne = async (call: ToolCallPart) => {
      const waited = resumed && waits(call);
      const observation = unanswered ? notRunObservation(call) : await this.runCall(call, signal);
      if (!unanswered && waited && waits(call)) unanswered = questionGoneError();
      const records = await this.record(place, call, observation);
      await history.write(records);
      images.push(...resultImages(records));
    };
    for (const group of groupCalls(calls, this.tools)) await settleAll(await this.beginAll(group, runOne));
    if (images.length > 0) {
      const parentId = history.conversation.messages.at(-1)?.id ?? null;
      await history.write([pictureMessage(images, place, parentId, this.deps.ports)]);
    }
    await this.settle();
    return unanswered;
  }

  /** Tasks for other agents begin one behind the other: the first question is about all of them. */
  private async beginAll(group: readonly ToolCallPart[], runOne: (call: ToolCallPart) => Promise<void>) {
    const running: Promise<void>[] = [];
    for (const call of group) {
      const begun = this.isDelegated(call) && new Promise<void>(resolve => this.begins.set(call.toolCallId, resolve));
      const done = runOne(call);
      running.push(done);
      if (begun) await Promise.race([begun, done]).catch(() => undefined);
    }
    return running;
  }

  private async runCall(call: ToolCallPart, signal: AbortSignal): Promise<Observation> {
    const tool = this.tools.get(call.toolName);
    if (tool?.effect !== "read") await this.deps.commandsSettled();
    const observation = await runTool(call, this.forCall(call), signal);
    if (tool) this.deps.spans?.call(call, observation.result, observation.durationMs ?? 0);
    return observation;
  }

  private forCall(call: ToolCallPart): RunToolDeps {
    const { forTools } = this.parts;
    const onStart: RunToolDeps["onStart"] = (...what) => {
      forTools.onStart(...what);
      this.begins.get(call.toolCallId)?.();
    };
    return this.isDelegated(call) ? { ...forTools, onStart } : forTools;
  }

  private isDelegated = ({ toolName }: ToolCallPart) => this.tools.get(toolName)?.effect === "delegate";

  private record(place: CallPlace, call: ToolCallPart, observation: Observation) {
    const { ports, history, takeChangedCwd } = this.deps;
    return observationRecords(place, call, observation, {
      files: history.files,
      hash: ports.hash,
      redact: ports.redactor.redact,
      cwd: takeChangedCwd(),
      forms: this.tools.get(call.toolName)?.forms,
      pictures: ports.pictures,
    });
  }

  /** Injected text of tools and hooks joins the history. */
  private settle(): Promise<void> {
    this.parts.forTools.hooks?.bringLater();
    return this.parts.injections.settle();
  }

  private maxRepeats({ toolName }: ToolCallPart): number {
    return this.tools.get(toolName)?.isPolled ? MAX_POLLS : MAX_REPEATS;
  }

  private async stopRepeating(stuck: ToolCallPart, calls: readonly ToolCallPart[], place: CallPlace) {
    for (const call of calls) await this.history.write(await this.record(place, call, notRunObservation(call)));
    return repeatedCallOutcome(stuck, this.maxRepeats(stuck));
  }
}

/** The turn's last message, where that is an answer which ends it. */
function finalAnswer({ messages, turn }: Conversation): { finishReason: string } | undefined {
  const { role, parts = [], metadata } = messages.at(-1) ?? {};
  const isWhole = role === "assistant" && metadata?.turn === turn && !metadata.stopped;
  if (!isWhole || parts.some(({ type }) => type === "dynamic-tool")) return undefined;
  const { finishReason = "length" } = metadata;
  return finishReason === "length" ? undefined : { finishReason };
}

type CallPlace = StepPlace & { messageId: string };

function groupCalls(calls: readonly ToolCallPart[], tools: ReadonlyMap<string, Tool>): ToolCallPart[][] {
  const beside = ["read", "delegate"];
  const reads = (call: ToolCallPart | undefined) => beside.includes(tools.get(call?.toolName ?? "")?.effect ?? "");
  const grouped: ToolCallPart[][] = [];
  for (const call of calls) {
    const last = grouped.at(-1);
    if (last && reads(call) && reads(last[0])) last.push(call);
    else grouped.push([call]);
  }
  return grouped;
}

/** Waits for all of them, then throws the first failure: none outlives the turn. */
async function settleAll(promises: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find(result => result.status === "rejected");
  if (failed) throw failed.reason;
}

function repeatCounter(): (call: ToolCallPart) => number {
  let last = "";
  let count = 0;
  return call => {
    const key = `${call.toolName} ${JSON.stringify(call.input)}`;
    count = key === last ? count + 1 : 1;
    last = key;
    return count;
  };
}
