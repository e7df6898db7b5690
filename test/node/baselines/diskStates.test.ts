/** Files put back on a real disk keep the contract. */
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { diskStates } from "../../../src/node/baselines/diskStates";
import { diskStatesContract } from "../../contract/diskStates";
import { putFile, temporaryFolder } from "../../fakes/temporary";

diskStatesContract("on disk", async () => {
  const folder = temporaryFolder("states");
  const at = (name: string) => join(folder, name);
  return {
    disk: diskStates,
    at,
    write: async (name, text) => {
      putFile(at(name), text, 0o644);
    },
    read: async name => (existsSync(at(name)) ? readFile(at(name), "utf8") : undefined),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
});
