/**
 * What a turn is sent as, by its age alone (docs/context.md): whole while it runs, settled as the next one begins, then brief: what
 * was said, and one line made by code of what was done. Both ways to remember are rows of one table. Pure.
 * The line is a user message made by code: models imitate a line in their own voice, and then write calls as words.
 */
import type { ResultRef } from "../../shared/compaction";
import { defined, some } from "../../shared/defined";
import { isObject } from "../../shared/isObject";
import type { StrataMessage } from "../../shared/messages";
import type { LogRecord, NewRecord, RecordOf } from "../../shared/records";
import type { ContextMemory } from "../../shared/settingValues";
import { toolTraits } from "../../shared/toolTraits";
import { estimateTokens } from "../ground/text/estimate";
import { codeSpan, oneLine, othersWording, sanitizeText } from "../ground/text/format";
import { addedUp, commandEnding } from "../log/applyMessage";
import { type Conversation, refKey, type ToolOutput } from "../log/conversation";
import { wordsIn } from "../log/ledger/said";
import { changesIn } from "../log/putBacks";
import { outputForm, turnForm } from "./compose";
import { reminder } from "./layers";

interface Ages {
  /** so many ended turns stand settled; older ones are brief */
  settled: number;
  /** tokens of the running turn's results above which the oldest fold */
  foldAt: number;
  /** tokens of reads of files that the last ended turn changed: they stay whole, and the other reads fold. null: all reads are as kept */
  editedReads: number | null;
}

const AGES: Record<ContextMemory, Ages> = {
  lean: { settled: 1, foldAt: 24_000, editedReads: 8_000 },
  plain: { settled: Number.POSITIVE_INFINITY, foldAt: Number.POSITIVE_INFINITY, editedReads: null },
};

/** of the window: what the results of the running turn take at most */
const ROOM = 1 / 2;

/** Tokens of the running turn's results above which the oldest fold. @param window of the model, in tokens */
export const foldLimit = (memory: ContextMemory, window: number) => Math.min(AGES[memory].foldAt, ROOM * window);

/**
 * The change of forms before the first request of a turn, as one record; undefined: nothing changes.
 * @param records the live log, oldest first
 */
export function ageTurns(
  conversation: Conversation,
  records: readonly LogRecord[],
  memory: ContextMemory,
): Extract<NewRecord, { kind: "fold" }> | undefined {
  const { turn, step, settled } = conversation;
  if (step > 0) return undefined;
  const ended = turn - 1;
  const { editedReads, ...ages } = AGES[memory];
  const brief = briefTurns(conversation, records, ended - ages.settled);
  const { whole, folded } = agedReads(records, settled < ended && editedReads !== null ? ended : 0, editedReads ?? 0);
  if (brief.length + folded.length === 0 && !hasToSettle(conversation, records)) return undefined;
  return { kind: "fold", results: folded, settled: ended, ...defined({ whole: some(whole), brief: some(brief) }) };
}

/** Whether anything of the turns that ended since has another form as settled: a record that changes nothing is not written. */
function hasToSettle({ messages, settled, turn: running }: Conversation, records: readonly LogRecord[]): boolean {
  const isMeant = (turn: number | undefined) => turn !== undefined && turn > settled && turn < running;
  return (
    messages.some(({ metadata }) => metadata?.settles && isMeant(metadata.turn)) ||
    records.some(
      record =>
        record.kind === "result" &&
        isMeant(record.turn) &&
        (record.forms.kept !== undefined || record.forms.input !== undefined),
    )
  );
}

/** Of a turn that settles: reads of files that it changed stay whole, the newest first, as far as they have room; the others fold. */
function agedReads(records: readonly LogRecord[], turn: number, room: number) {
  const results = records.filter(record => record.kind === "result").filter(result => result.turn === turn);
  const changed = new Set(results.flatMap(({ changes = [] }) => changes.map(({ uri }) => uri)));
  const [whole, folded]: [ResultRef[], ResultRef[]] = [[], []];
  let left = room;
  for (const { messageId, callId, forms, reads } of results.toReversed()) {
    if (reads === undefined) continue;
    const isEdited = reads.some(({ uri }) => changed.has(uri));
    if (isEdited) left -= estimateTokens(forms.shown);
    const stays = isEdited && left >= 0;
    if ((stays ? forms.kept : forms.folded) !== undefined) (stays ? whole : folded).unshift({ messageId, callId });
  }
  return { whole, folded };
}

type BriefTurn = NonNullable<RecordOf<"fold">["brief"]>[number];

