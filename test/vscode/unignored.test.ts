/** Which of many new paths are not ignored, with few questions. */
import assert from "node:assert/strict";
import { unignored } from "../../src/vscode/mentions/fileLists";

function rules(...ignored: string[]) {
  const asked: string[] = [];
  const isIgnored = async (path: string) => {
    asked.push(path);
    return ignored.some(folder => path === folder || path.startsWith(`${folder}/`));
  };
  return { asked, isIgnored };
}

const below = (folder: string, count: number) => Array.from({ length: count }, (_, at) => `${folder}/d${at}/f${at}.js`);

describe("new paths that are not ignored", () => {
  it("ask once about an ignored folder, however much comes into it", async () => {
    const { asked, isIgnored } = rules("node_modules", "packages/app/dist");
    const paths = [...below("node_modules", 5_000), "src/a.ts", ...below("packages/app/dist", 5_000), "src/b.ts"];
    assert.deepEqual(await unignored(paths, isIgnored), ["src/a.ts", "src/b.ts"]);
    assert.deepEqual(asked, [
      "node_modules",
      "src",
      "src/a.ts",
      "packages",
      "packages/app",
      "packages/app/dist",
      "src/b.ts",
    ]);
  });

  it("are too many to look at one by one, or to ask about", async () => {
    const none = rules();
    assert.equal(await unignored(below("src", 101), none.isIgnored), undefined);
    assert.equal((await unignored(below("src", 100), none.isIgnored))?.length, 100);
    const names = Array.from({ length: 600 }, (_, at) => `f${at}.log`);
    const all = rules(...names);
    assert.equal(await unignored(names, all.isIgnored), undefined);
    assert.ok(all.asked.length <= 500);
  });
});
