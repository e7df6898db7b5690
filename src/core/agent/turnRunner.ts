/**
 * What runs a turn: requests are built, kept within the window and sent, tool calls run, what came of them is recorded, and the
 * turn's end is in the log. It knows a history, ports and tools and no session, so that a subagent can run turns of its own.
 */

import { formatCost, isCostUnknown } from "../../shared/cost";
import { errorMessage } from "../../shared/errorMessage";
import type { AgentEvent } from "../../shared/events";
import { t } from "../../shared/l10n";
import type { StrataMessage } from "../../shared/messages";
import type { NewRecord, RecordOf } from "../../shared/records";
import type { PermissionMode } from "../../shared/settingValues";
import type { TurnError } from "../../shared/turnError";
import { Compactor } from "../context/compaction/compactor";
import type { RequestLog } from "../context/requestLog";
import type { RequestPorts } from "../context/requests/request";
import { type BuilderPorts, RequestBuilder, type ToolSet, warnOnce } from "../context/requests/requestBuilder";
import type { Spans } from "../context/requests/spans";
import {
  type Clock,
  type Files,
  type Logger,
  type Models,
  NoModelError,
  type Pictures,
  type Search,
  type SettingsSource,
  type Spending,
  StorageError,
} from "../ground/ports";
import type { SessionHooks } from "../guidance/hooks/sessionHooks";
import type { KnownSkills } from "../guidance/skills/knownSkills";
import { interruptedTurn, suspendedCalls, unansweredResults } from "../log/conversation";
import type { History } from "../log/history";
import { PermissionLog } from "../log/permissionLog";
import { looksLikePlan, planFacts, planIn } from "../log/plans/planText";
import { NO_PLAN } from "../log/plans/words";
import { turnSoFar, turnTotals } from "../log/runs";
import { rulesInForce } from "../permissions/levels";
import { absentOutside } from "../tool/resolvePlaces";
import type { Tool } from "../tool/tool";
import type { Approvals } from "./approvals";
import { earlierLines } from "./earlierLines";
import { Injections, injectChangedSkills, injectNestedRules, settleNews } from "./injections";
import { runTurn, type TurnOutcome } from "./loop";
import { ModelChain } from "./modelChain";
import { observationRecords } from "./observation";
import { type Questions, TurnCutOff, TurnSuspended } from "./questions";
import { type RunToolDeps, runTool } from "./runTool";
import { dayNews, type StartPorts, startNews } from "./startFacts";
import { createStepSender, type SendStep } from "./stepSender";
import { compactionHooks, TurnHooks } from "./turnHooks";

export interface TurnPorts extends BuilderPorts, RequestPorts, Pick<StartPorts, "start"> {
  files: Files;
  models: Models;
  search: Search;
  /** absent: pictures are kept as they are, and those that are too large are named */
  pictures?: Pictures;
  /** absolute folders of Strata's own settings and storage, '/' separators: protected */
  ownFolders: readonly string[];
  /** A call that nobody was there to allow ends the turn (`--stop-on-question`). Absent: the model goes on without it */
  stopsUnanswered?: boolean;
}

interface TurnRunnerDeps {
  ports: TurnPorts;
  history: History;
  /** accounts for every request */
  log: RequestLog;
  tools: ToolSet;
  skills: KnownSkills;
  /** absent: there are none */
  hooks?: SessionHooks | undefined;
  approvals: Pick<Approvals, "ask">;
  questions: Pick<Questions, "ask">;
  /** absent: nobody collects them */
  spans?: Spans | undefined;
  emit(event: AgentEvent): void;
  mode(): PermissionMode;
  /** what is to be said of background tasks now */
  taskReminder?(): string | undefined;
  /** the folder in which commands run, where that changed and the log does not say so yet */
  takeChangedCwd?(): string | undefined;
  /** what the command before did to files is known: another call may change them */
  commandsSettled?(): Promise<void>;
}

export class TurnRunner {
  readonly compactor: Compactor;
  private readonly builder: RequestBuilder;
  private readonly send: SendStep;
  private readonly audit: PermissionLog;
  /** a turn, in this process */
  private hasRun = false;
  /** of the turn that runs: lines of the archive with what its message names */
  private earlier: string | undefined;

