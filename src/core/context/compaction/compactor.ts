/**
 * A compaction is a transaction: preview, summarise, check, commit (docs/context.md). Until the commit nothing has changed, so it can
 * be cancelled at any point; after it, undone. The records that leave go to an archive before the live log is replaced.
 */
import type { CompactionReason, SnapshotState } from "../../../shared/compaction";
import { defined } from "../../../shared/defined";
import { errorMessage } from "../../../shared/errorMessage";
import type { AgentEvent, CompactionPhase } from "../../../shared/events";
import { t } from "../../../shared/l10n";
import type { ContextUsage } from "../../../shared/panelSnapshot";
import type { RecordOf } from "../../../shared/records";
import type { ModelLimits } from "../../../shared/sessionModel";
import { DEFAULT_WINDOW } from "../../../shared/settings";
import { compactAt, countRequest } from "../../../shared/tokenCount";
import type { ModelConnection, WallClock } from "../../ground/ports";
import { PLAN, sourceRules, sourceSkill } from "../../ground/text/sources";
import { takeSnapshot } from "../../log/applyCompaction";
import { foldedMessages } from "../../log/applyMessage";
import { type Conversation, endedTurn } from "../../log/conversation";
import { keepText } from "../../log/recordedTexts";
import { turnSoFar } from "../../log/runs";
import type { AssembledRequest } from "../assemble";
import { spentToday } from "../requests/request";
import { type AssembleRequest, type RequestBuilder, withLearntWindow } from "../requests/requestBuilder";
import { type CompactionPreview, mayCompact, NEW_CONTENT, previewCompaction } from "./preview";
import { archiveOldSummaries } from "./summaryText";
import { LEAST_PATIENCE, type WriteSummaryDeps, type WrittenSummary, writeSummary } from "./writeSummary";

interface CompactionRequest {
  reason: CompactionReason;
  /** what the user said the summary should mind */
  guidance?: string;
  /** after the provider refused the request as too long: how often before; each time less is kept. "all": nothing is. */
  level?: 1 | 2 | 3 | "all";
  /** by hand: turns up to this one go; absent: as the settings say */
  upTo?: number;
}

type CompactionOutcome =
  | { kind: "done"; record: RecordOf<"compaction"> | RecordOf<"fold"> }
  | { kind: "cancelled" }
  | { kind: "unneeded"; message: string };

/** Hooks around a compaction. Rejects with StorageError only. */
export interface AroundCompaction {
  /** @returns why it does not begin; undefined: it does */
  before(trigger: "manual" | "auto", guidance: string, signal: AbortSignal): Promise<string | undefined>;
  after(trigger: "manual" | "auto", signal: AbortSignal): Promise<void>;
}

/** Characters of a hash: enough to tell the models of a session apart. */
const MODEL_HASH = 16;

export class Compactor {
  private running: AbortController | undefined;
  /** what requests go over; undefined: nothing is known but the settings */
  private connection: ModelConnection | undefined;
  /** size of the request that was judged last */
  private judgedAt = 0;
  /** size at which an automatic compaction was not done: the next one waits for new content */
  private cancelledAt: number | undefined;

  constructor(private readonly deps: WriteSummaryDeps & { builder: RequestBuilder; around?: AroundCompaction }) {}

  /** tokens */
  get window(): number {
    const set = this.deps.settings.get()["model.contextWindow"];
    const window = this.connection?.contextWindow ?? (set || DEFAULT_WINDOW);
    return Math.min(window, this.ceiling?.tokens ?? window);
  }

  /** From here on requests go over it: its window counts. */
  setModel(connection: ModelConnection): void {
    this.connection = connection;
  }

  /** What the server refused once: the window of that model is smaller than the setting says. */
  private get ceiling(): ModelLimits["ceiling"] {
    const { ceiling } = this.deps.history.conversation.modelLimits;
    return ceiling && ceiling.model === this.modelKey() ? ceiling : undefined;
  }

