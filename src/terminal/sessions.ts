/** What sessions take on disk, and removing them: never without a yes. */

import { type SessionFiles, type SessionMeta, type SessionStorage, StorageError } from "../core/ground/ports";
import { missingForModel } from "../core/log/archives";
import { costReport, sessionUsage } from "../core/log/costs";
import { HandleError, outputLines, resolveHandle, type SessionLog } from "../core/log/handles";
import { becauseWords, decisionWord, readPermissionLog } from "../core/log/permissionLog";
import { readLog, readWholeLog } from "../core/log/readLog";
import { hitLine, MAX_HITS, searchLog } from "../core/log/searchLog";
import { readTurnReport } from "../core/log/turnReport";
import { ViewSearch } from "../core/proof/inView";
import { inViewReport } from "../core/proof/inViewReport";
import { nodeHash } from "../node/system";
import type { PermissionEntry } from "../shared/approval";
import { costAndCache, costText } from "../shared/cost";
import { defined } from "../shared/defined";
import { namesText, sizeText } from "../shared/format";
import { plural, t } from "../shared/l10n";
import type { LogRecord } from "../shared/records";
import { visibleLine } from "../shared/shown";
import type { CommandOf } from "./args";
import { UsageError } from "./argValues";
import { readOneLine } from "./askInput";
import { recordText, type Streams } from "./eventPrinter";
import { EXIT, jsonLine, type Output, printReport } from "./output";

const totalBytes = (usage: readonly { bytes: number }[]): number => usage.reduce((sum, { bytes }) => sum + bytes, 0);

interface RemoveEnvironment {
  storage: SessionStorage;
  streams: Streams;
  /** where a person answers; undefined without one */
  input: NodeJS.ReadableStream | undefined;
  /** where the question is written */
  output: NodeJS.WritableStream;
}

/** Exit code: 1 where one of them was not removed. Rejects with UsageError, and StorageError where one is not there. */
export async function removeSessions(command: CommandOf<"remove">, environment: RemoveEnvironment): Promise<number> {
  const { storage, streams } = environment;
  const found = await describeSessions(command.sessions, storage);
  if (!command.yes) {
    if (!environment.input)
      throw new UsageError(t("Nobody is there to say yes. Remove sessions without a question with --yes."));
    streams.err(found.map(({ line }) => `${line}\n`).join(""));
    if (!(await confirmRemoval(found.length, environment.input, environment.output))) {
      streams.err(t("Nothing was removed.\n"));
      return EXIT.done;
    }
  }
  let code: number = EXIT.done;
  for (const { id } of found) {
    try {
      await storage.remove(id);
      streams.err(t("Removed {0}.\n", id));
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      streams.err(`${id}: ${error.message}\n`);
      code = EXIT.error;
    }
  }
  return code;
}

/** All of them, or none is touched. */
async function describeSessions(
  ids: readonly string[],
  storage: SessionStorage,
): Promise<{ id: string; line: string }[]> {
  const metas = new Map((await storage.list()).map(meta => [meta.id, meta]));
  const sizes = new Map((await storage.usage()).map(({ id, bytes }) => [id, bytes]));
  const missing = ids.filter(id => !metas.has(id) && !sizes.has(id));
  if (missing.length > 0) {
    const text = t(
      "There is no session {0} here. Nothing was removed; strata list shows what is there.",
      namesText(missing),
    );
    throw new StorageError("NOT_FOUND", text);
  }
  return ids.map(id => {
    const meta = metas.get(id);
    return { id, line: meta ? sessionLine(meta, sizes.get(id)) : id };
  });
}

async function confirmRemoval(
  count: number,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  const question = plural(
    count,
    "Permanently delete this session? y = yes, anything else = no: ",
    "Permanently delete these {0} sessions? y = yes, anything else = no: ",
  );
  // Ctrl+D and Ctrl+C are no yes either.
  return /^\s*y(es)?\s*$/i.test((await readOneLine(question, false, { input, output })) ?? "");
}

