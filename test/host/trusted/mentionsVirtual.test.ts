/** What the mention server is told of folders that are on no disk. */
import assert from "node:assert/strict";
import { setImmediate as laterTurn } from "node:timers/promises";
import * as vscode from "vscode";
import { MentionMoves, type MentionMovesDeps } from "../../../src/vscode/mentions/moves";
import { type DiskPlaces, MentionAnswers, MentionPlaces } from "../../../src/vscode/mentions/places";
import { eventually } from "../../fakes/eventually";
import { virtualWorld } from "../virtualWorld";

const noDisk: DiskPlaces = {
  names: () => assert.fail("no folder is on a disk"),
  files: () => assert.fail("no folder is on a disk"),
  mentioning: async () => [],
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

  it("lists what is not ignored, until it is enough", async () => {
    const places = new MentionPlaces(noDisk, () => [{ uri: root() }]);
    const found: string[] = [];
    await places.files(root().toString(), path => found.push(path) > 0, signal);
    assert.deepEqual(found, [".gitignore", "deep/er/c.md", "src/a b.ts"]);
    const one: string[] = [];
    await places.files(root().toString(), path => one.push(path) < 1, signal);
    assert.equal(one.length, 1);
    assert.deepEqual(places.folders(), [{ uri: root().toString(), name: "app" }]);
    await world.put("mentioned.md", 'see @"SRC/A B.ts"\n');
    await world.put("other.md", 'see @src/x and @"lib/src/a b.ts"\n');
    const mentioning = await places.mentioning([vscode.Uri.joinPath(root(), "src/a b.ts")], signal);
    assert.deepEqual(mentioning.map(String), [world.uri("mentioned.md").toString()]);
    const within = { uri: vscode.Uri.joinPath(root(), "src") };
    const nested = new MentionPlaces(noDisk, () => [{ uri: root() }, within]);
    const either = await nested.mentioning([vscode.Uri.joinPath(root(), "src/a b.ts")], signal);
    assert.deepEqual(either.map(String), [world.uri("mentioned.md").toString()]);
  });

  it("finds mentions also where a file is refused or too large, some files at a time", async () => {
    const mention = "see @x.log\n";
    for (let number = 10; number < 50; number += 1) await world.put(`many/${number}.md`, mention);
    await world.put("large.md", mention + "x".repeat(3_000_000));
    let [reading, most] = [0, 0];
    world.memory.slowRead = async uri => {
      reading += 1;
      most = Math.max(most, reading);
      await laterTurn();
      reading -= 1;
      if (uri.path.endsWith("/20.md")) throw vscode.FileSystemError.NoPermissions(uri);
    };
    const places = new MentionPlaces(noDisk, () => [{ uri: root() }]);
    const found = await places.mentioning([world.uri("x.log")], signal);
    assert.equal(found.length, 39);
    assert.ok(found.every(({ path }) => path.startsWith("/app/many/") && !path.endsWith("/20.md")));
    assert.ok(most > 1 && most <= 16, `${most} at a time`);
  });

  for (const [how, mentioning, words] of [
    ["fails", async () => assert.fail("there are too many"), /too many/],
    ["takes too long", () => new Promise<never>(() => undefined), /not found in time/],
  ] as [string, MentionMovesDeps["mentioning"], RegExp][]) {
    it(`takes mentions in open documents along where the search for others ${how}`, async () => {
      await world.put("open.md", "see @x.log\n");
      const { document } = await world.show("open.md");
      const logged: string[] = [];
      const edits = [{ start: 4, end: 10, text: "@y.log" }];
      const moves = new MentionMoves(
        {
          mentioning,
          hasMentions: other => other === document,
          moves: async ({ documents }) => documents.map(({ uri }) => ({ uri, edits })),
          log: message => logged.push(message),
        },
        200,
      );
      try {
        const change = new vscode.WorkspaceEdit();
        change.renameFile(world.uri("x.log"), world.uri("y.log"));
        assert.ok(await vscode.workspace.applyEdit(change));
        await eventually("the mention in the open document moved along", () => document.getText() === "see @y.log\n");
        assert.match(logged.join(), words);
      } finally {
        moves.dispose();
      }
    });
  }

  it("looks at files and folders, and at nothing outside of the workspace", async () => {
    const place = (path: string) => ({ root: root().toString(), path });
    const inside = new MentionAnswers({ isInside: async () => true });
    const look = async (path: string, first = 1, most = 9) =>
      (await inside.look({ places: [place(path)], lines: { first, most } }))[0];
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
    assert.equal(await look("gone.ts"), null);
    const places = [place("src"), place("src/a b.ts"), place("x.log"), place("gone")];
    const kinds = async (answers: MentionAnswers) => (await answers.look({ places })).map(each => each?.kind ?? null);
    assert.deepEqual(await kinds(inside), ["folder", "file", "file", null]);
    const outside = new MentionAnswers({ isInside: async () => false });
    assert.deepEqual(await kinds(outside), [null, null, null, null]);
  });

  it("shows the text that the editor has", async () => {
    const editor = await world.show("src/a b.ts");
    await editor.edit(edit => edit.insert(editor.document.positionAt(0), "typed "));
    const answers = new MentionAnswers({ isInside: async () => true });
    const place = { root: root().toString(), path: "src/a b.ts" };
    const [look] = await answers.look({ places: [place], lines: { first: 1, most: 1 } });
    assert.deepEqual(look?.lines, ["typed one"]);
  });
});
