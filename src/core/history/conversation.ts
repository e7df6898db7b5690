/**
 * The projection of the log (DESIGN.md, rule 1): what a session knows, derived from its records and from nothing else.
 * `apply` takes one record; the same function serves opening and appending, so memory and disk cannot disagree.
 */
import type { LoggedMessage, StrataMessage, Usage } from "../../shared/messages";
import type { ApprovalAction, LogRecord, RecordKind, RecordOf } from "../../shared/records";
import type { PermissionMode } from "../../shared/settings";
import { titleFrom } from "../../shared/title";
import type { Stamp, Todo, ToolStatus } from "../../shared/toolResult";
import { sessionGrant } from "../permissions/policy";

/** What a finished tool part holds as its output in the projection. */
export interface ToolOutput {
  status: ToolStatus;
  shown: string;
  kept: string;
  folded: string;
}

export interface PendingMessage {
  pendingId: string;
  delivery: "steer" | "queue";
  text: string;
  /** Its turn ended otherwise than done: it waits until the person sends it. */
  held: boolean;
}

export interface Conversation {
  messages: StrataMessage[];
  /** number of the newest turn; 0: none yet */
  turn: number;
  /** the newest turn has no end yet */
  turnOpen: boolean;
  /** runId and steps of the newest turn */
  runId: string;
  step: number;
  /** folder in which the last command ended; undefined: where the session began */
  cwd?: string;
  /** why the newest turn ended */
  end?: RecordOf<"turnEnd">;
  title: string;
  mode?: PermissionMode;
  todos: Todo[];
  pending: PendingMessage[];
  stamps: Map<string, Stamp>;
  /** what the user allowed for this session, as `sessionGrant` names it */
  grants: Set<string>;
  /** questions without an answer */
  asked: Map<string, ApprovalAction>;
  /** what the provider reported last */
  usage?: Usage;
}

export function emptyConversation(): Conversation {
  return {
    messages: [],
    turn: 0,
    turnOpen: false,
    runId: "",
    step: 0,
    title: "",
    todos: [],
    pending: [],
    stamps: new Map(),
    grants: new Set(),
    asked: new Map(),
  };
}

export function apply(conversation: Conversation, record: LogRecord): void {
  const handler = handlers[record.kind] as (conversation: Conversation, record: LogRecord) => void;
  handler(conversation, record);
}

/** The calls of the newest assistant messages that have no result yet. */
export function openCalls(conversation: Conversation): { messageId: string; callId: string; toolName: string }[] {
  const open = [];
  for (const message of conversation.messages) {
    if (message.role !== "assistant" || message.metadata?.turn !== conversation.turn) continue;
    for (const part of message.parts) {
      if (part.type === "dynamic-tool" && part.state === "input-available") {
        open.push({ messageId: message.id, callId: part.toolCallId, toolName: part.toolName });
      }
    }
  }
  return open;
}

const handlers: { [K in RecordKind]: (conversation: Conversation, record: RecordOf<K>) => void } = {
  message(conversation, { message }) {
    const { turn, runId, step, usage, pendingId } = message.metadata;
    conversation.messages.push(asUIMessage(message));
    conversation.turn = turn;
    conversation.turnOpen = true;
    conversation.runId = runId;
    conversation.step =
      message.role === "user" && message.metadata.kind === "normal" ? 0 : Math.max(conversation.step, step);
    if (usage) conversation.usage = usage;
    if (pendingId) removePending(conversation, pendingId);
    if (!conversation.title && message.role === "user") conversation.title = titleOf(message);
  },
  result(conversation, record) {
    const at = conversation.messages.findLastIndex(message => message.id === record.messageId);
    const message = conversation.messages[at];
    if (message) conversation.messages[at] = withResult(message, record);
    for (const [uri, stamp] of Object.entries(record.stamps ?? {})) conversation.stamps.set(uri, stamp);
    if (record.cwd !== undefined) conversation.cwd = record.cwd;
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
    if (answer.decision === "allow" && answer.scope === "session") conversation.grants.add(sessionGrant(action));
  },
  turnEnd(conversation, record) {
    conversation.turnOpen = false;
    conversation.end = record;
    if (record.reason !== "done") for (const pending of conversation.pending) pending.held = true;
    conversation.asked.clear();
  },
  pending(conversation, { pendingId, op, delivery, text }) {
    if (op === "removed") return removePending(conversation, pendingId);
    const old = conversation.pending.find(pending => pending.pendingId === pendingId);
    if (old) Object.assign(old, { text, delivery, held: op === "added" ? false : old.held });
    else if (op === "added") conversation.pending.push({ pendingId, delivery, text, held: false });
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
};

function asUIMessage(message: LoggedMessage): StrataMessage {
  return { ...message, parts: message.parts.map(asUIPart) };
}

/** `errorText` of a call that could not run becomes its result record; the SDK's part has no place for it before. */
function asUIPart(part: LoggedMessage["parts"][number]): StrataMessage["parts"][number] {
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

function titleOf(message: LoggedMessage): string {
  return titleFrom(message.parts.find(part => part.type === "text")?.text ?? "");
}
