/** A decision about a call, its inputs, and the sentences for the person asked or the model refused. */

import type { ApprovalAction } from "../../shared/approval";
import type { Denial } from "../../shared/denial";
import { t } from "../../shared/l10n";
import { isWithin } from "../../shared/paths";
import type { PermissionMode } from "../../shared/settingValues";
import type { FileRef, SandboxAccess, SettingLevel } from "../ground/ports";
import { codeSpan } from "../ground/text/format";
import type { CommandFacts } from "./commandFacts";
import type { Grant } from "./grants";
import { outside, protectedBecause } from "./protectedPaths";
import { type Rule, readingRule } from "./rules";

/** What a call may do: nothing outside the session, read files, edit them, run a command, reach the network, give work to another agent. */
export type Effect = "session" | "read" | "edit" | "command" | "network" | "delegate";

/** A call as it would run: all that a decision may depend on. */
export interface Action {
  toolName: string;
  effects: readonly Effect[];
  /** every file and folder that it touches */
  targets: readonly FileRef[];
  /** the command with its folder, the changes, the paths: as a person would be asked about it, without secrets */
  detail: ApprovalAction["detail"];
  /** what its command would do; absent: not readable, or no command */
  command?: CommandFacts;
  /** a sandbox for commands without permission; `online`: it reaches some hosts, except for commands that only read */
  confined?: "offline" | "online";
  /** where there is no sandbox: the command that gets it, to be run by a person */
  sandboxRemedy?: string;
  /** what the model gave it, for rules on parameters */
  input?: unknown;
  /** sha256 of what a grant would be for, where that is more than `detail` shows */
  exact?: string;
  /** its input names a secret by its placeholder */
  namesSecret: boolean;
  /** source of the first untrusted text since the user's last message */
  untrusted?: string | undefined;
}

export interface PolicyState {
  mode: PermissionMode;
  /** false: the workspace is not trusted */
  trusted: boolean;
  /** absolute folders of Strata's own settings and storage, '/' separators */
  ownFolders: readonly string[];
  /** absolute folders outside the workspace that may be read: of the person's own skills */
  readable?: readonly string[];
  /** absolute paths of files that rules import (`Rules.imported`); absent: none */
  imported?: ReadonlySet<string>;
  grants: readonly Grant[];
  /** those in force; absent: none */
  denials?: readonly Pick<Denial, "denialId" | "title" | "facts">[];
  rules: readonly Rule[];
  /** untrusted text makes no difference: `strata.permissions.untrustedContent` */
  trustsAllContent: boolean;
  /** every command runs in the mode Auto: `strata.permissions.runEverything` */
  runEverything: boolean;
}

/** Who gave a rule, and where. */
export interface RuleOrigin {
  level: SettingLevel;
  place: string;
}

/**
 * What decided: `reads`: it is certain that the command only reads. `rule`: the one that `rule` names, and who gave it where.
 * `sandbox`: it runs there and nowhere else
 */
export type Verdict = { rule?: string; from?: RuleOrigin } & (
  | { decision: "allow"; by: "mode" | "rule" | "reads"; reason?: undefined }
  | { decision: "allow"; by: "sandbox"; access: SandboxAccess; reason?: undefined }
  /** `reason`: why it would have been asked about without the grant */
  | { decision: "allow"; by: "grant"; reason?: string }
  /** `reason`: for the person, where the mode alone does not say it. `isUnsure`: it may do what was refused, so that no hook allows it */
  | { decision: "ask"; by: "mode" | "command"; reason?: string; isUnsure?: true }
  | { decision: "ask"; by: "protected" | "secret" | "rule" | "untrusted"; reason?: string }
  /** `denials`: ids of what it would do after all, which an allowance lifts; none: it is not known whether it would */
  | { decision: "ask"; by: "denied"; denials: readonly string[]; reason?: string }
  /** `reason`: for the model */
  | { decision: "deny"; by: "mode" | "trust" | "rule"; reason: string }
);

export type Question = Extract<Verdict, { decision: "ask" }>;

/** "your rule `Bash(rm *)` in ~/.config/strata/settings.json" */
function ruleName({ text, level = "user", place }: Rule): string {
  const name = {
    managed: () => t("the administrator's rule `{0}`", text),
    user: () => t("your rule `{0}`", text),
    workspace: () => t("this workspace's rule `{0}`", text),
    session: () => t("the rule `{0}`", text),
  }[level]();
  if (place === undefined) return name;
  return level === "session" ? t("{0} from {1}", name, place) : t("{0} in {1}", name, place);
}

