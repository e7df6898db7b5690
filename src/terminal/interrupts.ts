/** The ways in which a person or the system ends a run. */
export interface InterruptsDeps {
  err(text: string): void;
  /** Ends the process at once, and what it started with it. */
  quit(): void;
}

export class Interrupts {
  private stopped = false;
  private listener: () => void = () => undefined;

  constructor(private readonly deps: InterruptsDeps) {}

  get wasStopped(): boolean {
    return this.stopped;
  }

  /** @param stop called once, at the first reason to stop */
  onStop(stop: () => void): void {
    this.listener = stop;
  }

  /** Ctrl+C and the like: the first one stops the turn and keeps what there is, the second one ends the process. */
  press(): void {
    if (this.stopped) {
      this.deps.quit();
    } else {
      this.deps.err("\nStopping. Press Ctrl+C again to quit at once.\n");
      this.stop();
    }
  }

  /** Nobody is there any more to read or to press: the terminal or the reader of the output is gone. May come twice. */
  stop(): void {
    if (this.stopped) return;
    this.stopped = true;
    this.listener();
  }

  /** From now on, signals of this process count. */
  watch(): this {
    process.on("SIGINT", () => this.press());
    process.on("SIGTERM", () => this.press());
    // The system and a shell both send it when a terminal closes: the second one is no second wish.
    process.on("SIGHUP", () => this.stop());
    return this;
  }
}
