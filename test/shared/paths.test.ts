import assert from "node:assert/strict";
import { fileName, folderOf, innermostRoot, isBelow, isWithin, pathBelow, relativeTo } from "../../src/shared/paths";

describe("paths", () => {
  it("lie in a folder, are it, or do neither", () => {
    const rows: [folder: string, path: string, below: boolean, within: boolean, relative?: string][] = [
      ["/a", "/a", false, true, ""],
      ["/a", "/a/b", true, true, "b"],
      ["/a/", "/a/b/c", true, true, "b/c"],
      ["/a", "/ab", false, false],
      ["/a/b", "/a", false, false],
      ["/", "/", false, true, ""],
      ["/", "/a/b", true, true, "a/b"],
      ["C:/a", "C:/a/b", true, true, "b"],
    ];
    for (const [folder, path, below, within, relative] of rows) {
      assert.deepEqual([isBelow(folder, path), isWithin(folder, path)], [below, within], `${path} in ${folder}`);
      if (relative !== undefined) assert.equal(relativeTo(folder, path), relative);
    }
  });

  it("have a name and a folder", () => {
    const rows: [path: string, folder: string, name: string][] = [
      ["/a/b.ts", "/a", "b.ts"],
      ["/a", "", "a"],
      ["a", "", "a"],
      ["a/b/c", "a/b", "c"],
      ["", "", ""],
    ];
    for (const [path, folder, name] of rows) assert.deepEqual([folderOf(path), fileName(path)], [folder, name], path);
  });

  it("are named below a folder as people name it", () => {
    assert.deepEqual(
      [".", "app:.", "src", "/", "app:src"].map(folder => pathBelow(folder, "x.ts")),
      ["x.ts", "app:x.ts", "src/x.ts", "/x.ts", "app:src/x.ts"],
    );
  });

  it("belong to the innermost root", () => {
    const roots = ["/", "/a/b", "/a"].map(path => ({ path }));
    assert.deepEqual(
      ["/a/b/c", "/a/bc", "/x", "/a/b"].map(path => innermostRoot(roots, path)?.path),
      ["/a/b", "/a", "/", "/a/b"],
    );
    assert.equal(innermostRoot(roots.slice(1), "/x"), undefined);
  });
});
