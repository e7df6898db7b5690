/** What a `compaction` record does to the conversation (docs/context.md), and the snapshot that it carries. */
import type { SnapshotState, Summary, TurnSoFar } from "../../shared/compaction";
import { addUsage } from "../../shared/cost";
import { defined } from "../../shared/defined";
import type { RecordOf } from "../../shared/records";
import { sourceRules, sourceSkill } from "../ground/text/sources";
import { foldResults, keepReads } from "./applyMessage";
import { type Conversation, endedTurn } from "./conversation";

/**
 * The messages that went are gone (where the log is opened anew they were never there), the summaries stand, and what the
 * conversation knows beside messages is as it was then: the records that said so may be in the archive.
 */
export function applyCompaction(conversation: Conversation, record: RecordOf<"compaction">): void {
  const removed = new Set(record.removed);
  conversation.messages = conversation.messages.filter(({ id }) => !removed.has(id));
  conversation.brief = new Set(
    conversation.messages.flatMap(({ metadata, parts }) =>
      metadata && parts[0]?.type === "data-brief" ? [metadata.turn] : [],
    ),
  );
  conversation.summaries = record.summaries;
  conversation.ledger = record.ledger;
  foldResults(conversation, record.folded);
  Object.assign(conversation, restored(conversation, record.snapshot));
  conversation.spent = addUsage(conversation.spent, record.usage);
  for (const id of removed) conversation.injectedMessages.delete(id);
  // What opened the newest turn may be in the archive.
  const { turn } = record.snapshot;
  const ofTurn = new Set(conversation.messages.flatMap(({ id, metadata }) => (metadata?.turn === turn ? [id] : [])));
  keepReads(conversation, read => ofTurn.has(read.messageId));
  conversation.restated = conversation.restated.filter(({ messageId }) => ofTurn.has(messageId));
  conversation.compacted = { id: record.id, tokens: record.tokens.after, turn };
  conversation.compactionHeld = false;
}

/** What a snapshot does not say: messages and what is read off those that stay, and what stands in records that stay. */
type OmittedField =
  | "messages"
  | "summaries"
  | "ledger"
  | "injectedMessages"
  | "reads"
  | "restated"
  | "brief"
  | "lastAnswer"
  | "asked"
  | "denials"
  | "children"
  | "questions"
  | "end"
  | "undone"
  | "compacted"
  | "compactionHeld";
type RestoredFields = { [Field in Exclude<keyof Conversation, OmittedField>]: Conversation[Field] };

/** Fields that a snapshot has as the conversation has them. */
const SAME = [
  ...(["title", "pinned", "mode", "model", "cwd", "turn", "turnOpen", "runId", "step", "todos", "goal"] as const),
  ...(["failing", "interrupted", "untrusted", "usage", "calibration", "lastTask", "nestedRules"] as const),
] satisfies (keyof Conversation & keyof SnapshotState)[];
type SameFields = { [Field in (typeof SAME)[number]]: SnapshotState[Field] };

const sameFields = (from: Conversation | SnapshotState): SameFields =>
  Object.fromEntries(SAME.map(field => [field, from[field]])) as SameFields;

/** A new field of the conversation is restored here or named as unsaid, else this does not compile. */
const restored = ({ injected, lastTurn }: Conversation, snapshot: SnapshotState): RestoredFields => ({
  ...sameFields(snapshot),
  lastTurn: Math.max(lastTurn, snapshot.lastTurn ?? snapshot.turn),
  // The prefix breaks: whatever waited for that passes to its kept form.
  settled: endedTurn(snapshot),
  // What breaks the prefix now is the compaction; the answers since a way back may be in the archive.
  rewound: false,
  spent: snapshot.spent ?? { input: 0, output: 0 },
  modelLimits: snapshot.modelLimits ?? {},
  foundTools: new Set(snapshot.foundTools),
  activeSkills: snapshot.activeSkills ?? [],
  plans: snapshot.plans ?? {},
  pending: snapshot.pending.map(pending => ({ ...pending })),
  stamps: new Map(Object.entries(snapshot.stamps)),
  grants: snapshot.grants.filter(grant => typeof grant !== "string"),
  contentFrom: new Set(snapshot.contentFrom ?? ["user"]),
  pins: new Set(snapshot.pins),
  changed: new Map(snapshot.changed.map(file => [file.uri, file])),
  untold: new Map(Object.entries(snapshot.untold ?? {})),
  untoldReviews: snapshot.untoldReviews ?? [],
  injected: restoredInjections(injected, snapshot),
});

