/** Other agents that work for this one, by their records and live events. Pure. */
import { addUsage } from "../../../src/shared/cost";
import { askerOf } from "../../../src/shared/delegation";
import type { AgentEventOf } from "../../../src/shared/events";
import type { Usage } from "../../../src/shared/messages";
import type { RecordOf } from "../../../src/shared/records";
import { applyChanges } from "./changes";
import { updateTool } from "./messages";
import type { ChildView, ConversationItem, SessionView, ToolItem } from "./state";

const unknown: ChildView = { begun: null, changed: [], ended: [], live: null };

function withChild(session: SessionView, childId: string, change: Partial<ChildView>): SessionView {
  const child = { ...unknown, ...session.children[childId], ...change };
  return { ...session, children: { ...session.children, [childId]: child } };
}

export const applyChildState = (session: SessionView, live: AgentEventOf<"child">): SessionView =>
  withChild(session, live.childId, { live });

/** Its row is that of the call that asked for it; where a person did, one of its own. */
export function applyChild(session: SessionView, record: RecordOf<"child">): SessionView {
  const { phase, childId, callId, changes = [] } = record;
  const { changed, ended } = session.children[childId] ?? unknown;
  const next = withChild(applyChanges(session, record), childId, {
    ...(changes.length > 0 && { changed: [...changed, record] }),
    ...(phase === "begun" && { begun: record }),
    ...(phase === "ended" && { ended: [...ended, record], live: null }),
  });
  if (phase !== "begun") return next;
  return { ...next, items: updateTool(next.items, callId || childId, "Task", tool => ({ ...tool, childId })) };
}

/** The session with the live children of another. */
export const withLiveOf = (children: SessionView["children"], others: SessionView["children"]) => ({
  ...others,
  ...Object.fromEntries(
    Object.entries(children).map(([id, child]) => [id, { ...child, live: others[id]?.live ?? null }]),
  ),
});

/** All that it is known to have taken. */
export const spentBy = ({ live, ended }: ChildView): Usage =>
  live?.spent ?? ended.reduce<Usage>((sum, { usage }) => addUsage(sum, usage), { input: 0, output: 0 });

export const atWork = ({ children }: SessionView): string[] =>
  Object.entries(children).flatMap(([id, { live }]) => (live === null ? [] : [id]));

/** A call of this agent without a result. A child that a person began, and what children ask, are none. */
export const isOpenCall = (item: ConversationItem): item is ToolItem =>
  item.kind === "tool" && item.outcome === null && item.key !== item.childId && askerOf(item.key) === undefined;

/** Questions that stay when a turn ends: those of children that go on, or of their own. */
export const questionsLeft = (session: SessionView): readonly string[] =>
  session.questions.filter(callId => askerOf(callId) !== undefined && atWork(session).length > 0);
