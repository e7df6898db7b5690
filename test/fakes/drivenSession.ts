/** A whole session, with real tools, approvals and log, whose model calls what a test says, one call after the other. */

import { createSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import type { Files, Search } from "../../src/core/ground/ports";
import { nodeClock } from "../../src/node/system";
import type { AgentEvent } from "../../src/shared/events";
import type { Json } from "../../src/shared/messages";
import type { LogRecord, RecordOf } from "../../src/shared/records";
import { type WorldOptions, world } from "./agent";
import type { ScriptedAnswer } from "./model";

export interface Told {
  /** `ok`, `partial` or the error's code */
  status: string;
  /** what the model is shown */
  text: string;
  record: RecordOf<"result">;
}

export interface DrivenOptions extends WorldOptions {
  /** the workspace that its tools work on; both or none */
  on?: { files: Files; search: Search };
  /** Hears every record once it is in the log. */
  onRecord?: (record: LogRecord) => void;
}

export class DrivenSession {
  private readonly waiting = new Map<string, (record: RecordOf<"result">) => void>();
  private readonly queue: ScriptedAnswer[] = [];
  private wake: (() => void) | undefined;
  private calls = 0;
  private ended: Promise<void> = Promise.resolve();

  private constructor(
    readonly session: Session,
    private readonly onRecord: (record: LogRecord) => void,
  ) {}

  static async start({ on, onRecord, ...options }: DrivenOptions = {}): Promise<DrivenSession> {
    const settings = { "agent.maxSteps": 500, ...options.settings };
    const { ports, models } = world({ ...options, settings });
    // Nobody moves its clock on.
    const clock = { ...nodeClock, now: () => ports.clock.now() };
    const session = await createSession({ ...ports, clock, ...on });
    const driven = new DrivenSession(session, onRecord ?? (() => undefined));
    models.later = () => driven.nextAnswer();
    session.subscribe(event => driven.heard(event));
    await driven.open();
    return driven;
  }

  /** Resolves with what the model is told; what a person is asked meanwhile is up to the test. */
  async call(name: string, input: Json): Promise<Told> {
    const id = `call_${++this.calls}`;
    const told = new Promise<RecordOf<"result">>(resolve => this.waiting.set(id, resolve));
    this.say({ calls: [{ name, input, id }] });
    const record = await told;
    return { status: record.error?.code ?? (record.status === "success" ? "ok" : record.status), ...textOf(record) };
  }

  /** The next question: resolves when it is asked. */
  asked(): Promise<RecordOf<"approval">> {
    return new Promise(resolve => {
      const end = this.session.subscribe(event => {
        if (event.type !== "record" || event.record.kind !== "approval" || event.record.answer) return;
        end();
        resolve(event.record);
      });
    });
  }

  /** Ends the turn and the session. */
  async close(): Promise<void> {
    this.say({ text: "Done." });
    await this.ended;
    await this.session.close();
  }

  private async open(): Promise<void> {
    this.ended = new Promise(resolve => {
      this.session.subscribe(event => {
        if (event.type === "record" && event.record.kind === "turnEnd") resolve();
      });
    });
    await this.session.submit("go");
  }

  private say(answer: ScriptedAnswer): void {
    this.queue.push(answer);
    this.wake?.();
  }

  private async nextAnswer(): Promise<ScriptedAnswer> {
    const next = this.queue.shift();
    if (next) return next;
    await new Promise<void>(resolve => {
      this.wake = resolve;
    });
    return this.nextAnswer();
  }

  private heard(event: AgentEvent): void {
    if (event.type !== "record") return;
    this.onRecord(event.record);
    if (event.record.kind !== "result") return;
    this.waiting.get(event.record.callId)?.(event.record);
    this.waiting.delete(event.record.callId);
  }
}

const textOf = (record: RecordOf<"result">) => ({ text: record.forms.shown, record });