function restoredInjections(known: ReadonlyMap<string, string>, snapshot: SnapshotState): Map<string, string> {
  const injected = new Map(known);
  for (const fingerprint of snapshot.fingerprints) if (!injected.has(fingerprint)) injected.set(fingerprint, "");
  for (const fingerprint of snapshot.injected?.fingerprints ?? []) injected.set(fingerprint, snapshot.runId);
  return injected;
}

/**
 * @param moved sources of injected rules and skills that move to L2 with this compaction
 * @param soFar of the turn that runs
 */
export function takeSnapshot(conversation: Conversation, moved: readonly string[], soFar?: TurnSoFar): SnapshotState {
  const { turn, lastTurn, modelLimits, foundTools, untold, untoldReviews } = conversation;
  const activeSkills = joined(conversation.activeSkills, moved, sourceSkill);
  // A plan that is being carried out is L2 from here on; one that ended goes.
  const { standing: _, ...ownPlans } = conversation.plans;
  const plans = { ...ownPlans, ...defined({ standing: ownPlans.carriedOut?.text }) };
  return {
    ...(defined(sameFields(conversation)) as SameFields),
    ...(lastTurn === turn ? {} : { lastTurn }),
    pending: conversation.pending,
    stamps: Object.fromEntries(conversation.stamps),
    grants: conversation.grants,
    contentFrom: [...conversation.contentFrom],
    pins: [...conversation.pins],
    fingerprints: [...conversation.injected.keys()],
    ...defined({ injected: injectedInRun(conversation), soFar }),
    nestedRules: joined(conversation.nestedRules, moved, sourceRules),
    ...(activeSkills.length > 0 ? { activeSkills } : {}),
    ...(Object.keys(plans).length > 0 ? { plans } : {}),
    ...(foundTools.size === 0 ? {} : { foundTools: [...foundTools] }),
    spent: conversation.spent,
    changed: [...conversation.changed.values()],
    ...(untold.size === 0 ? {} : { untold: Object.fromEntries(untold) }),
    ...(untoldReviews.length === 0 ? {} : { untoldReviews }),
    ...(Object.keys(modelLimits).length > 0 ? { modelLimits } : {}),
  };
}

const joined = (known: readonly string[], moved: readonly string[], name: (source: string) => string | undefined) => [
  ...new Set([...known, ...moved.flatMap(source => name(source) ?? [])]),
];

function injectedInRun({ injected, runId }: Conversation): SnapshotState["injected"] {
  const fingerprints = [...injected].flatMap(([text, run]) => (run === runId ? [text] : []));
  return fingerprints.length > 0 ? { fingerprints, times: fingerprints.length } : undefined;
}

/** What is wrong, the end of a sentence; undefined: all fits. @param before summaries that stood, oldest first */
export function rangeProblem(
  { removed, summaries }: { removed: readonly string[]; summaries: readonly Summary[] },
  before: readonly Summary[],
) {
  const placeOf = new Map(removed.map((id, at) => [id, at]));
  const known = new Map(before.map(summary => [summary.id, summary]));
  for (const { id, sourceRange } of summaries) {
    const was = known.get(id)?.sourceRange;
    const { fromId, toId, count } = sourceRange;
    const [from, to] = [placeOf.get(fromId), placeOf.get(toId)];
    const isOwn = from !== undefined && to !== undefined && to - from + 1 === count;
    const isSame = was?.fromId === fromId && was.toId === toId && was.count === count;
    if (was ? isSame : isOwn || isOfSeveral(sourceRange, before)) continue;
    const now = was ? `says otherwise than before` : `says`;
    return `${id} ${now} that it is about ${count} messages from ${fromId} to ${toId}, and those are not the ones that went`;
  }
  return undefined;
}

/** The oldest of them, put together. */
function isOfSeveral({ fromId, toId, count }: Summary["sourceRange"], before: readonly Summary[]): boolean {
  const last = before.findLastIndex(({ sourceRange }) => sourceRange.toId === toId);
  const all = before.slice(0, last + 1).map(({ sourceRange }) => sourceRange);
  return all[0]?.fromId === fromId && all.reduce((sum, range) => sum + range.count, 0) === count;
}
