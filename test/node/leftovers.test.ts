/** What a write leaves beside its file when its process is killed in its midst, and who takes it away. */

import assert from "node:assert/strict";
import { readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openSession } from "../../src/core/agent/session/openSession";
import type { FileRef } from "../../src/core/ground/ports";
import { NodeFiles } from "../../src/node/files";
import { edit, read, start } from "../fakes/agent";
import { eventually } from "../fakes/eventually";
import { temporaryFolder } from "../fakes/temporary";

const leftover = ".strata-0f8fad5b-d9cb-469f-a165-70867728950e.tmp";

describe("what a killed write left", () => {
  it("goes, once it is old; what others made and what is being written stays", async () => {
    const folder = temporaryFolder("left");
    const before = new Date(Date.now() - 120_000);
    const young = leftover.replace("0f8f", "1f8f");
    for (const name of ["a.ts", leftover, young, ".strata-x.tmp", "strata.tmp"])
      await writeFile(join(folder, name), "x");
    for (const name of [leftover, ".strata-x.tmp"]) await utimes(join(folder, name), before, before);
    const link = leftover.replace("0f8f", "2f8f");
    await symlink("a.ts", join(folder, link));
    const files = new NodeFiles([folder]);
    await files.removeLeftovers(await files.resolve("a.ts"));
    assert.deepEqual((await readdir(folder)).sort(), [".strata-x.tmp", young, link, "a.ts", "strata.tmp"].sort());
    await files.removeLeftovers(await files.resolve("gone/a.ts"));
  });

  it("is looked for at the next opening, beside the file of the call that was cut off", async () => {
    const agent = await start({ mode: "ask" });
    const beside: string[] = [];
    const removeLeftovers = async ({ path }: FileRef) => void beside.push(path);
    Object.assign(agent.files, { removeLeftovers });
    agent.models.play({ calls: [read("src/a.ts")] }, { calls: [edit("src/a.ts", "one", "two")] });
    await agent.session.submit("go");
    await eventually("it asks", () => agent.session.state === "asking");
    // As a kill leaves it: the call is in the log, its result is not.
    agent.disk.crash();
    await openSession(agent.ports, agent.session.id);
    assert.deepEqual(beside, ["src/a.ts"]);
  });
});
