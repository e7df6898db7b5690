/**
 * May a call run, and as what? The policy says it, or the person who is asked: they may change what is proposed, and then
 * their version is what runs. An allowance is for the exact bytes; where the file moved since, it is asked anew, and what
 * the person had made of the proposal goes along.
 * A path that does not exist is NOT_FOUND and asks nothing, outside the workspace too: a question about nothing ends an
 * unattended run.
 */

import type { ApprovalAction, ApprovalAnswer, PermissionEntry } from "../../shared/approval";
import { defined, some } from "../../shared/defined";
import { listed } from "../../shared/format";
import { t } from "../../shared/l10n";
import type { ToolCallPart } from "../../shared/messages";
import type { NewRecord } from "../../shared/records";
import { mapStrings, type Redact } from "../../shared/redacted";
import { mergeTexts } from "../changes/edits/merge";
import { revisionNote } from "../changes/edits/proposalRevision";
import { type Clock, type FileRef, type Hash, type TextRedactor, ToolError } from "../ground/ports";
import { unlessFileError } from "../ground/ports/files";
import { askedAbout, type Conversation, repeatsInterrupted } from "../log/conversation";
import { effectsOf } from "../permissions/effects";
import { grantKey } from "../permissions/grants";
import { decide } from "../permissions/policy";
import { outside, protectedBecause } from "../permissions/protectedPaths";
import { suggestRules } from "../permissions/suggest";
import type { Action, PolicyState, Verdict } from "../permissions/verdict";
import { namesSecret } from "../secrets/redact";
import {
  type CallContext,
  lookingCall,
  type PreparedCall,
  type RunContext,
  type Tool,
  type UnaskedRun,
} from "../tool/tool";
import { type CallerSays, denialRecords, deniedBefore, recordsOfAnswer } from "./denials";
import { deniedObservation, type Observation } from "./observation";
import type { Questions } from "./questions";

export interface AuthorizeDeps {
  questions: { approve: Questions["approve"] };
  conversation: Conversation;
  /** of a child */
  caller?: CallerSays | undefined;
  hash: Hash;
  redactor: TextRedactor;
  clock: Clock;
  policy(): PolicyState;
  /** Puts them into the history. Rejects with StorageError. */
  write(records: readonly NewRecord[]): Promise<unknown>;
  /** NOT_FOUND for a file outside the workspace that is not there; undefined: it exists, or this cannot be found out */
  whyAbsent(ref: FileRef, call: CallContext): Promise<ToolError | undefined>;
  /** Writes what is allowed from now on into the person's settings; absent: that cannot be done. Never rejects. */
  allowAlways?: ((rules: readonly string[]) => Promise<void>) | undefined;
  /** Never rejects. */
  audit?: { write(entry: Omit<PermissionEntry, "ts" | "missed">): Promise<void> };
  /** Every command runs in the sandbox, allowed ones too (`strata.bash.sandbox`). */
  confinesAll(): boolean;
}

/** What hooks say of a call that they let through. */
export interface HookDecision {
  decision: "ask" | "allow";
  reason: string;
}

export interface Authorization {
  /** what may run: as proposed, or as the person changed it */
  prepared: PreparedCall;
  /** sha256 of what was allowed */
  binds: string;
  /** a command that needed no approval: the only place where it may run */
  unasked?: UnaskedRun;
  /** what a person said; absent: none had to be asked */
  answer?: ApprovalAnswer;
}

interface ApprovalQuestion {
  prepared: PreparedCall;
  /** what was allowed already: the same bytes need no second answer */
  before?: Authorization | undefined;
  reason?: string;
  /** The person is asked in every mode: their changes are no longer in it. */
  mustAsk?: boolean;
  /** Absent: they say nothing. Their yes is no answer to what a rule, a protected file or foreign text asks about. */
  hooks?: HookDecision | undefined;
  /** The file holds the person's version already. */
  isDone?: boolean;
}

const movedWhileAsked = () => t("the file changed while you were asked");
const unsavedWhileAsked = () => t("more files have unsaved changes than you were asked about");
const changesKept = () => t("the file changed while you were asked: what you changed of the proposal is in it");
const changesLost = () =>
  t(
    "the file changed while you were asked, in lines that you had changed too: this is the proposal without your changes",
  );

