/**
 * What an answer announces of its work and does not do, and asserts and the log does not show: checks that pass, files that were written.
 * Sure forms only, English and Chinese: where a word of the sentence leaves a doubt, it says nothing. Pure.
 */
import { isObject } from "../../../shared/isObject";
import type { LogRecord, RecordOf } from "../../../shared/records";
import { ranCommand, toolTraits } from "../../../shared/toolTraits";
import type { TurnClaim } from "../../../shared/turnEnd";
import { codeSpan, oneLine } from "../../ground/text/format";
import { onBranch } from "../../log/branches";
import { changesIn, pathsPutBack } from "../../log/putBacks";
import type { BoundCheck } from "../../permissions/bindings";
import { forms, languages, named, programs, runners, saidWords, sentencesOf, spansIn } from "./sentences";

interface EndedTurn {
  turn: number;
  answer: string;
  /** what the person said in the session: what they ran themselves the log does not show */
  asked: readonly string[];
  /** commands that they want to have run after a turn's last change */
  checks: readonly BoundCheck[];
  records: readonly LogRecord[];
}

// Most answers hold neither, and are asked no more.
const MAY_ASSERT = /pass|succe|green|clean|builds|compiles|\b0\b|`|通过|成功|跑通|全绿/i;
const MAY_ANNOUNCE =
  /\b(?:i'?ll|i will|i'?m|i am|let|going|now|next|first|need to|on it|start|begin|continu|moving|proceed|doing)|\.\.\.|[…:\u4e00-\u9fff]/i;

const isQuestion = (text: string) => /[?？][)"'”]*$/.test(text);

/** What the answer asserts and the log does not show, and bound checks that did not end well after the turn's last change. */
export function claimsIn({ turn, answer, asked, checks, records }: EndedTurn): TurnClaim[] {
  const said = sentencesOf(answer).filter(({ text, lead }) => !isQuestion(text) && !forms.listed.test(lead));
  const sure = said.filter(({ text }) => MAY_ASSERT.test(text) && !forms.doubt.test(text));
  const passing = sure.flatMap(({ text }) => passesIn(text));
  const passes = passing.length > 0 && said.some(({ text }) => forms.disclosed.test(text)) ? [] : passing;
  const paths = sure.flatMap(({ text }) => pathsIn(text));
  if (passes.length + paths.length + checks.length === 0) return [];
  const log = evidenceIn(records);
  const found = new Map<string, TurnClaim>();
  for (const words of passes.length > 0 && asked.some(text => forms.told.test(text)) ? [] : passes)
    for (const kind of kindsSaid(words)) {
      const judged = found.has(kind) ? undefined : judge(words, kind, log);
      if (judged) found.set(kind, judged);
    }
  for (const path of paths) if (isUnwritten(path, log)) found.set(path, { kind: "noSuchFile", words: path });
  return [...found.values(), ...missing(checks, log, turn)];
}

/** The sentence ends with them: "Fixed, and all tests pass". */
function passesIn(text: string): string[] {
  const found: string[] = [];
  for (let rest = text, at = forms.pass.exec(rest); at; at = forms.pass.exec(rest)) {
    found.unshift(at[0].replace(/^\W*(?:and\s+)?(?=[\w`])|^[，,；;：:、]/, ""));
    rest = rest.slice(0, at.index);
  }
  return found;
}

