/** The server's index over the protocol, and what bad input does to it. */
import assert from "node:assert/strict";
import { mentionMethods } from "../../src/shared/mentions/serverProtocol";
import { eventually } from "../fakes/eventually";
import { allSyntaxes } from "../fixtures/mentions/languages";
import { ROOT, type ServerClient, startServer } from "./client";

const LIB = "file:///work/lib";
type Found = { items: { kind: string; mention: string; path: string; positions: number[] }[]; indexing: boolean };

describe("mention server: index", () => {
  let server: ServerClient;
  afterEach(() => server.close());

  const search = (query: string, limit = 20) =>
    server.connection.sendRequest<Found>(mentionMethods.search, { query, limit });
  const paths = async (query: string) => (await search(query)).items.map(({ path }) => path).sort();

  it("gives mentions as they are written, with what matched in the path that people see", async () => {
    const folders = [
      { uri: ROOT, name: "app" },
      { uri: LIB, name: "lib" },
    ];
    server = await startServer({ folders, files: { [ROOT]: ["src/my file.ts"], [LIB]: ["src/other.ts"] } });
    await server.indexed();
    const { items } = await search("file");
    assert.equal(items[0]?.mention, '@"src/my file.ts"');
    assert.equal(items[0]?.path, "app:src/my file.ts");
    assert.equal(items[0]?.positions.map(at => items[0]?.path[at]).join(""), "file");
    assert.deepEqual((await search("other")).items[0]?.mention, "@lib:src/other.ts");
    assert.deepEqual(await paths("lib:src"), ["lib:src", "lib:src/other.ts"]);
    assert.deepEqual(await paths("app:other"), []);
  });

  it("follows what comes and goes, and lists anew without a gap", async () => {
    const first = Array.from({ length: 9 }, (_, index) => `src/file${index}.ts`);
    server = await startServer({ files: { [ROOT]: first } });
    await server.indexed();
    const changed = { root: ROOT, created: ["src/fileNew.ts"], deleted: ["src/file0.ts"] };
    await server.connection.sendNotification(mentionMethods.changed, changed);
    assert.deepEqual(await paths("file0"), []);
    assert.deepEqual(await paths("fileNew"), ["src/fileNew.ts"]);
    server.workspace.files[ROOT] = ["other/file9.ts"];
    let answered: Found | undefined;
    server.workspace.beforePart = async () => {
      answered = await search("fileNew");
    };
    await server.connection.sendNotification(mentionMethods.relist, { root: ROOT });
    await eventually("the new list is used", async () => (await paths("fileNew")).length === 0);
    assert.equal(answered?.items.length, 1);
    assert.equal(answered?.indexing, false);
    assert.deepEqual(await paths("file9"), ["other/file9.ts"]);
  });

  it("keeps what came while a list was made that is older", async () => {
    let held: (() => void) | undefined;
    server = await startServer({
      files: { [ROOT]: ["a.ts", "b.ts", "c.ts"] },
      beforePart: () => new Promise(resolve => (held = resolve)),
    });
    await eventually("a list is asked for", () => held);
    const changed = { root: ROOT, created: ["later.ts"], deleted: ["c.ts"] };
    await server.connection.sendNotification(mentionMethods.changed, changed);
    server.workspace.beforePart = async () => undefined;
    held?.();
    await server.indexed();
    assert.deepEqual(await paths("ts"), ["a.ts", "b.ts", "later.ts"]);
  });

  it("ends a list before the next one, however often a new one is due", async () => {
    const relist = () => server.connection.sendNotification(mentionMethods.relist, { root: ROOT });
    server = await startServer();
    await server.indexed();
    server.workspace.files[ROOT] = Array.from({ length: 9 }, (_, index) => `file${index}.ts`);
    let parts = 0;
    server.workspace.beforePart = async () => {
      parts += 1;
      if (parts <= 8) await relist();
    };
    await relist();
    // five parts a list: of what is due during one, one list is made
    await eventually("three lists were given", () => parts === 15, { saw: () => `${parts} parts` });
    await server.indexed();
    assert.equal(server.asked.length, 1 + 3);
    assert.equal((await paths("file")).length, 9);
    assert.deepEqual(server.log, []);
  });

  it("takes folders that are added and forgets those that went", async () => {
    server = await startServer({ files: { [ROOT]: ["a.ts"], [LIB]: ["b.ts"] } });
    await server.indexed();
    const tell = (folders: { uri: string; name: string }[]) =>
      server.connection.sendNotification(mentionMethods.workspace, {
        folders,
        comments: allSyntaxes,
        ignoreCase: false,
      });
    await tell([{ uri: LIB, name: "lib" }]);
    await server.indexed();
    assert.deepEqual(await paths("ts"), ["b.ts"]);
    await tell([]);
    assert.deepEqual(await search("ts"), { items: [], indexing: false });
  });

  it("has what is in a folder within another one once, as the inner one's, found by either's paths", async () => {
    const INNER = `${ROOT}/packages/sub%20(1)`;
    const folders = [
      { uri: ROOT, name: "app" },
      { uri: INNER, name: "sub (1)" },
    ];
    const outer = ["a.ts", "packages/sub (1)/src/x.ts"];
    server = await startServer({ folders, files: { [ROOT]: outer, [INNER]: ["src/x.ts"] } });
    await server.indexed();
    for (const query of ["x.ts", "sub (1)/src/x", "sub (1):x"]) {
      const { items } = await search(query);
      assert.deepEqual(
        items.map(({ mention }) => mention),
        ['@"sub (1):src/x.ts"'],
        query,
      );
      const [{ path, positions } = { path: "", positions: [] }] = items;
      assert.ok(positions.length > 0 && positions.every(at => path[at]?.match(/[srcx/.t]/)), query);
    }
    await server.connection.sendNotification(mentionMethods.changed, {
      ...{ root: INNER, created: ["y.ts"], deleted: ["src/x.ts"] },
    });
    assert.deepEqual(await paths("x.ts"), []);
    assert.deepEqual(await paths("packages/sub (1)/y"), ["sub (1):y.ts"]);
    server.workspace.files[INNER] = ["z.ts"];
    server.workspace.files[ROOT] = ["a.ts", "packages/sub (1)/z.ts"];
    await server.connection.sendNotification(mentionMethods.relist, { root: INNER });
    await eventually(
      "both new lists are used",
      async () => (await paths("z.ts")).length === 1 && (await paths("y.ts")).length === 0,
    );
  });

  it("finds a folder of the workspace by a few letters of its name", async () => {
    const folders = [
      { uri: ROOT, name: "app" },
      { uri: LIB, name: "lib two" },
    ];
    server = await startServer({ folders, files: { [ROOT]: ["a.ts"], [LIB]: ["b.ts"] } });
    await server.indexed();
    assert.deepEqual((await search("lib")).items, [
      { kind: "folder", mention: '@"lib two:"', path: "lib two", positions: [0, 1, 2], root: true },
    ]);
    assert.deepEqual(await paths("lib two:"), ["lib two:b.ts"]);
    assert.deepEqual((await paths("")).length, 2);
  });

  it("says that it is not indexing, and why in the log, where the files cannot be listed", async () => {
    server = await startServer({ beforePart: () => Promise.reject(new Error("no ripgrep")) });
    await server.indexed();
    assert.deepEqual(await search("a"), { items: [], indexing: false });
    assert.match(await eventually("it is logged", () => server.log[0]), /could not be listed: .*no ripgrep/);
  });

  it("refuses what is not of the protocol, and goes on", async () => {
    server = await startServer({ files: { [ROOT]: ["a.ts"] } });
    await server.indexed();
    for (const params of [undefined, {}, { query: 1, limit: 1 }, { query: "a", limit: -1 }, []]) {
      await assert.rejects(server.connection.sendRequest(mentionMethods.search, params));
    }
    for (const method of [mentionMethods.changed, mentionMethods.near, mentionMethods.workspace]) {
      await server.connection.sendNotification(method, { root: 5 });
    }
    await server.connection.sendNotification(mentionMethods.changed, { root: LIB, created: ["x.ts"], deleted: [] });
    await server.connection.sendNotification(mentionMethods.relist, { root: LIB });
    assert.deepEqual(await paths("ts"), ["a.ts"]);
    const position = { line: 99, character: 99 };
    const textDocument = { uri: "file:///nobody/opened.md" };
    for (const method of ["completion", "hover", "definition"]) {
      assert.equal(
        await server.connection.sendRequest(`textDocument/${method}`, { textDocument, position }),
        null,
        method,
      );
    }
  });

  it("takes names of every kind, and very many mentions", async () => {
    const names = [
      "ä ö/日本語.md",
      "🎉.txt",
      `${"long".repeat(75)}.md`,
      "a\nb.ts",
      "plain.ts",
      "%20.md",
      "#1.md",
      "[x]/(y).md",
    ];
    server = await startServer({ files: { [ROOT]: names } });
    await server.indexed();
    const mentions = (await search("", 99)).items.filter(({ kind }) => kind === "file").map(({ mention }) => mention);
    assert.equal(mentions.length, names.length - 1, "all but the one that no line can hold");
    const text = [...mentions, ...Array.from({ length: 200 }, () => "@plain.ts")].join("\n");
    const uri = `${ROOT}/many.md`;
    await server.open(uri, "markdown", text);
    const links = await server.connection.sendRequest<{ target: string }[]>("textDocument/documentLink", {
      textDocument: { uri },
    });
    assert.equal(links.length, mentions.length + 200);
    assert.ok(links.some(({ target }) => target === `${ROOT}/%2520.md`));
    assert.ok(links.some(({ target }) => target === `${ROOT}/%F0%9F%8E%89.txt`));
  });

  it("ends with the one who started it", async () => {
    server = await startServer();
    server.process.stdin?.end();
    await eventually("the server has ended", () => server.process.exitCode !== null);
    server = await startServer();
  });
});
