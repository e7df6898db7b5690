/** Work of the editor that is not waited for without end. */
import type { Event } from "vscode";

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

/** Waiting for an event of the editor without listening for ever. */

/** Resolves with the first event that `isIt`; rejects with the signal's reason when it is aborted. Then nothing listens any more. */
export function eventOnce<T>(event: Event<T>, isIt: (value: T) => boolean, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const end = () => {
      subscription.dispose();
      signal.removeEventListener("abort", abort);
    };
    const abort = () => {
      end();
      reject(signal.reason);
    };
    const subscription = event(value => {
      if (!isIt(value)) return;
      end();
      resolve(value);
    });
    signal.addEventListener("abort", abort);
  });
}

/** Saves that end: formatters may take their time, a dialog that nobody sees or a file system that hangs may not. */

/** ms */
const SAVE_MS = 30_000;

/** Never rejects. `why`: it was not saved. @param within ms */
export async function saveWithTimeout(
  save: () => PromiseLike<boolean>,
  within = SAVE_MS,
): Promise<{ saved: boolean; why?: string }> {
  try {
    const saved = await withTimeout(save, within);
    if (saved === "late") return { saved: false, why: `VS Code did not finish within ${within / 1000} s` };
    return saved ? { saved } : { saved, why: "VS Code could not save it" };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { saved: false, why: `VS Code could not save it (${words})` };
  }
}
