/** The newest part of what a command prints. By itself, since activation loads it. */
export class TextRing {
  private came = 0;
  private newest = "";

  /** @param most characters that are kept */
  constructor(private readonly most: number) {}

  push(text: string): void {
    this.came += text.length;
    this.newest += text;
    // Cut back now and then only: cutting each time would copy the text for every piece.
    if (this.newest.length > 2 * this.most) this.newest = this.newest.slice(-this.most);
  }

  get text(): string {
    return this.newest.slice(-this.most);
  }

  /** characters that came and are not kept any more */
  get dropped(): number {
    return Math.max(0, this.came - this.most);
  }
}