/** @param bytes undefined: not asked for */
export function sessionLine({ id, title, updated, turns, cost }: SessionMeta, bytes?: number): string {
  // In a session from elsewhere it may be no time at all.
  const when = new Date(Math.abs(updated) < 8e15 ? updated : 0).toISOString().slice(0, 16).replace("T", " ");
  const size = bytes === undefined ? "" : `${sizeText(bytes)}  `;
  const paid = costText({ cost });
  return `${id}  ${when}  ${plural(turns, "1 turn", "{0} turns")}  ${size}${paid ? `${paid}  ` : ""}${visibleLine(title) || t("(empty)")}`;
}

// `strata sessions` and `strata show`: read only, they change nothing.

/**
 * Rejects with StorageError.
 * @param maxBytes of all sessions; more is said where sizes are asked for. 0: no limit
 */
export async function listSessions(
  storage: SessionStorage,
  { json, size }: { json: boolean; size: boolean },
  { out, err }: Streams,
  maxBytes = 0,
): Promise<void> {
  const sessions = await storage.list();
  const usage = size ? await storage.usage() : [];
  const sizes = new Map(usage.map(({ id, bytes }) => [id, bytes]));
  if (sessions.length === 0 && !json) out(t("No sessions in this workspace yet.\n"));
  for (const session of sessions) {
    const bytes = sizes.get(session.id);
    if (json) out(jsonLine({ ...session, ...defined({ bytes }) }));
    else out(`${sessionLine(session, bytes)}\n`);
  }
  if (size && !json && sessions.length > 1) out(t("{0} in all\n", sizeText(totalBytes(usage))));
  const taken = totalBytes(usage);
  if (maxBytes > 0 && taken > maxBytes)
    err(
      t(
        "! The sessions of this workspace take {0}, more than strata.storage.maxBytes ({1}). Nothing is removed automatically.\n",
        ...[sizeText(taken), sizeText(maxBytes)],
      ),
    );
}

/** Rejects with StorageError where there is no such session. */
export function showSession(storage: SessionStorage, id: string, json: boolean, streams: Streams): Promise<void> {
  return withFiles(storage, id, async files => {
    const { records, missing } = await readWholeLog(files);
    if (json) for (const record of records) streams.out(jsonLine({ type: "record", record }));
    else {
      printAll(records, streams);
      const spent = costAndCache(sessionUsage(records));
      if (spent) streams.out(t("\nIn all: {0}\n", spent));
    }
    if (records.length === 0 && !json) streams.err(t("Nothing was said in this session, or its log was emptied.\n"));
    for (const name of missing)
      streams.err(t("! Missing, or not to be read: {0}, with older messages of this session.\n", name));
  });
}

/** `strata show ID --cost`. Rejects with StorageError where there is no such session. */
export function showCost(
  storage: SessionStorage,
  { session, json }: { session: string; json: boolean },
  limits: Parameters<typeof costReport>[1],
  { out }: Streams,
): Promise<void> {
  return withFiles(storage, session, async files => {
    const { records } = await readWholeLog(files);
    if (json) out(jsonLine({ usage: sessionUsage(records), limits }));
    else printReport(costReport(records, limits), { out });
  });
}

/** Opens a session to read, without its lock. */
export async function withFiles<T>(
  storage: SessionStorage,
  id: string,
  use: (files: SessionFiles) => Promise<T>,
): Promise<T> {
  const files = await storage.open(id, { readOnly: true });
  try {
    return await use(files);
  } finally {
    await files.close();
  }
}

function printAll(records: readonly LogRecord[], { out }: Streams): void {
  for (const record of records) {
    if (record.kind === "message") {
      for (const part of record.message.parts) {
        if (part.type !== "text" || !part.text) continue;
        out(record.message.role === "user" ? `\n> ${part.text.replaceAll("\n", "\n> ")}\n\n` : `${part.text}\n`);
      }
    } else {
      const text = recordText(record);
      if (text) out(`${text}\n`);
    }
  }
}

// `strata recall`: an output or lines of a session, as they were recorded. Read only.

/** Rejects with StorageError where there is no such session, with HandleError where the handle leads nowhere. */
export function recall(command: CommandOf<"recall">, storage: SessionStorage, streams: Output): Promise<void> {
  return withFiles(storage, command.session, async files =>
    printRecalled(command, await readLog(files, nodeHash), streams),
  );
}

