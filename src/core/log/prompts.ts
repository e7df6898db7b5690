/** What the person asked, message by message: for those who look for a place in the conversation. */
import type { LogRecord, RecordOf } from "../../shared/records";
import { isWithin, leftBranches } from "./branches";
import type { SessionLog } from "./handles";

interface Prompt {
  /** of the message, and of the item that shows it */
  key: string;
  seq: number;
  turn: number;
  ts: number;
  text: string;
}

const isPrompt = (record: LogRecord): record is RecordOf<"message"> =>
  record.kind === "message" &&
  record.message.role === "user" &&
  (record.message.metadata.kind === "normal" || record.message.metadata.kind === "steer");

/** Of the branch that is shown, from archives too, oldest first. Rejects with StorageError. */
export async function listPrompts(log: SessionLog): Promise<{ prompts: Prompt[]; missing: string[] }> {
  const missing = new Set<string>();
  const found = new Map(log.records.filter(isPrompt).map(record => [record.id, record]));
  for await (const record of log.archived?.records(missing, text => text.includes('"role":"user"')) ?? []) {
    if (isPrompt(record)) found.set(record.id, record);
  }
  const left = leftBranches(log.records);
  const shown = [...found.values()].filter(({ seq }) => !isWithin(left, seq)).sort((a, b) => a.seq - b.seq);
  return { prompts: shown.map(toPrompt), missing: [...missing] };
}

function toPrompt({ seq, ts, message: { id, parts, metadata } }: RecordOf<"message">): Prompt {
  const text = parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join(" ");
  return { key: id, seq, turn: metadata.turn, ts, text };
}
