/** What each event does to the session: one row a type; a type without a row does not compile. `now` is ms since the epoch. */
import type { AgentEvent, AgentEventOf } from "../../../src/shared/events";
import { applyChildState, questionsLeft } from "./children";
import { applyProgress, withContext } from "./compactions";
import { findRecent } from "./items";
import { dropAttempt, newAnswer, newTool, updateTool } from "./messages";
import { applyRecords, closeOpenCalls } from "./records";
import { type LiveAnswer, MAX_OUTPUT_CHARS, type SessionView, type ToolItem } from "./state";

type EventTable = {
  [T in AgentEvent["type"]]: (session: SessionView, event: AgentEventOf<T>, now: number) => SessionView;
};

const table: EventTable = {
  session: (session, { readOnly, obstacle = "", deleted = false }) => ({ ...session, readOnly, obstacle, deleted }),
  record: (session, event) => applyRecords(session, [event.record]),
  state: applyState,
  request: applyRequest,
  text: (session, { requestId, delta }, heard) =>
    stream(session, requestId, live => ({ ...thoughtOver(live, heard), heard, text: live.text + delta })),
  reasoning: (session, { requestId, delta }, heard) =>
    stream(session, requestId, live => ({
      ...live,
      heard,
      thinkingSince: live.thinkingSince ?? heard,
      reasoning: live.reasoning + delta,
    })),
  callInput: applyCallInput,
  toolStart: (session, event) =>
    changeTool(session, event, ({ outcome }) => outcome === null && { title: event.title, phase: "running" }),
  question: (session, event) => changeTool(session, event, () => ({ exact: event })),
  form: (session, event) => changeTool(session, event, () => ({ exactForm: event })),
  output: (session, event) => {
    const text = ((session.outputs[event.callId] ?? "") + event.text).slice(-MAX_OUTPUT_CHARS);
    return { ...session, outputs: { ...session.outputs, [event.callId]: text } };
  },
  task: applyTask,
  child: applyChildState,
  failure: applyFailure,
  compaction: applyProgress,
  retry: (session, { message, attempt, attempts, delayMs }, now) => {
    return { ...session, live: null, retry: { message, attempt, attempts, at: now + delayMs } };
  },
};

/** Events in, next session out. Pure. */
export function applyEvent(session: SessionView, event: AgentEvent, now: number): SessionView {
  const apply = table[event.type] as (session: SessionView, event: AgentEvent, now: number) => SessionView;
  return apply(session, event, now);
}

/** @param change false: nothing changes */
function changeTool(
  session: SessionView,
  { callId, toolName }: { callId: string; toolName: string },
  change: (tool: ToolItem) => Partial<ToolItem> | false,
): SessionView {
  const items = updateTool(session.items, callId, toolName, tool => {
    const changed = change(tool);
    return changed ? { ...tool, ...changed } : tool;
  });
  return { ...session, items };
}

function applyState(session: SessionView, event: AgentEventOf<"state">, now: number): SessionView {
  const run = event.state;
  if (run === "idle") {
    const counters = { ...session.counters, startedAt: null };
    const ended = { live: null, retry: null, questions: questionsLeft(session), items: closeOpenCalls(session.items) };
    return { ...session, run, counters, progress: null, ...ended };
  }
  const counters = session.run === "idle" ? { ...session.counters, startedAt: now } : session.counters;
  return { ...session, run, counters };
}

function applyRequest(session: SessionView, event: AgentEventOf<"request">, now: number): SessionView {
  return {
    ...withContext(session, event),
    live: { ...newLive(event.requestId), heard: now },
    retry: null,
    counters: { ...session.counters, step: event.step },
  };
}

const newLive = (requestId: string): LiveAnswer => ({
  ...{ requestId, heard: 0, text: "", reasoning: "", thinkingSince: null, thoughtMs: null, callChars: {} },
});

/** Something else than a thought came. */
function thoughtOver(live: LiveAnswer, now: number): LiveAnswer {
  if (live.thinkingSince === null) return live;
  return { ...live, thinkingSince: null, thoughtMs: (live.thoughtMs ?? 0) + now - live.thinkingSince };
}

/** A delta: the first one gives the answer its place in the conversation, the others touch nothing but `live`. */
function stream(session: SessionView, requestId: string, change: (live: LiveAnswer) => LiveAnswer): SessionView {
  const live = session.live?.requestId === requestId ? session.live : newLive(requestId);
  const next = { ...session, live: change(live) };
  // Words take the place of words, thoughts do not.
  const items = live.text === "" && next.live.text !== "" ? dropAttempt(session.items, requestId) : session.items;
  const begun = live.text !== "" || live.reasoning !== "" || findRecent(items, requestId) !== undefined;
  return { ...next, items: begun ? items : [...items, newAnswer(requestId, { live: true })] };
}

function applyCallInput(session: SessionView, event: AgentEventOf<"callInput">, heard: number): SessionView {
  const { requestId, callId, toolName, chars } = event;
  const live = thoughtOver(session.live?.requestId === requestId ? session.live : newLive(requestId), heard);
  const next = { ...session, live: { ...live, heard, callChars: { ...live.callChars, [callId]: chars } } };
  const known = findRecent(session.items, callId);
  if (known?.kind === "tool" && known.phase === "writing") return next;
  const tool = newTool(callId, toolName, { id: `${requestId} ${callId}`, phase: "writing" });
  return { ...next, items: [...session.items, tool] };
}

/** The turn ended in a way that could not be logged: shown as its end would be, gone with the next snapshot. */
function applyFailure(session: SessionView, { error }: AgentEventOf<"failure">): SessionView {
  const { lastSeq, firstSeq, turn } = session;
  const { step: steps } = session.counters;
  const id = `failure-after-${lastSeq}`;
  const nothing = { toolCalls: 0, toolFailures: 0, usage: { input: 0, output: 0 }, durationMs: 0, ts: 0, runId: "" };
  const record = { kind: "turnEnd", id, seq: lastSeq + 0.5, reason: "error", error, steps, turn } as const;
  // One that came after the same record takes the place of the one before.
  const others = session.records.filter(each => each.id !== id);
  const items = session.items.filter(({ key }) => key !== id);
  return { ...applyRecords({ ...session, records: others, items }, [{ ...record, ...nothing }]), lastSeq, firstSeq };
}

function applyTask(session: SessionView, event: AgentEventOf<"task">): SessionView {
  const { type: _, dismissed, ...task } = event;
  const at = session.tasks.findIndex(({ taskId }) => taskId === task.taskId);
  if (dismissed) return at < 0 ? session : { ...session, tasks: session.tasks.toSpliced(at, 1) };
  return { ...session, tasks: at < 0 ? [...session.tasks, task] : session.tasks.with(at, task) };
}
