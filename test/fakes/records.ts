/** Records as they are appended to a log, for tests without a session: what is not given is of no matter. */
import type { MessageMetadata, MessagePart } from "../../src/shared/messages";
import type { LogRecord, NewRecord, RecordOf } from "../../src/shared/records";

type Unnumbered<R extends LogRecord> = Omit<R, "id" | "seq" | "ts">;
type Said = Partial<MessageMetadata> & { id?: string; parts?: readonly MessagePart[] };

/** @param more its id, what comes behind the text, and of its metadata */
export function messageRecord(role: "user" | "assistant", text: string, { id = "m", parts = [], ...more }: Said = {}) {
  const { turn = 1 } = more;
  const metadata = { ts: 1, turn, step: 0, runId: `run_${turn}`, kind: "normal" as const, ...more };
  const message = { id, role, parts: [{ type: "text" as const, text }, ...parts], metadata };
  return { kind: "message", parentId: null, message } as const satisfies NewRecord;
}

export const resultRecord = (more: Partial<RecordOf<"result">>): Unnumbered<RecordOf<"result">> => ({
  ...{ kind: "result", messageId: "m", callId: "c", toolName: "Read", turn: 1, step: 1, status: "success" },
  ...{ digest: "d", durationMs: 1, forms: { shown: "" }, ...more },
});

export const turnEndRecord = (
  turn: number,
  more: Partial<RecordOf<"turnEnd">> = {},
): Unnumbered<RecordOf<"turnEnd">> => ({
  ...{ kind: "turnEnd", turn, runId: `run_${turn}`, reason: "done", steps: 1, toolCalls: 1, toolFailures: 0 },
  ...{ usage: { input: 1, output: 1 }, durationMs: 1, ...more },
});
