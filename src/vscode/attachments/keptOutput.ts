/** What a terminal's command prints, as far as it is kept: its beginning and its end. */
import { TextRing } from "../../core/commands/textRing";
import type { TerminalCommand } from "../../core/ground/ports";

/** characters */
const HEAD = 16 * 1024;
const TAIL = 64 * 1024;

export class KeptOutput {
  /** Its output is over, or cannot be read any further: never rejects. */
  readonly done: Promise<void>;
  private head = "";
  private readonly tail = new TextRing(TAIL);

  constructor(output: AsyncIterable<string>) {
    this.done = this.follow(output);
  }

  /** Where nothing was dropped, it is one text. */
  get text(): Pick<TerminalCommand, "head" | "dropped" | "tail"> {
    const { head, tail } = this;
    if (tail.dropped === 0) return { head: head + tail.text, dropped: 0, tail: "" };
    return { head, dropped: tail.dropped, tail: tail.text };
  }

  private async follow(output: AsyncIterable<string>): Promise<void> {
    try {
      for await (const text of output) {
        const room = HEAD - this.head.length;
        if (room > 0) this.head += text.slice(0, room);
        this.tail.push(text.slice(Math.max(0, room)));
      }
    } catch {
      // Nobody may ever ask for it, and what came until then is what there is.
    }
  }
}