/** The question about a call that was prepared, anew where `before` could not be done since the file moved. */
export function carryOver(prepared: PreparedCall, before: Authorization | undefined): ApprovalQuestion {
  if (!before) return { prepared };
  const reason = hasUnsaved(prepared) ? unsavedWhileAsked() : movedWhileAsked();
  const again = { prepared, before, ...defined({ reason: before.answer && reason }) };
  const old = before.prepared.proposal;
  if (old?.proposed === undefined || !prepared.proposal) return again;
  const merged = mergeTexts(old.before ?? "", old.after, prepared.proposal.before ?? "");
  if (merged.kind === "conflict") return { ...again, reason: changesLost(), mustAsk: true };
  const revised = prepared.revise?.(merged.text);
  return revised ? { ...again, prepared: revised, reason: changesKept() } : { ...again, isDone: true };
}

/**
 * The process ended before the question about this call was answered: it is asked again, in every mode and with every grant.
 */
function resumedQuestion(question: ApprovalQuestion, call: ToolCallPart, binds: string, conversation: Conversation) {
  const asked = askedAbout(conversation, call.toolCallId);
  if (!asked && repeatsInterrupted(conversation, call))
    return { ...question, mustAsk: true, reason: t("the same call was interrupted, and its effect is unknown") };
  if (!asked) return question;
  const moved = asked.action.binds !== binds && question.prepared.detail.type === "edit" && movedWhileAsked();
  return { ...question, mustAsk: true, ...(moved && { reason: question.reason ?? moved }) };
}

/** The question is also what happens to these files. */
const hasUnsaved = ({ detail }: PreparedCall) => detail.type === "command" && detail.unsaved !== undefined;

/** Resolves when it is decided; the answer is on disk by then. Throws NOT_FOUND where no question is needed. */
export async function authorize(
  tool: Tool,
  call: ToolCallPart,
  begun: ApprovalQuestion,
  deps: AuthorizeDeps,
  run: CallContext,
): Promise<Authorization | { refused: Observation }> {
  const { prepared, before } = begun;
  if (begun.isDone)
    return { refused: nothingLeftObservation(call, prepared, "changed your proposal, and the file has become that") };
  const binds = deps.hash.sha256(prepared.binding);
  const question = resumedQuestion(begun, call, binds, deps.conversation);
  if (before?.binds === binds) return { ...before, prepared };
  const policy = deps.policy();
  const action = await withSandbox(describeAction(tool, call, prepared, deps), prepared, policy);
  const verdict = decide(action, policy);
  const judged = { call, prepared, action, binds, policy, verdict };
  const audit = auditOf(deps, judged);
  if (verdict.decision === "deny") {
    await audit.decided();
    if (verdict.by === "rule") await deps.write(denialRecords(judged, { by: "rule", rule: verdict.rule }, deps));
    return { refused: deniedObservation(call, verdict.reason, verdict.by) };
  }
  if (runsUnasked(verdict, question)) {
    await audit.decided();
    return { prepared, binds, ...defined({ unasked: unaskedRun(verdict) }) };
  }
  if (!question.mustAsk) await refuseAbsent(tool, prepared, verdict, deps, run);
  const asked = toApprovalAction(judged, question, deps);
  await audit.asked(asked.reason);
  const { answer, text } = await deps.questions.approve(
    {
      action: asked,
      exact: prepared.detail,
      proposal: prepared.proposal,
      follows: answer => recordsOfAnswer(judged, answer, deps),
    },
    run.signal,
  );
  const revised = text === undefined ? prepared : prepared.revise?.(text);
  const bound = revised ? deps.hash.sha256(revised.binding) : binds;
  await audit.answered(revised ? answer : { ...answer, decision: "deny" }, bound);
  if (answer.decision !== "allow") return { refused: refusedObservation(call, answer) };
  if (answer.scope === "always" && answer.rules) await deps.allowAlways?.(answer.rules);
  if (!revised) return { refused: nothingLeftObservation(call, prepared, "took everything of your proposal back") };
  return { prepared: revised, binds: bound, answer };
}

/**
 * What is not there cannot be shown, so where it lies is no question. It is one as soon as anything else asks: a rule, a name
 * that secrets have.
 */
async function refuseAbsent(
  { effect }: Tool,
  { targets }: PreparedCall,
  verdict: Verdict,
  deps: AuthorizeDeps,
  run: CallContext,
): Promise<void> {
  if (effect !== "read" || verdict.by !== "protected" || verdict.reason !== outside()) return;
  for (const ref of targets) {
    const absent = ref.inside ? undefined : await deps.whyAbsent(ref, run);
    if (absent) throw absent;
  }
}

