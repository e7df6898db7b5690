/** The end of a stream that may be endless: the last bytes of it, in bounded memory. */
export class LastBytes {
  private pieces: Buffer[] = [];
  private length = 0;
  /** bytes that went by */
  private total = 0;

  constructor(private readonly most: number) {}

  push(bytes: Buffer): void {
    this.total += bytes.length;
    // A copy: a slice would keep all of what it is of.
    const last = Buffer.from(bytes.subarray(-this.most));
    this.pieces.push(last);
    this.length += last.length;
    // Joined seldom, so that many small pieces cost no more than their bytes.
    if (this.length <= this.most * 2 && this.pieces.length < 1_000) return;
    const joined = Buffer.concat(this.pieces).subarray(-this.most);
    this.pieces = [Buffer.from(joined)];
    this.length = joined.length;
  }

  text(): string {
    const kept = Buffer.concat(this.pieces).subarray(-this.most).toString("utf8");
    const left = this.total - Math.min(this.total, this.most);
    return left > 0 ? `… ${left} bytes before\n${kept}` : kept;
  }
}
