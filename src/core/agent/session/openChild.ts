/**
 * One child that is open here: how far it is, what is left of its budget, and what its caller's log and the root's say. What it
 * changed in the workspace is in the root's log as soon as it is in its own.
 */
import { SerialQueue } from "../../../shared/async";
import { addUsage, formatCost, usageSince } from "../../../shared/cost";
import { defined } from "../../../shared/defined";
import type { AgentEvent, AgentEventOf } from "../../../shared/events";
import { stateChangesSchema } from "../../../shared/fileStates";
import { formatTokens } from "../../../shared/format";
import { parseJson } from "../../../shared/isObject";
import { plural, t } from "../../../shared/l10n";
import type { Trust } from "../../../shared/manifest";
import { textOf, type Usage } from "../../../shared/messages";
import type { LogRecord, NewRecord, RecordOf } from "../../../shared/records";
import type { TurnError } from "../../../shared/turnEnd";
import { estimateTokens } from "../../ground/text/estimate";
import { oneLine } from "../../ground/text/format";
import { type Child, refKey } from "../../log/conversation";
import { foreignTrust } from "../../log/handles";
import type { History } from "../../log/history";
import { REVIEW } from "../delegation/kinds";
import { findingsIn, reportText } from "../delegation/report";
import { lastWords } from "../endChecks";
import type { ChildSession, TreeRoot } from "./childPorts";
import type { AgentPorts, PlacedWorktree } from "./sessionTools";

/** Tokens that a request may take beyond its own: its answer. */
const ANSWER_TOKENS = 4_000;
/** ms between two events about it */
const TELL_MS = 250;
/** part of the budget at which it is told to come to its end */
const NEAR_END = 0.8;

/** How its work ended. */
export interface ChildOutcome extends Pick<RecordOf<"child">, "reason" | "why" | "findings"> {
  report: string;
  trust: Trust | undefined;
}

interface OpenChildDeps {
  /** the caller's */
  history: History;
  root: TreeRoot;
  ports: Pick<AgentPorts, "clock" | "logger" | "caller">;
  emit(event: AgentEvent): void;
}

export const timeOver = (minutes: number): string =>
  plural(minutes, "It worked for the 1 minute of its budget.", "It worked for the {0} minutes of its budget.");

export class OpenChild<S extends ChildSession = ChildSession> {
  /** undefined: it waits for its place */
  session: S | undefined;
  /** a person looks at it */
  isViewed = false;
  /** how it ended, where its turn does not say so */
  stopped: Pick<ChildOutcome, "reason" | "why"> | undefined;
  /** number of its turn's end that the caller's log has */
  toldEnd = 0;
  /** it is one of those at work */
  hasPlace = false;
  /** resolves when its end is in its caller's log, or could not be written; absent: nothing is under way */
  done: Promise<void> | undefined;
  /** called when it does nothing any more */
  onIdle: () => void = () => undefined;
  /** tokens of a request under way, estimated */
  private inFlight = 0;
  private doing = "";
  private estimated = 0;
  /** one of its changes could not be written into the root's log */
  private isMissing = false;
  private asks = 0;
  private askedAt = 0;
  private waitedMs = 0;
  private begunAt = Infinity;
  /** one of its children asks */
  private asksBelow = false;
  private readonly ending = new AbortController();
  private tells: (() => void) | undefined;
  /** the newest record of the root when one of its commands began */
  private readonly began = new Map<string, number>();
  private readonly copies = new SerialQueue();

  constructor(
    private readonly about: Child,
    private readonly deps: OpenChildDeps,
    readonly tree: PlacedWorktree | undefined,
  ) {}

  get id(): string {
    return this.about.childId;
  }

  /** as the caller's log has it now */
  get known(): Child {
    return this.deps.history.conversation.children.get(this.id) ?? this.about;
  }

  /** all that it ever took, its own children included */
  get spent(): Usage {
    const { session } = this;
    return session ? addUsage(session.history.conversation.spent, session.children.unlogged()) : this.known.spent;
  }

  unlogged = (): Usage => usageSince(this.spent, this.known.spent);

  /** of all requests of its tree */
  get tokensInFlight(): number {
    return this.inFlight + (this.session?.children.tokensInFlight ?? 0);
  }

  follow(session: S): void {
    this.session = session;
    this.begunAt = this.deps.ports.clock.now();
    this.toldEnd = this.newestEnd;
    for (const record of session.history.records) this.count(record);
    session.subscribe(event => this.hear(event));
    this.tell();
  }