  constructor(private readonly deps: TurnRunnerDeps) {
    const { ports, history, log, emit, spans, tools, skills, hooks, mode, taskReminder } = deps;
    const requests = { ...ports, history, log, emit, spans };
    const day = () => dayNews(history.conversation, ports.clock.now());
    const now = { mode, tasks: () => taskReminder?.(), earlier: () => this.earlier, day };
    this.builder = new RequestBuilder(ports, history, tools, skills, now, log);
    const { builder } = this;
    this.compactor = new Compactor({ ...requests, builder, ...(hooks && { around: compactionHooks(hooks) }) });
    const { logger, clock, redactor } = ports;
    this.audit = new PermissionLog({ files: history.files, logger, now: () => clock.now(), redact: redactor.redact });
    this.send = createStepSender(builder, this.compactor, requests);
  }

  /**
   * Runs the newest turn of the history to its end, which is in the log then. Never rejects: whatever goes wrong is how it ended.
   * @param takeSteering puts messages that came meanwhile into the history; how many
   */
  async run(signal: AbortSignal, takeSteering: () => Promise<number> = async () => 0): Promise<TurnOutcome> {
    const { history, emit, ports, spans } = this.deps;
    const { logger } = ports;
    spans?.beginTurn(history.conversation.runId);
    this.earlier = undefined;
    const ended = await this.runSteps(takeSteering, signal).catch(
      (error): TurnOutcome =>
        error instanceof TurnSuspended
          ? { reason: "interrupted" }
          : { reason: "error", error: turnFailure(error, logger) },
    );
    // It goes on where the session is opened again: its end is not now.
    const goesOn = ended.reason === "interrupted";
    const isCutOff = ended.reason === "stopped" && signal.reason instanceof TurnCutOff;
    const outcome: TurnOutcome = isCutOff ? { reason: "interrupted", error: interruptedTurn() } : ended;
    try {
      if (goesOn) return outcome;
      const why = ended.reason === "stopped" ? "not-run" : "interrupted";
      const last = [...unansweredResults(history.conversation, why), this.turnEnd(outcome)];
      await history.appendAll([...this.proposedPlan(outcome), ...last]);
    } catch (error) {
      // The disk refuses even this: the live event says what happened, the log is closed as interrupted when it opens again.
      logger.log("error", "the end of a turn could not be written", { error: String(error) });
      emit({ type: "failure", error: outcome.error ?? turnFailure(error, logger) });
    } finally {
      spans?.endTurn(outcome.reason, outcome.error?.code);
    }
    return outcome;
  }

  /** What a crash left open becomes what it is: calls whose effect is unknown, a turn that was interrupted. */
  async closeInterrupted(): Promise<void> {
    const { history } = this.deps;
    await history.appendAll([
      ...unansweredResults(history.conversation, "interrupted"),
      // It ended when its last record was written, not now.
      this.turnEnd({ reason: "interrupted", error: interruptedTurn() }, history.records.at(-1)?.ts),
    ]);
  }

