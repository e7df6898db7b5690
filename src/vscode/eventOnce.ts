/** Waiting for an event of the editor without listening for ever. */
import type { Event } from "vscode";

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
