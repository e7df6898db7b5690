/**
 * What a command prints, for a terminal that shows it: colours, cursor and erasing stay, so that it looks as its author meant
 * it. All else goes: nothing asks the terminal, names its window, fills the clipboard or speaks for a shell. Streaming; the
 * same for every way to cut the stream into chunks.
 */

/** A sequence that does not end by then is none: nothing may hold the output back. */
const MAX_SEQUENCE = 4_096;

const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-Z\\^-~]|[\u0000-\u0007\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** SGR; cursor up, down, forward, back, to a line or column; erase in line and display */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const paint = /^\u001b\[[0-9;:]*[A-HJKfm]$/;
/** one that may go on in the next chunk */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const begun = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b\n]*\u001b?|[ -/]*)$/;

export class TerminalPaint {
  private rest = "";

  push(chunk: string): string {
    const text = this.rest + chunk;
    const from = Math.max(0, text.length - MAX_SEQUENCE);
    const at = begun.exec(text.slice(from))?.index;
    const end = at === undefined ? text.length : from + at;
    this.rest = text.slice(end);
    return text.slice(0, end).replace(sequence, found => (paint.test(found) ? found : ""));
  }

  /** What was held back is no sequence any more. */
  end(): string {
    const { rest } = this;
    this.rest = "";
    return rest.replace(sequence, "");
  }
}
