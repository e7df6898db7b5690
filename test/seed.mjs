/**
 * Loaded by mocha before the tests: `npm test` and `npm run check` try the same random cases each time, so that a change is
 * judged by what it changed; `npm run soak` tries others each time. What fails there names its seed.
 *
 * A run has a temporary folder of its own, and takes it away at its end: also what a failed test or a killed program left in it.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";

if (!process.env.STRATA_SOAK) fc.configureGlobal({ seed: 1 });

let folder;

/** Once for a run, before the processes that test files run in are started: they inherit it. */
export function mochaGlobalSetup() {
  // A short name: the paths of sockets have a limit.
  folder = mkdtempSync(join(realpathSync(tmpdir()), "strata-"));
  for (const name of ["TMPDIR", "TMP", "TEMP"]) process.env[name] = folder;
}

export function mochaGlobalTeardown() {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
