/** What mentions know of folders that are on no disk. */
import assert from "node:assert/strict";
import { type DiskPlaces, MentionPlaces } from "../../../src/vscode/mentions/places";
import { virtualWorld } from "../virtualWorld";

const noDisk: DiskPlaces = {
  names: () => assert.fail("no folder is on a disk"),
  files: () => assert.fail("no folder is on a disk"),
  isInside: () => assert.fail("no folder is on a disk"),
};

describe("mentions in virtual folders", () => {
  let world: Awaited<ReturnType<typeof virtualWorld>>;
  beforeEach(async () => {
    world = await virtualWorld(["app"]);
    const texts = { ".gitignore": "*.log\nbuilt/\n", "src/a b.ts": "one\ntwo\n", "x.log": "log", "deep/er/c.md": "" };
    for (const [path, text] of Object.entries(texts)) await world.put(path, text);
  });
  afterEach(() => world.dispose());

  const { signal } = new AbortController();
  const root = () => world.uri("").with({ path: "/app" });

  it("lists all files, until it is enough", async () => {
    const places = new MentionPlaces(noDisk, () => [{ uri: root() }]);
    const found: string[] = [];
    await places.files(root().toString(), path => found.push(path) > 0, signal);
    assert.deepEqual(found, [".gitignore", "deep/er/c.md", "src/a b.ts", "x.log"]);
    const one: string[] = [];
    await places.files(root().toString(), path => one.push(path) < 1, signal);
    assert.equal(one.length, 1);
    assert.deepEqual(places.folders(), [{ uri: root().toString(), name: "app" }]);
  });

  it("knows what is there, and of nothing outside of the workspace", async () => {
    const places = ["", "src", "src/a b.ts", "x.log", "gone"].map(path => ({ root: root().toString(), path }));
    const virtual = new MentionPlaces(noDisk, () => [{ uri: root() }]);
    assert.deepEqual(await virtual.kindsOf(places), ["folder", "folder", "file", "file", undefined]);
    const outside = places.map(place => ({ ...place, root: world.uri("").with({ path: "/elsewhere" }).toString() }));
    await world.put("../elsewhere/x.log", "");
    assert.deepEqual(new Set(await virtual.kindsOf(outside)), new Set([undefined]));
  });
});
