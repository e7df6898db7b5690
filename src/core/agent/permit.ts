/**
 * May a call run, and as what? The policy says it, or the person who is asked: they may change what is proposed, and then
 * their version is what runs. An allowance is for the exact bytes; where the file moved since, it is asked anew, and what
 * the person had made of the proposal goes along.
 */
import type { ToolCallPart } from "../../shared/messages";
import type { ApprovalAction, ApprovalAnswer } from "../../shared/records";
import type { PermissionMode } from "../../shared/settings";
import { mergeTexts } from "../edits/merge";
import { lostRevisionNote } from "../edits/revision";
import type { Conversation } from "../history/conversation";
import { decide, sessionGrant } from "../permissions/policy";
import type { Hash, Redactor } from "../ports";
import { ToolError } from "../ports";
import { mapStrings, namesSecret } from "../secrets/redact";
import type { Prepared, Tool } from "../toolkit/tool";
import type { Approvals } from "./approvals";
import { errorResult, type Observation } from "./observation";

export interface PermitDeps {
  approvals: Pick<Approvals, "ask">;
  conversation: Pick<Conversation, "grants">;
  hash: Pick<Hash, "sha256">;
  redactor: Pick<Redactor, "redact">;
  mode(): PermissionMode;
  trusted(): boolean;
  /** absolute folders of Strata's own settings and storage */
  ownFolders: readonly string[];
}

export interface Allowed {
  /** what may run: as proposed, or as the person changed it */
  prepared: Prepared;
  /** sha256 of what was allowed */
  binds: string;
  /** what a person said; absent: nobody had to be asked */
  answer?: ApprovalAnswer;
}

/** What is to be allowed. */
export interface Question {
  prepared: Prepared;
  /** what was allowed already: the same bytes need no second answer */
  before?: Allowed | undefined;
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
export function carry(prepared: Prepared, before: Allowed | undefined): Question {
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
const hasUnsaved = ({ detail }: Prepared) => detail.type === "command" && detail.unsaved !== undefined;

/** Resolves when it is decided; what a person said is on disk by then. */
export async function permit(
  tool: Tool,
  call: ToolCallPart,
  question: Question,
  deps: PermitDeps,
  signal: AbortSignal,
): Promise<Allowed | { refused: Observation }> {
  const { prepared, before } = question;
  if (question.isDone)
    return { refused: nothingLeft(call, prepared, "changed your proposal, and the file has become that") };
  const binds = deps.hash.sha256(prepared.bindOf);
  if (before?.binds === binds) return { ...before, prepared };
  const verdict = decide({
    effect: tool.effect,
    mode: deps.mode(),
    trusted: deps.trusted(),
    targets: prepared.targets,
    ownFolders: deps.ownFolders,
    // Real values too, where the model came by one in another way.
    namesSecret: namesSecret(JSON.stringify(mapStrings(call.input, deps.redactor.redact)) ?? ""),
  });
  if (verdict.decision === "deny") return { refused: denied(call, verdict.reason) };
  const reasons = [verdict.decision === "ask" ? verdict.reason : undefined, question.reason];
  const action = actionOf(tool, call, prepared, binds, reasons, deps.redactor);
  const isGranted = verdict.decision === "allow" || deps.conversation.grants.has(sessionGrant(action));
  if (isGranted && !question.mustAsk && !hasUnsaved(prepared)) return { prepared, binds };
  const why = isGranted && hasUnsaved(prepared) ? { reason: action.reason ?? UNSAVED } : {};
  const { answer, text } = await deps.approvals.ask({ ...action, ...why }, signal, prepared.proposal);
  if (answer.decision !== "allow") return { refused: refused(call, answer) };
  if (text === undefined) return { prepared, binds, answer };
  const revised = prepared.revise?.(text);
  if (!revised) return { refused: nothingLeft(call, prepared, "took everything of your proposal back") };
  return { prepared: revised, binds: deps.hash.sha256(revised.bindOf), answer };
}

function actionOf(
  tool: Tool,
  call: ToolCallPart,
  { title, detail }: Prepared,
  binds: string,
  reasons: readonly (string | undefined)[],
  { redact }: Pick<Redactor, "redact">,
): ApprovalAction {
  const reason = reasons.filter(Boolean).join("; ");
  const asked = { toolName: tool.name, callId: call.toolCallId, title: `${title}?` };
  return mapStrings({ ...asked, ...(reason ? { reason } : {}), detail, binds }, redact);
}

const refusals: Record<ApprovalAnswer["by"], string> = {
  user: "The user denied this call. Do not try to reach the same by another way.",
  stop: "The user stopped the turn before they answered. The call did not run.",
  nobody: "This call needs an approval and nobody is there to give it. It did not run.",
};

function refused(call: ToolCallPart, answer: ApprovalAnswer): Observation {
  const words = answer.words?.trim() ? ` The user says: ${answer.words.trim()}` : "";
  return { ...denied(call, refusals[answer.by] + words), ...(answer.by === "nobody" ? { unanswered: true } : {}) };
}

function nothingLeft(call: ToolCallPart, { proposal }: Prepared, what: string): Observation {
  const path = proposal?.ref.path ?? "The file";
  const stands = proposal?.before === null ? `${path} was not created` : `${path} stays as it is`;
  return denied(call, `The user ${what}. ${stands}. Do not propose the same again; ask what they want instead.`);
}

/** A failure after the user had changed what was proposed: the model is told what they wanted. */
export function withRevision(error: unknown, { prepared }: Allowed, redact: (text: string) => string): unknown {
  const { proposal } = prepared;
  if (!(error instanceof ToolError) || !proposal) return error;
  const note = lostRevisionNote({ ...proposal, accepted: proposal.after }, redact);
  return note === "" ? error : new ToolError(error.code, `${error.message}\n${note}`, error.data);
}

function denied(call: ToolCallPart, message: string): Observation {
  return errorResult(call, "DENIED", message, {});
}
