/** What the records show of an answer's work: which checks ran, by the words of commands alone, which files changed, and what leaves a doubt. Pure. */
import { isObject } from "../../../shared/isObject";
import type { LogRecord, RecordOf } from "../../../shared/records";
import { ranCommand, toolTraits } from "../../../shared/toolTraits";
import { onBranch } from "../../log/branches";
import { pathsPutBack } from "../../log/putBacks";

import { forms, languages, programs, runners } from "./sentences";

export const checkKinds = ["tests", "build", "lint", "types"] as const;
export type CheckKind = (typeof checkKinds)[number];

interface CheckRun {
  command: string;
  kinds: CheckKind[];
  /** number of its result: it ended before that, but for a background task */
  seq: number;
  callId: string;
  /** By its own exit code, which pipes and `|| true` hide, or the runner's count. Of a background task it is not known. */
  mayHavePassed: boolean;
  /** The last of a chain with `&&`. Of pipes and other chains only the runner's count tells. */
  failed: CheckKind | undefined;
  isBackground: boolean;
  /** a script: it may have been a check of another kind too */
  isAny: boolean;
}

/** Of a person's undo, too. */
interface FileEdit {
  /** "": of a command, by its words */
  path: string;
  seq: number;
  turn: number;
}

/** Each list oldest first. */
export interface TurnEvidence {
  /** false: a compaction or a rewind took records away, so more may have been there */
  isWhole: boolean;
  runs: CheckRun[];
  edits: FileEdit[];
  /** numbers of calls that may be a run, or an edit, of anything: of servers, of the editor's tasks and of its problems */
  others: number[];
  /** what calls said and showed; absent: a command may have written more */
  texts: string[] | undefined;
}

/** @param records of the live log, oldest first; those before the newest compaction are left out */
export function evidenceIn(records: readonly LogRecord[]): TurnEvidence {
  const from = records.findLastIndex(({ kind }) => kind === "compaction") + 1;
  const recent = onBranch(records.slice(from));
  const isWhole = records[0]?.seq === 1 && recent.length === records.length;
  const found: TurnEvidence = { isWhole, runs: [], edits: [], others: [], texts: [] };
  const inputs = new Map<string, unknown>();
  for (const record of recent) {
    if (record.kind === "result") takeResult(found, record, inputs.get(record.callId));
    if (record.kind === "message")
      for (const part of record.message.parts)
        if (part.type === "dynamic-tool") inputs.set(part.toolCallId, part.input);
    for (const path of pathsPutBack(record)) found.edits.push({ path, seq: record.seq, turn: 0 });
  }
  return found;
}

function takeResult(found: TurnEvidence, record: RecordOf<"result">, input: unknown): void {
  const { toolName, seq, callId, turn, changes = [], digest, forms: texts, raw, status, taskId, ended } = record;
  for (const { path } of changes) found.edits.push({ path, seq, turn });
  found.texts?.push(digest, texts.shown, JSON.stringify(input ?? ""), ...changes.map(({ path }) => path));
  const isCommand = toolTraits(toolName).runsCommands;
  // What was kept from running a person may have run by hand.
  if (/:|^(?:RunTask|Diagnostics)$/.test(toolName) || (isCommand && !ranCommand(record))) found.others.push(seq);
  else if (isCommand) {
    const command = isObject(input) && typeof input.command === "string" ? input.command : digest;
    const exitCode = taskId ? undefined : (ended?.exitCode ?? (status === "success" ? 0 : undefined));
    const parts = programsOf(command);
    const kinds = [...new Set(parts.flatMap(kindsIn))];
    const acts = parts.filter(part => kindsIn(part).length === 0 && !programs.looks.test(part));
    const isChain = /[|;\n!]|&\s*$|\$\(/.test(command.trim());
    const counted = ended?.tests?.failed;
    const failed = exitCode && !isChain && counted === undefined ? kindsIn(parts.at(-1) ?? "")[0] : undefined;
    const isAny = kinds.length > 0 && (programs.scripts.test(command) || /build|types/.test(kinds.join()));
    found.runs.push({
      ...{ command, kinds, seq, callId, isBackground: taskId !== undefined },
      mayHavePassed: taskId !== undefined || (exitCode === 0 && (!isChain || counted === 0)),
      failed: counted ? "tests" : failed,
      isAny: isAny || acts.some(part => !programs.harmless.test(part)),
    });
    const redirects = />/.test(command.replace(/\d?>&\d|>\s*\/dev\/null/g, ""));
    if (acts.length > 0 || redirects || kinds.includes("build") || raw?.inline === false) found.texts = undefined;
    if (exitCode === 0 && programs.writes.test(command) && forms.source.test(command))
      found.edits.push({ path: "", seq, turn });
  }
}

const programsOf = (command: string): string[] =>
  command
    .split(/&&|\|\|?|;|\n|&(?!\d|>)/)
    .map(part => part.replace(programs.starters, "").replace(/\s+/g, " ").trim())
    .filter(part => part !== "" && !part.startsWith("#"));
const kindsIn = (program: string): CheckKind[] =>
  programs.noRun.test(program) ? [] : checkKinds.filter(kind => runners[kind].test(program));
export const kindsOf = (command: string): CheckKind[] => programsOf(command).flatMap(kindsIn);

/** Whether a run looked at the file. */
export function covers({ command }: CheckRun, { path }: FileEdit): boolean {
  if (path === "") return true;
  const isOther = languages.some(([program, files]) => program.test(command) && !files.test(path));
  const folder = programs.folder.exec(command)?.[1]?.split("/").findLast(Boolean);
  return !isOther && !forms.docs.test(path) && (folder === undefined || path.split("/").includes(folder));
}

/** With arguments of its own it is the bound check, too. */
export const runsCheck = ({ command }: CheckRun, check: string): boolean =>
  programsOf(check).every(wanted => programsOf(command).some(part => `${part} `.startsWith(`${wanted} `)));
