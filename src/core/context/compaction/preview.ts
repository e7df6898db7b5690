/**
 * What a compaction does, or would do: which messages go, which results fold, and what that saves (docs/context.md). Pure. Folding comes
 * before summarising: turns are counted as they would be with everything folded that may be, and the mildest way to fold that fits is taken.
 */
import type { ResultRef, Rounds } from "../../../shared/compaction";
import { t } from "../../../shared/l10n";
import type { StrataMessage } from "../../../shared/messages";
import type { ContextMemory } from "../../../shared/settingValues";
import { compactAt } from "../../../shared/tokenCount";
import { withFolded } from "../../log/applyMessage";
import { type Conversation, endedTurn, refKey } from "../../log/conversation";
import { type FoldableResult, foldDownTo, foldLimit, foldTarget, observationsIn, totalTokens } from "../ages";
import { type Form, turnForm } from "../compose";

/** of the window: what has to come after a compaction before the next one */
export const NEW_CONTENT = 0.1;
const MIN_MESSAGES = 3;

/**
 * Whether a compaction may begin by itself before a request.
 * @param estimated what it takes, as `countRequest` says
 * @param requestTokens its estimate: what the last compaction left is one too
 */
export function mayCompact(
  { messages, compacted, compactionHeld }: Pick<Conversation, "messages" | "compacted" | "compactionHeld">,
  { estimated, requestTokens }: { estimated: number; requestTokens: number },
  window: number,
): boolean {
  if (compactionHeld || messages.length < MIN_MESSAGES || estimated < compactAt(window)) return false;
  if (compacted === undefined) return true;
  return (requestTokens - compacted.tokens) * estimated >= NEW_CONTENT * window * requestTokens;
}

export interface CompactionPreview {
  /** ids of messages, oldest first */
  removed: string[];
  folded: ResultRef[];
  /** `summarised` counts a turn of which a part goes too; its rest is in `kept` or `pinned` */
  rounds: Rounds;
  /** estimates of a whole request: now, and after, with room for the new summary if there is one */
  tokens: { before: number; after: number };
  /** Why it is not worth it, for a person; absent: it is. */
  unneeded?: string;
}

export interface PreviewInput {
  conversation: Conversation;
  /** tokens of the model's context window */
  window: number;
  keepRounds: number | null;
  memory: ContextMemory;
  /** tokens of a request beside history: tools, L1, L2, tail, summaries, ledger */
  beside: number;
  /** threshold: automatic; manual: the person asked for it; retry: the provider refused the request as too long */
  mode: "threshold" | "manual" | "retry";
  /** of a retry: each keeps less; "all", when the last one was refused too: nothing stays, history starts afresh */
  level?: 1 | 2 | 3 | "all";
  /** By hand: turns up to this one go, however much room there is; absent: those beyond `keepRounds`. */
  upTo?: number;
  /** What the budget says that the request takes (`countRequest`); absent: the estimate. The window counts as the provider does. */
  estimated?: number;
  /** estimate of a message as it is sent in a form; observations that are folded are so in any */
  tokensOf(message: StrataMessage, form: Form): number;
}

/** of the window: what history, and a whole request, may take after a compaction; with no more turns than a person set, more */
const ROOM = { history: 0.5, request: 0.7 };
const SET_ROOM = { history: 0.7, request: 0.8 };
/** Turns that stay by hand, where no number is set. */
const KEPT_ROUNDS = 10;
/** of what was refused: what history may take in a retry */
const RETRY = { 1: 1 / 2, 2: 1 / 4, 3: 0, all: 0 } as const;
/** The summary's words and its code-written parts; shorter in a small window, and where little goes. */
const SUMMARY = { most: 2_600, ofWindow: 0.08, least: 300, ofGone: 0.5 };

interface Sizes {
  ended: number;
  observations: FoldableResult[];
  /** tokens of a request now */
  before: number;
  /** that history may take after: all of it, and with no more turns than `keepRounds` */
  budget: number;
  keptBudget: number;
  foldLimit: number;
  summaryRoom: number;
  /** of messages as they would be with these results folded: to be had once for many messages */
  after(folded: readonly ResultRef[]): (messages: readonly StrataMessage[]) => number;
}

