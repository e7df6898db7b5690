/** What results do to the conversation beside their text: files that changed, commands that fail, readings, folding. */
import type { ResultRef } from "../../shared/compaction";
import type { StrataMessage } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import { oneLine, toHandle } from "../text/format";
import { lineRank } from "../text/notableLines";
import { type Conversation, refKey, type ToolOutput } from "./conversation";

export function applyResult(conversation: Conversation, record: RecordOf<"result">): void {
  const { messageId, callId, step } = record;
  for (const change of record.changes ?? []) {
    const before = conversation.changed.get(change.uri);
    const sha256 = record.stamps?.[change.uri]?.sha256;
    conversation.changed.set(change.uri, {
      uri: change.uri,
      path: change.path,
      created: before?.created ?? change.created,
      added: (before?.added ?? 0) + change.added,
      removed: (before?.removed ?? 0) + change.removed,
      ...(sha256 === undefined ? {} : { sha256 }),
      turn: record.turn,
    });
  }
  const handle = toHandle(record.raw?.sha256 ?? "");
  for (const { uri, ...read } of record.reads ?? []) {
    const reads = conversation.reads.get(uri) ?? [];
    conversation.reads.set(uri, [...reads, { ...read, messageId, callId, step, handle }]);
  }
  if (record.restates) conversation.restated.set(refKey(record.restates), step);
  if (record.error?.code === "INTERRUPTED") applyInterruption(conversation, record);
  // How the command ends is not known yet.
  if (record.taskId !== undefined) applyTask(conversation, record.taskId);
  else if (record.toolName === "Bash") applyCommand(conversation, record);
}

function applyTask(conversation: Conversation, taskId: string): void {
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
  const ended = howItEnded(record);
  if (ended === undefined) return;
  const line = errorLine(record.forms.shown);
  conversation.failing = { command, ended, ...(line === undefined ? {} : { line }), turn: record.turn };
}

/** "exit 1", "killed by SIGKILL", "timed out after 2 min 0 s", from what tools/bash.ts says; undefined: it did not fail. */
function howItEnded({ error }: RecordOf<"result">): string | undefined {
  if (error?.code === "TIMEOUT") {
    const limit = /^Ended after the limit of (.+?)\. /.exec(error.message)?.[1];
    return limit === undefined ? "timed out" : `timed out after ${limit}`;
  }
  if (error?.code === "IO") return "the shell could not start";
  if (error?.code !== "EXIT") return undefined;
  const exit = /^Exit code (\d+)/.exec(error.message)?.[1];
  if (exit !== undefined) return `exit ${exit}`;
  const signal = /^Killed by (.+?) after /.exec(error.message)?.[1];
  return signal === undefined ? "failed" : `killed by ${signal}`;
}

/**
 * The first of the weightiest lines of what was shown (its own first line says how the command ended); where none is
 * notable, the last one that the command printed.
 */
function errorLine(shown: string): string | undefined {
  const lines = shown.split("\n").slice(1).flatMap(printed);
  let best: { rank: number; text: string } | undefined;
  for (const text of lines) {
    const rank = lineRank(text);
    if (rank !== undefined && rank < (best?.rank ?? Number.POSITIVE_INFINITY)) best = { rank, text };
  }
  const line = best?.text ?? lines.at(-1);
  return line === undefined ? undefined : oneLine(line, LINE_CHARACTERS);
}

/** Without the marks that OutputDigest puts before a line, and without its own lines. */
function printed(line: string): string[] {
  if (/^… (?:the end:|[\d,]+ (?:of [\d,]+ notable|lines? left out))/.test(line)) return [];
  if (/^\((?:no output\)|Repeated or repainted lines|[\d,]+ lines?[ ,].*character)/.test(line)) return [];
  if (
    /^(?:The working directory is now|Of the output, the first|The complete output could|Processes that the command|Saved before the command|Not saved: .* in the editor that the command did not see|Files read before that|What changed in files read before could not|Files with unsaved changes)/.test(
      line,
    )
  ) {
    return [];
  }
  const text = line.replace(/^(?:\[stderr\] |\d+: (?=\S))/, "");
  return text.trim() === "" ? [] : [text];
}

function applyInterruption(conversation: Conversation, record: RecordOf<"result">): void {
  const input = callInput(conversation, record);
  const what = [input.command, input.file_path, input.path, input.pattern].find(value => typeof value === "string");
  conversation.interrupted = {
    toolName: record.toolName,
    what: oneLine(what ?? "", COMMAND_CHARACTERS),
    turn: record.turn,
  };
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

/** From here on they are sent in their folded form. */
export function foldResults(conversation: Conversation, results: readonly ResultRef[]): void {
  if (results.length === 0) return;
  const folded = new Set(results.map(refKey));
  conversation.messages = foldedMessages(conversation.messages, results);
  for (const [uri, reads] of conversation.reads) {
    conversation.reads.set(
      uri,
      reads.filter(read => !folded.has(refKey(read))),
    );
  }
}

/** @param folded keys of results (`refKey`), of this message and others */
export function withFolded(message: StrataMessage, folded: ReadonlySet<string>): StrataMessage {
  const parts = message.parts.map((part): StrataMessage["parts"][number] => {
    if (part.type !== "dynamic-tool" || part.state !== "output-available") return part;
    if (!folded.has(refKey({ messageId: message.id, callId: part.toolCallId }))) return part;
    return { ...part, output: { ...(part.output as ToolOutput), isFolded: true } };
  });
  return { ...message, parts };
}
