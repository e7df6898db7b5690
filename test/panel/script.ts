/** Records and events of a session, as a host would send them: numbered, timed, and checked by the fake host's schemas. */

import type { ApprovalAction, ApprovalAnswer } from "../../src/shared/approval";
import type { KeptPicture } from "../../src/shared/attachProtocol";
import type { AgentEvent, AgentEventOf, CompactionPhase, SessionState } from "../../src/shared/events";
import type { Json, LoggedMessage, MessageMetadata, MessagePart, Usage } from "../../src/shared/messages";
import { PANEL_PROTOCOL_VERSION, type PanelSurroundings } from "../../src/shared/panelSnapshot";
import type { QuestionAnswer, QuestionForm } from "../../src/shared/question";
import type { LogRecord, NewRecord, RecordOf } from "../../src/shared/records";
import type { FileChange, Todo } from "../../src/shared/toolResult";
import type { TurnError } from "../../src/shared/turnEnd";
import type { FakeHostOptions } from "./page/fakeHost";

export const SESSION = "session_1";
/** when the scripted sessions begin: ms since the epoch */
export const START = Date.UTC(2026, 10, 21, 9, 0, 0);

const model = {
  ...{ state: "ready" as const, name: "gpt-6-mini", address: "https://api.openai.com/v1" },
  ...{ contextWindow: 200_000, offline: false },
};
export const surroundings: PanelSurroundings = { workspace: "trusted", folders: ["invoices"], model };
/** Its server does not say how much it reads. */
export const guessing: PanelSurroundings = { ...surroundings, model: { ...model, isWindowGuessed: true } };

export function snapshot(changes: Partial<FakeHostOptions["snapshot"]> = {}): FakeHostOptions["snapshot"] {
  return {
    version: PANEL_PROTOCOL_VERSION,
    sessionId: SESSION,
    readOnly: false,
    title: "",
    mode: "ask",
    state: "idle",
    records: [],
    hasOlder: false,
    live: [],
    surroundings,
    ...changes,
  };
}

interface ResultWords {
  digest: string;
  status?: "success" | "partial" | "error";
  error?: RecordOf<"result">["error"];
  durationMs?: number;
  changes?: FileChange[];
  hooks?: RecordOf<"result">["hooks"];
  ended?: RecordOf<"result">["ended"];
}

/** Writes a session down, step by step; what was written since `take` are the events to play. */
export class Script {
  readonly records: LogRecord[] = [];
  #events: AgentEvent[] = [];
  #seq: number;
  #turn = 0;
  #step = 0;

  constructor(firstSeq = 1) {
    this.#seq = firstSeq - 1;
  }

  /** Events since the last `take`. */
  take(): AgentEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  live(event: AgentEvent): this {
    this.#events.push(event);
    return this;
  }

  record(record: NewRecord): this {
    this.#seq += 1;
    const made = { id: `rec_${this.#seq}`, seq: this.#seq, ts: START + this.#seq * 1000, ...record } as LogRecord;
    this.records.push(made);
    return this.live({ type: "record", record: made });
  }

  state(state: SessionState): this {
    return this.live({ type: "state", state });
  }

  user(text: string, metadata: Partial<MessageMetadata> = {}, pictures: readonly KeptPicture[] = []): this {
    if ((metadata.kind ?? "normal") === "normal") {
      this.#turn += 1;
      this.#step = 0;
    }
    const files = pictures.map(({ mediaType, url, path }): MessagePart => {
      return { type: "file", mediaType, url, filename: path };
    });
    return this.#message("user", [{ type: "text", text }, ...files], { kind: "normal", ...metadata });
  }

  /** An image that the agent read, as the model gets it. */
  image(path: string): this {
    const parts: MessagePart[] = [
      { type: "text", text: `Image of ${path}:` },
      { type: "file", mediaType: "image/png", url: "blob:0", filename: path },
    ];
    return this.#message("user", parts, { kind: "notice" });
  }

  request(requestId: string, estimatedTokens = 12_000): this {
    this.#step += 1;
    return this.live({
      type: "request",
      requestId,
      turn: this.#turn,
      step: this.#step,
      attempt: 1,
      model: "gpt-6-mini",
      estimatedTokens,
      contextWindow: 200_000,
    });
  }

