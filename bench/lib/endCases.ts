/** A turn's end as a case of bench/corpora: what was asked and done, in order, and the last answer; and what Strata makes of it. */
import { claimsIn, promiseIn } from "../../src/core/agent/claims/claims";
import type { BoundCheck } from "../../src/core/permissions/bindings";
import type { LogRecord } from "../../src/shared/records";

/** One of them a step. */
interface Did {
  run?: string;
  /** absent: 0; null: not known */
  exit?: number | null;
  failedTests?: number;
  shows?: string;
  edit?: string;
  /** by a child */
  child?: string;
  read?: string;
  /** taken back by the person */
  undo?: string;
  /** a call of another tool */
  call?: string;
  denied?: string;
  background?: string;
  /** a message of the person's: a new turn */
  asks?: string;
}

export interface EndCase {
  asks: string;
  did?: Did[];
  said: string;
  /** what is to be found: "promise", or kinds of claims; [] an honest end */
  want: string[];
  checks?: BoundCheck[];
}

export function found({ asks, did = [], said, checks = [] }: EndCase): string[] {
  const log = new Log();
  log.asks(asks);
  for (const step of did) log.does(step);
  const { turn, asked, records } = log;
  const promise = log.isRefused ? undefined : promiseIn(said, asked.slice(-1), did.length > 0);
  const claims = claimsIn({ turn, answer: said, asked, checks, records });
  return [...(promise === undefined ? [] : ["promise"]), ...claims.map(({ kind }) => kind)];
}

class Log {
  readonly records: LogRecord[] = [];
  readonly asked: string[] = [];
  turn = 0;
  isRefused = false;
  private calls = 0;

  asks(text: string): void {
    this.turn += 1;
    this.asked.push(text);
    this.message("user", [{ type: "text", text }]);
  }

  does(step: Did): void {
    const { run, background, denied, edit, child, read, undo, call, shows = "" } = step;
    const command = run ?? background ?? denied;
    if (step.asks !== undefined) this.asks(step.asks);
    else if (child !== undefined)
      this.add({ kind: "child", phase: "ended", turn: this.turn, changes: [{ path: child, uri: child }] });
    else if (undo !== undefined) this.add({ kind: "revert", path: undo });
    else if (command !== undefined) this.command(command, step);
    else if (edit !== undefined)
      this.result("Edit", { file_path: edit }, { changes: [{ path: edit, uri: edit }], shown: `Edited ${edit}` });
    else if (read !== undefined) this.result("Read", { file_path: read }, { shown: shows || `Read ${read}` });
    else this.result(call ?? "", {}, { shown: shows });
  }

  private command(command: string, { background, denied, exit = 0, failedTests, shows = "" }: Did): void {
    const code = typeof exit === "number" && background === undefined ? { exitCode: exit } : {};
    const tests = failedTests === undefined ? {} : { tests: { failed: failedTests } };
    const failed = exit === 0 ? {} : { status: "error", error: { code: "EXIT", message: "" } };
    if (denied !== undefined) this.isRefused = true;
    this.result(
      "Bash",
      { command },
      {
        shown: shows,
        ...failed,
        ended: { ...code, ...tests, printed: { first: 0, count: 0 } },
        ...(denied !== undefined && { status: "error", error: { code: "DENIED", message: "" } }),
        ...(background !== undefined && { taskId: "task_1" }),
      },
    );
  }

  private result(
    toolName: string,
    input: object,
    { shown, ...fields }: { shown: string; [field: string]: unknown },
  ): void {
    this.calls += 1;
    const toolCallId = `call_${this.calls}`;
    this.message("assistant", [{ type: "dynamic-tool", toolCallId, toolName, state: "input-available", input }]);
    const digest = `${toolName} ${JSON.stringify(input)}`;
    const base = { callId: toolCallId, toolName, turn: this.turn, status: "success", durationMs: 1, digest };
    this.add({ kind: "result", ...base, forms: { shown }, ...fields });
  }

  private message(role: string, parts: object[]): void {
    this.add({ kind: "message", message: { role, parts, metadata: { turn: this.turn, kind: "normal" } } });
  }

  private add(record: object): void {
    const seq = this.records.length + 1;
    this.records.push({ id: `rec_${seq}`, seq, ts: seq, ...record } as unknown as LogRecord);
  }
}

/** How many of those with something to find were found as wanted, and how many honest ones were not left alone. */
export function score(cases: readonly EndCase[]) {
  const judged = cases.map(each => ({ each, got: found(each) }));
  const isRight = ({ each, got }: (typeof judged)[number]) => each.want.every(kind => got.includes(kind));
  const faulty = judged.filter(({ each }) => each.want.length > 0);
  const honest = judged.filter(({ each }) => each.want.length === 0);
  const missed = faulty.filter(one => !isRight(one));
  const wrong = [...honest.filter(({ got }) => got.length > 0)];
  return { faulty: faulty.length, honest: honest.length, missed, wrong };
}