function unaskedRun(verdict: Verdict): UnaskedRun | undefined {
  if (verdict.by === "sandbox") return verdict.access;
  return verdict.by === "reads" ? "certain" : undefined;
}

function runsUnasked(verdict: Verdict, { prepared, mustAsk, hooks }: ApprovalQuestion): boolean {
  if (mustAsk || prepared.mustAsk || hasUnsaved(prepared) || hooks?.decision === "ask") return false;
  const { decision, by } = verdict;
  const asksByItself = decision === "ask" && (by === "mode" || by === "command") && !verdict.isUnsure;
  return decision === "allow" || (asksByItself && (prepared.isSigned === true || hooks?.decision === "allow"));
}

/**
 * The call as it would run. Why it cannot be prepared tells of the files that it names: that they are there, names beside them,
 * their content. Protected ones are asked about as if they were read, and a no hides the reason too.
 */
export async function prepareCall(
  tool: Tool,
  asked: { call: ToolCallPart; input: unknown; run: RunContext; before?: Authorization | undefined },
  deps: AuthorizeDeps,
): Promise<PreparedCall | { refused: Observation }> {
  const { call, input, run, before } = asked;
  try {
    return await tool.prepare(input, run);
  } catch (error) {
    const reason = before ? withRevision(error, before, deps.redactor.redact) : error;
    if (run.signal.aborted || (error instanceof ToolError && error.saysNothingNew)) throw reason;
    const targets = (await unlessFileError(tool.places?.(input) ?? Promise.resolve([]), [])).filter(
      file => run.protectedBecause(file) !== undefined,
    );
    if (targets.length === 0) throw reason;
    const title = t("Read {0}", listed(targets.map(({ path }) => path)));
    const prepared = lookingCall("Read", { title, targets }, () => {
      throw reason;
    });
    // A mode that forbids the call itself asks for nothing.
    const verdict = decide(describeAction(tool, call, prepared, deps), deps.policy());
    if (verdict.decision === "deny") return { refused: deniedObservation(call, verdict.reason, verdict.by) };
    const question = { prepared, reason: t("{0} failed, and the error contains text of the file", tool.name) };
    const authorized = await authorize({ ...tool, name: "Read", effect: "read" }, call, question, deps, run);
    if ("refused" in authorized) return authorized;
    throw reason;
  }
}

export function describeAction(tool: Tool, call: ToolCallPart, prepared: PreparedCall, deps: AuthorizeDeps): Action {
  const { redact } = deps.redactor;
  const detail = mapStrings(prepared.detail, redact);
  const access = tool.effect === "edit" ? "write" : "read";
  const { ownFolders, imported } = deps.policy();
  // Of a protected file, what was shown is allowed, and no other content.
  const isProtectedEdit =
    access === "write" &&
    prepared.targets.some(ref => imported?.has(ref.absolute) || protectedBecause(ref, ownFolders, access));
  // A file that got other names since is not what was granted.
  const names = access === "write" && prepared.targets.some(({ hasOtherNames }) => hasOtherNames) ? " other names" : "";
  const more = [prepared.dependsOn ?? "", isProtectedEdit ? prepared.binding : "", names].join("");
  const key = grantKey(prepared.detail) + more;
  return {
    toolName: tool.name,
    effects: [tool.effect],
    targets: prepared.targets,
    detail,
    input: call.input,
    ...defined({ command: prepared.command }),
    ...(grantKey(detail) !== key && { exact: deps.hash.sha256(key) }),
    // Real values too, where the model came by one in another way.
    namesSecret: namesSecret(JSON.stringify(mapStrings(call.input, redact)) ?? ""),
    untrusted: deps.conversation.untrusted ?? deps.caller?.untrusted,
  };
}

/** Whether there is a sandbox is found out by a real run: only where it matters. */
async function withSandbox(action: Action, { canConfine }: PreparedCall, { mode }: PolicyState): Promise<Action> {
  const confined = mode === "auto" || mode === "edits" ? await canConfine?.() : undefined;
  if (confined === undefined) return action;
  if (confined.kind !== "no") return { ...action, confined: confined.kind };
  return { ...action, ...defined({ sandboxRemedy: confined.remedy }) };
}