  private async runSteps(takeSteering: () => Promise<number>, signal: AbortSignal): Promise<TurnOutcome> {
    const { ports, history, skills, spans, takeChangedCwd } = this.deps;
    // A turn that goes on in another process opened no message, with which the workspace is looked through.
    if (!this.hasRun) await ports.redactor.refresh("workspace");
    this.hasRun = true;
    await this.builder.refresh();
    const tools = this.deps.tools.all;
    const { clock, ids, settings, redactor, hash } = ports;
    const { turn, runId } = history.conversation;
    this.earlier = await earlierLines(history, clock);
    // A question that waits again needs no model before it is answered.
    const isSuspended = suspendedCalls(history.conversation).length > 0;
    const connecting = isSuspended ? undefined : this.connect();
    let [chain, start] = await Promise.all([connecting, startNews(history.conversation, ports)]);
    const injections = new Injections({ turn, runId }, { history, ids, redactor });
    if (start) injections.injectSystemOnce(start.text, start.fingerprint, start.source);
    injectChangedSkills(skills, history.conversation, injections);
    const turnHooks = this.deps.hooks && new TurnHooks(this.deps.hooks, injections);
    const forTools = { ...this.toolDeps(injections, tools), hooks: turnHooks?.aroundCalls };
    return runTurn(
      { turn, runId },
      {
        history,
        clock,
        ids,
        tools,
        takeSteering,
        injections: {
          settle() {
            turnHooks?.bringLater();
            return settleNews(injections, history.conversation);
          },
        },
        halted: () => turnHooks?.halted,
        mayEnd: async stop => (await turnHooks?.mayEnd(stop)) ?? true,
        maxSteps: () => settings.get()["agent.maxSteps"],
        stopsUnanswered: ports.stopsUnanswered ?? false,
        costLimit: () => costLimitReached({ ...ports, history }),
        request: async (place, stop) => {
          await redactor.refresh("known");
          chain ??= await this.connect();
          for (;;) {
            const result = await this.send(place, chain, stop);
            if (result.kind !== "failed" || !(await chain.passOn(result.error, result.what))) return result;
          }
        },
        record: (place, call, observation) =>
          observationRecords(place, call, observation, {
            files: history.files,
            hash,
            redact: redactor.redact,
            cwd: takeChangedCwd?.(),
            forms: tools.get(call.toolName)?.forms,
            pictures: ports.pictures,
          }),
        runTool: async (call, stop) => {
          if (tools.get(call.toolName)?.effect !== "read") await this.deps.commandsSettled?.();
          const observation = await runTool(call, forTools, stop);
          if (tools.has(call.toolName)) spans?.call(call, observation.result, observation.durationMs ?? 0);
          return observation;
        },
      },
      signal,
    );
  }

  private connect(): Promise<ModelChain> {
    const { ports, history } = this.deps;
    return ModelChain.connect({ ...ports, history });
  }

  /** What the tools of one turn have around them. */
  private toolDeps(inject: Injections, tools: ReadonlyMap<string, Tool>): RunToolDeps {
    const { ports, history, approvals, questions, skills, emit, mode } = this.deps;
    const { files, rules, hash, redactor, clock, ownFolders, surroundings, settings } = ports;
    return {
      tools,
      files,
      approvals,
      questions,
      hash,
      redactor,
      inject,
      clock,
      conversation: history.conversation,
      policy: () => {
        const set = settings.get();
        return {
          mode: mode(),
          trusted: surroundings.trusted(),
          ownFolders,
          rules: rulesInForce(settings),
          readable: skills.ownFolders,
          imported: rules.imported,
          grants: history.conversation.grants,
          runEverything: set["permissions.runEverything"],
          trustsAllContent: set["permissions.untrustedContent"] === "ignore",
        };
      },
      whyAbsent: (ref, call) => absentOutside(ports, ref, call),
      // The session's own grant holds, whatever becomes of the settings.
      allowAlways: settings.allow && (async rules => settings.allow?.(rules)),
      audit: this.audit,
      confinesAll: () => settings.get()["bash.sandbox"] === "required",
      bringRules: file => injectNestedRules(file, { rules, history, inject, hash, redactor }),
      onStart: (callId, toolName, title) => emit({ type: "toolStart", callId, toolName, title }),
      onOutput: (callId, stream, text) => emit({ type: "output", callId, stream, text }),
    };
  }

  /** In plan mode the answer that ends a turn is the plan, where it has one. */
  private proposedPlan({ reason }: TurnOutcome): NewRecord[] {
    const { turn, messages } = this.deps.history.conversation;
    if (reason !== "done" || this.deps.mode() !== "plan") return [];
    const answer = lastWords(messages);
    const text = planIn(answer);
    if (text !== undefined) return [{ kind: "plan", op: "proposed", turn, ...planFacts(text) }];
    return looksLikePlan(answer) ? [{ kind: "note", level: "info", code: "no-plan", text: NO_PLAN }] : [];
  }

  private turnEnd(
    outcome: TurnOutcome,
    ended = this.deps.ports.clock.now(),
  ): Omit<RecordOf<"turnEnd">, "id" | "seq" | "ts"> {
    const { conversation, records } = this.deps.history;
    const { turn, runId } = conversation;
    return { kind: "turnEnd", turn, runId, ...outcome, ...turnTotals(records, turn, ended), unsettled: true };
  }
}

