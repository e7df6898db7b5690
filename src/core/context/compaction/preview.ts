/**
 * What a compaction would do, item by item (docs/context.md). Pure. Folding comes before summarising: turns are counted as they
 * would be with everything folded that may be, and of the ways to fold the mildest that fits is taken.
 */
import type { ResultRef, Rounds } from "../../../shared/compaction";
import { defined } from "../../../shared/defined";
import { t } from "../../../shared/l10n";
import type { StrataMessage } from "../../../shared/messages";
import type { ContextMemory } from "../../../shared/settingValues";
import { oneLine } from "../../ground/text/format";
import { withFolded } from "../../log/applyMessage";
import { type Conversation, endedTurn, refKey } from "../../log/conversation";
import { foldLimit } from "../ages";
import { type Form, turnForm } from "../compose";
import { compactAt } from "./budget";
import { type FoldableResult, foldDownTo, foldTarget, observationsIn, totalTokens } from "./fold";
import { groupByTurn, splitSteps, type TurnMessages } from "./turnMessages";

/**
 * verbatim: sent as before, in the turn that runs; kept: a finished turn as before; folded: stays, observations of it become
 * one line each; summarised: gone from requests, the summary has its memory; pinned: stays since the user said so.
 */
export type Fate = "verbatim" | "kept" | "folded" | "summarised" | "pinned";

/** A turn (user message to final answer), or, of the one that runs, its first steps and the rest. */
export interface CompactionRow {
  turn: number;
  messageIds: string[];
  /** the user's words, for people; one line */
  title: string;
  fate: Fate;
  /** estimates, as sent now and after; 0 after for what is summarised */
  tokens: { before: number; after: number };
}

export interface CompactionPreview {
  /** all of history, oldest first: each message is in one item; of the turn that runs, what goes comes first */
  items: CompactionRow[];
  removed: string[];
  folded: ResultRef[];
  /** `summarised` counts a turn of which a part goes too; its rest is in `kept` or `pinned` */
  rounds: Rounds;
  /** estimates of a whole request: now, and after, with room for the new summary if there is one */
  tokens: { before: number; after: number };
  warning?: string;
  /** Why it is not worth it, for a person; absent: it is. */
  unneeded?: string;
}