/** The question: what runs, without secrets, and why it is asked. */
function toApprovalAction(
  { call, prepared, action, binds, policy, verdict }: JudgedCall,
  { reason: again, hooks }: ApprovalQuestion,
  deps: AuthorizeDeps,
): ApprovalAction {
  const byHook = hooks?.decision === "ask" && t("a hook asks for your approval: {0}", hooks.reason);
  const { denied, others } = deniedBefore(verdict, deps);
  const reasons = [...denied.map(({ words }) => words), prepared.mustAsk, verdict.reason, byHook, again].filter(
    Boolean,
  );
  // The command may run, but the person decides about its unsaved files.
  const unsaved = verdict.decision === "allow" && hasUnsaved(prepared) ? t("files have unsaved changes") : undefined;
  const effects = effectsOf(action, policy, verdict, [others, prepared.mustAsk, byHook, again]);
  const rules = deps.allowAlways && verdict.decision === "ask" ? suggestRules(action, policy) : [];
  const { toolName, detail, exact } = action;
  return {
    toolName,
    callId: call.toolCallId,
    title: `${prepared.title}?`,
    ...defined({ reason: reasons.join("; ") || unsaved, effects: some(effects) }),
    detail,
    binds,
    ...defined({ exact, denied: some(denied), rules: some(rules) }),
  };
}

const refusals: Record<ApprovalAnswer["by"], string> = {
  user: "The user denied this call. Do not try to reach the same by another way. Other ways to it ask the user, too.",
  stop: "The user stopped the turn before they answered. The call did not run.",
  nobody:
    "This call needs an approval, and nobody is there to give it. It did not run. Go on without it; what cannot be done without it, say at the end.",
};

function refusedObservation(call: ToolCallPart, answer: ApprovalAnswer): Observation {
  const words = answer.words?.trim() ? ` The user says: ${answer.words.trim()}` : "";
  return deniedObservation(call, refusals[answer.by] + words);
}

function nothingLeftObservation(call: ToolCallPart, { proposal }: PreparedCall, what: string): Observation {
  const path = proposal?.ref.path ?? "The file";
  const stands = proposal?.before === null ? `${path} was not created` : `${path} stays as it is`;
  const words = `The user ${what}. ${stands}. Do not propose the same again; ask what they want instead.`;
  return deniedObservation(call, words);
}

/** A failure after the user had changed what was proposed: the model is told what they wanted. */
export function withRevision(error: unknown, { prepared }: Authorization, redact: Redact): unknown {
  const { proposal } = prepared;
  if (!(error instanceof ToolError) || !proposal) return error;
  const note = revisionNote({ ...proposal, accepted: proposal.after }, redact, false).text;
  return note === "" ? error : new ToolError(error.code, `${error.message}\n${note}`, error.data);
}

/** What was decided about a call, and by which policy. */
interface JudgedCall {
  call: ToolCallPart;
  prepared: PreparedCall;
  action: Action;
  binds: string;
  policy: PolicyState;
  verdict: Verdict;
}

function auditOf(
  { audit, confinesAll }: AuthorizeDeps,
  { call, prepared, action, binds, policy, verdict }: JudgedCall,
) {
  const base = { callId: call.toolCallId, toolName: action.toolName, title: prepared.title, binds, mode: policy.mode };
  const { decision, by, rule, from, reason } = verdict;
  const why = defined({ rule, from, reason: reason || undefined });
  const where = (isAllowed: boolean, confined: boolean): { sandbox?: "in" | "out" } =>
    isAllowed && action.effects.includes("command") ? { sandbox: confined || confinesAll() ? "in" : "out" } : {};
  return {
    /** By rules, the mode or what was granted. Looking into files unasked is not worth a line: the history has it. */
    async decided(): Promise<void> {
      const looks = action.effects.every(effect => effect === "read" || effect === "session");
      if (decision === "allow" && by === "mode" && looks) return;
      const sandbox = where(decision === "allow", by === "sandbox");
      await audit?.write({ kind: "decided", ...base, decision, by, ...why, ...sandbox });
    },
    /** @param asked why, as the person reads it */
    async asked(asked: string | undefined): Promise<void> {
      await audit?.write({ kind: "asked", ...base, decision: "ask", by, ...why, ...defined({ reason: asked }) });
    },
    /** @param bound of what runs, where the person changed it */
    async answered({ decision, by, scope, rules }: ApprovalAnswer, bound: string): Promise<void> {
      const written = scope === "always" && rules ? { rules } : {};
      const sandbox = where(decision === "allow", false);
      await audit?.write({ kind: "decided", ...base, binds: bound, decision, by, scope, ...written, ...sandbox });
    },
  };
}
