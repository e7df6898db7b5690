/**
 * May this call run? Pure (docs/tools.md): rules say it, the mode, trust in the workspace, protected paths, secrets, what a
 * command would do, and what the user allowed for this session. Deny wins, then ask, then allow.
 */
import { defined } from "../../shared/defined";
import { t } from "../../shared/l10n";
import type { PermissionMode } from "../../shared/settingValues";
import { decideCommand } from "./commandPolicy";
import { coveredDenials } from "./denials";
import { changedSince, isGranted } from "./grants";
import { matchesFile, matchesInput, namesCall, type Rule } from "./rules";
import type { Action, Effect, PolicyState, Verdict } from "./verdict";
import { byRule, deniedBy, protectedQuestion, ruleSentence, secretQuestion } from "./verdict";

const modes: Record<PermissionMode, Record<Effect, Verdict["decision"]>> = {
  plan: { session: "allow", read: "allow", edit: "deny", command: "deny", network: "deny", delegate: "ask" },
  ask: { session: "allow", read: "allow", edit: "ask", command: "ask", network: "ask", delegate: "ask" },
  edits: { session: "allow", read: "allow", edit: "allow", command: "ask", network: "ask", delegate: "ask" },
  // Up to the sum of `agents.allowUpTo`: above it the call has to be asked about.
  auto: { session: "allow", read: "allow", edit: "allow", command: "ask", network: "ask", delegate: "allow" },
};

const UNTRUSTED = "This workspace is not trusted, so only reading is allowed. The user can trust it.";
const PLAN_MODE =
  "The session is in plan mode: only reading and searching is allowed. Say what you would change instead.";

export function decide(action: Action, state: PolicyState): Verdict {
  const { effects } = action;
  if (!state.trusted && effects.some(effect => effect !== "session" && effect !== "read")) {
    return { decision: "deny", by: "trust", reason: UNTRUSTED };
  }
  const byMode = effects.map(effect => modes[state.mode][effect]);
  if (byMode.includes("deny")) return { decision: "deny", by: "mode", reason: PLAN_MODE };
  const verdict = verdictInUntrusted(verdictByRules(action, byMode.includes("ask"), state), action, state);
  if (verdict.decision === "deny") return verdict;
  return verdictAfterDenials(verdictOfGrants(verdict, action, state), action, state);
}

/** What was refused asks, in other words too; what may do it runs where it cannot. */
function verdictAfterDenials(verdict: Verdict, action: Action, { denials = [] }: PolicyState): Verdict {
  const { covers, may } = coveredDenials(action, denials);
  const denied = denials.find(({ denialId }) => denialId === (covers[0] ?? may[0]));
  if (denied === undefined) return verdict;
  // Which ones is said by the question.
  if (covers.length > 0)
    return { decision: "ask", by: "denied", denials: covers, ...defined({ reason: verdict.reason }) };
  if (verdict.decision === "ask" && (verdict.by === "mode" || verdict.by === "command"))
    return { ...verdict, isUnsure: true };
  if (verdict.decision !== "allow" || verdict.by === "sandbox") return verdict;
  if (action.confined !== undefined) return { decision: "allow", by: "sandbox", access: "write" };
  if (verdict.by === "grant") return verdict;
  return {
    decision: "ask",
    by: "denied",
    denials: [],
    reason: t("it is not known whether it does what was refused before ({0})", denied.title),
  };
}

function verdictOfGrants(verdict: Verdict, action: Action, state: PolicyState): Verdict {
  if (verdict.decision !== "ask") return verdict;
  const { reason } = verdict;
  if (isGranted(state.grants, action)) return { decision: "allow", by: "grant", ...(reason && { reason }) };
  if (!changedSince(state.grants, action)) return verdict;
  const again = t("what it runs was changed since you allowed it");
  return { ...verdict, reason: reason ? `${reason}; ${again}` : again };
}

/** Calls allowed by the mode alone ask once the agent has read untrusted text. */
function verdictInUntrusted(verdict: Verdict, action: Action, state: PolicyState): Verdict {
  const { effects, untrusted } = action;
  if (untrusted === undefined || state.trustsAllContent || (state.mode === "auto" && state.runEverything))
    return verdict;
  const isModes =
    verdict.by === "mode" || (verdict.by === "sandbox" && verdict.access === "write" && action.confined === "online");
  if (verdict.decision !== "allow" || !isModes) return verdict;
  if (effects.every(effect => effect === "session" || effect === "read")) return verdict;
  const reason = t("the agent has read untrusted text since your last message ({0})", untrusted);
  return { decision: "ask", by: "untrusted", reason };
}

/** Before what the person granted is looked at. */
function verdictByRules(action: Action, modeAsks: boolean, state: PolicyState): Verdict {
  const { effects } = action;
  const found = new Map((["deny", "ask", "allow"] as const).map(kind => [kind, ruleFor(kind, action, state.rules)]));
  const denied = found.get("deny");
  if (denied && denied.problem === undefined) return deniedBy(denied);
  if (effects.includes("command")) {
    const verdict = decideCommand(action, state);
    if (verdict) return verdict;
  }
  const asked = denied ?? found.get("ask");
  if (asked) return { decision: "ask", ...byRule(asked), reason: ruleSentence(asked) };
  const question = protectedQuestion(action, state) ?? secretQuestion(action);
  if (question) return question;
  const allowed = found.get("allow");
  if (allowed) return { decision: "allow", ...byRule(allowed) };
  // Rules may deny what an unknown command (a task of the editor) does, so no setting lets it run unasked.
  const isUnknown = effects.includes("command") && action.command === undefined;
  const runs = state.mode === "auto" && state.runEverything && !isUnknown;
  return modeAsks && !runs ? { decision: "ask", by: "mode" } : { decision: "allow", by: "mode" };
}

/** The rule that holds for the call; of commands only those without a pattern, since parts are matched one by one. */
function ruleFor(kind: Rule["kind"], action: Action, rules: readonly Rule[]): Rule | undefined {
  const { targets, input, command, effects } = action;
  return rules.find(rule => {
    if (rule.kind !== kind || !namesCall(rule, action)) return false;
    // A broken rule asks only for calls with effects outside the session.
    if (rule.problem !== undefined) return kind !== "allow" && effects.some(effect => effect !== "session");
    if (rule.pattern === undefined) return kind !== "allow" || command === undefined;
    if (effects.includes("command") && command !== undefined) return false;
    if (targets.length === 0) return matchesInput(rule, input);
    return kind === "allow"
      ? targets.every(ref => matchesFile(rule, ref))
      : targets.some(ref => matchesFile(rule, ref));
  });
}
