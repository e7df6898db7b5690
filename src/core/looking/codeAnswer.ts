/** Asking language extensions: they may be slow, busy starting up, or fail. */
import { type Clock, CodeError, ToolError } from "../ground/ports";

/** ms: a server that has just been started reads the project first */
export const LOOK_MS = 20_000;
/** ms: of a rename, every file that may name it is looked at */
export const CHANGE_MS = 45_000;

/**
 * What an extension answers. Throws ToolError: TIMEOUT where it does not in time, NOT_FOUND where it refuses, in its words; and
 * rejects with the signal's reason at once when that is aborted.
 */
export async function answered<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { clock, signal, limit }: { clock: Clock; signal: AbortSignal; limit: number },
): Promise<T> {
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  const late = clock.sleep(limit, stop).then(() => "late" as const);
  // The loser of the race may still fail; that is ignored.
  late.catch(() => undefined);
  const asked = ask(stop).then(value => ({ value }));
  asked.catch(() => undefined);
  try {
    const answer = await Promise.race([asked, late]);
    if (answer !== "late") return answer.value;
    throw new ToolError(
      "TIMEOUT",
      `The editor's language extension did not answer within ${limit / 1000} s. Nothing was changed. It may still be starting: go on with Grep and Edit, or try once more later.`,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CodeError)) throw error;
    throw new ToolError("NOT_FOUND", `The editor's language extension says: ${error.message} Nothing was changed.`);
  } finally {
    ended.abort();
  }
}
