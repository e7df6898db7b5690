/**
 * Standard output and error of the process. Who reads them may go away (`strata run … | head`), a disk may be full. Texts come
 * from models, servers, files, commands and other people's sessions: none of them may steer the terminal, so what is written
 * here is made plain, here alone.
 */
import { type Report, reportLines } from "../core/ground/text/report";
import { asSentence } from "../shared/format";
import { t } from "../shared/l10n";
import { plainText, printableJson } from "../shared/shown";
import type { Streams } from "./eventPrinter";

export class Output implements Streams {
  /** why one of them cannot be written any more */
  failure: NodeJS.ErrnoException | undefined;
  private listener: () => void = () => undefined;

  constructor(
    private readonly stdout: NodeJS.WritableStream,
    private readonly stderr: NodeJS.WritableStream,
  ) {
    for (const stream of [stdout, stderr]) stream.on("error", error => this.failed(error));
  }

  readonly out = (text: string): void => this.write(this.stdout, plainText(text));
  readonly err = (text: string): void => this.write(this.stderr, plainText(text));

  /**
   * Into a file or a pipe byte by byte as it is. Resolves when it is written, so that no more than that is held. Never rejects;
   * see `failure`.
   */
  readonly pour = (text: string): Promise<void> =>
    new Promise(resolve => {
      const { stdout } = this;
      const isTerminal = "isTTY" in stdout && stdout.isTTY === true;
      this.write(stdout, isTerminal ? plainText(text) : text, () => resolve());
    });

  /** Resolves when all that was said is written, or cannot be. Never rejects; see `failure`. */
  async written(): Promise<void> {
    const empty = (stream: NodeJS.WritableStream) =>
      new Promise<void>(resolve => {
        this.write(stream, "", () => resolve());
      });
    await Promise.all([empty(this.stdout), empty(this.stderr)]);
  }

  /** @param listener called once, when the output can be written no more */
  onFailure(listener: () => void): void {
    this.listener = listener;
    if (this.failure) listener();
  }

  /** The failure as a sentence; undefined where the reader has simply gone: `head` has what it wanted. */
  get complaint(): string | undefined {
    const { failure } = this;
    if (!failure || failure.code === "EPIPE") return undefined;
    const why =
      failure.code === "ENOSPC" || failure.code === "EDQUOT"
        ? t("the disk is full. Free some space, then run it again.")
        : asSentence(failure.message);
    return t("The output could not be written: {0}", why);
  }

  private write(stream: NodeJS.WritableStream, text: string, done?: () => void): void {
    // Standard error still takes the complaint about standard output.
    if (this.failure && stream === this.stdout) {
      done?.();
      return;
    }
    try {
      stream.write(text, done);
    } catch (error) {
      // Node 22 throws where the output is a file
      if (!(error instanceof Error)) throw error;
      this.failed(error);
      done?.();
    }
  }

  private failed(error: Error): void {
    if (this.failure) return;
    this.failure = error;
    this.listener();
  }
}

/** One object in one line, as the options `--json` print it. */
export const jsonLine = (value: unknown): string => `${printableJson(JSON.stringify(value))}\n`;

/** Without actions, which the editor offers. */
export const printReport = (report: Report, { out }: { out(text: string): void }): void =>
  out(`${reportLines(report).join("\n")}\n`);

/** What the process says with its exit code. */
export const EXIT = {
  ...{ done: 0, error: 1, usage: 2, approval: 3, denied: 4 },
  /** a limit of the caller's or of the settings was reached */
  limit: 5,
  /** the same may work later: EX_TEMPFAIL of sysexits */
  later: 75,
  stopped: 130,
} as const;
