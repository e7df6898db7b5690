/**
 * Evidence for what an answer says of its work, read off the records: which commands ran and how they ended, which files changed
 * and when, and what else could have done either. Pure.
 */
import { isObject } from "../../shared/isObject";
import type { LogRecord, RecordOf } from "../../shared/records";
import { toolTraits } from "../../shared/toolTraits";
import { onBranch } from "./branches";
import { ranCommand } from "./runs";

export interface CommandRun {
  command: string;
  /** number of its result: it ended before that; a background task may go on behind it */
  seq: number;
  callId: string;
  /** absent: it is not known, as of a background task, or of one that was ended */
  exit?: number;
  /** of its test runners' own count; absent: they said none */
  failedTests?: number;
  /** it was kept from running */
  isRefused?: true;
  isBackground?: true;
}

export interface FileEdit {
  path: string;
  seq: number;
  turn: number;
}

export interface TurnEvidence {
  /** false: a compaction or a rewind took records away, so what is absent may have been there */
  isWhole: boolean;
  /** oldest first */
  runs: CommandRun[];
  edits: FileEdit[];
  /** calls of servers, of the editor's tasks and of its problems: they may be a run, or an edit, of anything */
  others: { toolName: string; seq: number }[];
  /** texts that name files, by whether an act of the agent or a look gave them */
  acts: string[];
  looks: string[];
  /** an output of a command is longer than what the record shows of it */
  isCut: boolean;
}

/** @param records of the live log, oldest first; those before the newest compaction are left out */
export function turnEvidence(records: readonly LogRecord[]): TurnEvidence {
  const from = records.findLastIndex(({ kind }) => kind === "compaction") + 1;
  const recent = records.slice(from);
  const turned = recent.some(record => record.kind === "rewind" && record.head !== undefined);
  const isWhole = from === 0 && !turned && (records[0]?.seq ?? 1) === 1;
  const found: TurnEvidence = { isWhole, runs: [], edits: [], others: [], acts: [], looks: [], isCut: false };
  const inputs = new Map<string, unknown>();
  let turn = 0;
  for (const record of onBranch(recent)) {
    if (record.kind === "message") {
      turn = record.message.metadata.turn;
      for (const part of record.message.parts)
        if (part.type === "dynamic-tool") inputs.set(part.toolCallId, part.input);
    } else if (record.kind === "result") takeResult(found, record, inputs.get(record.callId));
    else for (const path of putBack(record)) found.edits.push({ path, seq: record.seq, turn });
  }
  return found;
}

/** Files that a person put back, or made again. */
function putBack(record: LogRecord): readonly string[] {
  if (record.kind === "revert") return [record.path];
  if (record.kind === "review") return record.action === "keep" ? [] : [record.path];
  return record.kind === "rewind" && record.phase === "done" ? (record.paths ?? []) : [];
}

const LOOKS = ["readFiles", "searchFiles"];

function takeResult(found: TurnEvidence, record: RecordOf<"result">, input: unknown): void {
  const { toolName, seq, callId, turn, error, changes = [], digest, forms, raw } = record;
  const traits = toolTraits(toolName);
  for (const { path } of changes) found.edits.push({ path, seq, turn });
  const command = isObject(input) && typeof input.command === "string" ? input.command : digest;
  // A failed edit wrote nothing; one that was refused a person may have made by hand.
  const isLook = LOOKS.includes(traits.rules) || (traits.rules === "editFiles" && error && error.code !== "DENIED");
  found[isLook ? "looks" : "acts"].push(digest, forms.shown, isLook ? "" : stringOf(input));
  if (toolName.includes(":") || toolName === "RunTask" || toolName === "Diagnostics")
    found.others.push({ toolName, seq });
  if (!traits.runsCommands) return;
  found.isCut ||= raw?.inline === false;
  const { exitCode, tests } = record.ended ?? {};
  const exit = exitCode ?? (record.status === "success" && record.taskId === undefined ? 0 : undefined);
  found.runs.push({
    ...{ command, seq, callId },
    ...(exit !== undefined && { exit }),
    ...(tests && { failedTests: tests.failed }),
    ...(!ranCommand(record) && { isRefused: true }),
    ...(record.taskId !== undefined && { isBackground: true }),
  });
}

const stringOf = (input: unknown): string => (input === undefined ? "" : JSON.stringify(input));