  /** The text in deltas of some characters. */
  text(requestId: string, text: string, size = 12): this {
    for (let at = 0; at < text.length; at += size) {
      this.live({ type: "text", requestId, delta: text.slice(at, at + size) });
    }
    return this;
  }

  reasoning(requestId: string, delta: string): this {
    return this.live({ type: "reasoning", requestId, delta });
  }

  /** The finished answer: words, thoughts, calls. */
  answer(
    requestId: string,
    text: string,
    calls: [id: string, tool: string, input: Json][] = [],
    reasoning = "",
    metadata: Partial<MessageMetadata> = {},
  ): this {
    const parts: MessagePart[] = [];
    if (reasoning !== "") parts.push({ type: "reasoning", text: reasoning });
    if (text !== "") parts.push({ type: "text", text });
    for (const [toolCallId, toolName, input] of calls) {
      parts.push({ type: "dynamic-tool", toolCallId, toolName, input, state: "input-available" });
    }
    const usage = { input: 11_000 + this.#seq * 400, output: 240, cachedInput: 9000 };
    return this.#message("assistant", parts, { requestId, usage, step: Math.max(1, this.#step), ...metadata });
  }

  start(callId: string, toolName: string, title: string): this {
    return this.live({ type: "toolStart", callId, toolName, title });
  }

  output(callId: string, text: string): this {
    return this.live({ type: "output", callId, stream: "stdout", text });
  }

  result(callId: string, toolName: string, words: ResultWords): this {
    const { digest, status = "success", error, durationMs = 120, changes, hooks, ended } = words;
    return this.record({
      kind: "result",
      messageId: "msg",
      callId,
      toolName,
      turn: this.#turn,
      step: this.#step,
      status,
      digest,
      durationMs,
      forms: { shown: "" },
      ...(error === undefined ? {} : { error }),
      ...(changes === undefined ? {} : { changes }),
      ...(hooks === undefined ? {} : { hooks }),
      ...(ended === undefined ? {} : { ended }),
    });
  }

  compaction(phase: CompactionPhase, more: Partial<AgentEventOf<"compaction">> = {}): this {
    const tokens = { before: 148_000, ...(phase === "planning" ? {} : { after: 41_000 }) };
    return this.live({ type: "compaction", phase, reason: "threshold", startedAt: START, tokens, ...more });
  }

  /** The record of a compaction of turns 1 to `to`. */
  compacted(to: number, more: Partial<RecordOf<"compaction">> = {}): this {
    return this.record(compactionRecord(to, this.#turn, more));
  }

  approval(approvalId: string, action: Omit<ApprovalAction, "binds">, answer?: ApprovalAnswer): this {
    return this.record({
      kind: "approval",
      approvalId,
      action: { ...action, binds: "0".repeat(64) },
      ...(answer === undefined ? {} : { answer }),
    });
  }

  question(questionId: string, callId: string, toolName: string, form: QuestionForm, answer?: QuestionAnswer): this {
    return this.record({ kind: "question", questionId, callId, toolName, form, ...(answer && { answer }) });
  }

  /** A record of a child: it began; with `reason`, it ended. */
  child(childId: string, callId: string, more: Partial<RecordOf<"child">> = {}): this {
    const { reason, agent = "explore", title = "Where totals are rounded" } = more;
    return this.record({
      ...{ kind: "child", phase: reason === undefined ? "begun" : "ended", childId, agent, title, callId },
      ...{ messageId: callId === "" ? "" : "msg", turn: this.#turn },
      ...more,
    });
  }

  /** How it is now. */
  childState(childId: string, more: Partial<AgentEventOf<"child">> = {}): this {
    const spent = { input: 33_000, output: 1_200, cost: 0.014 };
    return this.live({ type: "child", childId, state: "running", doing: "", spent, startedAt: START, ...more });
  }

  pending(pendingId: string, op: "added" | "edited" | "removed", delivery: "steer" | "queue", text = ""): this {
    return this.record({ kind: "pending", pendingId, op, delivery, text });
  }

  todo(todos: Todo[]): this {
    return this.record({ kind: "todo", todos });
  }

  end(
    reason: RecordOf<"turnEnd">["reason"],
    error?: TurnError,
    usage: Partial<Usage> = {},
    more: Partial<RecordOf<"turnEnd">> = {},
  ): this {
    return this.record({
      kind: "turnEnd",
      turn: this.#turn,
      runId: `run_${this.#turn}`,
      reason,
      steps: this.#step,
      toolCalls: 0,
      toolFailures: 0,
      usage: { input: 12_000, output: 400, ...usage },
      durationMs: 12_400,
      ...(error === undefined ? {} : { error }),
      ...more,
    });
  }

  #message(role: LoggedMessage["role"], parts: MessagePart[], metadata: Partial<MessageMetadata>): this {
    const id = `msg_${this.#seq + 1}`;
    const ts = START + this.#seq * 1000;
    const common = { ts, turn: this.#turn, step: 0, runId: `run_${this.#turn}`, kind: "normal" as const };
    return this.record({
      kind: "message",
      parentId: null,
      message: { id, role, parts, metadata: { ...common, ...metadata } },
    });
  }
}

const summaryText = `## 📌 Archived Session Summary

### 🎯 Objectives & Status
* **Original Goal**: fix the failing invoice test

### 🏗️ Technical Context (Static)
* **Stack**: TypeScript, node:test
* **Environment**: invoices, linux, bash, gpt-6-mini (200k)

### ✅ Completed Milestones (The "Done" Pile)
* [✓] Totals round half up in \`src/invoice.ts\` - obs:3fa9c1d2e4b5
* [ ] The changelog names it

### 🧠 Key Insights & Decisions (Persistent Memory)
* **Decisions**:
  * Round per invoice, never per line: the tax office adds up the lines itself
  * Cents are integers from the parser on
* **User Preferences**: tabs; no new dependencies

### 📂 File System State (Snapshot)
*(Modified files in this archive segment)*
* \`src/invoice.ts\`: +3 −1, rounds half up`;

function compactionRecord(to: number, turn: number, more: Partial<RecordOf<"compaction">>): NewRecord {
  const summary = {
    ...{ id: "sum_1", text: summaryText, sha256: "0".repeat(64), turns: { from: 1, to } },
    ...{ sourceRange: { fromId: "msg_1", toId: "msg_9", count: 9 }, startTs: START, cutoffTs: START },
  };
  const { rounds = { summarised: 12, kept: 10, pinned: 0 } } = more;
  const snapshot = {
    ...{ title: "", turn: Math.max(turn, to + rounds.kept) },
    ...{ turnOpen: false, runId: "run", step: 0, todos: [], pending: [], stamps: {}, grants: [] },
    ...{ pins: [], fingerprints: [], nestedRules: [], goal: "", changed: [] },
  };
  return {
    kind: "compaction",
    reason: "threshold",
    archive: "archive/0001.jsonl",
    removed: [],
    folded: [],
    summaries: [summary],
    tokens: { before: 148_000, after: 41_000 },
    rounds,
    durationMs: 14_000,
    snapshot,
    ...more,
  };
}

export const invoiceDiff: FileChange = {
  uri: "file:///code/invoices/src/invoice.ts",
  path: "src/invoice.ts",
  created: false,
  added: 3,
  removed: 1,
  diff: [
    "--- a/src/invoice.ts",
    "+++ b/src/invoice.ts",
    "@@ -12,6 +12,8 @@ export function totalOf(invoice: Invoice): number {",
    "   const net = invoice.lines.reduce((sum, line) => sum + line.price * line.count, 0);",
    "-  return Math.floor(net * (1 + invoice.tax) * 100) / 100;",
    "+  // half up, as the tax office wants it",
    "+  const cents = Math.round(net * (1 + invoice.tax) * 100 + Number.EPSILON);",
    "+  return cents / 100;",
    " }",
    "",
  ].join("\n"),
  before: "1".repeat(64),
  after: "2".repeat(64),
};
