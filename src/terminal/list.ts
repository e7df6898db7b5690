/** `strata sessions` and `strata show`: read only, they change nothing. */
import { decodeLog } from "../core/history/codec";
import type { SessionMeta, SessionStorage } from "../core/ports";
import type { LogRecord } from "../shared/records";
import { createPrinter, type Streams } from "./print";

export async function listSessions(storage: SessionStorage, json: boolean, { out }: Streams): Promise<void> {
  const sessions = await storage.list();
  if (json) {
    for (const session of sessions) out(`${JSON.stringify(session)}\n`);
    return;
  }
  if (sessions.length === 0) out("No sessions in this workspace yet.\n");
  for (const session of sessions) out(`${sessionLine(session)}\n`);
}

function sessionLine({ id, title, updated, turns }: SessionMeta): string {
  const when = new Date(updated).toISOString().slice(0, 16).replace("T", " ");
  return `${id}  ${when}  ${turns} ${turns === 1 ? "turn" : "turns"}  ${title || "(empty)"}`;
}

/** Rejects with StorageError where there is no such session. */
export async function showSession(storage: SessionStorage, id: string, json: boolean, streams: Streams): Promise<void> {
  const files = await storage.open(id, { readOnly: true });
  try {
    const { records } = decodeLog((await files.read("history.jsonl")) ?? "");
    if (json) for (const record of records) streams.out(`${JSON.stringify({ type: "record", record })}\n`);
    else printAll(records, streams);
  } finally {
    await files.close();
  }
}

function printAll(records: readonly LogRecord[], { out }: Streams): void {
  // To one stream: here the whole is the answer.
  const print = createPrinter({ out, err: out });
  for (const record of records) {
    if (record.kind === "message") {
      for (const part of record.message.parts) {
        if (part.type !== "text" || !part.text) continue;
        out(record.message.role === "user" ? `\n> ${part.text.replaceAll("\n", "\n> ")}\n\n` : `${part.text}\n`);
      }
    } else {
      print({ type: "record", record });
    }
  }
}
