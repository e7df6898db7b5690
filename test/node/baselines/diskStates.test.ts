/** Files put back on a real disk keep the contract. */
import { existsSync, mkdtempSync, realpathSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { diskStates } from "../../../src/node/baselines/diskStates";
import { diskStatesContract } from "../../contract/diskStates";

diskStatesContract("on disk", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "strata-states-")));
  const at = (name: string) => join(folder, name);
  return {
    disk: diskStates,
    at,
    write: async (name, text) => {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), text, { mode: 0o644 });
    },
    read: async name => (existsSync(at(name)) ? readFile(at(name), "utf8") : undefined),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
});