  /** With another model, or another window, the server has not refused anything yet. */
  private modelKey(): string {
    const { name, address, contextWindow } = this.connection ?? {};
    const key = JSON.stringify([name, address, contextWindow]);
    // Addresses stay out of the log.
    return this.deps.hash.sha256(key).slice(0, MODEL_HASH);
  }

  /** ms that a summary is waited for: longer where a person waits longer for their model */
  private get patience(): number {
    return Math.max(LEAST_PATIENCE, this.deps.settings.get()["model.timeoutSeconds"] * 1000);
  }

  /** @param tokens estimate of a request that the provider refused. Rejects with StorageError. */
  async learnRequestTooLong(tokens: number): Promise<void> {
    const ceiling = { tokens: Math.max(1, Math.min(this.window, tokens)), model: this.modelKey() };
    if (this.ceiling?.tokens !== ceiling.tokens) await this.saveModelLimits({ ceiling });
  }

  /**
   * @param tokens estimate of a request that the provider took: what it refused before was no matter of size. Rejects with
   * StorageError.
   */
  async learnRequestFits(tokens: number): Promise<void> {
    if (this.ceiling && tokens >= this.ceiling.tokens) await this.saveModelLimits({});
  }

  private async saveModelLimits(limits: ModelLimits): Promise<void> {
    await this.deps.history.append({ kind: "modelLimits", ...limits });
  }

  async preview(): Promise<CompactionPreview> {
    await this.learnWindow();
    return this.previewFor({ reason: "manual" }, await this.deps.builder.prepare());
  }

  /** The next request, for the connection that would send it. Nothing is sent. Rejects with StorageError. */
  async nextRequest(): Promise<AssembledRequest> {
    const [assemble] = await Promise.all([this.deps.builder.prepare(), this.learnWindow()]);
    return assemble(defined({ connection: this.connection }));
  }

  /** How full the context would be with the next request, for people. Rejects with StorageError. */
  async use() {
    const [{ tokens }, today] = await Promise.all([this.nextRequest(), this.costToday()]);
    const { conversation } = this.deps.history;
    const { calibration, spent } = conversation;
    return {
      tokens: countRequest(tokens, conversation),
      window: Math.round(this.window),
      ...defined({ calibration, today }),
      spent,
    } satisfies ContextUsage;
  }

  /** Whether a request fills the window so far that a compaction has to come before it. */
  isDue({ tokens: requestTokens }: AssembledRequest): boolean {
    const { conversation } = this.deps.history;
    const estimated = countRequest(requestTokens, conversation);
    // It became smaller some other way: what was cancelled then is nothing to wait for now.
    if (estimated < compactAt(this.window)) this.cancelledAt = undefined;
    this.judgedAt = estimated;
    if (!mayCompact(conversation, { estimated, requestTokens }, this.window)) return false;
    return estimated - (this.cancelledAt ?? 0) >= NEW_CONTENT * this.window;
  }

  costToday = (): Promise<number | undefined> => spentToday(this.deps);

  /** Between turns what the next one will go over counts, which may be another model than the last one went over. */
  private async learnWindow(): Promise<void> {
    const { history, models } = this.deps;
    if (this.connection && history.conversation.turnOpen) return;
    // Without a model there is no window either: what is shown then is a guess, as everywhere.
    this.connection = await models.connect().then(withLearntWindow, () => undefined);
  }

  cancel(): void {
    this.running?.abort(new DOMException("The user cancelled the compaction.", "AbortError"));
  }

  /** Rejects with StorageError: then nothing changed. Everything else that can go wrong is an end. */
  async compact(asked: CompactionRequest, signal: AbortSignal): Promise<CompactionOutcome> {
    const cancel = new AbortController();
    this.running = cancel;
    if (asked.reason === "manual") {
      await this.learnWindow();
      // No turn did it in this process, or the workspace has others since.
      await this.deps.redactor.refresh("workspace");
    }
    const progress = new CompactionProgress(asked.reason, this.deps);
    try {
      const outcome = await this.hooked(asked, progress, AbortSignal.any([signal, cancel.signal]));
      if (asked.reason === "threshold") this.cancelledAt = outcome.kind === "done" ? undefined : this.judgedAt;
      return outcome;
    } catch (error) {
      if (cancel.signal.aborted || signal.aborted) {
        if (asked.reason === "threshold") this.cancelledAt = this.judgedAt;
        progress.tell("cancelled", t("History is unchanged."));
        return { kind: "cancelled" };
      }
      progress.tell("failed", errorMessage(error));
      throw error;
    } finally {
      this.running = undefined;
    }
  }

