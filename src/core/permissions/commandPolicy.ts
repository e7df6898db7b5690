/** May a command run? Each program in it counts: the strictest word wins, and none is lost among many. */
import type { CommandFact, CommandFacts } from "./commandFacts";
import { isGranted } from "./grants";
import { matchesCommand, matchesFile, mayLieIn, mayStart, namesOption, namesTool, type Rule } from "./rules";
import {
  type Action,
  askedBy,
  byRule,
  deniedBy,
  type PolicyState,
  protectedQuestion,
  type Question,
  secretQuestion,
  type Verdict,
} from "./verdict";

/** undefined: nothing is known of what it does, so that mode and rules for the tool decide. */
export function decideCommand(action: Action, state: PolicyState): Verdict | undefined {
  const { command } = action;
  if (command === undefined) return undefined;
  const rules = state.rules.filter(rule => namesTool(rule, action.toolName));
  const forbidding = rules.filter(({ kind, problem }) => kind === "deny" && problem === undefined);
  const denied = firstMatch(forbidding, command, "yes") ?? fileRule("deny", command, state.rules);
  if (denied) return deniedBy(denied);
  const runsAll = state.mode === "auto" && state.runEverything;
  const confined = state.mode === "auto" && action.confined !== undefined;
  const question =
    ruleQuestion(rules, command, state.rules) ??
    deniedWithin(command, state.rules) ??
    protectedQuestion(action, state, confined || runsAll) ??
    secretQuestion(action);
  if (question) return question;
  const hides = hidesWhatIsDenied(forbidding, command, state.rules);
  if (runsAll && !hides) return { decision: "allow", by: "mode" };
  const verdict = byParts(command, rules, state);
  if (verdict.decision !== "ask" || isGranted(state.grants, action)) return verdict;
  if (!confined) return withRemedy(verdict, action);
  // In the sandbox it does not matter what it is: all that is denied or protected was looked for before.
  return hides ? verdict : { decision: "allow", by: "sandbox" };
}

/** Whoever chose Auto wants no questions: what would answer them is said. */
function withRemedy(verdict: Question, { sandboxRemedy }: Action): Question {
  if (sandboxRemedy === undefined || verdict.reason === undefined) return verdict;
  return {
    ...verdict,
    reason: `${verdict.reason}; in the sandbox, which \`${sandboxRemedy}\` gets, it would run unasked`,
  };
}

/** What its programs do, one by one. */
function byParts(command: CommandFacts, rules: readonly Rule[], state: PolicyState): Verdict {
  const [problem] = command.problems;
  if (problem !== undefined) return asks(problem);
  if (command.unknownFile !== undefined) return asks(command.unknownFile);
  const allowing = rules.filter(({ kind, problem }) => kind === "allow" && problem === undefined);
  const open = command.parts.find(part => part.effect === "acts" && !isAllowed(part, allowing));
  // In the mode Ask every command asks: that is what it says.
  if (open && state.mode === "ask") return { decision: "ask", by: "mode" };
  if (open) return asks(open.why ?? "it is not known to only read");
  const write = command.writes.find(
    ref =>
      !state.rules.some(
        rule =>
          rule.kind === "allow" && rule.problem === undefined && namesTool(rule, "Write") && matchesFile(rule, ref),
      ),
  );
  if (write) return asks(`writes ${write.path}`);
  const acting = command.parts.filter(({ effect }) => effect === "acts");
  const rule = allowing.find(each => acting[0] && matchesCommand(each, acting[0]) === "yes");
  if (acting.length > 0 || command.writes.length > 0)
    return { decision: "allow", ...(rule ? byRule(rule) : { by: "rule" }) };
  return state.mode === "ask" ? { decision: "ask", by: "mode" } : { decision: "allow", by: "reads" };
}

const asks = (reason: string): Question => ({ decision: "ask", by: "command", reason });

function isAllowed(part: CommandFact, allowing: readonly Rule[]): boolean {
  const matching = allowing.filter(rule => matchesCommand(rule, part) === "yes");
  const { risky } = part;
  return risky === undefined ? matching.length > 0 : matching.some(rule => namesOption(rule, risky, part));
}

