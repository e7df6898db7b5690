/** A baseline whose copies find no room on the disk. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { BaselineWorkspace } from "../../fakes/baselineWorkspace";

describe("a baseline whose copies find no room on the disk", () => {
  let workspace: BaselineWorkspace;
  before(function () {
    if (!existsSync("/dev/full")) this.skip();
  });
  beforeEach(async () => {
    workspace = new BaselineWorkspace();
    // Makes the folder that copies go to.
    await workspace.around("true");
  });
  afterEach(() => workspace.end());

  /** From here on what copies of these texts would be written into is a device that is full. */
  function fill(...names: string[]): void {
    const scratch = join(workspace.base, "scratch");
    for (const folder of readdirSync(scratch).filter(name => name.startsWith("baseline-")))
      for (const name of names) symlinkSync("/dev/full", join(scratch, folder, name));
  }
  const sha = (text: string) => createHash("sha256").update(text).digest("hex");

  it("says so, and what can be put back all the same can", async () => {
    workspace.write("small.txt", "small\n");
    await workspace.around("true");
    workspace.write("large.txt", "large\n");
    fill(sha("large\n"));
    const lookAgain = await workspace.baseline.before();
    workspace.run("echo x | tee large.txt > small.txt; echo made > made.txt");
    const found = await lookAgain();
    const told = workspace.told(found);
    assert.deepEqual(found.gaps, [`1 file in ${workspace.folder} was not copied: the disk was full.`]);
    assert.deepEqual(Object.fromEntries([...told].map(([path, { before }]) => [path, before])), {
      "large.txt": "unkept: there was no room to copy it before a command changed it",
      "small.txt": "small\n",
      "made.txt": "nothing",
    });
  });

  it("knows what a command left that had no room, and copies it once there is", async () => {
    workspace.write("a.txt", "one\n");
    await workspace.around("true");
    fill(sha("two\n"));
    const told = await workspace.around("echo two > a.txt; echo new > new.txt");
    assert.deepEqual([told.get("a.txt")?.before, told.get("new.txt")?.made], ["one\n", true]);
    const next = await workspace.around("echo three > a.txt");
    assert.deepEqual(next.get("a.txt"), { before: "two\n", after: "three\n", made: false });
  });

  it("whose session is full says of each file that it cannot be put back", async () => {
    workspace.write("a.txt", "one\n");
    workspace.full = true;
    assert.equal((await workspace.around("echo two > a.txt")).get("a.txt")?.before, "unkept: the disk was full");
  });
});
