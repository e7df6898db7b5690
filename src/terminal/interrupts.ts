/** The ways in which a person or the system ends a run. */
import { t } from "../shared/l10n";
export class Interrupts {
  private readonly stopping = new AbortController();
  /** Aborted at the first reason to stop. */
  readonly signal = this.stopping.signal;
  private cancel: () => string | undefined = () => undefined;

  /** @param deps `quit` ends the process at once, and what it started with it */
  constructor(private readonly deps: { err(text: string): void; quit(): void }) {}

  /** @param cancel ends what can be ended by itself, and says what; undefined: there is no such thing */
  onCancel(cancel: () => string | undefined): void {
    this.cancel = cancel;
  }

  /** Ctrl+C: what can be ended by itself first, then as `terminate`. */
  press(): void {
    const cancelled = this.signal.aborted ? undefined : this.cancel();
    if (cancelled === undefined) this.terminate();
    else this.deps.err(`\n${cancelled}\n`);
  }

  /** The first one stops the turn and keeps what there is, the second one ends the process. */
  terminate(): void {
    if (this.signal.aborted) {
      this.deps.quit();
    } else {
      this.deps.err(t("\nStopping. Press Ctrl+C again to quit at once.\n"));
      this.stop();
    }
  }

  /** The terminal or the reader of the output is gone. May come twice. */
  stop(): void {
    this.stopping.abort();
  }

  /** From now on, signals of this process count. */
  watch(): this {
    process.on("SIGINT", () => this.press());
    process.on("SIGTERM", () => this.terminate());
    // The system and a shell both send it when a terminal closes: the second one is no second wish.
    process.on("SIGHUP", () => this.stop());
    return this;
  }
}
