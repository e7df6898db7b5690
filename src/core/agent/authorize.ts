/**
 * May a call run, and as what? The policy says it, or the person who is asked: they may change what is proposed, and then
 * their version is what runs. An allowance is for the exact bytes; where the file moved since, it is asked anew, and what
 * the person had made of the proposal goes along.
 */
import type { ToolCallPart } from "../../shared/messages";
import type { ApprovalAction, ApprovalAnswer } from "../../shared/records";
import { mergeTexts } from "../edits/merge";
import { revisionNote } from "../edits/proposalRevision";
import type { Conversation } from "../history/conversation";
import { type Action, decide, type PolicyState, type Verdict } from "../permissions/policy";
import { type Hash, type Redactor, ToolError } from "../ports";
import { mapStrings, namesSecret } from "../secrets/redact";
import type { PreparedCall, Tool } from "../toolkit/tool";
import type { Approvals } from "./approvals";
import { errorResult, type Observation } from "./observation";

export interface AuthorizeDeps {
  approvals: Pick<Approvals, "ask">;
  conversation: Pick<Conversation, "contentFrom">;
  hash: Pick<Hash, "sha256">;
  redactor: Pick<Redactor, "redact">;
  /** as it is now */
  policy(): PolicyState;
}

export interface Authorized {
  /** what may run: as proposed, or as the person changed it */
  prepared: PreparedCall;
  /** sha256 of what was allowed */
  binds: string;
  /** what a person said; absent: nobody had to be asked */
  answer?: ApprovalAnswer;
}

/** What is to be allowed. */
interface ApprovalQuestion {
  prepared: PreparedCall;
  /** what was allowed already: the same bytes need no second answer */
  before?: Authorized | undefined;
  /** why it is asked again */
  reason?: string;
  /** Whatever mode and grants say: what the person changed is not in it any more. */
  mustAsk?: boolean;
  /** Nothing is left to do: what the person made of it is what the file holds by now. */
  isDone?: boolean;
}

const MOVED_WHILE_ASKED = "the file changed while you were asked";
const UNSAVED_WHILE_ASKED = "more files have unsaved changes than you were asked about";
/** Why it is asked where the command itself may run: somebody has to say what happens to these files. */
const UNSAVED = "files have unsaved changes";
const CHANGES_KEPT = `${MOVED_WHILE_ASKED}: what you changed of the proposal is in it`;
const CHANGES_LOST = `${MOVED_WHILE_ASKED}, in lines that you had changed too: this is the proposal without your changes`;

/** The question about a call that was prepared, anew where `before` could not be done since the file moved. */
export function carryOver(prepared: PreparedCall, before: Authorized | undefined): ApprovalQuestion {
  if (!before) return { prepared };
  const reason = hasUnsaved(prepared) ? UNSAVED_WHILE_ASKED : MOVED_WHILE_ASKED;
  const again = { prepared, before, ...(before.answer ? { reason } : {}) };
  const old = before.prepared.proposal;
  if (old?.proposed === undefined || !prepared.proposal) return again;
  const merged = mergeTexts(old.before ?? "", old.after, prepared.proposal.before ?? "");
  if (merged.kind === "conflict") return { ...again, reason: CHANGES_LOST, mustAsk: true };
  const revised = prepared.revise?.(merged.text);
  return revised ? { ...again, prepared: revised, reason: CHANGES_KEPT } : { ...again, isDone: true };
}

/** The question is also what happens to these files. */
const hasUnsaved = ({ detail }: PreparedCall) => detail.type === "command" && detail.unsaved !== undefined;

