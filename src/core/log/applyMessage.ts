/**
 * What the records that become messages, or a part of one, do to the conversation: messages, results, attachments, injected
 * texts; what results say of files and commands; folding.
 */
import type { ChangedFile, ResultRef } from "../../shared/compaction";
import { addUsage } from "../../shared/cost";
import { defined } from "../../shared/defined";
import type { Trust } from "../../shared/manifest";
import type { AttachedTrust, LoggedMessage, StrataMessage, Usage } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import { titleFrom } from "../../shared/title";
import { countAnswer } from "../../shared/tokenCount";
import { toolTraits } from "../../shared/toolTraits";
import { estimateTokens } from "../ground/text/estimate";
import { cutPoint, oneLine, toHandle } from "../ground/text/format";
import { type Conversation, interruptedCall, refKey, type StandingRead, type ToolOutput } from "./conversation";
import { changesIn } from "./putBacks";
import { joinParts } from "./stamps";

const GOAL_CHARACTERS = 500;

export function applyMessage(conversation: Conversation, { message }: RecordOf<"message">): void {
  const { turn, runId, step, usage, pendingId, kind } = message.metadata;
  const opensTurn = message.role === "user" && kind === "normal";
  conversation.messages.push({ ...message, parts: message.parts.map(toUIPart) });
  if (turn !== conversation.turn) [conversation.reads, conversation.restated] = [new Map(), []];
  conversation.turn = turn;
  conversation.lastTurn = Math.max(conversation.lastTurn, turn);
  if (message.role === "assistant") conversation.rewound = false;
  // A turn that goes on after its end runs again.
  conversation.settled = Math.min(conversation.settled, turn - 1);
  conversation.turnOpen = true;
  conversation.runId = runId;
  conversation.step = opensTurn ? 0 : Math.max(conversation.step, step);
  // Steering does not make what came since the turn began any better known.
  if (opensTurn) {
    conversation.contentFrom = new Set(["user"]);
    conversation.untrusted = undefined;
  }
  if (usage) applyUsage(conversation, message, usage);
  if (pendingId) removePending(conversation, pendingId);
  if (!opensTurn) return;
  const text = message.parts.find(part => part.type === "text")?.text ?? "";
  conversation.title ||= titleFrom(text);
  conversation.goal ||= text.slice(0, cutPoint(text, GOAL_CHARACTERS));
}

/** `errorText` of a call that could not run becomes its result record; the SDK's part has no place for it before. */
function toUIPart(part: LoggedMessage["parts"][number]): StrataMessage["parts"][number] {
  if (part.type !== "dynamic-tool") return part;
  const { errorText: _, ...call } = part;
  return call;
}

export function removePending(conversation: Conversation, pendingId: string): void {
  conversation.pending = conversation.pending.filter(pending => pending.pendingId !== pendingId);
}

/** With the request that it answered: what the next one will take goes on from both. */
function applyUsage(conversation: Conversation, message: LoggedMessage, usage: Usage): void {
  const { requestTokens, model } = message.metadata;
  const isCut = requestTokens !== undefined && isCutCount(conversation, usage.input, requestTokens);
  conversation.usage = usage;
  conversation.spent = addUsage(conversation.spent, usage);
  if (requestTokens === undefined) return;
  // What was cut off is in no count: the estimate says more.
  const said = isCut ? { ...usage, input: 0 } : usage;
  const { counted, calibration } = countAnswer(said, { requestTokens, model }, conversation.calibration);
  conversation.lastAnswer = { requestTokens, answerTokens: estimateTokens(JSON.stringify(message.parts)), counted };
  if (calibration) conversation.calibration = calibration;
}

export function applyAttachment(conversation: Conversation, record: RecordOf<"attachment">): void {
  const { name, text, trust } = record;
  conversation.messages.push(reminderMessage(record, { name: `attachment:${name}`, text, trust }));
  cameFrom(conversation, trust, name);
}

/** @param source what gave the text, in a line */
function cameFrom(conversation: Conversation, trust: Trust, source: string): void {
  conversation.contentFrom.add(trust);
  if (trust === "outside" || trust === "web" || trust === "mcp") conversation.untrusted ??= source;
}

export function applyInjection(conversation: Conversation, record: RecordOf<"inject">): void {
  const { fingerprint, runId, messageId, source, text, trust } = record;
  const message = reminderMessage(record, { name: source, text, ...defined({ trust }) });
  const at = record.place === "before" ? turnOpening(conversation, record.turn) : -1;
  if (at < 0) conversation.messages.push(message);
  else conversation.messages.splice(at, 0, message);
  conversation.injected.set(fingerprint, runId);
  conversation.runId = runId;
  conversation.injectedMessages.set(messageId, source);
}

/**
 * User-role text, since not every provider takes system messages but the first. The record's text has its tags already: what
 * is made of it here is a part of the format on disk (docs/formats.md).
 */
