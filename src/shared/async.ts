/** Several tasks at once, or one after the other, or later. */

/** Calls back after `ms`, in the panel's page: others have a Clock. Gives back what calls it off. */
export function later(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

/** Maps with at most `width` tasks under way; results in the order of `items`. The first failure rejects. */
export async function mapBounded<T, R>(items: readonly T[], width: number, task: (item: T) => Promise<R>) {
  const results: R[] = new Array(items.length);
  const left = items.entries();
  const worker = async () => {
    // All workers take from the one iterator.
    for (const [index, item] of left) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}

/** Runs tasks one after the other; one that fails does not stop those behind it. */
export class SerialQueue {
  private tail: Promise<unknown> = Promise.resolve();

  /** Settles as the task does. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.tail.then(task);
    this.tail = result.catch(() => undefined);
    return result;
  }
}

/** One queue per key; keys without work are forgotten. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<unknown>>();

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const result = (this.last.get(key) ?? Promise.resolve()).then(task);
    const settled = result
      .catch(() => undefined)
      .then(() => {
        if (this.last.get(key) === settled) this.last.delete(key);
      });
    this.last.set(key, settled);
    return result;
  }
}

/** Rejects with the signal's reason once it is aborted; the work is not waited for. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}