  private async hooked(asked: CompactionRequest, progress: CompactionProgress, signal: AbortSignal) {
    const { around } = this.deps;
    const trigger = asked.reason === "manual" ? "manual" : "auto";
    const why = await around?.before(trigger, asked.guidance ?? "", signal);
    if (why !== undefined) return unneededOutcome(why, progress);
    const outcome = await this.transaction(asked, progress, signal);
    if (outcome.kind === "done" && outcome.record.kind === "compaction") await around?.after(trigger, signal);
    return outcome;
  }

  private async transaction(
    asked: CompactionRequest,
    progress: CompactionProgress,
    signal: AbortSignal,
  ): Promise<CompactionOutcome> {
    const { history } = this.deps;
    const assemble = await this.deps.builder.prepare(duringTurn(asked) ? "running" : "as-logged");
    const before = assemble().tokens;
    progress.tokens = { before };
    progress.factor = countRequest(before, history.conversation) / before;
    progress.tell("planning");
    const preview = this.previewFor(asked, assemble);
    const pins = new Set(history.conversation.pins);
    if (preview.unneeded !== undefined) return unneededOutcome(preview.unneeded, progress);
    progress.tokens = { before, after: preview.tokens.after };
    progress.rounds = preview.rounds;
    if (preview.removed.length === 0) {
      const record = await history.append({
        kind: "fold",
        results: preview.folded,
        settled: endedTurn(history.conversation),
      });
      progress.tokens = { before, after: assemble().tokens };
      progress.tell("done", t("Shortened old tool output; nothing else to summarise."));
      return { kind: "done", record };
    }
    const { guidance, level } = asked;
    const tell = (phase: CompactionPhase) => progress.tell(phase);
    const patience = level === "all" ? undefined : this.patience;
    const written = await writeSummary(
      {
        assemble,
        removed: preview.removed,
        guidance,
        patience,
        window: this.window,
        tell,
        connection: duringTurn(asked) ? this.connection : undefined,
        model: this.connection?.name ?? this.deps.settings.get()["model.name"],
      },
      this.deps,
      signal,
    );
    const { conversation } = history;
    const removed = new Set(preview.removed);
    const pinnedSince = conversation.messages.some(
      ({ id, metadata: { turn } = { turn: 0 } }) => removed.has(id) && conversation.pins.has(turn) && !pins.has(turn),
    );
    // What the user pins while the summary is written is to stay too.
    if (pinnedSince) return this.transaction(asked, progress, signal);
    const compaction = this.compaction(asked, preview, written, assemble, progress);
    if (level !== "all" && compaction.tokens.after >= compaction.tokens.before)
      return unneededOutcome(t("Nothing to gain: the summary would be as long as what it replaces."), progress);
    progress.tell("committing");
    signal.throwIfAborted();
    for (const { text } of written.ledger.blobs) await keepText(text, history);
    const record = await history.commitCompaction(compaction, () => this.snapshot());
    progress.tokens = record.tokens;
    progress.tell("done", record.failure?.message);
    return { kind: "done", record };
  }

  private previewFor(asked: CompactionRequest, assemble: AssembleRequest): CompactionPreview {
    const { history, settings } = this.deps;
    const { reason, level, upTo } = asked;
    const { conversation } = history;
    return previewCompaction({
      conversation: { ...conversation, turnOpen: duringTurn(asked) || conversation.turnOpen },
      window: this.window,
      keepRounds: settings.get()["history.keepRounds"],
      memory: settings.get()["context.memory"],
      beside: assemble({ messages: [] }).tokens,
      mode: reason === "context-too-long" ? "retry" : reason,
      ...defined({ level, upTo }),
      estimated: countRequest(assemble().tokens, conversation),
      tokensOf: this.deps.builder.tokensOf,
    });
  }

