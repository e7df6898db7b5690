/** Evidence for what an answer says of its work, read off the records: which commands ran, which files changed, what else may have. Pure. */
import { isObject } from "../../shared/isObject";
import type { LogRecord, RecordOf } from "../../shared/records";
import type { CommandEnd } from "../../shared/toolResult";
import { toolTraits } from "../../shared/toolTraits";
import { onBranch } from "./branches";
import { ranCommand } from "./runs";

export interface CommandRun {
  command: string;
  /** number of its result: it ended before that, but for a background task */
  seq: number;
  turn: number;
  callId: string;
  /** `exitCode` absent: it is not known */
  ended: Partial<CommandEnd>;
  /** `none`: it was kept from running */
  ran: "here" | "background" | "none";
}

/** A person's undo is one too. */
export interface FileEdit {
  path: string;
  seq: number;
  turn: number;
}

/** Each list oldest first. */
export interface TurnEvidence {
  /** false: a compaction or a rewind took records away, so more may have been there */
  isWhole: boolean;
  runs: CommandRun[];
  edits: FileEdit[];
  /** numbers of calls that may be a run, or an edit, of anything: of servers, of the editor's tasks and of its problems */
  others: number[];
  /** texts that name files: of acts of the agent, and of looks alone */
  acts: string[];
  looks: string[];
  /** a command printed more than its record shows */
  isCut: boolean;
}

/** @param records of the live log, oldest first; those before the newest compaction are left out */
export function turnEvidence(records: readonly LogRecord[]): TurnEvidence {
  const from = records.findLastIndex(({ kind }) => kind === "compaction") + 1;
  const recent = records.slice(from);
  const isWhole = records[0]?.seq === 1 && from === 0 && onBranch(recent).length === recent.length;
  const found: TurnEvidence = { isWhole, runs: [], edits: [], others: [], acts: [], looks: [], isCut: false };
  const inputs = new Map<string, unknown>();
  for (const record of onBranch(recent)) {
    if (record.kind === "result") takeResult(found, record, inputs.get(record.callId));
    if (record.kind === "message")
      for (const part of record.message.parts)
        if (part.type === "dynamic-tool") inputs.set(part.toolCallId, part.input);
    for (const path of putBack(record)) found.edits.push({ path, seq: record.seq, turn: 0 });
  }
  return found;
}

function putBack(record: LogRecord): readonly string[] {
  if (record.kind === "rewind" && record.phase === "done") return record.paths ?? [];
  const isPut = record.kind === "revert" || (record.kind === "review" && record.action !== "keep");
  return isPut ? [record.path] : [];
}

function takeResult(found: TurnEvidence, record: RecordOf<"result">, input: unknown): void {
  const { toolName, seq, callId, turn, error, changes = [], digest, forms, raw, status, taskId } = record;
  const { rules, runsCommands } = toolTraits(toolName);
  for (const { path } of changes) found.edits.push({ path, seq, turn });
  // A failed edit wrote nothing; one that was refused a person may have made by hand.
  const isLook = /^(?:read|search)Files$/.test(rules) || (rules === "editFiles" && error && error.code !== "DENIED");
  found[isLook ? "looks" : "acts"].push(digest, forms.shown, isLook ? "" : JSON.stringify(input ?? ""));
  if (/:|^(?:RunTask|Diagnostics)$/.test(toolName)) found.others.push(seq);
  if (!runsCommands) return;
  found.isCut ||= raw?.inline === false;
  const command = isObject(input) && typeof input.command === "string" ? input.command : digest;
  const ran = !ranCommand(record) ? "none" : taskId === undefined ? "here" : "background";
  const known = status === "success" && ran === "here" ? { exitCode: 0 } : {};
  found.runs.push({ command, seq, turn, callId, ended: { ...known, ...record.ended }, ran });
}