  /** Number of the end of its newest turn that has ended; 0: none has. */
  get newestEnd(): number {
    return this.session?.history.records.findLast(({ kind }) => kind === "turnEnd")?.seq ?? 0;
  }

  /** Why it sends nothing more; undefined: a request of so many tokens may leave. */
  limit(next = 0): TurnError | undefined {
    const { tokens = 0, cost, minutes = 0 } = this.about.budget ?? {};
    const { spent } = this;
    const taken = spent.input + spent.output + this.tokensInFlight + this.uncounted;
    // Where less than that was left from the beginning, one request shows it.
    const more = taken > 0 ? next : 0;
    const over = (message: string): TurnError => ({ code: "max-budget", message, actions: [] });
    if (taken + more >= tokens) return over(t("It took all of its budget of {0} tokens.", formatTokens(tokens)));
    if (cost && (spent.cost ?? 0) >= cost) return over(t("It took all of its budget of {0}.", formatCost(cost)));
    if (this.minutes >= minutes) return over(timeOver(minutes));
    return undefined;
  }

  get tokensLeft(): number {
    const { input, output } = this.spent;
    return Math.max(0, (this.about.budget?.tokens ?? 0) - input - output - this.tokensInFlight);
  }

  /** Also while it waits for its place. */
  async stop(): Promise<void> {
    this.ending.abort(new DOMException("The user stopped the agent.", "AbortError"));
    await this.session?.stop();
  }

  get stopping(): AbortSignal {
    return this.ending.signal;
  }

  outcome(): ChildOutcome {
    const { session, stopped } = this;
    if (!session) return { reason: "error", report: "", trust: undefined, ...stopped };
    const { conversation, records } = session.history;
    const { end, messages, contentFrom } = conversation;
    return {
      reason: end?.reason ?? "interrupted",
      why: end?.error?.message,
      ...stopped,
      ...(this.about.agent === REVIEW && { findings: findingsIn(lastWords(messages)) }),
      report: reportText(lastWords(messages), records),
      trust: foreignTrust([...contentFrom]),
    };
  }

  /** Tokens of its tree whose server says nothing of them, as estimated. */
  get uncounted(): number {
    return this.estimated + (this.session?.children.uncounted ?? 0);
  }

  private count(record: LogRecord): void {
    if (record.kind !== "message" || record.message.role !== "assistant") return;
    const { usage, requestTokens = 0 } = record.message.metadata;
    if (!usage || usage.input === 0) this.estimated += requestTokens + estimateTokens(textOf(record.message.parts));
  }

  /** What it is told at 80 % of any part; undefined: it is not there yet. */
  nearEnd(): string | undefined {
    const { tokens = 0, cost, minutes = 0 } = this.about.budget ?? {};
    const { input, output, cost: paid = 0 } = this.spent;
    const used = Math.max(
      (input + output + this.uncounted) / tokens,
      paid / (cost || Infinity),
      this.minutes / minutes,
    );
    if (used < NEAR_END) return undefined;
    return `${Math.min(99, Math.floor(used * 100))} % of your budget is used. Begin nothing new: write your report now.`;
  }

  /** of work: without what it waited for its place, or for a person */
  get minutes(): number {
    const now = this.deps.ports.clock.now();
    const waiting = this.asks > 0 ? now - this.askedAt : 0;
    return this.known.ended ? 0 : (now - this.begunAt - this.waitedMs - waiting) / 60_000;
  }

  /** What it changed is in the root's log, as far as that can be written. */
  async settled(): Promise<void> {
    await this.copies.run(async () => undefined);
    if (!this.isMissing) return;
    this.isMissing = false;
    this.copyMissed();
    await this.copies.run(async () => undefined);
  }

  /** One of its questions waits, or has its answer. */
  asking(by: 1 | -1): void {
    const now = this.deps.ports.clock.now();
    if (this.asks === 0) this.askedAt = now;
    this.asks += by;
    if (this.asks === 0) this.waitedMs += now - this.askedAt;
    this.tell();
  }

  /** Once in a while at most. */
  tell(now = false): void {
    if (this.tells && !now) return;
    this.tells?.();
    this.tells = this.deps.ports.clock.after(now ? 0 : TELL_MS, () => {
      this.tells = undefined;
      if (!this.known.ended || this.session?.state !== "idle") this.deps.emit(this.state);
    });
  }

  get state(): AgentEventOf<"child"> {
    const { id: childId, doing, spent, session } = this;
    const at = session?.state ?? "idle";
    const working = at === "stopping" ? "stopping" : "running";
    const state = session ? (this.asks > 0 || this.asksBelow ? "asking" : working) : "waiting";
    return { type: "child", childId, state, doing, spent, startedAt: this.about.startedAt };
  }

