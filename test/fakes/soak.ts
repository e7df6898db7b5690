/**
 * What `npm run soak` tries beyond `npm test`: what takes long by nature, and all of the random cases, of which people who
 * wait for `npm test` get a few. `npm run soak -- NAME` runs one of these; ARCHITECTURE.md says which covers what.
 */
import type { SoakName } from "../../scripts/lib/soaks.mjs";

/** Whether this run is the soak of that name. `npm run soak` gives the names, separated by commas. */
export function isSoak(name: SoakName): boolean {
  return (process.env.STRATA_SOAK ?? "").split(",").includes(name);
}

/** Tests that only the soak of that name runs: `register` calls `it` or `describe`. */
export function soak(name: SoakName, register: () => void): void {
  if (isSoak(name)) register();
}

/** How many cases are tried: all of them in the soak of that name, else a tenth. */
export function cases(all: number, name: SoakName = "random"): number {
  return isSoak(name) ? all : Math.ceil(all / 10);
}
