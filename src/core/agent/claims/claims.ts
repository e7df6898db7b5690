/**
 * What an answer asserts of its work and the log does not show: checks that pass, files that were written. Sure forms only, English
 * and Chinese: where a word of the sentence leaves a doubt, it asserts nothing. Pure.
 */
import type { TurnClaim } from "../../../shared/turnEnd";
import type { FileEdit, TurnEvidence } from "../../log/turnEvidence";
import { type CheckKind, type CheckRun, checkKinds, checkRun, covers, kindsOf, runsCheck } from "./checkRuns";
import { every, forms, named, programs } from "./forms";
import { type Sentence, saidWords, sentencesOf, spansIn } from "./prose";

/** A command that a person wants to have run after a turn's last change. */
export interface BoundCheck {
  command: string;
  /** of a rules file, and the file that it is in */
  sentence: string;
  file: string;
}

interface CheckClaim {
  kinds: CheckKind[];
  words: string;
  isWhole: boolean;
}

/**
 * @param evidence asked for where the answer asserts something
 * @param asked what the person said in the session: what they ran themselves the log does not show
 */
export function falseClaims(answer: string, evidence: () => TurnEvidence, asked: readonly string[]): TurnClaim[] {
  const sentences = sentencesOf(answer).filter(({ text, lead }) => !/[?？]$/.test(text) && !forms.listed.test(lead));
  const prose = sentences.map(({ text }) => text).join(" ");
  let read: ReadLog | undefined;
  const log = () => (read ??= readLog(evidence()));
  // What they say of a run with the newest message is newer than all runs before it.
  const told = (kind: CheckKind, claim: TurnClaim) =>
    (claim.kind === "notRun" ? asked : asked.slice(-1)).flatMap(statements).some(text => {
      return named[kind].test(text) && forms.told.test(text.replace(every.wished, ""));
    });
  const found = new Map<string, TurnClaim>();
  for (const [at, sentence] of sentences.entries()) {
    const goesOn = sentences.slice(at + 1).some(({ text }) => forms.goesOn.test(text));
    for (const claim of forms.disclosed.test(prose) ? [] : checkClaims(sentence, goesOn))
      for (const kind of claim.kinds) {
        const judged = judge(claim, kind, log(), forms.admitted.test(prose));
        if (judged && !told(kind, judged) && !found.has(kind)) found.set(kind, judged);
      }
    for (const path of unwritten(sentence, log)) found.set(path, { kind: "noSuchFile", words: path });
  }
  return [...found.values()];
}

const statements = (text: string) => text.split(/(?<=[.!?。？\n])/).filter(part => !/[?？]\s*$/.test(part));

/** Bound checks that did not end well after the turn's last change. */
export function missingChecks(checks: readonly BoundCheck[], evidence: () => TurnEvidence, turn: number): TurnClaim[] {
  if (checks.length === 0) return [];
  const { edits, runs } = readLog(evidence());
  const last = edits.at(-1);
  if (last === undefined || edits.every(edit => edit.turn !== turn)) return [];
  return checks.flatMap(({ command, ...said }) => {
    const newest = runs.findLast(run => runsCheck(run, command) && run.ran !== "none");
    const { exitCode = 0 } = newest?.ended ?? {};
    if (newest && newest.seq > last.seq && exitCode === 0) return [];
    const run = newest && { callId: newest.callId, seq: newest.seq };
    return { kind: "check" as const, words: command, ...said, ...run };
  });
}

interface ReadLog extends Omit<TurnEvidence, "runs"> {
  runs: CheckRun[];
}

/** What commands changed, by their words, is among the edits. */
function readLog(evidence: TurnEvidence): ReadLog {
  const runs = evidence.runs.map(checkRun);
  const written = runs.filter(({ edits }) => edits).map(({ seq, turn }): FileEdit => ({ path: "", seq, turn }));
  return { ...evidence, runs, edits: [...evidence.edits, ...written].sort((a, b) => a.seq - b.seq) };
}

