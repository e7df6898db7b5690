/** A call's live output on its way to its card: redacted line by line, and a line that takes its time word by word. */
import type { Clock, Redactor } from "../ports";
import { LineRedactor } from "./lineRedactor";

type Stream = "stdout" | "stderr";

/** ms that the beginning of a line is held back for its end */
const PATIENCE = 100;

export class LiveRedactor {
  private readonly lines: Record<Stream, LineRedactor>;
  private timer: AbortController | undefined;

  constructor(
    { redact, safeEnd }: Pick<Redactor, "redact" | "safeEnd">,
    private readonly show: (stream: Stream, text: string) => void,
    private readonly clock: Pick<Clock, "sleep">,
  ) {
    this.lines = { stdout: new LineRedactor(redact, safeEnd), stderr: new LineRedactor(redact, safeEnd) };
  }

  push(stream: Stream, text: string): void {
    const line = this.lines[stream];
    this.pass(stream, line.push(text));
    if (line.waits) this.wait();
  }

  /** Shows what is left: no more comes. */
  end(): void {
    this.timer?.abort();
    this.each(line => line.end());
  }

  private wait(): void {
    if (this.timer) return;
    const timer = new AbortController();
    this.timer = timer;
    this.clock.sleep(PATIENCE, timer.signal).then(
      () => {
        this.timer = undefined;
        this.each(line => line.soFar());
      },
      // ended meanwhile
      () => undefined,
    );
  }

  private each(take: (line: LineRedactor) => string): void {
    for (const stream of ["stdout", "stderr"] as const) this.pass(stream, take(this.lines[stream]));
  }

  private pass(stream: Stream, text: string): void {
    if (text !== "") this.show(stream, text);
  }
}
