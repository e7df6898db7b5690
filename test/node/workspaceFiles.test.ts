/** The files of folders on disk, for the index of mentions. */
import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { packagedRipgrep } from "../../src/node/ripgrep";
import { WorkspaceFiles } from "../../src/node/workspaceFiles";
import { putFile, temporaryFolder } from "../fakes/temporary";

describe("workspace files on disk", () => {
  let home: string;
  let folder: string;
  let files: WorkspaceFiles;
  beforeEach(async () => {
    home = temporaryFolder("workspace");
    folder = join(home, "app");
    files = new WorkspaceFiles({
      ...{ ripgrepPath: packagedRipgrep, folders: () => [folder] },
      excludes: () => ["**/hidden"],
    });
    const texts = {
      "app/.gitignore": "*.log\nout/\n",
      "app/a.ts": "",
      "app/sub/b c.md": "",
      "app/x.log": "",
      "app/out/o.ts": "",
      "app/hidden/h.ts": "",
      "outside/secret.txt": "",
    };
    for (const [path, text] of Object.entries(texts)) putFile(join(home, path), text);
  });

  const { signal } = new AbortController();

  it("lists what is not ignored, until it is enough", async () => {
    const found: string[] = [];
    // What others' pickers freeze in: links to large trees, and in circles.
    await symlink("/", join(folder, "everything"));
    await symlink(folder, join(folder, "sub", "again"));
    await files.files(folder, path => found.push(path) > 0, signal);
    assert.deepEqual(found.sort(), [".gitignore", "a.ts", "sub/b c.md"]);
    const few: string[] = [];
    await files.files(folder, path => few.push(path) < 2, signal);
    assert.equal(few.length, 2);
    await assert.rejects(files.files(join(home, "gone"), () => true, signal));
  });

  it("knows what lies inside when links are followed", async () => {
    await symlink(join(home, "outside"), join(folder, "link"));
    assert.equal(await files.isInside(join(folder, "a.ts")), true);
    assert.equal(await files.isInside(join(folder, "not there yet.ts")), true);
    assert.equal(await files.isInside(join(folder, "link", "secret.txt")), false);
    assert.equal(await files.isInside(join(home, "outside")), false);
  });
});