  private compaction(
    asked: CompactionRequest,
    preview: CompactionPreview,
    { summary, memory, failure, usage, ledger }: WrittenSummary,
    assemble: AssembleRequest,
    progress: CompactionProgress,
  ) {
    const { history, hash, ids, clock } = this.deps;
    const { conversation } = history;
    const summaries = archiveOldSummaries({
      window: this.window,
      ...{ hash, ids, memory },
      summaries: [...conversation.summaries, summary],
    });
    const moved = movedInjections(conversation);
    // Rules that were injected take the same room in L2.
    const removed = new Set(preview.removed);
    const left = conversation.messages.filter(({ id }) => !removed.has(id));
    const messages = foldedMessages(left, preview.folded);
    const after = assemble({ messages, summaries, ledger: ledger.pages, settled: conversation.turn }).tokens;
    const tokens = { before: progress.tokens.before, after };
    return {
      kind: "compaction" as const,
      reason: asked.reason,
      ...defined({ guidance: asked.guidance || undefined }),
      removed: [...new Set([...preview.removed, ...moved.keys()])],
      folded: preview.folded,
      summaries,
      ledger: ledger.pages,
      ...defined({ failure, usage }),
      tokens,
      ...countedTokens(tokens, progress, conversation),
      rounds: preview.rounds,
      durationMs: Math.max(0, clock.now() - progress.startedAt),
    };
  }

  private snapshot(): SnapshotState {
    const { conversation, records } = this.deps.history;
    const soFar = conversation.turnOpen ? turnSoFar(records, conversation.turn) : undefined;
    return takeSnapshot(conversation, [...movedInjections(conversation).values()], soFar);
  }
}

/** In the provider's count: before it, what the last request took; after it, what the next one will take, about. */
function countedTokens(
  tokens: { before: number; after: number },
  progress: CompactionProgress,
  { lastAnswer, usage }: Conversation,
): { counted?: { before: number; after: number } } {
  if (progress.factor === 1 && !(lastAnswer && usage)) return {};
  const before = lastAnswer && usage ? lastAnswer.counted - usage.output : progress.counted(tokens.before);
  return { counted: { before, after: progress.counted(tokens.after) } };
}

/** A turn that is continued is open again with its next message only: until then the log does not say that it runs. */
const duringTurn = ({ reason }: CompactionRequest): boolean => reason !== "manual";

/** Messages with injected rules, skills and the plan, by id, and their source: they are L2 from the next compaction on. */
function movedInjections({ injectedMessages }: Conversation): Map<string, string> {
  const moves = (source: string) =>
    source === PLAN || sourceRules(source) !== undefined || sourceSkill(source) !== undefined;
  return new Map([...injectedMessages].filter(([, source]) => moves(source)));
}

function unneededOutcome(message: string, progress: CompactionProgress): CompactionOutcome {
  progress.tell("unneeded", message);
  return { kind: "unneeded", message };
}

class CompactionProgress {
  readonly startedAt: number;
  tokens: { before: number; after?: number } = { before: 0 };
  /** what the provider counts for a token of the estimate, as the meter beside it does */
  factor = 1;
  rounds: CompactionPreview["rounds"] | undefined;

  constructor(
    private readonly reason: CompactionReason,
    private readonly deps: { clock: WallClock; emit(event: AgentEvent): void },
  ) {
    this.startedAt = deps.clock.now();
  }

  counted = (estimate: number): number => Math.round(estimate * this.factor);

  tell(phase: CompactionPhase, message?: string): void {
    const { reason, startedAt, rounds } = this;
    const { before, after } = this.tokens;
    const tokens = { before: this.counted(before), ...defined({ after: after && this.counted(after) }) };
    const more = defined({ rounds, message: message || undefined });
    this.deps.emit({ type: "compaction", phase, reason, startedAt, tokens, ...more });
  }
}
