/**
 * What runs a turn: requests are built, kept within the window and sent, tool calls run, what came of them is recorded, and the
 * turn's end is in the log. It knows a history, ports and tools and no session, so that a subagent can run turns of its own.
 */

import { errorMessage } from "../../shared/errorMessage";
import { t } from "../../shared/l10n";
import type { NewRecord, RecordOf } from "../../shared/records";
import type { TurnError } from "../../shared/turnEnd";
import { Compactor } from "../context/compaction/compactor";
import type { RequestLog } from "../context/requestLog";
import { RequestBuilder } from "../context/requests/requestBuilder";
import { type Logger, type ModelConnection, NoModelError, StorageError } from "../ground/ports";
import { interruptedTurn, suspendedCalls, unansweredResults } from "../log/conversation";
import { PermissionLog } from "../log/permissionLog";
import { looksLikePlan, NO_PLAN, planFacts, planIn } from "../log/plans/planText";
import { turnTotals } from "../log/runs";
import { rulesInForce } from "../permissions/levels";
import { absentOutside } from "../tool/resolvePlaces";
import { compactionHooks, TurnHooks } from "./callHooks";
import { EndChecks, lastWords } from "./endChecks";
import { Injections, injectChangedSkills, injectNestedRules } from "./injections";
import { type Steering, Turn, type TurnDeps } from "./loop";
import { ModelChain } from "./modelChain";
import { TurnSuspended } from "./questions";
import type { RunToolDeps } from "./runTool";
import { dayNews, startNews } from "./startFacts";
import { StepSender } from "./stepSender";
import { limitReached, type TurnOutcome } from "./turnEnds";

export class TurnRunner {
  readonly compactor: Compactor;
  private readonly builder: RequestBuilder;
  private readonly sender: StepSender;
  private readonly audit: PermissionLog;
  private hasRun = false;
  /** of the turn that runs, or ran last */
  private endChecks: EndChecks | undefined;

  constructor(private readonly deps: TurnDeps & { log: RequestLog }) {
    const { ports, history, log, emit, spans, tools, skills, hooks, taskReminder } = deps;
    const limit = (connection: ModelConnection, tokens: number) => limitReached(ports, history, connection, tokens);
    const requests = { ...ports, history, log, emit, spans, limit };
    const day = () => dayNews(history.conversation, ports.clock.now());
    const tasks = () => [taskReminder(), ports.caller?.nearEnd()].filter(Boolean).join("\n") || undefined;
    const now = { planning: () => this.isPlanning, tasks, day };
    this.builder = new RequestBuilder(ports, history, tools, skills, now, log);
    const { builder } = this;
    this.compactor = new Compactor({ ...requests, builder, ...(hooks && { around: compactionHooks(hooks) }) });
    const { logger, clock, redactor } = ports;
    this.audit = new PermissionLog({ files: history.files, logger, now: () => clock.now(), redact: redactor.redact });
    this.sender = new StepSender(builder, this.compactor, requests);
  }

  /** Runs the newest turn of the history to its end, which is in the log then. Never rejects: failures are in the outcome. */
  async run(signal: AbortSignal, steering: Steering): Promise<TurnOutcome> {
    const { history, emit, ports, spans } = this.deps;
    const { logger } = ports;
    this.endChecks = undefined;
    spans?.beginTurn(history.conversation.runId);
    const outcome = await this.runSteps(steering, signal).catch(
      (error): TurnOutcome =>
        error instanceof TurnSuspended
          ? { reason: "interrupted" }
          : { reason: "error", error: turnFailure(error, logger) },
    );
    try {
      // It continues where the session is opened again.
      if (outcome.reason === "interrupted") return outcome;
      const why = outcome.reason === "stopped" ? "not-run" : "interrupted";
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

  /** A child's answer is a report, in every mode. */
  private get isPlanning(): boolean {
    return this.deps.mode() === "plan" && !this.deps.ports.caller;
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

  private async runSteps(steering: Steering, signal: AbortSignal): Promise<TurnOutcome> {
    const { ports, history, skills } = this.deps;
    // A turn that continues in another process opened no message, which would have refreshed the workspace.
    if (!this.hasRun) await ports.redactor.refresh("workspace");
    this.hasRun = true;
    await this.builder.refresh();
    const { conversation } = history;
    const { turn, runId } = conversation;
    // A question that waits again needs no model before it is answered.
    const isSuspended = suspendedCalls(conversation).length > 0;
    const connecting = isSuspended ? undefined : ModelChain.connect({ ...ports, history });
    const [chain, start] = await Promise.all([connecting, startNews(conversation, ports)]);
    const injections = new Injections({ turn, runId }, { ...ports, history });
    if (start) injections.injectSystemOnce(start.text, start.fingerprint, start.source);
    injectChangedSkills(skills, conversation, injections);
    const endChecks = new EndChecks({ ports, history, inject: injections, isPlan: () => this.isPlanning });
    this.endChecks = endChecks;
    const forTools = this.toolDeps(injections);
    return new Turn(this.deps, { sender: this.sender, injections, endChecks, forTools, chain, steering }).run(signal);
  }

  /** What the tools of one turn have around them. */
  private toolDeps(inject: Injections): RunToolDeps {
    const { ports, history, tools, hooks, questions, others, skills, emit, mode } = this.deps;
    const { rules, ownFolders, surroundings, settings, caller } = ports;
    return {
      ...ports,
      tools: tools.all,
      hooks: hooks && new TurnHooks(hooks, inject),
      questions,
      others,
      inject,
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
          ...(caller?.standing() ?? { grants: history.conversation.grants, denials: history.conversation.denials }),
          runEverything: set["permissions.runEverything"],
          trustsAllContent: set["permissions.untrustedContent"] === "ignore",
        };
      },
      write: records => (caller ?? history).write(records),
      synced: () => history.synced(),
      whyAbsent: (ref, call) => absentOutside(ports, ref, call),
      // The session's own grant holds, also where the settings cannot be written.
      allowAlways: settings.allow && (async rules => settings.allow?.(rules)),
      audit: this.audit,
      confinesAll: () => settings.get()["bash.sandbox"] === "required",
      bringRules: file => injectNestedRules(file, { ...ports, history, inject }),
      onStart: (callId, toolName, title) => emit({ type: "toolStart", callId, toolName, title }),
      onOutput: (callId, stream, text) => emit({ type: "output", callId, stream, text }),
    };
  }

  /** In plan mode the answer that ends a turn is the plan, where it has one. */
  private proposedPlan({ reason }: TurnOutcome): NewRecord[] {
    const { turn, messages } = this.deps.history.conversation;
    if (reason !== "done" || !this.isPlanning) return [];
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
    const said = this.endChecks?.facts(outcome.reason === "done");
    return { kind: "turnEnd", turn, runId, ...outcome, ...turnTotals(records, turn, ended), ...said, unsettled: true };
  }
}

/** An exception that ended a turn, in words for a person. A fault of ours is logged with its stack. */
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
