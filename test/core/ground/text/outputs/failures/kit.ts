/** What many failures are made of: runs in which many tests or files fail, as programs print them. */
import { lines } from "../kit";

export interface Failures {
  program: string;
  output: string;
  /** of what failed, each of which counts */
  names: readonly string[];
}

export type Program = (count: number) => Failures;

/** So far apart are those that fail. */
export const step = 23;

/** A list in which every 23rd line is another one, or several. */
export const among = (
  count: number,
  passed: (n: number) => string,
  failed: (n: number) => readonly string[],
): string[] => {
  let failures = 0;
  return lines(count * step, n => {
    if (n % step !== 0) return [passed(n)];
    failures += 1;
    return failed(failures);
  }).flat();
};
