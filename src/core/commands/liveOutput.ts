/** A command's output on its way to its card, as it comes and no more than a person can follow. */
import { size } from "../text/format";
import type { Stream } from "./outputDigest";

/** characters of one call */
const MAX_LIVE = 256 * 1024;

export class LiveOutput {
  private left = MAX_LIVE;

  constructor(private readonly output: (stream: Stream, text: string) => void) {}

  push(stream: Stream, text: string): void {
    if (text === "" || this.left <= 0) return;
    const part = text.slice(0, this.left);
    this.left -= part.length;
    this.output(stream, part);
    if (this.left <= 0) this.output(stream, `\n… more than ${size(MAX_LIVE)}: the rest goes into the result only.\n`);
  }
}
