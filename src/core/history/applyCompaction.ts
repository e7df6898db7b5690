/** What a `compaction` record does to the conversation (docs/context.md), and the snapshot that it carries. */
import type { SnapshotState, TurnSoFar } from "../../shared/compaction";
import type { RecordOf } from "../../shared/records";
import { toGrant } from "../permissions/grants";
import { foldResults } from "./applyMessage";
import type { Conversation } from "./conversation";

/**
 * The messages that went are gone (where the log is opened anew they were never there), the summaries stand, and what the
 * conversation knows beside messages is as it was then: the records that said so may be in the archive.
 */
export function applyCompaction(conversation: Conversation, record: RecordOf<"compaction">): void {
  const removed = new Set(record.removed);
  conversation.messages = conversation.messages.filter(({ id }) => !removed.has(id));
  conversation.summaries = record.summaries;
  foldResults(conversation, record.folded);
  restoreSnapshot(conversation, record.snapshot);
  for (const id of removed) conversation.injectedMessages.delete(id);
  // Of the newest turn alone: what opened it, and ended the standing of older readings, may be in the archive.
  const newest = conversation.messages.filter(({ metadata }) => metadata?.turn === record.snapshot.turn);
  const standing = new Set(newest.map(({ id }) => id));
  for (const [uri, reads] of conversation.reads) {
    conversation.reads.set(
      uri,
      reads.filter(({ messageId }) => standing.has(messageId)),
    );
  }
  conversation.observedTokens = 0;
  conversation.compacted = { id: record.id, tokens: record.tokens.after };
  conversation.compactionHeld = false;
}

function restoreSnapshot(conversation: Conversation, snapshot: SnapshotState): void {
  const { mode, cwd, failing, interrupted, usage, lastTask } = snapshot;
  const { title, turn, turnOpen, runId, step, todos, goal, nestedRules } = snapshot;
  Object.assign(conversation, { mode, cwd, failing, interrupted, usage, lastTask });
  Object.assign(conversation, { title, turn, turnOpen, runId, step, todos, goal, nestedRules });
  conversation.pending = snapshot.pending.map(pending => ({ ...pending }));
  conversation.stamps = new Map(Object.entries(snapshot.stamps));
  conversation.grants = snapshot.grants.flatMap(grant => toGrant(grant) ?? []);
  conversation.contentFrom = new Set(snapshot.contentFrom ?? ["user"]);
  conversation.pins = new Set(snapshot.pins);
  conversation.changed = new Map(snapshot.changed.map(file => [file.uri, file]));
  conversation.untold = new Map(Object.entries(snapshot.untold ?? {}));
  for (const fingerprint of snapshot.fingerprints) {
    if (!conversation.injected.has(fingerprint)) conversation.injected.set(fingerprint, "");
  }
  for (const fingerprint of snapshot.injected?.fingerprints ?? [])
    conversation.injected.set(fingerprint, snapshot.runId);
  conversation.injections = snapshot.injected?.times ?? 0;
}

/**
 * @param nestedRules sources of injected rules that move to L2 with this compaction
 * @param soFar of the turn that runs
 */
export function takeSnapshot(
  conversation: Conversation,
  nestedRules: readonly string[],
  soFar?: TurnSoFar,
): SnapshotState {
  const { mode, cwd, failing, interrupted, usage, lastTask } = conversation;
  return {
    title: conversation.title,
    ...(mode === undefined ? {} : { mode }),
    turn: conversation.turn,
    turnOpen: conversation.turnOpen,
    runId: conversation.runId,
    step: conversation.step,
    ...(cwd === undefined ? {} : { cwd }),
    todos: conversation.todos,
    pending: conversation.pending,
    stamps: Object.fromEntries(conversation.stamps),
    grants: conversation.grants,
    contentFrom: [...conversation.contentFrom],
    pins: [...conversation.pins],
    fingerprints: [...conversation.injected.keys()],
    ...(conversation.injections > 0 ? { injected: injectedInRun(conversation) } : {}),
    nestedRules: [...new Set([...conversation.nestedRules, ...nestedRules])],
    goal: conversation.goal,
    changed: [...conversation.changed.values()],
    ...(failing === undefined ? {} : { failing }),
    ...(interrupted === undefined ? {} : { interrupted }),
    ...(conversation.untold.size === 0 ? {} : { untold: Object.fromEntries(conversation.untold) }),
    ...(usage === undefined ? {} : { usage }),
    ...(lastTask === undefined ? {} : { lastTask }),
    ...(soFar === undefined ? {} : { soFar }),
  };
}

function injectedInRun({ injected, injections, runId }: Conversation): SnapshotState["injected"] {
  return { fingerprints: [...injected].flatMap(([text, run]) => (run === runId ? [text] : [])), times: injections };
}