/** Turns up to this one that are not brief yet. One without calls has nothing to be left out, and stays. */
function briefTurns(conversation: Conversation, records: readonly LogRecord[], upTo: number): BriefTurn[] {
  const waiting = conversation.messages.filter(({ role, metadata }) => {
    const turn = metadata?.turn ?? 0;
    return role === "assistant" && turn > 0 && turn <= upTo && !conversation.brief.has(turn);
  });
  if (waiting.length === 0) return [];
  const turns = Map.groupBy(waiting, ({ metadata }) => metadata?.turn ?? 0);
  const own = recordsByTurn(records, turns);
  return [...turns].flatMap(([turn, steps]): BriefTurn[] => {
    const messageId = steps.at(-1)?.id;
    const calls = steps.flatMap(({ parts }) => parts.filter(part => part.type === "dynamic-tool"));
    if (messageId === undefined || calls.length === 0) return [];
    return [{ turn, messageId, text: reminder(briefText(turn, calls, own.get(turn) ?? [])) }];
  });
}

/** Records between messages (answers, denials) belong to the turn of the message before them. */
function recordsByTurn(records: readonly LogRecord[], turns: ReadonlyMap<number, unknown>): Map<number, LogRecord[]> {
  let turn = 0;
  const own = Map.groupBy(records, record => {
    if (record.kind === "message") turn = record.message.metadata.turn;
    return turn;
  });
  return new Map([...own].filter(([number]) => turns.has(number)));
}

/** The line, and under it what the person said in answers and denials: that is part of their words. */
function briefText(turn: number, calls: readonly BriefCall[], records: readonly LogRecord[]): string {
  const said = wordsIn(records.filter(({ kind }) => kind !== "message")).map(({ asked, denied, chosen, text }) => {
    const about = denied === undefined ? `your question ${othersWording(asked ?? "", ASKED)}` : `denying ${denied}`;
    return `The user, ${denied === undefined ? "to " : ""}${about}${chosen ? ", chose" : ""}: ${text}`;
  });
  return [briefLine(turn, calls, records), ...said].join("\n");
}

/** characters: of the line, its parts, and a question that the person answered */
const LINE = 300;
const PARTS = { changed: 110, ran: 90, rest: 60 };
const ASKED = 120;
const NAME = 60;
const POINT = 80;

type BriefCall = Extract<StrataMessage["parts"][number], { type: "dynamic-tool" }>;

function briefLine(turn: number, calls: readonly BriefCall[], records: readonly LogRecord[]): string {
  const results = records.filter(record => record.kind === "result");
  const ends = new Map(results.map(result => [result.callId, result]));
  const end = records.findLast(record => record.kind === "turnEnd");
  const read = calls.filter(({ toolName }) => toolTraits(toolName).looksAt === "file").map(targetOf);
  const searched = calls.filter(({ toolName }) => SEARCHES.has(toolTraits(toolName).looksAt)).map(targetOf);
  const ran = calls
    .filter(({ toolName }) => toolTraits(toolName).runsCommands)
    .map(call => ({ command: codeSpan(targetOf(call)), result: ends.get(call.toolCallId) }));
  const newest = new Map(ran.map(({ command, result }) => [command, result]));
  const failed = [...newest.values()].findLast(result => result?.ended?.point !== undefined)?.ended?.point;
  const others = calls.filter(({ toolName }) => !isTold(toolName)).map(({ toolName }) => toolName);
  const parts = [
    end === undefined || end.reason === "done" ? "" : `ended: ${end.reason}`,
    named("changed", changedFiles(records), PARTS.changed),
    named(
      "ran",
      ran.map(({ command, result }) => `${command} ${commandEnding(result ?? {})}`),
      PARTS.ran,
    ),
    failed === undefined ? "" : `failed last: ${oneLine(failed, POINT)}`,
    named("read", read, PARTS.rest),
    named("called", others, PARTS.rest),
    named("searched", searched, PARTS.rest),
  ];
  let line = `Done (turn:${turn})`;
  for (const [at, part] of parts.filter(part => part !== "").entries()) {
    const longer = `${line}${at === 0 ? ": " : "; "}${part}`;
    if (at === 0 || longer.length < LINE) line = longer;
  }
  return oneLine(sanitizeText(`${line}.`), LINE);
}

const SEARCHES: ReadonlySet<unknown> = new Set(["folder", "search", "symbol"]);
const isTold = (toolName: string): boolean => {
  const { looksAt, runsCommands, rules, row } = toolTraits(toolName);
  return looksAt !== undefined || runsCommands === true || rules === "editFiles" || row === "failures";
};

function targetOf({ toolName, input }: BriefCall): string {
  const { target } = toolTraits(toolName);
  const value = target && isObject(input) ? input[target.field] : undefined;
  return oneLine(typeof value === "string" && value !== "" ? value : toolName, NAME);
}