export function previewCompaction(input: PreviewInput): CompactionPreview {
  const { conversation, mode, level } = input;
  const sizes = measure(input);
  const goes = chooseRemoved(input, sizes);
  const full = createPreview(input, sizes, goes, chooseFolds(input, sizes, goes));
  const onlyFolds = createPreview(input, sizes, new Set(), foldTo(foldTarget(sizes.foldLimit), input, sizes));
  // To start afresh is the way out, not a saving.
  const startsAfresh = mode === "retry" && level === "all" && goes.size > 0;
  const chosen = startsAfresh ? full : [full, onlyFolds].find(({ tokens }) => tokens.after < tokens.before);
  if (chosen) return chosen;
  const unneeded =
    full.removed.length > 0
      ? t("Nothing to gain: the summary would be as long as what it replaces.")
      : conversation.messages.length > 0 && mode === "retry"
        ? t("Nothing more can be left out: only the newest step and your own words are left.")
        : t("Nothing to summarise yet.");
  return { ...createPreview(input, sizes, new Set(), []), unneeded };
}

function measure(input: PreviewInput): Sizes {
  const { conversation, beside, memory, mode, keepRounds, level = 1 } = input;
  const { messages, settled, brief } = conversation;
  // The prefix breaks anyway: what waited for that settles.
  const ended = endedTurn(conversation);
  const sizeOf = (message: StrataMessage, upTo: number) =>
    input.tokensOf(message, turnForm(message, { settled: upTo, brief }));
  const history = sum(messages, message => sizeOf(message, Math.min(settled, ended)));
  const before = beside + history;
  const window = windowInEstimates(input.window, before, input.estimated);
  const summaryRoom = Math.min(SUMMARY.most, SUMMARY.ofWindow * window);
  const roomOf = (of: typeof ROOM) => Math.min(of.history * window, of.request * window - beside - summaryRoom);
  const budget = mode === "retry" ? Math.min(roomOf(ROOM), history) * RETRY[level] : roomOf(ROOM);
  const sizeThen = new Map(messages.map(message => [message.id, sizeOf(message, ended)]));
  return {
    ended,
    observations: observationsIn(conversation, ended),
    before,
    budget,
    keptBudget: mode === "retry" || keepRounds === null ? budget : roomOf(SET_ROOM),
    foldLimit: foldLimit(memory, window),
    summaryRoom,
    after(results) {
      const [folded, ids] = [new Set(results.map(refKey)), new Set(results.map(({ messageId }) => messageId))];
      const size = (message: StrataMessage) =>
        ids.has(message.id) ? sizeOf(withFolded(message, folded), ended) : (sizeThen.get(message.id) ?? 0);
      return all => sum(all, size);
    },
  };
}

/** Estimates and the provider's counts differ, by a factor that the provider's last count tells. */
function windowInEstimates(window: number, before: number, estimated: number | undefined): number {
  if (!estimated || before === 0) return window;
  return window * Math.min(2, Math.max(1 / 4, before / estimated));
}

/** Ids of the messages that go: whole turns, and, where the turn that runs is too large alone, its first steps. */
function chooseRemoved(input: PreviewInput, sizes: Sizes): Set<string> {
  const { conversation, mode, keepRounds, level, upTo } = input;
  const { messages, pins, turnOpen } = conversation;
  const idsOf = (all: readonly StrataMessage[]) => new Set(all.map(({ id }) => id));
  if (mode === "retry" && level === "all") return idsOf(messages);
  // The last retry keeps the bare turn: what is pinned goes too, before everything starts afresh.
  const isBare = mode === "retry" && level === 3;
  const turns = groupByTurn(messages);
  const newest = turns.pop();
  const free = turns.filter(({ turn }) => isBare || !pins.has(turn));
  if (!newest) return new Set();
  if (mode === "manual" && upTo !== undefined)
    return idsOf(free.flatMap(({ turn, messages: own }) => (turn > upTo ? [] : own)));
  const least = sizes.after(foldTo(0, input, sizes));
  const pinned = turns.filter(({ turn }) => !isBare && pins.has(turn));
  let used = least([newest, ...pinned].flatMap(each => each.messages));
  const over = keepRounds !== null && used <= sizes.keptBudget ? 0 : used - sizes.budget;
  const goes: StrataMessage[] = [];
  let stays = over <= 0;
  for (const older of free.toReversed()) {
    const tokens = least(older.messages);
    const isKept = turns.length + 1 - turns.indexOf(older) <= (keepRounds ?? KEPT_ROUNDS);
    stays &&= used + tokens <= (isKept ? sizes.keptBudget : sizes.budget) && (mode !== "manual" || isKept);
    if (stays) used += tokens;
    else goes.push(...older.messages);
  }
  if (turnOpen && over > 0) goes.push(...firstSteps(newest.messages, over, least, isBare));
  // By hand something goes: where all would stay, only the last turn stays.
  const isAll = mode === "manual" && goes.length === 0 && keepRounds === null;
  return idsOf(isAll ? free.flatMap(older => older.messages) : goes);
}

