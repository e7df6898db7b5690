/**
 * A no holds for what the call would have done. It is a record, written with the answer or before the refusal; what covers it asks
 * (`permissions/denials.ts`), and names it, until another record lifts it.
 */
import type { ApprovalAnswer } from "../../shared/approval";
import { defined } from "../../shared/defined";
import type { Denial, DenialFacts } from "../../shared/denial";
import { inARow } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import type { ToolCallPart } from "../../shared/messages";
import { deniedName, deniedWords } from "../../shared/outcomeSaid";
import type { NewRecord } from "../../shared/records";
import { mapStrings, type Redact } from "../../shared/redacted";
import { type Clock, SessionError } from "../ground/ports";
import type { Conversation } from "../log/conversation";
import type { History } from "../log/history";
import { denialFacts, movedFacts } from "../permissions/denials";
import type { Action, Verdict } from "../permissions/verdict";

interface DeniedCall {
  call: ToolCallPart;
  /** its title: "Run `rm -r data`" */
  prepared: { title: string };
  action: Action;
}

/** What holds for a child beside its own conversation. */
export interface CallerSays {
  /** what people allowed and denied in its tree */
  standing(): Pick<Conversation, "grants" | "denials">;
  /** source of the first untrusted text that its task may come from */
  readonly untrusted?: string | undefined;
}

interface DenialDeps {
  conversation: Pick<Conversation, "denials">;
  caller?: CallerSays | undefined;
  redactor: { redact: Redact };
}

/** Nothing where the call would have had no effect to hold on to, or where the same no holds already. */
export function denialRecords(
  { call, prepared, action }: DeniedCall,
  who: { by: Denial["by"]; rule?: string | undefined; words?: string },
  deps: DenialDeps,
): NewRecord[] {
  const found = denialFacts(action);
  if (found === undefined) return [];
  const facts = mapStrings(found, deps.redactor.redact);
  const key = JSON.stringify(facts);
  if (inForce(deps).some(each => each.by === who.by && JSON.stringify(each.facts) === key)) return [];
  const denial = { callId: call.toolCallId, toolName: action.toolName, title: prepared.title, ...who, facts };
  return [{ kind: "denial", op: "made", denial }];
}

/**
 * What an answer means for later calls: a no holds, a yes to what was refused before lifts that; a yes for once only where the call
 * does everything that was refused: one file that may go says nothing about its folder.
 */
export function recordsOfAnswer(
  asked: DeniedCall & { verdict: Verdict },
  { by, decision, scope, words }: ApprovalAnswer,
  deps: DenialDeps,
): NewRecord[] {
  if (by !== "user") return [];
  if (decision === "deny") return denialRecords(asked, { by, ...defined({ words }) }, deps);
  const held = deniedIn(asked.verdict, deps);
  const facts = held.length > 0 && denialFacts(asked.action);
  const ended = held.filter(each => scope !== "once" || (facts && doesAll(facts, each.facts)));
  // A file that may be moved is not yet one that may be edited.
  const moved = ended.flatMap(({ denialId: _, ts: __, seq: ___, ...denial }): NewRecord[] => {
    const facts = movedFacts(asked.action, denial.facts);
    return facts ? [{ kind: "denial", op: "made", denial: { ...denial, facts } }] : [];
  });
  return ended.length > 0 ? [lifted(ended, "allowed"), ...moved] : [];
}

function doesAll(done: DenialFacts, { files, removes, reads, acts, hosts }: DenialFacts): boolean {
  const isGone = (path: string) => done.removes.some(folder => path === folder || path.startsWith(`${folder}/`));
  return (
    files.every(path => done.files.includes(path) || isGone(path)) &&
    removes.every(isGone) &&
    reads.every(path => done.reads.includes(path)) &&
    acts.every(words => done.acts.some(each => words.every(word => each.includes(word)))) &&
    hosts.every(host => done.hosts.includes(host))
  );
}

/** Each no that the call goes against. */
const inForce = ({ conversation, caller }: DenialDeps) => (caller?.standing() ?? conversation).denials;

const deniedIn = (verdict: Verdict, deps: DenialDeps) =>
  verdict.by === "denied" ? inForce(deps).filter(({ denialId }) => verdict.denials.includes(denialId)) : [];

/** A question names so many of them: the newest. */
const MAX_DENIED = 3;

/** What a question says of them. */
export function deniedBefore(verdict: Verdict, deps: DenialDeps & { clock: Clock }) {
  const all = deniedIn(verdict, deps);
  const more = all.length - MAX_DENIED;
  const denied = all.slice(-MAX_DENIED).map(denial => {
    const { denialId, callId, seq } = denial;
    return { denialId, callId, seq, words: deniedWords(denial, deps.clock.now()) };
  });
  const others = more > 0 && plural(more, "1 earlier denial covers it, too", "{0} earlier denials cover it, too");
  return { denied, others };
}

const lifted = (ended: readonly Denial[], by: "user" | "allowed" | "message"): NewRecord => ({
  kind: "denial",
  op: "lifted",
  denialIds: ended.map(({ denialId }) => denialId),
  by,
});

/**
 * A person takes a no back. Rejects with SessionError where it is not clear which, with StorageError.
 * @param which its id, words of its name, "all"; "": the only one
 */
export async function liftDenials(
  session: { history: History; requireWritable(): void },
  which: string,
  by: "user" | "message" = "user",
): Promise<void> {
  session.requireWritable();
  const { denials } = session.history.conversation;
  if (denials.length === 0) throw new SessionError(t("In this session nothing is denied that could be lifted."));
  const meant = denials.filter(each => which === "all" || each.denialId === which);
  const words = which.toLowerCase();
  const named = meant.length > 0 ? meant : denials.filter(({ title }) => title.toLowerCase().includes(words));
  if (named.length === 0 || (named.length > 1 && which !== "all")) {
    const names = inARow([...new Set(denials.map(deniedName))]);
    throw new SessionError(t("Say which to lift, or all: {0}", names));
  }
  await session.history.append(lifted(named, by));
}
