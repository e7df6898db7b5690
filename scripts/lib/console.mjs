/** What scripts say: progress with times, and one sentence when something is missing. Node 20, no dependencies. */

/** A failure that its message explains whole: printed without a stack. */
export class Problem extends Error {}

/** Seconds since `from` (ms), for people: `0.4 s`, `12 s`, `2:05 min`. */
export function since(from) {
  const seconds = (Date.now() - from) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 90) return `${whole} s`;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")} min`;
}

/**
 * Says what is being done, does it, says how long it took.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(what, work) {
  const from = Date.now();
  console.log(`${what} …`);
  const result = await work();
  console.log(`${what}: done in ${since(from)}`);
  return result;
}

/** The sentence of a Problem, else the whole error. */
export function explain(error) {
  if (error instanceof Problem) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