/**
 * As many of the turn's first steps as hold `over` tokens; its opening and its newest step stay, and what the user said to steer
 * it: like the opening, it is what the turn is about.
 * @param isBare steering goes too
 */
function firstSteps(
  messages: readonly StrataMessage[],
  over: number,
  tokensOf: (messages: readonly StrataMessage[]) => number,
  isBare: boolean,
): StrataMessage[] {
  const starts = messages.flatMap(({ role }, at) => (role === "assistant" ? [at] : []));
  const goes: StrataMessage[] = [];
  let won = 0;
  for (const [step, start] of starts.slice(0, -1).entries()) {
    if (won >= over) break;
    const own = messages.slice(start, starts[step + 1]).filter(each => isBare || each.metadata?.kind !== "steer");
    goes.push(...own);
    won += tokensOf(own);
  }
  return goes;
}

/** The mildest way to fold what stays so that it fits; the prefix breaks anyway, so folding waits for no new content. */
function chooseFolds(input: PreviewInput, sizes: Sizes, goes: ReadonlySet<string>): ResultRef[] {
  const { conversation, keepRounds, mode, level } = input;
  const observations = sizes.observations.filter(({ messageId }) => !goes.has(messageId));
  // Without folding the newest step too, the same request would be refused once more.
  if (mode === "retry" && level === 3)
    return observations.flatMap(({ messageId, callId, tokens, foldedTokens }) =>
      foldedTokens < tokens ? [{ messageId, callId }] : [],
    );
  const stays = conversation.messages.filter(({ id }) => !goes.has(id));
  const kept = groupByTurn(conversation.messages).slice(-(keepRounds ?? KEPT_ROUNDS));
  const isKept = ({ turn }: TurnMessages) => conversation.pins.has(turn) || kept.some(each => each.turn === turn);
  const room = groupByTurn(stays).every(isKept) ? sizes.keptBudget : sizes.budget;
  const staying = { ...sizes, observations };
  const isDue = totalTokens(observations) > sizes.foldLimit;
  const ways = [...(isDue ? [] : [[]]), foldTo(foldTarget(sizes.foldLimit), input, staying)];
  return (
    ways.find(folds => sizes.after(folds)(stays) <= room) ??
    foldTo(0, input, sizes).filter(({ messageId }) => !goes.has(messageId))
  );
}

const foldTo = (target: number, { conversation }: PreviewInput, { observations }: Sizes): ResultRef[] =>
  foldDownTo(target, observations, conversation);

function createPreview(
  { conversation, beside }: PreviewInput,
  sizes: Sizes,
  goes: ReadonlySet<string>,
  folded: ResultRef[],
): CompactionPreview {
  const gone = conversation.messages.filter(({ id }) => goes.has(id));
  const stays = conversation.messages.filter(({ id }) => !goes.has(id));
  const left = groupByTurn(stays);
  const pinned = left.filter(({ turn }) => conversation.pins.has(turn)).length;
  const room = Math.max(SUMMARY.least, Math.round(SUMMARY.ofGone * sizes.after([])(gone)));
  return {
    removed: gone.map(({ id }) => id),
    folded,
    rounds: { summarised: groupByTurn(gone).length, kept: left.length - pinned, pinned },
    tokens: {
      before: sizes.before,
      after: beside + sizes.after(folded)(stays) + (gone.length > 0 ? Math.min(sizes.summaryRoom, room) : 0),
    },
  };
}

const sum = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((total, value) => total + of(value), 0);

/** All messages of a turn, in order: notices injected before the user's words, the words, steps, steering. */
interface TurnMessages {
  turn: number;
  messages: StrataMessage[];
}

/** Oldest first. Turn numbers may have gaps; a message without one belongs to the turn before it. */
export function groupByTurn(messages: readonly StrataMessage[]): TurnMessages[] {
  let turn = 0;
  const grouped = Map.groupBy(messages, ({ metadata }) => (turn = metadata?.turn ?? turn));
  return [...grouped].map(([number, own]) => ({ turn: number, messages: own }));
}