export interface PreviewInput {
  conversation: Conversation;
  /** tokens of the model's context window */
  window: number;
  /** `strata.history.keepRounds`; null where it is not set */
  keepRounds: number | null;
  /** `strata.context.memory` */
  memory: ContextMemory;
  /** tokens of a request beside history and summaries: tools, L1, L2, tail */
  fixedTokens: number;
  summaryTokens: number;
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

/** of the window: what history may take after a compaction, and what its newest `keepRounds` turns may */
const HISTORY = 0.5;
const KEPT_HISTORY = 0.7;
/** of the window: what a whole request may take after it, so that the next one is not due at once */
const REQUEST = 0.7;
const KEPT_REQUEST = 0.75;
const SET_REQUEST = 0.8;
/** Turns that stay by default; unlike a number that a person set it leaves room for the next turns. */
const KEPT_ROUNDS = 10;
/** turns that should fit between a compaction by itself and the next one; of the window: where history had less, it is too small for that */
export const TURNS_APART = 5; // people read of it in compactionLine.ts
const APART_HISTORY = 0.1;
/** of what was refused: what history may take in a retry */
const RETRY = { 1: 1 / 2, 2: 1 / 4, 3: 0, all: 0 } as const;
/** the summary's words and its code-written parts; in a small window they are shorter */
const summaryRoom = (window: number): number => Math.min(2_600, 0.08 * window);
/** By hand everything is summarised that takes more tokens than the shortest summary. */
const LEAST_SUMMARY = 300;
const SUMMARY_SHARE = 0.5;
/** Share of the request that folding alone has to save in a compaction by hand. */
const WORTH = 0.1;

type Folds = readonly ResultRef[];

interface Sizes {
  turns: TurnMessages[];
  observations: FoldableResult[];
  /** all of them that may be folded */
  most: Folds;
  before: number;
  /** tokens that history may take after, and with its newest `keepRounds` turns; what those may take whatever comes after them */
  budget: number;
  keptBudget: number;
  fits: number;
  /** estimate of the summary to come */
  summaryRoom: number;
  /** tokens of observations */
  foldLimit: number;
  /** of a message now, and as it would be after these folds */
  now(message: StrataMessage): number;
  after(message: StrataMessage, folded: ReadonlySet<string>): number;
}

export function previewCompaction(input: PreviewInput): CompactionPreview {
  const sizes = measure(input);
  const { most } = sizes;
  const { goes, short } = chooseRemoved(input, sizes, most);
  const full = createPreview(input, sizes, goes, chooseFolds(input, sizes, goes, most), short);
  const nothing = createPreview(input, sizes, new Set(), []);
  const onlyFolds = createPreview(input, sizes, new Set(), foldAll(input, sizes, foldTarget(sizes.foldLimit)));
  const chosen = [full, onlyFolds].find(preview => isWorthwhile(preview, input));
  return chosen ?? { ...nothing, unneeded: unneededReason(input, sizes.turns, full) };
}

function measure(input: PreviewInput): Sizes {
  const { conversation, fixedTokens, summaryTokens, memory, mode, level = 1 } = input;
  const { messages, settled, brief } = conversation;
  // The prefix breaks anyway: what waited for that settles.
  const ended = endedTurn(conversation);
  const sizeOf = (message: StrataMessage, upTo: number) =>
    input.tokensOf(message, turnForm(message, { settled: upTo, brief }));
  const sizeNow = new Map(messages.map(message => [message.id, sizeOf(message, Math.min(settled, ended))]));
  const sizeThen = new Map(messages.map(message => [message.id, sizeOf(message, ended)]));
  const now = (message: StrataMessage) => sizeNow.get(message.id) ?? 0;
  const history = sum(messages, now);
  const before = fixedTokens + summaryTokens + history;
  const window = windowInEstimates(input.window, before, input.estimated);
  const forSummary = summaryRoom(window);
  const beside = fixedTokens + summaryTokens + forSummary;
  const room = Math.min(HISTORY * window, REQUEST * window - beside);
  const limit = foldLimit(memory, window);
  const observations = observationsIn(conversation, ended);
  const most = foldDownTo(0, observations, conversation);
  const allFolded = new Set(most.map(refKey));
  const after = (message: StrataMessage, folded: ReadonlySet<string>) =>
    hasFolded(message, folded) ? sizeOf(withFolded(message, folded), ended) : (sizeThen.get(message.id) ?? 0);
  const whole = history - sum(messages, message => after(message, allFolded));
  const apart = mode === "threshold" ? apartRoom(input, { before, window, beside, whole }) : Number.POSITIVE_INFINITY;
  const budget = mode === "retry" ? Math.min(room, history) * RETRY[level] : Math.min(room, apart);
  const isSet = input.keepRounds !== null;
  const fits = Math.min(KEPT_HISTORY * window, (isSet ? SET_REQUEST : KEPT_REQUEST) * window - beside);
  return {
    turns: groupByTurn(messages),
    observations,
    most,
    before,
    budget,
    keptBudget: mode === "retry" ? budget : isSet ? fits : Math.min(fits, apart),
    fits,
    summaryRoom: forSummary,
    foldLimit: limit,
    now,
    after,
  };
}

/**
 * What history may take so that the next compaction is some turns away, if turns go on to add what they have added since the one
 * before (and one of them more than that). A window that is too small for it keeps what it has room for.
 * @param whole tokens of what is sent whole and may be folded: as much comes again
 */
function apartRoom(
  { conversation: { compacted, turn } }: PreviewInput,
  { before, window, beside, whole }: { before: number; window: number; beside: number; whole: number },
): number {
  const turns = Math.max(1, turn - (compacted?.turn ?? 0));
  const perTurn = Math.max(0, before - whole - (compacted?.tokens ?? 0)) / turns;
  const room = compactAt(window) - beside - whole - (TURNS_APART + 1) * perTurn;
  return room < APART_HISTORY * window ? Number.POSITIVE_INFINITY : room;
}

/** Estimates and the provider's counts differ, by a factor that the provider's last count tells. */
function windowInEstimates(window: number, before: number, estimated: number | undefined): number {
  if (!estimated || before === 0) return window;
  return window * Math.min(2, Math.max(1 / 4, before / estimated));
}

/**
 * Ids of the messages that go: whole turns, and, where the turn that runs is too large alone, its first steps.
 * @param most all that may be folded
 */
function chooseRemoved(input: PreviewInput, sizes: Sizes, most: Folds): Removal {
  const { conversation, mode, keepRounds, level } = input;
  const { turns, budget, keptBudget } = sizes;
  if (startsAfresh(input)) return { goes: new Set(conversation.messages.map(({ id }) => id)) };
  const newest = turns.at(-1);
  if (!newest) return { goes: new Set() };
  const folded = new Set(most.map(refKey));
  const least = (messages: readonly StrataMessage[]) => sum(messages, message => sizes.after(message, folded));
  const olderTurns = turns.slice(0, -1);
  if (mode === "manual" && input.upTo !== undefined)
    return { goes: unpinnedUpTo(input.upTo, olderTurns, conversation) };
  // The last retry keeps the bare turn: what is pinned goes too, before everything starts afresh.
  const bare = mode === "retry" && level === 3;
  const isPinned = ({ turn }: TurnMessages) => conversation.pins.has(turn) && !bare;
  let used = sum([newest, ...olderTurns.filter(isPinned)], ({ messages }) => least(messages));
  const over = keepRounds !== null && used <= keptBudget ? 0 : used - budget;
  const goes: StrataMessage[] = [];
  let stay = over <= 0;
  let short: Rounds["short"];
  for (const [at, older] of [...olderTurns.entries()].reverse()) {
    if (isPinned(older)) continue;
    const tokens = least(older.messages);
    const isKept = turns.length - at <= roundsOf(input);
    stay &&= used + tokens <= (isKept ? keptBudget : budget) && (mode !== "manual" || isKept);
    if (stay) used += tokens;
    else goes.push(...older.messages);
    if (!stay && isKept)
      short ??= { of: roundsOf(input), why: used + tokens > sizes.fits || mode === "retry" ? "window" : "ahead" };
  }
  if (conversation.turnOpen && over > 0) goes.push(...firstSteps(newest, over, least, bare));
  // Whoever asks for it gets it: where all would stay, the last turn stays.
  if (mode === "manual" && goes.length === 0 && keepRounds === null)
    return { goes: unpinnedUpTo(newest.turn, olderTurns, conversation) };
  return { goes: new Set(goes.map(({ id }) => id)), short };
}

/** Ids of messages; `short`: turns are among them that the setting would have kept */
interface Removal {
  goes: Set<string>;
  short?: Rounds["short"];
}

const roundsOf = ({ keepRounds }: PreviewInput): number => keepRounds ?? KEPT_ROUNDS;

const unpinnedUpTo = (upTo: number, olderTurns: readonly TurnMessages[], { pins }: Conversation): Set<string> =>
  new Set(
    olderTurns.flatMap(({ turn, messages }) => (turn > upTo || pins.has(turn) ? [] : messages.map(({ id }) => id))),
  );

/** Pinned turns and the one that runs go too: with the bare turn the provider refused the request as well. */
const startsAfresh = ({ mode, level }: PreviewInput): boolean => mode === "retry" && level === "all";

/**
 * As many of its first steps as hold `over` tokens; its opening and its newest step stay, and what the user said to steer
 * it: like the opening, it is what the turn is about.
 * @param bare steering goes too
 */
function firstSteps(
  turn: TurnMessages,
  over: number,
  tokensOf: (messages: readonly StrataMessage[]) => number,
  bare: boolean,
): StrataMessage[] {
  const goes: StrataMessage[] = [];
  let won = 0;
  for (const step of splitSteps(turn).steps.slice(0, -1)) {
    if (won >= over) break;
    const gone = bare ? step : step.filter(({ metadata }) => metadata?.kind !== "steer");
    goes.push(...gone);
    won += tokensOf(gone);
  }
  return goes;
}

/** The mildest way to fold what stays so that it fits; the prefix breaks anyway, so folding waits for no new content. */
function chooseFolds(input: PreviewInput, sizes: Sizes, goes: ReadonlySet<string>, most: Folds): Folds {
  const stays = input.conversation.messages.filter(({ id }) => !goes.has(id));
  const staying: Sizes = { ...sizes, observations: sizes.observations.filter(({ messageId }) => !goes.has(messageId)) };
  const size = (folds: Folds) => {
    const folded = new Set(folds.map(refKey));
    return sum(stays, message => sizes.after(message, folded));
  };
  const { foldLimit: limit } = sizes;
  const kept = new Set([...input.conversation.pins, ...sizes.turns.slice(-roundsOf(input)).map(({ turn }) => turn)]);
  const room = groupByTurn(stays).every(({ turn }) => kept.has(turn)) ? sizes.keptBudget : sizes.budget;
  const due = totalTokens(staying.observations) > limit;
  const ways = [...(due ? [] : [[]]), foldAll(input, staying, foldTarget(limit))];
  const chosen = ways.find(folds => size(folds) <= room) ?? most.filter(({ messageId }) => !goes.has(messageId));
  if (input.mode !== "retry" || input.level !== 3 || size(chosen) <= sizes.before / 2) return chosen;
  // The newest step is most of it: without folding that too, the same request would be refused once more.
  return staying.observations.flatMap(({ messageId, callId, tokens, foldedTokens }) =>
    foldedTokens < tokens ? [{ messageId, callId }] : [],
  );
}

const foldAll = ({ conversation }: PreviewInput, { observations }: Sizes, target: number): Folds =>
  foldDownTo(target, observations, conversation);

function createPreview(
  input: PreviewInput,
  sizes: Sizes,
  goes: ReadonlySet<string>,
  folded: Folds,
  short?: Rounds["short"],
): CompactionPreview {
  const items = listPlanItems(input, sizes, goes, new Set(folded.map(refKey)));
  const gone = items.filter(({ fate }) => fate === "summarised");
  const pinned = items.filter(({ fate }) => fate === "pinned").length;
  const history = sum(items, ({ tokens }) => tokens.after);
  const goneTokens = sum(gone, ({ tokens }) => tokens.before);
  const room = gone.length > 0 ? roomOfSummary(input, sizes, goneTokens) : 0;
  const after = input.fixedTokens + input.summaryTokens + history + room;
  const warning = previewWarning(input, sizes, goes);
  return {
    items,
    removed: gone.flatMap(({ messageIds }) => messageIds),
    folded: [...folded],
    rounds: { summarised: gone.length, kept: items.length - gone.length - pinned, pinned, ...defined({ short }) },
    tokens: { before: sizes.before, after },
    ...(warning === undefined ? {} : { warning }),
  };
}

/** By hand also little is summarised, whose summary is short. @param gone tokens that it is about */
const roomOfSummary = ({ mode }: PreviewInput, sizes: Sizes, gone: number): number =>
  mode === "manual"
    ? Math.min(sizes.summaryRoom, Math.max(LEAST_SUMMARY, Math.round(SUMMARY_SHARE * gone)))
    : sizes.summaryRoom;

/**
 * A request that would not get smaller is left as it is; asked for, folding alone has to be worth breaking the prefix. To
 * start afresh is the way out, not a saving.
 */
function isWorthwhile({ removed, tokens }: CompactionPreview, input: PreviewInput): boolean {
  const { mode } = input;
  if (startsAfresh(input)) return removed.length > 0;
  const saved = tokens.before - tokens.after;
  return saved > 0 && (mode !== "manual" || removed.length > 0 || saved >= WORTH * tokens.before);
}

const sum = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((total, value) => total + of(value), 0);

/** @param folded keys of the results that become folded */
function listPlanItems(
  { conversation }: PreviewInput,
  sizes: Sizes,
  goes: ReadonlySet<string>,
  folded: ReadonlySet<string>,
): CompactionRow[] {
  const { pins, turn: newest, turnOpen } = conversation;
  return sizes.turns.flatMap(({ turn, messages }) => {
    const gone = messages.filter(({ id }) => goes.has(id));
    const stays = messages.filter(({ id }) => !goes.has(id));
    const opening = messages.find(({ role, metadata }) => role === "user" && metadata?.kind === "normal");
    const title = oneLine(opening?.parts.find(part => part.type === "text")?.text ?? "", 120);
    const item = (of: StrataMessage[], fate: Fate): CompactionRow[] => {
      if (of.length === 0) return [];
      const after = fate === "summarised" ? 0 : sum(of, message => sizes.after(message, folded));
      return [{ turn, messageIds: of.map(({ id }) => id), title, fate, tokens: { before: sum(of, sizes.now), after } }];
    };
    const stayed = turnOpen && turn === newest ? "verbatim" : "kept";
    const fate = stays.some(message => hasFolded(message, folded)) ? "folded" : stayed;
    return [...item(gone, "summarised"), ...item(stays, pins.has(turn) ? "pinned" : fate)];
  });
}

function hasFolded({ id, parts }: StrataMessage, folded: ReadonlySet<string>): boolean {
  return parts.some(
    part => part.type === "dynamic-tool" && folded.has(refKey({ messageId: id, callId: part.toolCallId })),
  );
}

/** What a person should know, since it is theirs to change. */
function previewWarning(
  { conversation }: PreviewInput,
  { turns, budget, now }: Sizes,
  goes: ReadonlySet<string>,
): string | undefined {
  const pinned = turns.filter(({ turn }) => conversation.pins.has(turn)).flatMap(({ messages }) => messages);
  if (pinned.some(({ id }) => goes.has(id)))
    return t("Pinned turns are summarised too: with them the request does not fit into the context window.");
  if (pinned.length === 0 || sum(pinned, now) <= budget) return undefined;
  return t("Pinned turns alone take more than half of the context window. Unpin some to leave room for work.");
}

/** @param full what would go and be folded, and why that was not worth it */
function unneededReason(
  { mode, keepRounds, upTo }: PreviewInput,
  turns: readonly TurnMessages[],
  full: CompactionPreview,
): string {
  if (turns.length === 0) return t("Nothing to summarise yet: the conversation is empty.");
  if (full.removed.length > 0) return t("Nothing to gain: the summary would be as long as what it replaces.");
  if (mode === "retry") return t("Nothing more can be left out: only the newest step and your own words are left.");
  if (mode !== "manual") return t("Nothing to summarise yet: there is room for all turns.");
  if (turns.length === 1) return t("Nothing to summarise yet: there is only the last turn, which is always kept.");
  if (keepRounds !== null && upTo === undefined && turns.length <= keepRounds)
    return t(
      "Nothing to summarise: strata.history.keepRounds keeps the newest turns ({0}), and there are no older ones.",
      keepRounds,
    );
  return t("Nothing to summarise: all turns before the last one are pinned, or stand behind the chosen one.");
}
