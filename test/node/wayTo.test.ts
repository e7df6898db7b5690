import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSameWay, wayTo } from "../../src/node/wayTo";

describe("the way to a file", () => {
  let folder: string;
  const at = (path: string) => join(folder, path);
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "strata-way-")));
    await mkdir(at("a/b"), { recursive: true });
    await writeFile(at("a/b/c.txt"), "one");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function isSame(change: () => Promise<unknown>): Promise<boolean> {
    const before = await wayTo([at("a/b/c.txt")]);
    await change();
    return isSameWay(before, await wayTo([at("a/b/c.txt")]));
  }

  it("is the same while files in its folders come, go and change", async () => {
    assert.ok(await isSame(async () => undefined));
    assert.ok(await isSame(() => writeFile(at("a/b/c.txt"), "two")));
    assert.ok(await isSame(() => writeFile(at("a/b/d.txt"), "new")));
    assert.ok(await isSame(() => unlink(at("a/b/d.txt"))));
    assert.ok(await isSame(() => writeFile(at("e.txt"), "new")));
  });

  it("is another where a part of it is another file, or none", async () => {
    const replace = async () => {
      await writeFile(at("a/b/new"), "one");
      await rename(at("a/b/new"), at("a/b/c.txt"));
    };
    assert.equal(await isSame(replace), false);
    assert.equal(await isSame(() => unlink(at("a/b/c.txt"))), false);
  });

  it("is another where a link stood in it for a while", async function () {
    if (process.platform === "win32") return this.skip();
    for (const path of ["a", "a/b", "a/b/c.txt"]) {
      const swap = async () => {
        await rename(at(path), at("aside"));
        await symlink("/", at(path));
        await unlink(at(path));
        await rename(at("aside"), at(path));
      };
      assert.equal(await isSame(swap), false, path);
    }
  });
});
