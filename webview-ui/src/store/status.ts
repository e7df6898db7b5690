/** What the one line above the composer says, the most urgent first, and what it opens to. Pure. */
import type { ReviewFile } from "../../../src/shared/panelSnapshot";
import { allDone } from "../../../src/shared/toolResult";
import { undoneLast } from "./changes";
import { atWork, isOpenCall } from "./children";
import { findEnd } from "./items";
import { saidByTodoLine } from "./looks";
import type { ConversationItem, PanelState, SessionView } from "./state";

export type StatusKind =
  | ("compacting" | "stopping" | "retrying" | "working" | "agents")
  | ("readOnly" | "noModel" | "review" | "queue" | "todo" | "tasks" | "storage");

/** In the order of their urgency: the first that holds is said. */
const rules: readonly (readonly [StatusKind, (state: PanelState) => boolean])[] = [
  ["compacting", ({ session }) => session.progress !== null],
  ["stopping", ({ session }) => session.run === "stopping"],
  // It is how the turn works just now, and says more than that it does.
  ["retrying", ({ session }) => session.retry !== null],
  ["working", ({ session }) => session.run === "running"],
  // They go on behind the turn, and cost: their rows may be out of sight by then.
  ["agents", ({ session }) => atWork(session).length > 0],
  ["readOnly", ({ session }) => session.readOnly],
  // In an empty conversation the first steps say it.
  ["noModel", ({ session, surroundings }) => surroundings?.model.state === "none" && session.items.length > 0],
  ["review", ({ session }) => session.review.length > 0 || undoneLast(session).length > 0],
  ["queue", state => state.session.pending.length > 0 && !waitsForModel(state)],
  ["todo", ({ session }) => session.plan !== null || showsTodos(session)],
  ["tasks", ({ session }) => session.tasks.length > 0],
  ["storage", ({ surroundings }) => surroundings?.storage !== undefined],
];

/** Without a model messages wait at the conversation's end: nothing can be done with them but to change them. */
export const waitsForModel = ({ session, surroundings }: PanelState): boolean =>
  session.run === "idle" && surroundings?.model.state === "none";

/** null: there is nothing to say, and no line. A question is told by its card; what waits or runs beside it, here. */
export function statusOf(state: PanelState): StatusKind | null {
  const { run, pending, tasks } = state.session;
  if (run === "asking" && pending.length > 0) return "queue";
  if (run === "asking") return tasks.some(task => task.state === "running") ? "tasks" : null;
  return rules.find(([, holds]) => holds(state))?.[0] ?? null;
}

/**
 * Whether the todo list is about the work under way. A plan's is until the plan ends; any other list belongs to the turn that wrote
 * it last, and to nothing once that turn has said that it is done.
 */
export function showsTodos(session: SessionView): boolean {
  if (session.todos.length === 0) return false;
  if (session.plan !== null) return true;
  if (session.todosTurn !== session.turn) return false;
  return session.run !== "idle" || (endReason(session) !== "done" && !allDone(session.todos));
}

/** How the newest turn ended; undefined: it did not */
export const endReason = ({ ends, turn, items }: SessionView) => findEnd(items, ends[turn])?.reason;

/** The todo in hand, and which of all it is; null: none is left, or there is no list */
export function todoInHand(session: SessionView): { content: string; at: number; of: number } | null {
  if (!showsTodos(session)) return null;
  const { todos } = session;
  const started = todos.findIndex(({ status }) => status === "in_progress");
  const at = started >= 0 ? started : todos.findIndex(({ status }) => status === "pending");
  const todo = todos[at];
  return todo === undefined ? null : { content: todo.content, at: at + 1, of: todos.length };
}

export const doneTodos = ({ todos }: SessionView) => todos.filter(({ status }) => status === "completed").length;

/** One of the calls at the end has no result yet: its card says how it is. */
export function hasOpenCall(items: readonly ConversationItem[]): boolean {
  const last = items.findLast(item => item.kind !== "tool" || isOpenCall(item));
  return last?.kind === "tool" && !saidByTodoLine(last);
}

export type StatusSection = "todo" | "queue" | "tasks";

/** What the line opens to; a string, so that who subscribes to it renders only when it changes. */
export function sectionsOf(state: PanelState): string {
  const { session } = state;
  const { pending, tasks } = session;
  const shown: (StatusSection | false)[] = [
    showsTodos(session) && "todo",
    pending.length > 0 && !waitsForModel(state) && "queue",
    tasks.length > 0 && "tasks",
  ];
  return shown.filter(Boolean).join(" ");
}

// What waits for a review.

export const changesIn = (files: readonly ReviewFile[]) => files.reduce((sum, file) => sum + file.changes, 0);

/** Lines that came and went in all of them; null: of one it is not known */
export function reviewLines(files: readonly ReviewFile[]): { added: number; removed: number } | null {
  const sum = { added: 0, removed: 0 };
  for (const { added, removed } of files) {
    if (added === undefined || removed === undefined) return null;
    sum.added += added;
    sum.removed += removed;
  }
  return sum;
}

/** The files as the panel shows them: an edit that the agent makes in that moment is not kept with them. */
export const seenFiles = (files: readonly ReviewFile[]) => files.map(({ uri, seq }) => ({ uri, seq }));
