/** May a command run? Each program in it counts: the strictest word wins, and none is lost among many. */

import { t } from "../../shared/l10n";
import type { FileRef } from "../ground/ports";
import type { CommandFacts } from "./commandFacts";
import { isGranted } from "./grants";
import type { CommandFact } from "./plain/commandReading";
import {
  isAboutFiles,
  matchesCommand,
  matchesFile,
  mayHold,
  mayLieIn,
  mayStart,
  namesCall,
  namesIn,
  namesOption,
  type Rule,
} from "./rules";
import type { Action, PolicyState, Question, Verdict } from "./verdict";
import { byRule, deniedBy, protectedQuestion, ruleSentence, secretQuestion, withSentence } from "./verdict";

/** undefined: nothing is known of what it does, so that mode and rules for the tool decide. */
export function decideCommand(action: Action, state: PolicyState): Verdict | undefined {
  const { command } = action;
  if (command === undefined) return undefined;
  const rules = state.rules.filter(rule => namesCall(rule, action));
  const forbidding = readable("deny", rules);
  const denied =
    firstMatch(forbidding, command, "yes") ??
    forbidding.find(rule => mayBeStarted(rule, command)) ??
    fileRule("deny", command, state.rules);
  if (denied) return deniedBy(denied);
  const runsAll = state.mode === "auto" && state.runEverything;
  const confined = action.confined !== undefined && (state.mode === "auto" || state.mode === "edits");
  const question =
    ruleQuestion(rules, command, state.rules) ??
    deniedWithin(command, state.rules) ??
    protectedQuestion(action, state, confined || runsAll) ??
    secretQuestion(action);
  if (question) return question;
  const hides = hidesWhatIsDenied(forbidding, command, state.rules);
  if (runsAll && !hides) return { decision: "allow", by: "mode" };
  // Allowed commands run outside the sandbox, so the protected files skipped above are checked here.
  const verdict = protectedQuestion(action, state) ?? byRules(command, rules, state);
  if (verdict.decision !== "ask" || state.mode === "ask" || isGranted(state.grants, action)) return verdict;
  if (hides) return verdict;
  if (!confined)
    return command.uncertain === undefined ? { decision: "allow", by: "reads" } : withRemedy(verdict, action);
  const { unread, parts, writes, changes } = command;
  // As far as its text tells. Denied and protected files were checked above; the sandbox refuses the rest.
  const seemsToRead = writes.length + changes.length === 0 && parts.every(({ effect }) => effect !== "acts");
  if (seemsToRead) return { decision: "allow", by: "sandbox", access: "read" };
  const makes = parts.some(({ text, starts = "" }) => MAKES_REPOSITORY.test(text) || mayMakeRepository(starts));
  if (unread === undefined ? makes : mayMakeRepository(unread))
    return asks(t("makes a repository, and none that is made in the sandbox stays"));
  return state.mode === "auto" ? { decision: "allow", by: "sandbox", access: "write" } : verdict;
}

/** Those of a kind that could be read. */
const readable = (wanted: Rule["kind"], rules: readonly Rule[]): Rule[] =>
  rules.filter(({ kind, problem }) => kind === wanted && problem === undefined);

/** A denied program's name anywhere in an unread command, or among the words of what starts other programs. */
function mayBeStarted(rule: Rule, { unread, parts }: CommandFacts): boolean {
  if (unread !== undefined) return namesIn(rule, unread);
  return parts.some(({ starts }) => starts !== undefined && namesIn(rule, starts));
}

