/** Message records → items: what was said, and the calls that came with it. */
import { t } from "../../../src/shared/l10n";
import { remindedNames } from "../../../src/shared/mentions/write";
import type { LoggedMessage, MessagePart } from "../../../src/shared/messages";
import type { RecordOf } from "../../../src/shared/records";
import { titleFrom } from "../../../src/shared/title";
import { findRecent, mapTurn, put, replace } from "./items";
import type {
  AnswerItem,
  ApprovalState,
  ConversationItem,
  QuestionState,
  SessionView,
  ToolItem,
  UserItem,
} from "./state";

/** A message, by who speaks. */
export function applyMessage(session: SessionView, record: RecordOf<"message">): SessionView {
  const { message } = record;
  if (message.role === "assistant") return applyAnswer(session, message);
  const { kind } = message.metadata;
  if (message.role === "user" && (kind === "normal" || kind === "steer")) return applyUser(session, message);
  return applyNotice(session, message);
}

/** The item of a call of which nothing is known but what is given. */
export function newTool(callId: string, toolName: string, known: Partial<ToolItem> = {}): ToolItem {
  const nothing = { input: null, title: null, phase: "waiting", outcome: null } as const;
  const unasked = { approval: null, exact: null, question: null, exactForm: null };
  return { kind: "tool", key: callId, id: callId, toolName, ...nothing, ...unasked, ...known };
}

export function newAnswer(requestId: string, known: Partial<AnswerItem>): AnswerItem {
  const nothing = { text: "", reasoning: "", thoughtMs: null, cutOff: null, plan: null, turn: 0 } as const;
  return { kind: "answer", key: requestId, live: false, stopped: false, ...nothing, ...known };
}

/** Changes a call's item, or makes it where its message is not loaded. */
export function updateTool(
  items: readonly ConversationItem[],
  callId: string,
  toolName: string,
  change: (tool: ToolItem) => ToolItem,
  id = callId,
): readonly ConversationItem[] {
  const known = findRecent(items, callId);
  if (known?.kind !== "tool") return [...items, change(newTool(callId, toolName, { id }))];
  return replace(items, callId, item => (item.kind === "tool" ? change(item) : item));
}

/** Only the call's beginning is known. Some servers number the calls of each answer alike: another one has it all. */
const isNew = (item: ConversationItem | undefined) =>
  item === undefined || (item.kind === "tool" && item.input === null && item.outcome === null);

/** The question as it runs: its record hides secrets, and a placeholder could mean anything. */
export function exactApproval({ approval, exact }: ToolItem): ApprovalState | null {
  if (approval === null || exact?.approvalId !== approval.approvalId) return approval;
  return { ...approval, action: { ...approval.action, title: exact.title, detail: exact.detail } };
}

/** The same of a question that allows nothing. */
export function exactQuestion({ question, exactForm }: ToolItem): QuestionState | null {
  if (question === null || exactForm?.questionId !== question.questionId) return question;
  return { ...question, form: exactForm.form };
}

/** Calls that the model was still writing: the answer is over and they are not in it. */
export const dropWriting = (items: readonly ConversationItem[]) =>
  mapTurn(items, item => (item.kind === "tool" && item.phase === "writing" ? null : item));

/** An answer takes the place of the one before it that was cut off. @param key its own */
export function dropAttempt(items: readonly ConversationItem[], key: string): readonly ConversationItem[] {
  const at = items.findLastIndex(item => (item.kind === "answer" && item.key !== key) || item.kind === "end");
  const last = items[at];
  return last?.kind === "answer" && last.cutOff !== null ? items.toSpliced(at, 1) : items;
}

/** All text of a message's parts, reminders and images left out. */
export const joinText = (parts: readonly MessagePart[], type: "text" | "reasoning"): string =>
  parts.flatMap(part => (part.type === type && part.text !== "" ? [part.text] : [])).join("\n\n");

function applyUser(session: SessionView, message: LoggedMessage): SessionView {
  const text = joinText(message.parts, "text");
  const { kind, pendingId, ts, turn } = message.metadata;
  const begins = kind === "normal";
  const item: UserItem = {
    kind: "user",
    key: message.id,
    text,
    turn,
    steer: !begins,
    ts,
    pictures: message.parts.flatMap(part =>
      part.type === "file" ? [{ mediaType: part.mediaType, url: part.url, path: part.filename ?? "picture" }] : [],
    ),
    attachments: [],
    found: message.parts.flatMap(part =>
      part.type === "data-reminder" && part.data.name === "mentions" ? remindedNames(part.data.text) : [],
    ),
  };
  return {
    ...session,
    title: session.title || titleFrom(text),
    items: [...session.items, item],
    pending: session.pending.filter(pending => pending.pendingId !== pendingId),
    turn: Math.max(session.turn, turn),
    lastEnd: null,
    lastPrompt: text === "" ? session.lastPrompt : text,
    prompts:
      begins && (text !== "" || item.pictures.length > 0) ? { ...session.prompts, [turn]: item } : session.prompts,
    counters: begins ? { ...session.counters, step: 0, startedAt: ts } : session.counters,
  };
}

function applyNotice(session: SessionView, message: LoggedMessage): SessionView {
  const images = message.parts.filter(part => part.type === "file");
  if (images.length > 0) {
    const notes = images.map(({ filename = t("without a name") }, index): ConversationItem => {
      return { kind: "note", key: `${message.id}.${index}`, icon: "file-media", text: t("Image {0}", filename) };
    });
    return { ...session, items: [...session.items, ...notes] };
  }
  const text = joinText(message.parts, "text");
  if (text === "") return session;
  return { ...session, items: [...session.items, { kind: "note", key: message.id, icon: "info", text }] };
}

function applyAnswer(session: SessionView, message: LoggedMessage): SessionView {
  const { requestId, stopped, step, turn, thoughtMs = null } = message.metadata;
  const key = requestId ?? message.id;
  const [text, reasoning] = [joinText(message.parts, "text"), joinText(message.parts, "reasoning")];
  const answer = newAnswer(key, { text, reasoning, thoughtMs, stopped: stopped === true, turn });
  // The finished answer takes the place of the one that streamed; one without words leaves no trace.
  const empty = answer.text === "" && answer.reasoning === "" && !answer.stopped;
  const before = dropAttempt(session.items, key);
  let items = empty ? replace(before, key, () => null) : put(before, answer);
  const calls = message.parts.filter(part => part.type === "dynamic-tool");
  for (const [at, { toolCallId, toolName, input }] of calls.entries()) {
    const isSecond = calls.findIndex(call => call.toolCallId === toolCallId) < at;
    const id = isSecond ? `${key} ${toolCallId} ${at}` : `${key} ${toolCallId}`;
    if (!isNew(findRecent(items, toolCallId))) items = [...items, newTool(toolCallId, toolName, { id })];
    const phaseOf = ({ phase }: ToolItem) => (phase === "writing" ? "waiting" : phase);
    const begun = (tool: ToolItem): ToolItem => ({ ...tool, toolName, input, phase: phaseOf(tool) });
    items = updateTool(items, toolCallId, toolName, begun, id);
  }
  return {
    ...session,
    items: dropWriting(items),
    live: session.live?.requestId === key ? null : session.live,
    retry: null,
    lastEnd: null,
    counters: { ...session.counters, step: Math.max(session.counters.step, step) },
  };
}
