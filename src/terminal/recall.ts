/** `strata recall`: an output or lines of a session, as they were recorded. Read only. */
import { decodeLog } from "../core/history/codec";
import { HandleError, outputLines, resolveHandle, type SessionLog } from "../core/history/handles";
import { hitLine, MOST_HITS, searchLog } from "../core/history/search";
import type { SessionStorage } from "../core/ports";
import type { RecallCommand } from "./args";
import type { Streams } from "./print";

/** Rejects with StorageError where there is no such session, with HandleError where the handle leads nowhere. */
export async function recall(command: RecallCommand, storage: SessionStorage, streams: Streams): Promise<void> {
  const files = await storage.open(command.session, { readOnly: true });
  try {
    const { records } = decodeLog((await files.read("history.jsonl")) ?? "");
    await print(command, { records, files }, streams);
  } finally {
    await files.close();
  }
}

async function print({ handle, lines, query }: RecallCommand, log: SessionLog, { out, err }: Streams): Promise<void> {
  if (handle === undefined) return search(log, query ?? "", { out, err });
  const { text, ...output } = await resolveHandle(log, handle);
  if (!lines) return out(text);
  const all = outputLines(text);
  if (lines.first > all.length) {
    throw new HandleError(
      "INVALID_INPUT",
      `${output.handle} has ${all.length} lines: there is no line ${lines.first}.`,
    );
  }
  out(`${all.slice(lines.first - 1, lines.last).join("\n")}\n`);
}

async function search(log: SessionLog, query: string, { out, err }: Streams): Promise<void> {
  const { hits, more, missing } = await searchLog(log, query);
  for (const hit of hits) out(`${hitLine(hit)}\n`);
  if (hits.length === 0) err(`Nothing in this session has a line with ${query}.\n`);
  if (more) err(`The newest ${MOST_HITS} are shown; add words to narrow it.\n`);
  if (missing.length > 0) err(`Not searched, their blobs are missing: ${missing.join(", ")}\n`);
}