/** Resolves when it is decided; what a person said is on disk by then. */
export async function authorize(
  tool: Tool,
  call: ToolCallPart,
  question: ApprovalQuestion,
  deps: AuthorizeDeps,
  signal: AbortSignal,
): Promise<Authorized | { refused: Observation }> {
  const { prepared, before } = question;
  if (question.isDone)
    return { refused: nothingLeftObservation(call, prepared, "changed your proposal, and the file has become that") };
  const binds = deps.hash.sha256(prepared.binding);
  if (before?.binds === binds) return { ...before, prepared };
  const action = describeAction(tool, call, prepared, deps);
  const verdict = decide(action, deps.policy());
  if (verdict.decision === "deny") return { refused: deniedObservation(call, verdict.reason) };
  if (verdict.decision === "allow" && !question.mustAsk && !hasUnsaved(prepared)) return { prepared, binds };
  const asked = toApprovalAction(call, action, question, binds, verdict, deps);
  const { answer, text } = await deps.approvals.ask(asked, signal, prepared.proposal);
  if (answer.decision !== "allow") return { refused: refusedObservation(call, answer) };
  if (text === undefined) return { prepared, binds, answer };
  const revised = prepared.revise?.(text);
  if (!revised) return { refused: nothingLeftObservation(call, prepared, "took everything of your proposal back") };
  return { prepared: revised, binds: deps.hash.sha256(revised.binding), answer };
}

function describeAction(tool: Tool, call: ToolCallPart, prepared: PreparedCall, deps: AuthorizeDeps): Action {
  const { redact } = deps.redactor;
  return {
    toolName: tool.name,
    effects: [tool.effect],
    targets: prepared.targets,
    detail: mapStrings(prepared.detail, redact),
    // Real values too, where the model came by one in another way.
    namesSecret: namesSecret(JSON.stringify(mapStrings(call.input, redact)) ?? ""),
    contentFrom: deps.conversation.contentFrom,
  };
}

/** The question, as the log has it and the person is asked. */
function toApprovalAction(
  call: ToolCallPart,
  { toolName, detail }: Action,
  { prepared, reason: again }: ApprovalQuestion,
  binds: string,
  verdict: Verdict,
  { redactor }: AuthorizeDeps,
): ApprovalAction {
  const reasons = [verdict.reason, again].filter(Boolean).join("; ");
  const reason = reasons || (verdict.decision === "allow" && hasUnsaved(prepared) ? UNSAVED : "");
  const title = redactor.redact(`${prepared.title}?`);
  const shown = reason ? { reason: redactor.redact(reason) } : {};
  return { toolName, callId: call.toolCallId, title, ...shown, detail, binds };
}

const refusals: Record<ApprovalAnswer["by"], string> = {
  user: "The user denied this call. Do not try to reach the same by another way.",
  stop: "The user stopped the turn before they answered. The call did not run.",
  nobody: "This call needs an approval and nobody is there to give it. It did not run.",
};

function refusedObservation(call: ToolCallPart, answer: ApprovalAnswer): Observation {
  const words = answer.words?.trim() ? ` The user says: ${answer.words.trim()}` : "";
  const denied = deniedObservation(call, refusals[answer.by] + words);
  return answer.by === "nobody" ? { ...denied, unanswered: true } : denied;
}

function nothingLeftObservation(call: ToolCallPart, { proposal }: PreparedCall, what: string): Observation {
  const path = proposal?.ref.path ?? "The file";
  const stands = proposal?.before === null ? `${path} was not created` : `${path} stays as it is`;
  const words = `The user ${what}. ${stands}. Do not propose the same again; ask what they want instead.`;
  return deniedObservation(call, words);
}

/** A failure after the user had changed what was proposed: the model is told what they wanted. */
export function withRevision(error: unknown, { prepared }: Authorized, redact: (text: string) => string): unknown {
  const { proposal } = prepared;
  if (!(error instanceof ToolError) || !proposal) return error;
  const note = revisionNote({ ...proposal, accepted: proposal.after }, redact, false).text;
  return note === "" ? error : new ToolError(error.code, `${error.message}\n${note}`, error.data);
}

const deniedObservation = (call: ToolCallPart, message: string): Observation => errorResult(call, "DENIED", message);
