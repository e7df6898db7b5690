/** What mentions know of folders that are on no disk. */
import assert from "node:assert/strict";
import { type DiskPlaces, MentionAnswers, MentionPlaces } from "../../../src/vscode/mentions/places";
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

  it("looks at files and folders, and at nothing outside of the workspace", async () => {
    const place = (path: string) => ({ root: root().toString(), path });
    const inside = new MentionAnswers({ isInside: async () => true });
    const look = async (path: string, first = 1, most = 9) => (await inside.look([place(path)], { first, most }))[0];
    await world.put("picture.png", new Uint8Array([1, 0, 2]));
    await world.put("long.txt", "x".repeat(1_000));
    const file = await look("src/a b.ts", 2);
    assert.deepEqual(file && { kind: file.kind, size: file.size, lines: file.lines }, {
      ...{ kind: "file", size: 8, lines: ["two"] },
    });
    assert.deepEqual((await look("src/a b.ts", 9))?.lines, []);
    assert.deepEqual((await look("picture.png"))?.lines, []);
    assert.equal((await look("long.txt"))?.lines[0], `${"x".repeat(200)}…`);
    const folder = await look("");
    assert.equal(folder?.size, 6);
    assert.deepEqual((await look("", 1, 3))?.lines, [".gitignore", "deep/", "…"]);
    assert.equal(await look("gone.ts"), undefined);
    const places = [place("src"), place("src/a b.ts"), place("x.log"), place("gone")];
    const kinds = async (answers: MentionAnswers) => (await answers.look(places)).map(each => each?.kind ?? null);
    assert.deepEqual(await kinds(inside), ["folder", "file", "file", null]);
    const outside = new MentionAnswers({ isInside: async () => false });
    assert.deepEqual(await kinds(outside), [null, null, null, null]);
  });

  it("shows the text that the editor has", async () => {
    const editor = await world.show("src/a b.ts");
    await editor.edit(edit => edit.insert(editor.document.positionAt(0), "typed "));
    const answers = new MentionAnswers({ isInside: async () => true });
    const place = { root: root().toString(), path: "src/a b.ts" };
    const [look] = await answers.look([place], { first: 1, most: 1 });
    assert.deepEqual(look?.lines, ["typed one"]);
  });
});
