/** `strata sessions` and `strata show`: read only, they change nothing. */
import { readWholeLog } from "../core/history/readLog";
import type { SessionStorage } from "../core/ports";
import type { LogRecord } from "../shared/records";
import type { SessionsCommand } from "./args";
import { createPrinter, type Streams } from "./eventPrinter";
import { overLimit, sessionLine, sizeText, totalBytes } from "./storage";
import { stripControls } from "./stripControls";

/**
 * Rejects with StorageError.
 * @param maxBytes of all sessions; more is said where sizes are asked for. 0: no limit
 */
export async function listSessions(
  storage: SessionStorage,
  { json, size }: Pick<SessionsCommand, "json" | "size">,
  { out, err }: Streams,
  maxBytes = 0,
): Promise<void> {
  const sessions = await storage.list();
  const usage = size ? await storage.usage() : [];
  const sizes = new Map(usage.map(({ id, bytes }) => [id, bytes]));
  if (sessions.length === 0 && !json) out("No sessions in this workspace yet.\n");
  for (const session of sessions) {
    const bytes = sizes.get(session.id);
    if (json) out(`${JSON.stringify({ ...session, ...(bytes === undefined ? {} : { bytes }) })}\n`);
    else out(`${sessionLine(session, bytes)}\n`);
  }
  if (size && !json && sessions.length > 1) out(`${sizeText(totalBytes(usage))} in all\n`);
  const warning = overLimit(sessions, usage, maxBytes);
  if (warning) err(`! ${warning}\n`);
}

/** Rejects with StorageError where there is no such session. */
export async function showSession(storage: SessionStorage, id: string, json: boolean, streams: Streams): Promise<void> {
  const files = await storage.open(id, { readOnly: true });
  try {
    const { records, missing } = await readWholeLog(files);
    if (json) for (const record of records) streams.out(`${JSON.stringify({ type: "record", record })}\n`);
    else printAll(records, streams);
    if (records.length === 0 && !json) streams.err("Nothing was said in this session, or its log was emptied.\n");
    for (const name of missing)
      streams.err(`! Missing, or not to be read: ${name}, with older messages of this session.\n`);
  } finally {
    await files.close();
  }
}

function printAll(records: readonly LogRecord[], { out }: Streams): void {
  // To one stream: here the whole is the answer.
  const print = createPrinter({ out, err: text => out(stripControls(text)) });
  for (const record of records) {
    if (record.kind === "message") {
      for (const part of record.message.parts) {
        if (part.type !== "text" || !part.text) continue;
        const text = stripControls(part.text);
        out(record.message.role === "user" ? `\n> ${text.replaceAll("\n", "\n> ")}\n\n` : `${text}\n`);
      }
    } else {
      print({ type: "record", record });
    }
  }
}
