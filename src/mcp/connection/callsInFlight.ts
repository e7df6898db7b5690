/** The calls of a server that go on: how long each may take, and whom the server's questions go to. */
import type { ElicitResult } from "@modelcontextprotocol/client";
import type { Clock } from "../../core/ground/ports";
import { oneLine } from "../../core/ground/text/format";
import type { RunContext } from "../../core/tool/tool";
import { type ElicitParams, elicitForm, elicitResult } from "./elicitForm";

/** Asks the person; absent without one */
export type Ask = RunContext["ask"];

export interface CallsDeps {
  /** ms that a call may take without a sign of progress */
  timeoutMs(): number;
  clock: Clock;
  /** Opens an address to which the person said yes. false: it was not opened */
  openAddress(url: string): Promise<boolean>;
}

type CallProgress = { progress: number; total?: number | undefined; message?: string | undefined };

/** of a call */
const MAX_LINES = 500;
const MAX_CHARACTERS = 300;

function progressLine({ progress, total, message = "" }: CallProgress): string {
  const part = total === undefined ? String(progress) : `${progress} of ${total}`;
  return `${oneLine(message === "" ? part : `${part}: ${message}`, MAX_CHARACTERS)}\n`;
}

/** Questions of a server that stand before the person at once; what it asks beyond that is cancelled. */
const MAX_OPEN = 5;
/** times the time limit: with progress a call may take so long in all */
const MAX_PROGRESS = 30;
/** ms; the package's own limit, which does not know that a person answers: as long as a timer can be */
export const NO_LIMIT_MS = 2 ** 31 - 1;

/** A call took longer than it may. Its code is the one of the package. */
class CallTimeout extends Error {
  readonly code = "REQUEST_TIMEOUT";
}

export class CallsInFlight {
  private readonly calls: { ask: Ask | undefined; limit: CallDeadline }[] = [];
  private idle: PromiseWithResolvers<void> | undefined;
  private open = 0;

  constructor(
    private readonly server: string,
    private readonly deps: CallsDeps,
  ) {}

  /** @param call is aborted by its signal; `progress` begins its time anew, and gives the line to be shown; undefined: there were too many */
  async run<T>(
    { ask, signal }: { ask?: Ask; signal: AbortSignal },
    call: (options: { signal: AbortSignal; progress(said: CallProgress): string | undefined }) => Promise<T>,
  ): Promise<T> {
    const limit = new CallDeadline(this.deps.timeoutMs(), this.deps.clock);
    const entry = { ask, limit };
    this.calls.push(entry);
    let lines = 0;
    const progress = (said: CallProgress) => {
      limit.progress();
      return ++lines > MAX_LINES ? undefined : progressLine(said);
    };
    try {
      return await call({ signal: AbortSignal.any([signal, limit.signal]), progress });
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : error;
    } finally {
      limit.end();
      this.calls.splice(this.calls.indexOf(entry), 1);
      if (this.calls.length === 0) this.idle?.resolve();
    }
  }

  /** None is under way any more, or the time is up. */
  async ended(ms: number): Promise<void> {
    if (this.calls.length === 0) return;
    this.idle ??= Promise.withResolvers<void>();
    const cancel = this.deps.clock.after(Math.min(ms, NO_LIMIT_MS), this.idle.resolve);
    await this.idle.promise;
    cancel();
  }

  /** The protocol does not say of which call a question is, so it goes to the newest; the time limits of all wait for the answer. @param signal the server takes it back */
  async elicit(params: ElicitParams, signal?: AbortSignal): Promise<ElicitResult> {
    const { openAddress } = this.deps;
    const ask = this.calls.findLast(call => call.ask)?.ask;
    const form = elicitForm(this.server, params);
    if (!form || !ask || this.open >= MAX_OPEN) return { action: "cancel" };
    const held = [...this.calls];
    for (const { limit } of held) limit.pause();
    this.open += 1;
    try {
      const answer = await ask(form, signal);
      const url = answer.action === "accept" ? form.url : undefined;
      if (url !== undefined && !(await openAddress(url))) return { action: "cancel" };
      return elicitResult(form, answer);
    } finally {
      this.open -= 1;
      for (const { limit } of held) limit.resume();
    }
  }
}

/** So long a call may take without a sign of progress, and `MAX_PROGRESS` times as long in all; not while a person answers. */
class CallDeadline {
  private readonly controller = new AbortController();
  private timer: (() => void) | undefined;
  /** by the clock; ms that are left in all while a person answers */
  private until: number;
  private pauses = 0;
  readonly signal = this.controller.signal;

  /** @param ms without a sign of progress */
  constructor(
    private readonly ms: number,
    private readonly clock: Clock,
  ) {
    this.until = clock.steady() + ms * MAX_PROGRESS;
    this.start();
  }

  progress(): void {
    if (this.pauses === 0) this.start();
  }

  pause(): void {
    if (this.pauses++ === 0) this.until -= this.clock.steady();
    this.timer?.();
  }

  resume(): void {
    if (--this.pauses > 0) return;
    this.until += this.clock.steady();
    this.start();
  }

  end(): void {
    // Nothing starts it again.
    this.pauses = Number.POSITIVE_INFINITY;
    this.timer?.();
  }

  private start(): void {
    this.timer?.();
    const left = this.until - this.clock.steady();
    const expire = () => this.controller.abort(new CallTimeout("The call took too long."));
    this.timer = this.clock.after(Math.min(this.ms, left, NO_LIMIT_MS), expire);
  }
}
