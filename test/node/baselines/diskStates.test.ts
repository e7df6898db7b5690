/** Files put back on a real disk keep the contract. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { diskStates } from "../../../src/node/baselines/diskStates";
import { diskStatesContract } from "../../contract/diskStates";
import { temporaryFolder } from "../../fakes/temporary";

diskStatesContract("on disk", async () => {
  const folder = temporaryFolder("states");
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
