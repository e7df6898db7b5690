/**
 * The projection of the log (DESIGN.md, rule 1): `apply` takes one record; the same function serves opening and appending,
 * so memory and disk cannot disagree. Compactions, their undo and redo rewrite the live log, which is then read anew.
 */
import type { LoggedMessage, StrataMessage, Usage } from "../../shared/messages";
import type { LogRecord, RecordKind, RecordOf } from "../../shared/records";
import { titleFrom } from "../../shared/title";
import { sessionGrant, settleUnsaved } from "../permissions/policy";
import { estimateTokens } from "../text/estimate";
import { cutPoint } from "../text/format";
import { joinParts } from "../versions/knownStamps";
import { applyCompaction } from "./applyCompaction";
import { applyResult, foldResults } from "./applyResult";
import { applyRevert, markRevertsTold } from "./applyRevert";
import type { Conversation, ToolOutput } from "./conversation";

const GOAL_CHARACTERS = 500;

/** Compactions without an effect, from their undo and redo records. Known before the first record is applied. */
export function undoneIn(records: readonly LogRecord[]): Set<string> {
  const undone = new Set<string>();
  for (const record of records) {
    if (record.kind === "undo") undone.add(record.compactionId);
    if (record.kind === "redo") undone.delete(record.compactionId);
  }
  return undone;
}

export function applyRecord(conversation: Conversation, record: LogRecord): void {
  const handler = handlers[record.kind] as (conversation: Conversation, record: LogRecord) => void;
  handler(conversation, record);
}

const handlers: { [K in RecordKind]: (conversation: Conversation, record: RecordOf<K>) => void } = {
  message(conversation, { message }) {
    const { turn, runId, step, usage, pendingId } = message.metadata;
    conversation.messages.push(toUIMessage(message));
    if (turn !== conversation.turn) conversation.reads.clear();
    if (runId !== conversation.runId) conversation.injections = 0;
    conversation.turn = turn;
    conversation.turnOpen = true;
    conversation.runId = runId;
    conversation.step =
      message.role === "user" && message.metadata.kind === "normal" ? 0 : Math.max(conversation.step, step);
    if (usage) applyUsage(conversation, message, usage);
    if (pendingId) removePending(conversation, pendingId);
    if (message.role === "user" && message.metadata.kind === "normal") {
      conversation.title ||= titleFrom(firstText(message));
      conversation.goal ||= cut(firstText(message), GOAL_CHARACTERS);
    }
  },
  result(conversation, record) {
    const at = conversation.messages.findLastIndex(message => message.id === record.messageId);
    const message = conversation.messages[at];
    if (message) conversation.messages[at] = withResult(message, record);
    for (const [uri, stamp] of Object.entries(record.stamps ?? {})) {
      // Calls of one step may have read other parts at the same time.
      const joined = joinParts(conversation.stamps.get(uri), stamp);
      // In the order in which files were read or written last.
      conversation.stamps.delete(uri);
      conversation.stamps.set(uri, joined);
    }
    if (record.cwd !== undefined) conversation.cwd = record.cwd;
    conversation.observedTokens += estimateTokens(record.forms.shown);
    applyResult(conversation, record);
  },
  attempt() {
    // shown to people, never sent: nothing of it is in the conversation
  },
  approval(conversation, { approvalId, action, answer }) {
    if (!answer) {
      conversation.asked.set(approvalId, action);
      return;
    }
    conversation.asked.delete(approvalId);
    if (answer.decision !== "allow" || answer.scope !== "session") return;
    conversation.grants.add(sessionGrant(action));
    if (answer.unsaved) settleUnsaved(conversation.grants, answer.unsaved);
  },
  turnEnd(conversation, record) {
    conversation.turnOpen = false;
    conversation.end = record;
    if (record.reason === "done") delete conversation.interrupted;
    if (record.reason !== "done") for (const pending of conversation.pending) pending.held = true;
    conversation.asked.clear();
  },
  pending(conversation, { pendingId, op, delivery, text, held = false }) {
    if (op === "removed") return removePending(conversation, pendingId);
    const old = conversation.pending.find(pending => pending.pendingId === pendingId);
    if (old) Object.assign(old, { text, delivery, held: op === "added" ? held : old.held });
    else if (op === "added") conversation.pending.push({ pendingId, delivery, text, held });
  },
  todo(conversation, { todos }) {
    conversation.todos = todos;
  },
  title(conversation, { title }) {
    conversation.title = title;
  },
  mode(conversation, { mode }) {
    conversation.mode = mode;
  },
  note() {
    // for people only
  },
  fold(conversation, { results }) {
    foldResults(conversation, results);
    conversation.observedTokens = 0;
  },
  inject(conversation, record) {
    applyInjection(conversation, record);
    markRevertsTold(conversation, record);
  },
  attachment(conversation, record) {
    conversation.messages.push(attachedMessage(record));
  },
  pin(conversation, { turn, pinned }) {
    if (pinned) conversation.pins.add(turn);
    else conversation.pins.delete(turn);
  },
  compaction(conversation, record) {
    if (!conversation.undone.has(record.id)) applyCompaction(conversation, record);
  },
  undo(conversation) {
    // Which compactions are undone was known before the first record was applied: the log is read anew for it.
    conversation.compactionHeld = true;
  },
  redo(conversation) {
    conversation.compactionHeld = false;
  },
  revert(conversation, record) {
    applyRevert(conversation, record);
  },
};