/** It is not read, or what starts others is given a text in which a program's name may be spelled in another way. */
const mayHide = ({ unread, parts }: CommandFacts) =>
  unread !== undefined ||
  parts.some(({ starts = "" }) => /[$`*?{[]|(?:^|[\s/])(?:\w*sh|xargs|eval|source|env)(?:\s|$)/.test(starts));

function mayMakeRepository(text: string): boolean {
  const git = text.search(/\bgit\b/);
  return git >= 0 && /\b(?:clone|init|init-db|worktree\s+add|submodule)\b/.test(text.slice(git));
}
const MAKES_REPOSITORY =
  /^(?:\S*\/)?git (?:(?:-[Cc]|--(?:git-dir|work-tree|namespace)) \S+ |-\S+ )*(?:clone|init|init-db|worktree add|submodule (?:-\S+ )*(?:add|update|absorbgitdirs))(?: |$)/;

/** Auto should not ask, so the question names the command that installs the sandbox. */
function withRemedy(verdict: Question, { sandboxRemedy }: Action): Question {
  if (sandboxRemedy === undefined || verdict.reason === undefined) return verdict;
  return {
    ...verdict,
    reason: t("{0}; in the sandbox, which `{1}` gets, it would run unasked", verdict.reason, sandboxRemedy),
  };
}

/** Each program in it is allowed by a rule, or surely only reads beside one that is. */
function byRules(command: CommandFacts, rules: readonly Rule[], state: PolicyState): Verdict {
  const { rule, reasons } = openReasons(command, rules, state);
  const [first] = reasons;
  if (first) return first.why === undefined ? { decision: "ask", by: "mode" } : asks(first.why);
  return rule ? { decision: "allow", ...byRule(rule) } : asks(command.uncertain ?? t("no rule allows it"));
}

/** Why a command is asked about; `part`: the program that is the reason. */
interface CommandReason {
  why: string | undefined;
  part?: CommandFact;
}

/** All reasons but those of protected files. @param isOpen it is asked about since no rule allows it */
export function commandReasons(action: Action, state: PolicyState, isOpen: boolean): CommandReason[] {
  const { command } = action;
  if (command === undefined) return [];
  const rules = state.rules.filter(rule => namesCall(rule, action));
  const asked = [ruleQuestion(rules, command, state.rules), deniedWithin(command, state.rules), secretQuestion(action)];
  return [
    ...asked.map(question => ({ why: question?.reason })),
    ...(isOpen ? openReasons(command, rules, state).reasons : []),
  ];
}

function openReasons(command: CommandFacts, rules: readonly Rule[], state: PolicyState) {
  // In the mode Ask every command asks that no rule allows: that is what it says.
  const isAsk = state.mode === "ask";
  const allowing = readable("allow", rules);
  const parts = command.parts.filter(({ effect }) => effect !== "wraps");
  const write = command.writes.find(ref => writeRule(ref, state.rules) === undefined);
  const rule =
    allowing.find(each => parts.some(part => matchesCommand(each, part) === "yes")) ??
    (command.writes[0] && writeRule(command.writes[0], state.rules));
  const { problems, unknownFile } = command;
  const open = parts.filter(part => !isAllowed(part, allowing) && (part.effect === "acts" || part.isOpen || !rule));
  const reasons: CommandReason[] = [
    ...[...problems, ...(unknownFile === undefined ? [] : [unknownFile])].map(why => ({ why })),
    ...open.map(part => ({ why: isAsk ? undefined : whyNot(part, command, allowing), part })),
    ...(write ? [{ why: t("writes {0}", write.path) }] : []),
  ];
  return { rule, reasons };
}

/** An expansion that alone keeps a rule from holding is named: the person wrote the rule for this program. */
function whyNot(part: CommandFact, { uncertain }: CommandFacts, allowing: readonly Rule[]): string {
  const kept = part.isOpen && allowing.find(rule => mayHold(rule, part));
  if (kept) return t("your rule `{0}` does not hold for words that are only known when it runs", kept.text);
  return part.why ?? uncertain ?? t("it is not known to only read");
}

const writeRule = (ref: FileRef, rules: readonly Rule[]): Rule | undefined =>
  readable("allow", rules).find(rule => isAboutFiles(rule, "edit") && matchesFile(rule, ref));

const asks = (reason: string): Question => ({ decision: "ask", by: "command", reason });

function isAllowed(part: CommandFact, allowing: readonly Rule[]): boolean {
  const namesRisky = (rule: Rule) => part.risky?.every(option => namesOption(rule, option, part)) ?? true;
  return allowing.some(rule => matchesCommand(rule, part) === "yes" && namesRisky(rule));
}

function firstMatch(rules: readonly Rule[], { parts }: CommandFacts, wanted: "yes" | "maybe"): Rule | undefined {
  return rules.find(rule => parts.some(part => matchesCommand(rule, part) === wanted));
}

/** Rules on Edit and Read also hold for redirections and named files. */
function fileRule(kind: Rule["kind"], { writes, reads }: CommandFacts, rules: readonly Rule[]): Rule | undefined {
  const ofFiles = fileRules(kind, rules);
  return (
    ofFiles.find(rule => isAboutFiles(rule, "edit") && writes.some(ref => matchesFile(rule, ref))) ??
    ofFiles.find(rule => isAboutFiles(rule, "read") && reads.some(ref => matchesFile(rule, ref)))
  );
}

const fileRules = (kind: Rule["kind"], rules: readonly Rule[]): Rule[] => {
  const isAbout = (rule: Rule) => isAboutFiles(rule, "edit") || isAboutFiles(rule, "read");
  return readable(kind, rules).filter(rule => rule.pattern !== undefined && isAbout(rule));
};

/** A program that shows a folder's files may show denied ones; one that changes files may change denied ones. */
function deniedWithin({ folders, changes }: CommandFacts, rules: readonly Rule[]): Question | undefined {
  for (const rule of fileRules("deny", rules)) {
    const changed = isAboutFiles(rule, "edit") ? changes.find(ref => matchesFile(rule, ref)) : undefined;
    const shown = isAboutFiles(rule, "read") ? folders.find(each => mayLieIn(rule, each)) : undefined;
    if (!changed && !shown) continue;
    const reason = changed
      ? t("may change {0}, which your rule `{1}` forbids to edit", changed.path, rule.text)
      : t("may show files in {0} that your rule `{1}` forbids to read", shown?.path ?? "", rule.text);
    return { decision: "ask", by: "rule", rule: rule.text, reason: withSentence(rule, reason) };
  }
  return undefined;
}

/** A word that is only known when it runs may be what a rule denies. */
function hidesWhatIsDenied(forbidding: readonly Rule[], command: CommandFacts, all: readonly Rule[]): boolean {
  const { problems, unknownFile } = command;
  const isOpen = problems.length > 0 || unknownFile !== undefined;
  if (isOpen && fileRules("deny", all).length > 0) return true;
  return forbidding.length > 0 && (mayHide(command) || firstMatch(forbidding, command, "maybe") !== undefined);
}

function ruleQuestion(rules: readonly Rule[], command: CommandFacts, all: readonly Rule[]): Question | undefined {
  const unreadable = rules.find(({ kind, problem }) => kind !== "allow" && problem !== undefined);
  const asking = readable("ask", rules);
  const rule =
    unreadable ??
    firstMatch(asking, command, "yes") ??
    firstMatch(asking, command, "maybe") ??
    asking.find(each => mayBeStarted(each, command)) ??
    (mayHide(command) ? asking[0] : undefined) ??
    fileRule("ask", command, all);
  if (rule) return { decision: "ask", ...byRule(rule), reason: ruleSentence(rule) };
  return startedQuestion(rules, command);
}

/** An unknown program may start a word that a rule names; words for git are text. */
function startedQuestion(rules: readonly Rule[], { parts }: CommandFacts): Question | undefined {
  const unknown = parts.filter(({ effect, risky, text }) => effect === "acts" && (risky || !/^git /.test(text)));
  for (const rule of [...readable("deny", rules), ...readable("ask", rules)]) {
    const part = rule.pattern === undefined ? undefined : unknown.find(each => mayStart(rule, each));
    if (!part) continue;
    const shown = part.shown.slice(0, 60);
    const reason =
      rule.kind === "deny"
        ? t("`{0}` names what your rule `{1}` forbids, and may start it", shown, rule.text)
        : t("`{0}` names what your rule `{1}` asks about, and may start it", shown, rule.text);
    return { decision: "ask", ...byRule(rule), reason: withSentence(rule, reason) };
  }
  return undefined;
}
