/** Tasks that run one after the other; one that fails keeps none behind it from running. */
export class SerialQueue {
  private tail: Promise<unknown> = Promise.resolve();

  /** Settles as the task does. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.tail.then(task);
    this.tail = result.catch(() => undefined);
    return result;
  }
}