function toUIMessage(message: LoggedMessage): StrataMessage {
  return { ...message, parts: message.parts.map(toUIPart) };
}

/** `errorText` of a call that could not run becomes its result record; the SDK's part has no place for it before. */
function toUIPart(part: LoggedMessage["parts"][number]): StrataMessage["parts"][number] {
  if (part.type !== "dynamic-tool") return part;
  const { errorText: _, ...call } = part;
  return call;
}

function withResult(message: StrataMessage, record: RecordOf<"result">): StrataMessage {
  const { shown, kept = shown, folded = kept } = record.forms;
  const output: ToolOutput = { status: record.status, shown, kept, folded };
  const parts = message.parts.map((part): StrataMessage["parts"][number] =>
    part.type === "dynamic-tool" && part.toolCallId === record.callId && part.state === "input-available"
      ? { ...part, state: "output-available", output }
      : part,
  );
  const metadata =
    message.metadata && record.status === "error" ? { ...message.metadata, toolFailure: true } : message.metadata;
  return { ...message, parts, metadata };
}

function removePending(conversation: Conversation, pendingId: string): void {
  conversation.pending = conversation.pending.filter(pending => pending.pendingId !== pendingId);
}

/** With the request that it answered: what the next one will take goes on from both. */
function applyUsage(conversation: Conversation, message: LoggedMessage, usage: Usage): void {
  conversation.usage = usage;
  const { requestTokens } = message.metadata;
  if (requestTokens === undefined) return;
  conversation.lastAnswer = { usage, requestTokens, answerTokens: estimateTokens(JSON.stringify(message.parts)) };
}

function firstText(message: LoggedMessage): string {
  return message.parts.find(part => part.type === "text")?.text ?? "";
}

const cut = (text: string, most: number): string => text.slice(0, cutPoint(text, most));

/** What `attachment` records do to the conversation (CONTEXT.md, section 9). */

/** As user-role text, as injections: a part of the format on disk (compose.ts). */
export function attachedMessage({ messageId, ts, turn, runId, ...attached }: RecordOf<"attachment">): StrataMessage {
  const { name, text, trust } = attached;
  return {
    id: messageId,
    role: "user",
    parts: [{ type: "data-reminder", data: { name: `attachment:${name}`, text, trust } }],
    metadata: { ts, turn, step: 0, runId, kind: "notice" },
  };
}

/** What `inject` records do to the conversation (CONTEXT.md, section 8). */

export function applyInjection(conversation: Conversation, record: RecordOf<"inject">): void {
  const { fingerprint, runId, messageId, source } = record;
  const message = injectedMessage(record);
  const at = record.place === "before" ? turnOpening(conversation, record.turn) : -1;
  if (at < 0) conversation.messages.push(message);
  else conversation.messages.splice(at, 0, message);
  conversation.injected.set(fingerprint, runId);
  // The user's message that opened the run may be in an archive: then this is the first that is heard of it.
  conversation.injections = runId === conversation.runId ? conversation.injections + 1 : 1;
  conversation.runId = runId;
  conversation.injectedMessages.set(messageId, source);
}

/**
 * As user-role text: not every provider takes system messages but the first. The record has its reminder tags: this is a part
 * of the format on disk (compose.ts).
 */
export function injectedMessage({ messageId, ts, turn, runId, source, text }: RecordOf<"inject">): StrataMessage {
  return {
    id: messageId,
    role: "user",
    parts: [{ type: "data-reminder", data: { name: source, text } }],
    metadata: { ts, turn, step: 0, runId, kind: "notice" },
  };
}

/** Where the user's message stands that opened the turn; -1: it is not there. */
function turnOpening({ messages }: Conversation, turn: number): number {
  return messages.findIndex(
    ({ role, metadata }) => role === "user" && metadata?.turn === turn && metadata.kind === "normal",
  );
}