function kindsSaid(words: string): CheckKind[] {
  const commands = spansIn(words).flatMap(kindsOf);
  const bare = words.replace(/`[^`]+`/g, "");
  return checkKinds.filter(kind => named[kind].test(bare) || commands.includes(kind));
}

function judge(text: string, kind: CheckKind, log: TurnEvidence): TurnClaim | undefined {
  const words = saidWords(text);
  const newest = log.runs.findLast(({ kinds }) => kinds.includes(kind));
  const mayHaveRun = (after: number) =>
    log.others.some(seq => seq > after) ||
    log.runs.some(run => run !== newest && run.seq > after && (run.isAny || run.kinds.includes(kind)));
  if (newest === undefined)
    return log.isWhole && log.edits.length > 0 && !mayHaveRun(0) ? { kind: "notRun", words } : undefined;
  const { callId, seq, isBackground, command } = newest;
  if (isBackground || !spansIn(text).every(span => command.includes(span))) return undefined;
  // Another run of the kind that did not fail may be the one it speaks of.
  const since = log.edits.findLast(edit => edit.seq < seq)?.seq ?? 0;
  const isOther = log.runs.some(run => run.seq > since && run.kinds.includes(kind) && run.failed !== kind);
  if (newest.failed === kind && !isOther && !mayHaveRun(seq)) return { kind: "failed", words, callId, seq };
  const later = log.edits.findLast(edit => edit.seq > seq && covers(newest, edit));
  return later && !mayHaveRun(later.seq) ? { kind: "stale", words, callId, seq } : undefined;
}

/** Paths that it says it wrote. */
const pathsIn = (text: string): string[] =>
  forms.own.test(text)
    ? [...text.matchAll(new RegExp(forms.wrote, "gi"))]
        .flatMap(([words]) => spansIn(words))
        .filter(path => forms.path.test(path))
    : [];

function isUnwritten(path: string, { isWhole, others, texts }: TurnEvidence): boolean {
  const name = path.replace(/^.*\//, "").toLowerCase();
  return (
    isWhole && others.length === 0 && texts !== undefined && !texts.some(text => text.toLowerCase().includes(name))
  );
}

function missing(checks: readonly BoundCheck[], { edits, runs }: TurnEvidence, turn: number): TurnClaim[] {
  const last = edits.at(-1);
  if (last === undefined || edits.every(edit => edit.turn !== turn)) return [];
  return checks.flatMap(({ command, ...said }) => {
    const newest = runs.findLast(run => runsCheck(run, command));
    if (newest && newest.seq > last.seq && newest.mayHavePassed) return [];
    const run = newest && { callId: newest.callId, seq: newest.seq };
    return { kind: "check" as const, words: command, ...said, ...run };
  });
}

/**
 * The act that the last sentence announces. Who waits, offers, asks, sets a condition or speaks of another time announces none.
 * @param asked what the person said in the turn
 * @param hasWorked it made calls: else “I'll write them in English” tells how, and not that it does so now
 */
export function promiseIn(answer: string, asked: readonly string[], hasWorked: boolean): string | undefined {
  const said = sentencesOf(answer).filter(({ text }) => !forms.tail.test(text));
  const last = said.at(-1);
  if (last === undefined || last.isItem || forms.introduces.test(last.lead)) return undefined;
  const { text } = last;
  if (!MAY_ANNOUNCE.test(text)) return undefined;
  const isAct = forms.announces.test(text) && (forms.isNow.test(text) || (hasWorked && !forms.later.test(text)));
  if ((!isAct && !forms.promise.test(text)) || forms.honest.test(text)) return undefined;
  const isOpen = said.some(each => isQuestion(each.text)) || said.slice(-3).some(each => forms.waits.test(each.text));
  return isOpen || asked.some(words => forms.noGoOn.test(words)) ? undefined : saidWords(text);
}

const told: Record<TurnClaim["kind"], (claim: TurnClaim) => string> = {
  failed: ({ words }) => `It says “${words}”, but the newest run of that failed.`,
  stale: ({ words }) => `It says “${words}”, but files changed after the newest run of that.`,
  notRun: ({ words }) => `It says “${words}”, but no command of this session ran that.`,
  noSuchFile: ({ words }) => `It says that \`${words}\` was written, but nothing in this session did that.`,
  check: ({ words, sentence, file }) =>
    `${file} says: “${sentence}”. So ${codeSpan(oneLine(words, 300))} has to end with exit code 0 after the turn's last change, and it did not.`,
};

/** For the model. @param promise words with which it announced work */
export function endReminder(promise: string | undefined, claims: readonly TurnClaim[]): string {
  const announced = `It announced work that no call did: “${promise}”. Do it now, or say why not.`;
  const lines = [...(promise === undefined ? [] : [announced]), ...claims.map(claim => told[claim.kind](claim))];
  return `Your last message would end the turn, but:\n${lines.map(line => `- ${line}\n`).join("")}Do what is missing, or correct what you said. You are told this once.`;
}

/** What the records show of an answer's work: which checks ran, by the words of commands alone, which files changed, and what leaves a doubt. Pure. */

const checkKinds = ["tests", "build", "lint", "types"] as const;
type CheckKind = (typeof checkKinds)[number];

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
interface TurnEvidence {
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
function evidenceIn(records: readonly LogRecord[]): TurnEvidence {
  const from = records.findLastIndex(({ kind }) => kind === "compaction") + 1;
  const recent = onBranch(records.slice(from));
  const isWhole = records[0]?.seq === 1 && recent.length === records.length;
  const found: TurnEvidence = { isWhole, runs: [], edits: [], others: [], texts: [] };
  const inputs = new Map<string, unknown>();
  for (const record of recent) {
    if (record.kind === "result" || record.kind === "child")
      for (const { path } of changesIn(record)) found.edits.push({ path, seq: record.seq, turn: record.turn });
    if (record.kind === "result") takeResult(found, record, inputs.get(record.callId));
    // What it ran, after its last edit too, is in its own log.
    if (record.kind === "child") found.others.push(record.seq + 0.5);
    if (record.kind === "message")
      for (const part of record.message.parts)
        if (part.type === "dynamic-tool") inputs.set(part.toolCallId, part.input);
    for (const path of pathsPutBack(record)) found.edits.push({ path, seq: record.seq, turn: 0 });
  }
  return found;
}

function takeResult(found: TurnEvidence, record: RecordOf<"result">, input: unknown): void {
  const { toolName, seq, callId, turn, changes = [], digest, forms: texts, raw, status, taskId, ended } = record;
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
const kindsOf = (command: string): CheckKind[] => programsOf(command).flatMap(kindsIn);

/** Whether a run looked at the file. */
function covers({ command }: CheckRun, { path }: FileEdit): boolean {
  if (path === "") return true;
  const isOther = languages.some(([program, files]) => program.test(command) && !files.test(path));
  const folder = programs.folder.exec(command)?.[1]?.split("/").findLast(Boolean);
  return !isOther && !forms.docs.test(path) && (folder === undefined || path.split("/").includes(folder));
}

/** With arguments of its own it is the bound check, too. */
const runsCheck = ({ command }: CheckRun, check: string): boolean =>
  programsOf(check).every(wanted => programsOf(command).some(part => `${part} `.startsWith(`${wanted} `)));
