/** `strata recall`: an output or lines of a session, as they were recorded. Read only. */

import { HandleError, outputLines, resolveHandle, type SessionLog } from "../core/history/handles";
import { unsearchedText } from "../core/history/missingArchives";
import { readLog } from "../core/history/readLog";
import { hitLine, MAX_HITS, searchLog } from "../core/history/searchLog";
import type { Hash, SessionStorage } from "../core/ports";
import type { RecallCommand } from "./args";
import type { Streams } from "./eventPrinter";

/** Rejects with StorageError where there is no such session, with HandleError where the handle leads nowhere. */
export async function recall(
  command: RecallCommand,
  storage: SessionStorage,
  hash: Hash,
  streams: Streams,
): Promise<void> {
  const files = await storage.open(command.session, { readOnly: true });
  try {
    await print(command, await readLog(files, hash), streams);
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
  const found = await searchLog(log, query);
  const { hits, more, missing } = found;
  const unsearched = unsearchedText(log.records, found);
  for (const hit of hits) out(`${hitLine(hit)}\n`);
  if (hits.length === 0) err(`Nothing in this session has a line with ${query}.\n`);
  if (more) err(`The newest ${MAX_HITS} are shown; add words to narrow it.\n`);
  if (missing.length > 0) err(`Not searched, their blobs are missing or damaged: ${missing.join(", ")}\n`);
  if (unsearched) err(`${unsearched}\n`);
}
