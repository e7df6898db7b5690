/** What the records say of a run: when files changed last, which commands ran after that, what a person decided, who answered. Pure. */
import { isObject } from "../../shared/isObject";
import type { ProofFacts } from "../../shared/proofFile";
import type { LogRecord } from "../../shared/records";
import type { LastCommand } from "../../shared/runResult";
import { ranCommand, toolTraits } from "../../shared/toolTraits";
import { resultsOfCommands } from "../changes/timeline/timeline";
import type { Hash } from "../ground/ports";
import { changesIn, pathsPutBack } from "../log/putBacks";

/**
 * Oldest first; none that runs in the background, or began before the edit was over. A command that changed files, or of which that
 * is not known, is an edit itself: it may have done so after it looked.
 * @param records all of the session, oldest first: those on branches that were left changed files too
 */
export function commandsAfterLastEdit(records: readonly LogRecord[]): LastCommand[] {
  const last = lastEdit(records);
  const since = records.find(({ seq }) => seq === last)?.ts ?? 0;
  const inputs = new Map<string, unknown>();
  return records.flatMap(record => {
    if (record.kind === "message")
      for (const part of record.message.parts)
        if (part.type === "dynamic-tool") inputs.set(part.toolCallId, part.input);
    if (record.kind !== "result" || record.seq <= last || !ranCommand(record) || record.taskId) return [];
    const { callId, digest, ended, status, raw, seq, ts, durationMs } = record;
    if (ts - durationMs < since) return [];
    const input = inputs.get(callId);
    const command = isObject(input) && typeof input.command === "string" ? input.command : digest;
    const exit = ended?.exitCode ?? (status === "success" && !ended?.signal ? 0 : null);
    return [{ command, exit, output: raw?.sha256 ?? "", seq }];
  });
}

/** With the texts of commands. @param records as above */
export function proofFacts(records: readonly LogRecord[], hash: Hash): ProofFacts {
  const commands = commandsAfterLastEdit(records).map(ran => ({
    ...ran,
    command: hash.sha256(ran.command),
    text: ran.command,
  }));
  const decisions = records.flatMap(record => {
    if (record.kind !== "approval" || record.answer?.by !== "user") return [];
    const { seq, action, answer } = record;
    const { decision, scope, seen } = answer;
    const { callId, toolName: tool, binds } = action;
    return [{ seq, callId, tool, decision, scope, ...(seen && { seen }), binds }];
  });
  const models = records.flatMap(record =>
    record.kind === "message" && record.message.role === "assistant" ? (record.message.metadata.model ?? []) : [],
  );
  return { lastEdit: lastEdit(records), commands, decisions, models: [...new Set(models)] };
}

/** Number of the record by which files changed last, or may have where a crash came; of a command its result's. 0: none did. */
function lastEdit(records: readonly LogRecord[]): number {
  const resultOf = resultsOfCommands(records);
  const looked = new Set(records.flatMap(record => (record.kind === "commandFiles" ? [resultOf(record)] : [])));
  const places = records.map(record => {
    if (record.kind === "commandFiles")
      return record.files > 0 || record.gaps.length > 0 ? (resultOf(record) ?? record.seq) : 0;
    const isUnknown = record.kind === "result" && record.watched === true && !looked.has(record.seq);
    return isUnknown || changesFiles(record) ? record.seq : 0;
  });
  return places.reduce((last, seq) => Math.max(last, seq), 0);
}

function changesFiles(record: LogRecord): boolean {
  if (record.kind === "intent") return record.phase === "begun";
  if (changesIn(record).length > 0 || pathsPutBack(record).length > 0) return true;
  if (record.kind === "child") return record.reason === "interrupted";
  if (record.kind !== "result") return false;
  const { rules, runsCommands } = toolTraits(record.toolName);
  return record.error?.code === "INTERRUPTED" && (rules === "editFiles" || runsCommands === true);
}