function firstMatch(rules: readonly Rule[], { parts }: CommandFacts, wanted: "yes" | "maybe"): Rule | undefined {
  return rules.find(rule => parts.some(part => matchesCommand(rule, part) === wanted));
}

/** What is forbidden or asked about for the tools that edit and read is so for a redirection and for a file that is named. */
function fileRule(kind: Rule["kind"], { writes, reads }: CommandFacts, rules: readonly Rule[]): Rule | undefined {
  const ofFiles = fileRules(kind, rules);
  return (
    ofFiles.find(rule => namesTool(rule, "Write") && writes.some(ref => matchesFile(rule, ref))) ??
    ofFiles.find(rule => namesTool(rule, "Read") && reads.some(ref => matchesFile(rule, ref)))
  );
}

const fileRules = (kind: Rule["kind"], rules: readonly Rule[]): Rule[] =>
  rules.filter(
    rule =>
      rule.kind === kind &&
      rule.problem === undefined &&
      rule.pattern !== undefined &&
      (namesTool(rule, "Write") || namesTool(rule, "Read")),
  );

/** What shows the files of a folder may show those that nobody may read; what changes files may change those that nobody may edit. */
function deniedWithin({ folders, changes }: CommandFacts, rules: readonly Rule[]): Question | undefined {
  for (const rule of fileRules("deny", rules)) {
    const changed = namesTool(rule, "Write") ? changes.find(ref => matchesFile(rule, ref)) : undefined;
    const reason = `may change ${changed?.path}, which your rule \`${rule.text}\` forbids to edit`;
    if (changed) return { decision: "ask", by: "rule", rule: rule.text, reason };
  }
  for (const rule of rules) {
    if (rule.kind !== "deny" || rule.tool !== "Read" || rule.pattern === undefined) continue;
    const folder = folders.find(each => mayLieIn(rule, each));
    const reason = `may show files in ${folder?.path} that your rule \`${rule.text}\` forbids to read`;
    if (folder) return { decision: "ask", by: "rule", rule: rule.text, reason };
  }
  return undefined;
}

/** A word that is only known when it runs may be what a rule denies. */
function hidesWhatIsDenied(forbidding: readonly Rule[], command: CommandFacts, all: readonly Rule[]): boolean {
  const { problems, unknownFile } = command;
  const isOpen = problems.length > 0 || unknownFile !== undefined;
  if (isOpen && fileRules("deny", all).length > 0) return true;
  return forbidding.length > 0 && (problems.length > 0 || firstMatch(forbidding, command, "maybe") !== undefined);
}

function ruleQuestion(rules: readonly Rule[], command: CommandFacts, all: readonly Rule[]): Question | undefined {
  const unreadable = rules.find(({ kind, problem }) => kind !== "allow" && problem !== undefined);
  const asking = rules.filter(({ kind, problem }) => kind === "ask" && problem === undefined);
  const rule =
    unreadable ??
    firstMatch(asking, command, "yes") ??
    firstMatch(asking, command, "maybe") ??
    fileRule("ask", command, all);
  if (rule) return { decision: "ask", ...byRule(rule), reason: askedBy(rule) };
  return startedQuestion(rules, command);
}

/** Whatever a program that is not known does with a word that a rule names: what git is told of commits is text. */
function startedQuestion(rules: readonly Rule[], { parts }: CommandFacts): Question | undefined {
  const unknown = parts.filter(({ effect, risky, text }) => effect === "acts" && (risky || !/^git /.test(text)));
  for (const rule of rules) {
    if (rule.kind === "allow" || rule.problem !== undefined || rule.pattern === undefined) continue;
    const part = unknown.find(each => mayStart(rule, each));
    const verb = rule.kind === "deny" ? "forbids" : "asks about";
    const reason = `\`${part?.shown.slice(0, 60)}\` names what your rule \`${rule.text}\` ${verb}, and may start it`;
    if (part) return { decision: "ask", ...byRule(rule), reason };
  }
  return undefined;
}