function reminderMessage(
  { messageId, ts, turn, runId }: RecordOf<"inject" | "attachment">,
  data: { name: string; text: string; trust?: AttachedTrust | "tool" },
): StrataMessage {
  const metadata = { ts, turn, step: 0, runId, kind: "notice" } as const;
  return { id: messageId, role: "user", parts: [{ type: "data-reminder", data }], metadata };
}

/** Where the user's message stands that opened the turn; -1: it is not there. */
const turnOpening = ({ messages }: Conversation, turn: number): number =>
  messages.findIndex(({ role, metadata }) => role === "user" && metadata?.turn === turn && metadata.kind === "normal");

export function applyResult(conversation: Conversation, record: RecordOf<"result">): void {
  const { messages, stamps } = conversation;
  conversation.questions.delete(record.callId);
  const at = messages.findLastIndex(message => message.id === record.messageId);
  const message = messages[at];
  if (message) messages[at] = withResult(message, record);
  for (const [uri, stamp] of Object.entries(record.stamps ?? {})) {
    // Calls of one step may have read other parts at the same time.
    const joined = joinParts(stamps.get(uri), stamp);
    // In the order in which files were read or written last.
    stamps.delete(uri);
    stamps.set(uri, joined);
  }
  cameFrom(conversation, record.trust ?? "tool", record.digest);
  if (record.cwd !== undefined) conversation.cwd = record.cwd;
  for (const name of record.foundTools ?? []) conversation.foundTools.add(name);
  applyChanges(conversation, record);
  applyReads(conversation, record);
  if (record.error?.code === "INTERRUPTED")
    conversation.interrupted = interruptedCall(record, callInput(conversation, record));
  // How a command in the background ends is not known yet.
  if (record.taskId !== undefined) applyTask(conversation, record.taskId);
  else if (toolTraits(record.toolName).runsCommands) applyCommand(conversation, record);
}

function withResult(message: StrataMessage, record: RecordOf<"result">): StrataMessage {
  const { shown, kept = shown, folded = kept, input } = record.forms;
  const output: ToolOutput = { status: record.status, shown, kept, folded, ...defined({ input }) };
  const parts = message.parts.map((part): StrataMessage["parts"][number] =>
    part.type === "dynamic-tool" && part.toolCallId === record.callId && part.state === "input-available"
      ? { ...part, state: "output-available", output }
      : part,
  );
  return { ...message, parts };
}

type ChangeSum = Pick<ChangedFile, "path" | "created" | "added" | "removed">;

export const addedUp = (before: ChangeSum | undefined, { path, created, added, removed }: ChangeSum): ChangeSum => ({
  path,
  created: before?.created ?? created,
  added: (before?.added ?? 0) + added,
  removed: (before?.removed ?? 0) + removed,
});

function applyChanges(conversation: Conversation, record: RecordOf<"result"> | RecordOf<"child">): void {
  for (const change of changesIn(record)) {
    const before = conversation.changed.get(change.uri);
    const sha256 = "stamps" in record ? record.stamps?.[change.uri]?.sha256 : undefined;
    conversation.changed.set(change.uri, {
      uri: change.uri,
      ...addedUp(before, change),
      ...defined({ sha256 }),
      turn: record.turn,
    });
  }
}

function applyReads(conversation: Conversation, record: RecordOf<"result">): void {
  const { messageId, callId, step } = record;
  const handle = toHandle(record.raw?.sha256 ?? "");
  for (const { uri, ...read } of record.reads ?? []) {
    const reads = conversation.reads.get(uri) ?? [];
    conversation.reads.set(uri, [...reads, { ...read, messageId, callId, step, handle }]);
  }
  if (record.restates) conversation.restated.push({ messageId, step, of: record.restates });
}

/** The others do not stand whole any more. */
export function keepReads({ reads }: Conversation, stays: (read: StandingRead) => boolean): void {
  for (const [uri, standing] of reads) {
    const left = standing.filter(stays);
    if (left.length > 0) reads.set(uri, left);
    else reads.delete(uri);
  }
}

export function applyTask(conversation: Conversation, taskId: string): void {
  const number = Number(/^task_(\d{1,9})$/.exec(taskId)?.[1] ?? 0);
  conversation.lastTask = Math.max(conversation.lastTask ?? 0, number);
}

const COMMAND_CHARACTERS = 300;
const LINE_CHARACTERS = 300;

/** What failed is known until the same command succeeds. One that never ran, or that the user stopped, says nothing. */
function applyCommand(conversation: Conversation, record: RecordOf<"result">): void {
  const asked = callInput(conversation, record).command;
  if (typeof asked !== "string") return;
  const command = oneLine(asked, COMMAND_CHARACTERS);
  if (record.status !== "error") {
    if (conversation.failing?.command === command) delete conversation.failing;
    return;
  }
  if (!["TIMEOUT", "IO", "EXIT"].includes(record.error?.code ?? "")) return;
  const line = record.ended?.point;
  conversation.failing = {
    command,
    ended: commandEnding(record),
    ...defined({ line: line && oneLine(line, LINE_CHARACTERS) }),
    turn: record.turn,
  };
}

