/** Waiting for the editor, never without an end. */
import type { Event } from "vscode";
import type { Logger } from "../../core/ground/ports";
import { untilAborted } from "../../shared/async";
import { errorMessage } from "../../shared/errorMessage";

/** Settles as `work` does; "late": it did not settle in time, and what becomes of it is told to nobody. @param within ms */
export async function withTimeout<T>(work: () => PromiseLike<T>, within: number): Promise<T | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">(resolve => {
    timer = setTimeout(() => resolve("late"), within);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Made once; what failed is tried again by the next who asks. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch(error => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** For `catch` where no caller waits: why it failed is in the log. */
export const logged = (logger: Logger, level: Parameters<Logger["log"]>[0], what: string) => (error: unknown) =>
  void logger.log(level, what, { error: String(error) });

export const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

/** ms: formatters may take their time, a dialog that nobody sees or a file system that hangs may not */
const SAVE_MS = 30_000;

/** Never rejects. `why`: it was not saved. @param within ms */
export async function saveWithTimeout(save: () => PromiseLike<boolean>, within = SAVE_MS) {
  try {
    const saved = await withTimeout(save, within);
    if (saved === "late") return { saved: false, why: `VS Code did not finish within ${within / 1000} s` };
    return saved ? { saved } : { saved, why: "VS Code could not save it" };
  } catch (error) {
    return { saved: false, why: `VS Code could not save it (${errorMessage(error)})` };
  }
}

/** Resolves with the first event that `isIt`; rejects with the signal's reason when it is aborted. Then nothing listens any more. */
export async function eventOnce<T>(event: Event<T>, isIt: (value: T) => boolean, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<T>();
  const subscription = event(value => {
    if (isIt(value)) resolve(value);
  });
  return untilAborted(promise, signal).finally(() => subscription.dispose());
}
