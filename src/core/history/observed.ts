/** What results do to the conversation beside their text: files that changed, commands that fail, readings, folding. */
import type { ResultRef } from "../../shared/compaction";
import type { StrataMessage } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";
import { handleOf, oneLine } from "../tools/format";
import { type Conversation, refKey, type ToolOutput } from "./conversation";

export function took(conversation: Conversation, record: RecordOf<"result">): void {
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
  const handle = handleOf(record.raw?.sha256 ?? "");
  for (const { uri, ...read } of record.reads ?? []) {
    const reads = conversation.reads.get(uri) ?? [];
    conversation.reads.set(uri, [...reads, { ...read, messageId, callId, step, handle }]);
  }
  if (record.restates) conversation.restated.set(refKey(record.restates), step);
  if (record.toolName === "Bash") tookCommand(conversation, record);
}

function tookCommand(conversation: Conversation, record: RecordOf<"result">): void {
  const command = commandOf(conversation, record);
  if (command === undefined) return;
  if (record.status === "error") {
    const line = record.error?.message.split("\n").find(text => text.trim() !== "");
    const ended =
      record.error?.code === "EXIT"
        ? (/exit(?: code)? \d+/i.exec(record.digest)?.[0] ?? "failed")
        : (record.error?.code ?? "failed");
    conversation.failing = {
      command: oneLine(command, 300),
      ended,
      ...(line ? { line: oneLine(line, 300) } : {}),
      turn: record.turn,
    };
  } else if (conversation.failing?.command === oneLine(command, 300)) {
    delete conversation.failing;
  }
}

function commandOf({ messages }: Conversation, { messageId, callId }: ResultRef): string | undefined {
  const message = messages.findLast(({ id }) => id === messageId);
  const call = message?.parts.find(part => part.type === "dynamic-tool" && part.toolCallId === callId);
  const input = call?.type === "dynamic-tool" ? call.input : undefined;
  if (typeof input !== "object" || input === null || !("command" in input)) return undefined;
  return typeof input.command === "string" ? input.command : undefined;
}

/** From here on they are sent in their folded form. Those that are not there any more are passed over. */
export function foldResults(conversation: Conversation, results: readonly ResultRef[]): void {
  if (results.length === 0) return;
  const folded = new Set(results.map(refKey));
  const messages = new Set(results.map(({ messageId }) => messageId));
  conversation.messages = conversation.messages.map(message =>
    messages.has(message.id) ? withFolded(message, folded) : message,
  );
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
