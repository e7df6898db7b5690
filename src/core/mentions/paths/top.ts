/** The best few of many, without sorting them all. */
export class Top {
  /** best first */
  readonly ids: number[] = [];
  private readonly scores: number[] = [];

  constructor(private readonly limit: number) {}

  /** What a score has to reach to be among them. */
  get least(): number {
    return this.ids.length < this.limit ? Number.NEGATIVE_INFINITY : (this.scores.at(-1) ?? Number.POSITIVE_INFINITY);
  }

  /** @param before whether the first of two with equal scores goes before the second */
  add(id: number, score: number, before: (one: number, other: number) => boolean): void {
    if (this.limit <= 0 || score < this.least) return;
    let at = this.ids.length;
    while (at > 0 && this.goesBefore(id, score, at - 1, before)) at--;
    this.ids.splice(at, 0, id);
    this.scores.splice(at, 0, score);
    if (this.ids.length > this.limit) {
      this.ids.pop();
      this.scores.pop();
    }
  }

  score(at: number): number {
    return this.scores[at] ?? 0;
  }

  private goesBefore(id: number, score: number, at: number, before: (one: number, other: number) => boolean): boolean {
    const other = this.scores[at] ?? 0;
    return score > other || (score === other && before(id, this.ids[at] ?? 0));
  }
}