function checkClaims({ text: written }: Sentence, goesOn: boolean): CheckClaim[] {
  const text = written.replace(forms.ran, "$1").replace(every.builds, "the build passes");
  const english = [...text.matchAll(every.pass)].flatMap(({ 0: whole, 1: subject = "", 2: verb = "", index }) => {
    const end = index + whole.length;
    const isPast = /ed$|^(?:was|were|ran|came|completed|finished|exited)\b/i.test(verb);
    const rest = text.slice(end);
    const isDoubted = forms.doubt.test(text.slice(0, end)) || forms.laterDoubt.test(rest);
    const isAside = /^[:：]/.test(whole) && !forms.introduced.test(text.slice(0, index + 1));
    // Of tests, and in "clean and simple", it only says that they are tidy.
    const isTidy = /clean/i.test(verb) && (named.tests.test(subject) || /^\s+and\b/.test(rest));
    if (isDoubted || isAside || isTidy || (isPast && goesOn)) return [];
    return [{ subject, words: whole.replace(/^\W*(?:and\s+)?(?=[\w`])/, "") }];
  });
  const [whole = "", subject = ""] = forms.zhPass.exec(text) ?? [];
  const end = text.indexOf(whole) + whole.length;
  const isSure = whole !== "" && !forms.zhDoubt.test(text.slice(0, end)) && !forms.zhLaterDoubt.test(text.slice(end));
  return [...english, ...(isSure ? [{ subject, words: text }] : [])].map(claim => {
    const commands = spansIn(claim.subject).flatMap(kindsOf);
    const bare = claim.subject.replace(/`[^`]+`/g, "");
    const kinds = checkKinds.filter(kind => named[kind].test(bare) || commands.includes(kind));
    const words = saidWords(text === written ? claim.words : written);
    return { kinds, words, isWhole: claim.subject.replace(every.whole, "") === "" };
  });
}

/** A script may have run it too, and of a build or a type check every other check. */
function couldBe({ command, isUnknown, kinds, ran }: CheckRun, kind: CheckKind): boolean {
  if (isUnknown || ran === "none" || kinds.includes(kind)) return true;
  return kinds.length > 0 && (kind === "build" || kind === "types" || programs.scripts.test(command));
}

function judge({ words, isWhole }: CheckClaim, kind: CheckKind, log: ReadLog, admits: boolean): TurnClaim | undefined {
  const newest = log.runs.findLast(run => run.kinds.includes(kind) && run.ran !== "none");
  const mayHaveRun = (after: number) =>
    log.others.some(seq => seq > after) ||
    log.runs.some(run => run !== newest && run.seq > after && couldBe(run, kind));
  if (newest === undefined)
    return isWhole && log.isWhole && log.edits.length > 0 && !mayHaveRun(0) ? { kind: "notRun", words } : undefined;
  const { callId, seq } = newest;
  if (newest.passed[kind] === false && isWhole && !admits && !mayHaveRun(seq))
    return { kind: "failed", words, callId, seq };
  const later = log.edits.findLast(edit => edit.seq > seq && covers(newest, edit));
  return later && newest.ran === "here" && !mayHaveRun(later.seq) ? { kind: "stale", words, callId, seq } : undefined;
}

/** Paths that it says it wrote, of which the log knows nothing. */
function unwritten({ text }: Sentence, readLog: () => ReadLog): string[] {
  const [whole = "", own, paths = "", zhOwn = "", zhPath = ""] = forms.fileClaim.exec(text) ?? [];
  const rest = text.replace(whole, "");
  if (whole === "" || forms.doubt.test(rest) || forms.laterDoubt.test(text) || forms.zhDoubt.test(rest)) return [];
  const log = readLog();
  // What else ran may have written it.
  if (!log.isWhole || log.isCut || log.others.length > 0 || log.runs.some(({ acts }) => acts)) return [];
  const isFirstPerson = own !== undefined || zhOwn.startsWith("我");
  const texts = [...log.edits.map(({ path }) => path), ...log.acts, ...(isFirstPerson ? [] : log.looks)];
  const isKnown = (path: string) =>
    texts.some(each => each.toLowerCase().includes(path.replace(/^.*\//, "").toLowerCase()));
  return spansIn(paths || zhPath).filter(path => forms.path.test(path) && !isKnown(path));
}

// A promise: an answer that ends with the announcement of an act of its own. Who waits, offers, asks, sets a condition or speaks of
// another time promises nothing.

/** @param asked what the person said in the turn. @returns the words that announce an act; undefined: the end is an honest one */
export function promiseIn(answer: string, asked: readonly string[]): string | undefined {
  if (asked.some(words => forms.noGoOn.test(words) || forms.zhNoGoOn.test(words))) return undefined;
  const all = sentencesOf(answer);
  if (all.some(({ text }) => /[?？][)"'”]*$/.test(text))) return undefined;
  const said = all.filter(({ text }) => !forms.tail.test(text));
  const last = said.at(-1);
  if (last === undefined) return undefined;
  const sentence = last.isItem ? leadOf(said) : last;
  if (sentence === undefined || sentence.isItem || forms.introduces.test(sentence.lead)) return undefined;
  const paragraph = said.filter(each => each.paragraph === sentence.paragraph);
  if (paragraph.some(({ text }) => forms.waits.test(text))) return undefined;
  return announces(sentence.text) ? saidWords(sentence.text) : undefined;
}

/** The line that introduces a list at the end: only one that says "now" announces its items. */
function leadOf(said: readonly Sentence[]): Sentence | undefined {
  const before = said.findLast(({ isItem }) => !isItem);
  return before !== undefined && /[:：]$/.test(before.text) && /\bnow\b|现在|马上|这就/i.test(before.text)
    ? before
    : undefined;
}

function announces(text: string): boolean {
  const plain = text.replace(every.noCondition, "");
  const isHonest =
    [forms.honest, forms.imperative, forms.zhHonest].some(form => form.test(plain)) ||
    forms.you.test(plain.replace(every.harmlessYou, ""));
  return (
    !isHonest &&
    (forms.promise.test(text) || forms.zhPromise.test(text) || (forms.underWay.test(text) && !forms.states.test(text)))
  );
}

/** For the model. @param promise words with which it announced work */
export function endReminder(promise: string | undefined, claims: readonly TurnClaim[]): string {
  const announced = `- It announced work that no call did: “${promise}”. Do it now, or say why not.`;
  const lines = [...(promise === undefined ? [] : [announced]), ...claims.map(claim => `- ${told(claim)}`)];
  return `Your last message would end the turn, but:\n${lines.join("\n")}\nDo what is missing, or correct what you said. You are told this once.`;
}

function told({ kind, words, sentence, file }: TurnClaim): string {
  if (kind === "failed") return `It says “${words}”, but the newest run of that failed.`;
  if (kind === "stale") return `It says “${words}”, but files changed after the newest run of that.`;
  if (kind === "notRun") return `It says “${words}”, but no command of this session ran that.`;
  if (kind === "noSuchFile") return `It says that \`${words}\` was written, but nothing in this session did that.`;
  return `The user wants \`${words}\` to end with exit code 0 after the turn's last change (${file}: “${sentence}”), and it did not.`;
}