async function printRecalled(
  { handle, lines, query }: CommandOf<"recall">,
  log: SessionLog,
  { out, err, pour }: Output,
): Promise<void> {
  if (handle === undefined) return search(log, query ?? "", { out, err });
  const { text, ...output } = await resolveHandle(log, handle);
  if (!lines) return pour(text);
  const all = outputLines(text);
  if (lines.first > all.length) {
    throw new HandleError("INVALID_INPUT", t("{0} has no line {1}.", output.handle, lines.first));
  }
  await pour(`${all.slice(lines.first - 1, lines.last).join("\n")}\n`);
}

async function search(log: SessionLog, query: string, { out, err }: Streams): Promise<void> {
  const { hits, isPartial, more, missing, unread } = await searchLog(log, query);
  const unsearched = missingForModel(log.records, unread);
  for (const hit of hits) out(`${hitLine(hit)}\n`);
  if (isPartial && hits.length > 0) err(t("No line has all these words; these have the most of them.\n"));
  if (hits.length === 0) err(t("Nothing in this session has a line with {0}.\n", query));
  if (more) err(t("The newest {0} are shown; add words to narrow it.\n", MAX_HITS));
  if (missing.length > 0) err(t("Not searched, their blobs are missing or damaged: {0}\n", namesText(missing)));
  if (unsearched) err(`${unsearched}\n`);
}

/** `strata explain ID`: what a turn did and why. Rejects with StorageError, and UsageError where there is no such turn. */
export function explainTurn(
  storage: SessionStorage,
  { session, turn }: { session: string; turn?: number },
  { out, err }: Streams,
): Promise<void> {
  return withFiles(storage, session, async files => {
    const { turn: wanted, report, missing } = await readTurnReport(files, turn);
    for (const name of missing)
      err(t("! Missing, or not to be read: {0}, with older messages of this session.\n", name));
    if (report === undefined)
      throw new UsageError(
        wanted === 0 ? t("Nothing was said in this session.") : t("This session has no turn {0}.", wanted),
      );
    out(`${report.title}\n`);
    printReport(report, { out });
  });
}

/** `strata explain ID --rule WORDS`: whether they were in view of the model; "": what was. Rejects as `ViewSearch`. */
export function explainRule(
  storage: SessionStorage,
  { session, json, rule, call, ...target }: CommandOf<"explain"> & { rule: string },
  { out }: Streams,
): Promise<void> {
  return withFiles(storage, session, async files => {
    const sentence = rule.trim() || undefined;
    const search = await ViewSearch.open(files, nodeHash);
    const view = await search.view({ ...target, callId: call }, sentence);
    if (json) out(jsonLine(view));
    else printReport(inViewReport(view, sentence), { out });
  });
}

/**
 * `strata show ID --permissions`: what was asked and decided about a session's calls. Rejects with StorageError where there is
 * no such session.
 */
export function showPermissions(
  storage: SessionStorage,
  id: string,
  json: boolean,
  { out, err }: Streams,
): Promise<void> {
  return withFiles(storage, id, async files => {
    const { entries, broken } = await readPermissionLog(files);
    for (const entry of entries) {
      if (entry.missed && !json) err(t("! Before the next line, {0} could not be written.\n", entry.missed));
      out(json ? jsonLine({ type: "permission", ...entry }) : `${entryLine(entry)}\n`);
    }
    if (entries.length === 0 && !json) err(t("Nothing was asked or decided in this session.\n"));
    if (broken > 0) err(plural(broken, "! 1 line cannot be read.\n", "! {0} lines cannot be read.\n"));
  });
}

function entryLine(entry: PermissionEntry): string {
  const { ts, toolName, title, binds } = entry;
  const time = new Date(ts).toISOString().replace("T", " ").slice(0, 19);
  return visibleLine(
    `${time} ${decisionWord(entry)} ${toolName}: ${title} (${becauseWords(entry)}; sha256 ${binds.slice(0, 12)})`,
  );
}
