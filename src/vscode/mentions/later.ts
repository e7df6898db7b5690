/** Once for all that happens within a while: also where it never ends, its turn comes. */
export class Later {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly withinMs: number,
    private readonly run: () => void,
  ) {}

  soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.run();
    }, this.withinMs);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
