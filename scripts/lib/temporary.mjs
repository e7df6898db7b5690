/** A temporary folder of the run's own, so that nothing of it stays on the machine, whoever forgot it or was killed. */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEnd } from "./processes.mjs";

/** macOS gives a socket's path 103 characters, and its temporary folder takes half of them: VS Code would not start below it. */
const above = () => (process.platform === "darwin" ? "/tmp" : tmpdir());

/** From now on `tmpdir()`, here and in all that is started, is a folder that goes when this process ends. @returns {string} */
export function ownTemporaryFolder() {
  const folder = realpathSync(mkdtempSync(join(above(), "strata-")));
  for (const name of ["TMPDIR", "TMP", "TEMP"]) process.env[name] = folder;
  beforeEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** The names of what tests left there: each is one to mend. */
export function leftIn(folder) {
  return readdirSync(folder).filter(name => name.startsWith("strata-"));
}
