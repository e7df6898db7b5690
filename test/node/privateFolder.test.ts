import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder, removeFolder } from "../../src/node/disk";
import { temporaryFolder } from "../fakes/temporary";

describe("privateFolder", () => {
  it("is for its user alone, parents too, and goes with its content", async () => {
    const home = temporaryFolder("private");
    const outer = join(home, "unsaved");
    await makePrivateFolder(join(outer, "s_1"));
    if (process.platform !== "win32") {
      for (const folder of [outer, join(outer, "s_1")]) assert.equal((await stat(folder)).mode & 0o777, 0o700);
    }
    await removeFolder(home);
    await removeFolder(home);
    await assert.rejects(stat(home), { code: "ENOENT" });
  });
});
