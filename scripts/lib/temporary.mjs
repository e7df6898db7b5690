/**
 * Places of the run's own: nothing of it stays on the machine, whoever forgot it or was killed, and what tests agree to, store
 * or set up is not kept where the person's own Strata looks.
 */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEnd } from "./processes.mjs";

/** macOS gives a socket's path 103 characters, and its temporary folder takes half of them: VS Code would not start below it. */
const above = () => (process.platform === "darwin" ? "/tmp" : tmpdir());

/**
 * From now on the temporary folder and the folders of configuration and state, here and in all that is started, are in a
 * folder that goes when this process ends.
 * @returns {string} the temporary folder
 */
export function ownPlaces() {
  const folder = realpathSync(mkdtempSync(join(above(), "strata-")));
  for (const name of ["TMPDIR", "TMP", "TEMP"]) process.env[name] = folder;
  for (const name of ["XDG_CONFIG_HOME", "XDG_STATE_HOME"]) process.env[name] = join(folder, name.toLowerCase());
  beforeEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** The names of what tests left there: each is one to mend. */
export function leftIn(folder) {
  return readdirSync(folder).filter(name => name.startsWith("strata-"));
}