function changedFiles(records: readonly LogRecord[]): string[] {
  const files = new Map<string, ReturnType<typeof addedUp>>();
  for (const change of records.flatMap(changesIn)) files.set(change.uri, addedUp(files.get(change.uri), change));
  return [...files.values()].map(
    ({ path, created, added, removed }) => `${oneLine(path, NAME)} (${created ? "new, " : ""}+${added} −${removed})`,
  );
}

/** "read a.ts, b.ts and 3 more": the last ones as far as they have room, one at least. */
function named(verb: string, all: readonly string[], room: number): string {
  const newestFirst = [...new Set(all.toReversed())];
  let used = 0;
  const shown = newestFirst.filter((item, at) => {
    used += item.length + 2;
    return at === 0 || used <= room;
  });
  const more = newestFirst.length - shown.length;
  return shown.length === 0 ? "" : `${verb} ${shown.toReversed().join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

// Which observations are folded to one line each for want of room.

/** of the limit: what a fold leaves of observations */
const LEFT = 1 / 4;

/** A tool's result as it would be sent now. Tokens are estimates. */
export interface FoldableResult extends ResultRef {
  /** turn and step it was made in, or the later step that points to it instead of repeating its text */
  turn: number;
  step: number;
  tokens: number;
  /** in its folded form; the same as `tokens` where it is folded already or nothing is won */
  foldedTokens: number;
}

/** The tokens of observations that a fold leaves, if so much can be folded. */
export const foldTarget = (limit: number): number => limit * LEFT;

/**
 * What to fold before the next request, oldest first; empty: nothing. Only the turn that runs folds by itself.
 * @param limit tokens that its results may take
 */
export function resultsToFold(conversation: Conversation, limit: number): ResultRef[] {
  const { turn, messages } = conversation;
  const running = messages.filter(({ metadata }) => metadata?.turn === turn);
  const own = observationsIn({ ...conversation, messages: running }, turn - 1);
  return totalTokens(own) > limit ? foldDownTo(foldTarget(limit), own, conversation) : [];
}

/** All results that are sent, oldest first. @param settled the newest turn whose results are sent as kept */
export function observationsIn({ messages, restated, brief, turn }: Conversation, settled: number): FoldableResult[] {
  const pointed = new Map(restated.map(({ of, step }) => [refKey(of), step]));
  const observations: FoldableResult[] = [];
  for (const message of messages) {
    const form = turnForm(message, { settled, brief });
    if (form === "brief") continue;
    const { turn: own = 0, step = 0 } = message.metadata ?? {};
    for (const part of message.parts) {
      if (part.type !== "dynamic-tool" || part.state !== "output-available") continue;
      const output = part.output as ToolOutput;
      const ref = { messageId: message.id, callId: part.toolCallId };
      const later = own === turn ? pointed.get(refKey(ref)) : undefined;
      const tokens = estimateTokens(output[outputForm(output, form)]);
      const foldedTokens = Math.min(tokens, estimateTokens(output.folded));
      observations.push({ ...ref, turn: own, step: later ?? step, tokens, foldedTokens });
    }
  }
  return observations.sort((a, b) => a.turn - b.turn || a.step - b.step);
}

/** Of those that folding would make shorter. */
export const totalTokens = (observations: readonly FoldableResult[]): number =>
  observations.reduce((sum, { tokens, foldedTokens }) => sum + (foldedTokens < tokens ? tokens : 0), 0);

/**
 * Folds until `target` tokens of observations are left: from the oldest, reads of files that are being worked on last. The newest step
 * stays, however large.
 * @param observations oldest first
 */
export function foldDownTo(
  target: number,
  observations: readonly FoldableResult[],
  { turn, reads, changed }: Conversation,
): ResultRef[] {
  const newest = observations.at(-1);
  const edited = [...reads].filter(([uri]) => changed.get(uri)?.turn === turn);
  const worked = new Set(edited.flatMap(([, standing]) => standing.map(refKey)));
  const may = observations.filter(
    each => each.foldedTokens < each.tokens && !(each.turn === newest?.turn && each.step === newest.step),
  );
  const inOrder = [...may.filter(each => !worked.has(refKey(each))), ...may.filter(each => worked.has(refKey(each)))];
  const folded = new Set<FoldableResult>();
  let left = totalTokens(observations);
  for (const observation of inOrder) {
    if (left <= target) break;
    folded.add(observation);
    left -= observation.tokens;
  }
  return may.filter(each => folded.has(each)).map(({ messageId, callId }) => ({ messageId, callId }));
}