/** The model's words after its last call: an answer that reached the model's limit goes on in a second message. */
function lastWords(messages: readonly StrataMessage[]): string {
  const isWords = ({ role, parts }: StrataMessage) =>
    role === "assistant" && parts.every(part => part.type !== "dynamic-tool");
  const from = messages.findLastIndex(message => !isWords(message)) + 1;
  const texts = messages.slice(from).map(({ parts }) => parts.flatMap(part => (part.type === "text" ? part.text : [])));
  return texts.map(each => each.join("\n\n")).join("");
}

/** Whatever ended a turn by an exception, in words for a person. A fault of ours is logged with its stack. */
export function turnFailure(error: unknown, logger: Logger): TurnError {
  const message = errorMessage(error);
  if (error instanceof NoModelError) return { code: "no-model", message, actions: ["choose-model", "set-key"] };
  if (error instanceof StorageError) {
    return { code: `storage-${error.code.toLowerCase()}`, message, actions: ["retry", "show-log"] };
  }
  logger.log("error", "the turn failed", { error: error instanceof Error ? (error.stack ?? message) : message });
  return {
    code: "internal",
    message: t("The turn ended by a fault in Strata: {0}", message),
    actions: ["retry", "show-log"],
  };
}

/** What a turn and a day may cost before the agent stops and asks (`strata.agent.maxCostPerTurn`, `…PerDay`). */
interface CostLimitDeps {
  history: History;
  settings: SettingsSource;
  clock: Clock;
  logger: Logger;
  spending?: Spending;
}

const DAY_LIMIT = "max-cost-day";
const priceUnknown = () =>
  t(
    "A cost limit is set, but it is not known what this model costs, so its requests count for no limit. Say what it costs in strata.model.prices.",
  );

/**
 * Why nothing more is sent; undefined: it may go on. A turn that was taken up again has the whole of its limit anew; so has
 * the day, for the session that stopped at it and was told to go on.
 */
async function costLimitReached(deps: CostLimitDeps): Promise<TurnError | undefined> {
  const { history, settings } = deps;
  const { "agent.maxCostPerTurn": perTurn, "agent.maxCostPerDay": perDay } = settings.get();
  if (perTurn === 0 && perDay === 0) return undefined;
  const { usage } = turnSoFar(history.records, history.conversation.turn);
  const { cost = 0 } = usage;
  if (isCostUnknown(usage)) await warnOnce(history, "unknown-price", priceUnknown());
  if (perTurn > 0 && cost >= perTurn) {
    const message = t(
      "This turn has cost {0} so far; the limit is {1}. Let it continue for as much again, or tell it what to do.",
      formatCost(cost),
      formatCost(perTurn),
    );
    return { code: "max-cost-turn", message, actions: ["continue"] };
  }
  if (perDay === 0) return undefined;
  const stopped = lastStop(deps);
  const today = await costSince(stopped ?? 0, deps);
  if (today < perDay) return undefined;
  const [paid, limit] = [formatCost(today), formatCost(perDay)];
  const message =
    stopped === undefined
      ? t(
          "All sessions have cost {0} today; the limit is {1}. Let it continue for as much again, or go on tomorrow.",
          paid,
          limit,
        )
      : t(
          "All sessions have cost {0} today since you last let this one continue; the limit is {1}. Let it continue for as much again, or go on tomorrow.",
          paid,
          limit,
        );
  return { code: DAY_LIMIT, message, actions: ["continue"] };
}

/** When this session last stopped today at the day's limit, ms since the epoch; undefined: it did not. */
function lastStop({ history, clock }: CostLimitDeps): number | undefined {
  const end = history.records.findLast(record => record.kind === "turnEnd" && record.error?.code === DAY_LIMIT);
  const day = (ts: number) => new Date(ts).toDateString();
  return end && day(end.ts) === day(clock.now()) ? end.ts : undefined;
}

/** US dollars of today, by all sessions. */
async function costSince(ts: number, { clock, logger, spending }: CostLimitDeps): Promise<number> {
  try {
    return (await spending?.since(ts, clock.now())) ?? 0;
  } catch (error) {
    // A file that cannot be read stops nobody's work.
    logger.log("warning", "what today cost could not be read", { error: String(error) });
    return 0;
  }
}