/** "exit 1", "killed by SIGKILL", "timed out": of a command. Logs of earlier versions have an error alone. */
export function commandEnding({ ended, error, taskId }: Partial<RecordOf<"result">>): string {
  const exitCode = ended?.exitCode ?? /^Exit code (\d+)/.exec(error?.message ?? "")?.[1];
  const signal = ended?.signal ?? /^Killed by (.+?) after /.exec(error?.message ?? "")?.[1];
  if (ended?.by === "limit" || error?.code === "TIMEOUT") return "timed out";
  if (exitCode !== undefined) return `exit ${exitCode}`;
  if (signal !== undefined) return `killed by ${signal}`;
  if (error?.code === "IO") return "could not start";
  return error?.code.toLowerCase() ?? (taskId === undefined ? "not ended" : "in the background");
}

function callInput({ messages }: Conversation, { messageId, callId }: ResultRef): Readonly<Record<string, unknown>> {
  const message = messages.findLast(({ id }) => id === messageId);
  const call = message?.parts.find(part => part.type === "dynamic-tool" && part.toolCallId === callId);
  const input = call?.type === "dynamic-tool" ? call.input : undefined;
  return typeof input === "object" && input !== null ? { ...input } : {};
}

/** The same messages, with these results in their folded form. Those that are not there are passed over. */
export function foldedMessages(messages: readonly StrataMessage[], results: readonly ResultRef[]): StrataMessage[] {
  const folded = new Set(results.map(refKey));
  const ids = new Set(results.map(({ messageId }) => messageId));
  return messages.map(message => (ids.has(message.id) ? withFolded(message, folded) : message));
}

export function ageTurns(conversation: Conversation, { settled = 0, whole = [], brief = [] }: RecordOf<"fold">): void {
  conversation.settled = Math.max(conversation.settled, settled);
  const stay = new Set(whole.map(refKey));
  const lines = new Map(brief.map(({ messageId, text }) => [messageId, text]));
  if (stay.size + lines.size === 0) return;
  conversation.messages = conversation.messages.map(message => {
    const text = lines.get(message.id);
    if (text === undefined) return stay.size > 0 ? withOutputs(message, stay, { isWhole: true }) : message;
    conversation.brief.add(message.metadata?.turn ?? 0);
    return { ...message, parts: [{ type: "data-brief", data: { text } }, ...message.parts] };
  });
}

export function foldResults(conversation: Conversation, results: readonly ResultRef[]): void {
  if (results.length === 0) return;
  const folded = new Set(results.map(refKey));
  conversation.messages = foldedMessages(conversation.messages, results);
  keepReads(conversation, read => !folded.has(refKey(read)));
}

/** @param folded keys of results (`refKey`), of this message and others */
export const withFolded = (message: StrataMessage, folded: ReadonlySet<string>): StrataMessage =>
  withOutputs(message, folded, { isFolded: true });

function withOutputs(
  message: StrataMessage,
  keys: ReadonlySet<string>,
  form: Pick<ToolOutput, "isFolded" | "isWhole">,
): StrataMessage {
  const isMeant = (callId: string) => keys.has(refKey({ messageId: message.id, callId }));
  const parts = message.parts.map((part): StrataMessage["parts"][number] =>
    part.type === "dynamic-tool" && part.state === "output-available" && isMeant(part.toolCallId)
      ? { ...part, output: { ...(part.output as ToolOutput), ...form } }
      : part,
  );
  return { ...message, parts };
}

/** tokens: what counts of tokenizers differ by at most */
const GROWN = 1_000;
/** No tokenizer has so few tokens for a text: a count that was never true says nothing. */
const MIN_RATIO = 0.25;

/** The same count for a request that has grown: what is beyond its server's window was cut off without a word. */
export const isCutCount = ({ lastAnswer, usage }: Conversation, input: number, requestTokens: number): boolean =>
  lastAnswer !== undefined &&
  usage?.input === input &&
  input >= MIN_RATIO * lastAnswer.requestTokens &&
  requestTokens >= lastAnswer.requestTokens + GROWN;

/** Also of a branch that was left. */
export function countChild(conversation: Conversation, record: RecordOf<"child">): void {
  const { id: _, seq, ts, kind: __, ...fields } = record;
  if (record.phase !== "changed" && !conversation.children.has(record.childId))
    conversation.children.set(record.childId, { ...fields, since: seq, startedAt: ts, spent: { input: 0, output: 0 } });
  const child = conversation.children.get(record.childId);
  if (record.phase !== "ended" || !child) return;
  child.ended = record;
  child.spent = addUsage(child.spent, record.usage);
  conversation.spent = addUsage(conversation.spent, record.usage);
}

export function applyChild(conversation: Conversation, record: RecordOf<"child">): void {
  countChild(conversation, record);
  applyChanges(conversation, record);
}