  private hear(event: AgentEvent): void {
    if (event.type === "request") this.inFlight = event.estimatedTokens + ANSWER_TOKENS;
    // That one is not on its way any more.
    else if (event.type === "retry") this.inFlight = 0;
    else if (event.type === "toolStart") {
      this.doing = oneLine(event.title, 120);
      this.began.set(event.callId, this.deps.root.history.records.at(-1)?.seq ?? 0);
    } else if (event.type === "child") {
      this.doing = event.doing || this.doing;
      this.asksBelow = event.state === "asking";
    } else if (event.type === "state" && event.state === "idle") {
      this.inFlight = 0;
      this.onIdle();
    } else if (event.type === "record") this.hearRecord(event.record);
    else return;
    this.tell();
  }

  private hearRecord(record: LogRecord): void {
    if (record.kind === "attempt" || (record.kind === "message" && record.message.role === "assistant"))
      this.inFlight = 0;
    if (record.kind === "message") this.doing = "";
    if (record.kind === "message" && record.message.role === "user") this.stopped = undefined;
    this.count(record);
    this.mirror(record);
  }

  get inTree(): boolean {
    return this.about.worktree !== undefined || this.deps.ports.caller?.inTree === true;
  }

  /** Changes of the workspace, as the root's review, undo and rewinds find them. Of a working tree of its own: none. */
  mirror(record: LogRecord): void {
    if (this.inTree || (record.kind !== "commandFiles" && record.kind !== "result")) return;
    if (record.kind === "result" && !record.changes?.length) return;
    const copy = async () => {
      const { root } = this.deps;
      const { turn } = root.history.conversation;
      const copied = record.kind === "result" ? this.changedBy(record, turn) : await this.commandOf(record, turn);
      const states =
        record.kind === "result" ? (record.changes ?? []).flatMap(({ before, after }) => [before, after]) : [];
      for (const sha256 of states) await this.copySnapshot(sha256);
      await root.history.append(copied);
    };
    this.copies.run(copy).catch(error => {
      this.isMissing = true;
      this.deps.ports.logger.log("error", "a change by an agent is not in its caller's log", { error: String(error) });
    });
  }

  private changedBy(record: RecordOf<"result">, turn: number): NewRecord {
    const { messageId, changes, durationMs } = record;
    const { childId, agent, title } = this.about;
    return {
      kind: "child",
      phase: "changed",
      childId,
      messageId,
      callId: this.callOf(record),
      turn,
      agent,
      title,
      durationMs,
      ...defined({ changes }),
    };
  }

  private async commandOf(record: RecordOf<"commandFiles">, turn: number): Promise<NewRecord> {
    const { callId, files, gaps, list } = record;
    const text = list && (await this.session?.history.files.getSnapshot(list));
    if (list && text) {
      await this.copySnapshot(list);
      for (const { before, after } of stateChangesSchema.safeParse(parseJson(text)).data ?? [])
        for (const state of [before, after]) if (state?.type === "file") await this.copySnapshot(state.sha256);
    }
    const since = this.began.get(callId) ?? this.about.since;
    return { kind: "commandFiles", turn, callId: this.callOf(record), since, files, gaps, ...defined({ list }) };
  }

  /** What a crash, or a failed write, kept from the root's log. */
  copyMissed(): void {
    const keyOf = (record: LogRecord) =>
      record.kind === "child" || record.kind === "result"
        ? refKey(record)
        : record.kind === "commandFiles"
          ? `${record.callId} ${record.list}`
          : "";
    const known = new Set(this.deps.root.history.records.map(keyOf));
    for (const record of this.session?.history.records ?? []) {
      const named =
        record.kind === "result" || record.kind === "commandFiles"
          ? { ...record, callId: this.callOf(record) }
          : record;
      if (!known.has(keyOf(named))) this.mirror(record);
    }
  }

  /** Ids of calls are the provider's: another child may have the same. */
  private callOf = ({ callId }: { callId: string }) => `${this.id}/${callId}`;

  /** One that cannot be had is named where it is looked for. */
  private async copySnapshot(sha256: string | null | undefined): Promise<void> {
    const bytes = sha256 ? await this.session?.history.files.getSnapshotBytes(sha256) : undefined;
    if (sha256 && bytes) await this.deps.root.history.files.putSnapshot(sha256, bytes);
  }
}
