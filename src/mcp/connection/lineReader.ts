/** Lines of a stream, each at most so long. Time grows with the bytes alone, however small the pieces are that they come in. */
export class LineReader {
  private pieces: Buffer[] = [];
  private length = 0;

  /** @param most bytes of a line */
  constructor(private readonly most: number) {}

  /** The lines that are whole by now; undefined: one is too long, and nothing of it is kept. */
  push(bytes: Buffer): string[] | undefined {
    const lines: string[] = [];
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...this.pieces, bytes.subarray(from, end)]);
      this.clear();
      if (line.length > this.most) return undefined;
      lines.push(line.toString("utf8").replace(/\r$/, ""));
      from = end + 1;
    }
    const rest = bytes.subarray(from);
    this.pieces.push(rest);
    this.length += rest.length;
    if (this.length <= this.most) return lines;
    this.clear();
    return undefined;
  }

  clear(): void {
    this.pieces = [];
    this.length = 0;
  }
}

const NEWLINE = 10;