/** The same for the model. */
function ruleForModel({ text, level = "user", place }: Rule): string {
  const whose = {
    managed: "The administrator's rule",
    user: "The user's rule",
    workspace: "This workspace's rule",
    session: "The rule",
  }[level];
  const where = place === undefined ? "" : level === "session" ? ` of ${place}` : ` in ${place}`;
  return `${whose} ${codeSpan(text)}${where}`;
}

/** What a verdict says of the rule that made it. */
export const byRule = ({ text, level, place }: Rule) => ({
  by: "rule" as const,
  rule: text,
  ...(level !== undefined && place !== undefined && { from: { level, place } }),
});

/** A bound rule speaks with the person's own sentence. */
export function withSentence({ bound }: Rule, reason: string): string {
  if (!bound?.sentence) return reason;
  return t("{0} says: “{1}” ({2})", bound.file, bound.sentence, reason);
}

export function deniedBy(rule: Rule): Verdict {
  const { bound } = rule;
  const said = bound?.sentence ? `${bound.file} says: “${bound.sentence}”. ` : "";
  const reason = `${said}${ruleForModel(rule)} forbids this. Do not try to reach the same by another way. Other ways to it ask the user, too.`;
  return { decision: "deny", ...byRule(rule), reason };
}

export function ruleSentence(rule: Rule): string {
  const { kind, problem, isWholeFile, place, bound } = rule;
  if (problem === undefined) return withSentence(rule, t("{0} asks about it", ruleName(rule)));
  return isWholeFile
    ? t("the settings in {0} cannot be used ({1}), so that everything asks", place ?? "", problem)
    : t(
        "{0}, under {1}, cannot be read ({2}), so that its tool asks",
        ruleName(rule),
        bound ? "bindings" : kind,
        problem,
      );
}

/** The other names are unknown. Reading is not asked about: package managers share what they install in this way. */
const otherNamesText = () => t("has other names (hard links), so a file outside the workspace may change with it");

const importedText = () => t("is imported by a rules file, so it tells agents what to do");

/**
 * Protected files always ask, even where a rule allows the call.
 * @param readsOutside what lies outside the workspace may be read: in the sandbox secrets are not there
 */
export function protectedQuestion(action: Action, state: PolicyState, readsOutside = false): Question | undefined {
  const [first] = protectedUses(action, state, readsOutside);
  if (first === undefined) return undefined;
  const { ref, reason } = first;
  return { decision: "ask", by: "protected", reason: action.command ? `${ref.path}: ${reason}` : reason };
}

export function* protectedUses(action: Action, { ownFolders, readable, imported }: PolicyState, readsOutside = false) {
  const access = action.effects.includes("edit") ? "write" : "read";
  const { reads = [], writes = [], changes = [] } = action.command ?? {};
  for (const [refs, how] of [
    [action.targets, access],
    [reads, "read"],
    [writes, "write"],
    [changes, "write"],
  ] as const) {
    for (const ref of refs) {
      const reason =
        protectedBecause(ref, ownFolders, how) ??
        (how === "write" &&
          ((imported?.has(ref.absolute) && importedText()) || (ref.hasOtherNames && otherNamesText())));
      const mayRead = how === "read" && reason === outside() && (readsOutside || isReadable(ref, readable));
      if (reason && !mayRead) yield { ref, how, reason };
    }
  }
}

/**
 * Why what looks through many files leaves this one out; undefined: it need not. Named in a call, the file is asked about or
 * denied.
 * @param toolName the tool that looks; absent: an attachment or a commit message
 */
export function reasonForDenial(
  ref: FileRef,
  { ownFolders, readable, rules }: Pick<PolicyState, "ownFolders" | "readable" | "rules">,
  toolName?: string,
): string | undefined {
  const reason = protectedBecause(ref, ownFolders);
  if (reason !== undefined && !(reason === outside() && isReadable(ref, readable))) return reason;
  const rule = readingRule("deny", ref, rules, toolName) ?? readingRule("ask", ref, rules, toolName);
  return rule && `the rule \`${rule.text}\` ${rule.kind === "deny" ? "forbids to read it" : "asks about it"}`;
}

/** It belongs to a skill of the person's own. */
export const isReadable = ({ absolute }: FileRef, folders: readonly string[] = []): boolean =>
  folders.some(folder => isWithin(folder, absolute));

export function secretQuestion({ namesSecret, effects }: Action): Question | undefined {
  if (!namesSecret || !effects.some(effect => effect === "command" || effect === "network")) return undefined;
  return { decision: "ask", by: "secret", reason: t("names a secret hidden from the model") };
}
