/** The server's index over the protocol, and what bad input does to it. */
import assert from "node:assert/strict";
import { mentionMethods } from "../../src/shared/mentions/serverProtocol";
import { eventually } from "../fakes/eventually";
import { ROOT, type ServerClient, startServer } from "./client";

const LIB = "file:///work/lib";
type Found = { items: { kind: string; mention: string; label: string; positions: number[] }[]; indexing: boolean };

describe("mention server: index", () => {
  let server: ServerClient;
  afterEach(() => server.close());

  const search = (query: string, limit = 20) =>
    server.connection.sendRequest<Found>(mentionMethods.search, { query, limit });
  const paths = async (query: string) => (await search(query)).items.map(({ label }) => label).sort();

  it("gives mentions as they are written, with what matched in the path that people see", async () => {
    const folders = [
      { uri: ROOT, name: "app" },
      { uri: LIB, name: "lib" },
    ];
    server = await startServer({ folders, files: { [ROOT]: ["src/my file.ts"], [LIB]: ["src/other.ts"] } });
    await server.indexed();
    const { items } = await search("file");
    assert.equal(items[0]?.mention, '@"src/my file.ts"');
    assert.equal(items[0]?.label, "app:src/my file.ts");
    assert.equal(items[0]?.positions.map(at => items[0]?.label[at]).join(""), "file");
    assert.deepEqual((await search("other")).items[0]?.mention, "@lib:src/other.ts");
    assert.deepEqual(await paths("lib:src"), ["lib:src", "lib:src/other.ts"]);
    assert.deepEqual(await paths("app:other"), []);
  });

  it("follows lists that are made anew, without a gap", async () => {
    const first = Array.from({ length: 9 }, (_, index) => `src/file${index}.ts`);
    server = await startServer({ files: { [ROOT]: first } });
    await server.indexed();
    server.workspace.files[ROOT] = ["other/file9.ts", "other/file8.ts", "other/file7.ts"];
    let answered: Found | undefined;
    server.workspace.beforePart = async () => {
      answered = await search("file0");
    };
    await server.list(ROOT);
    assert.equal(answered?.items.length, 1);
    assert.equal(answered?.indexing, false);
    assert.deepEqual(await paths("file"), ["other/file7.ts", "other/file8.ts", "other/file9.ts"]);
  });

  it("keeps what it has where a list fails, or is begun anew before it ends", async () => {
    server = await startServer({ files: { [ROOT]: ["a.ts", "b.ts"] } });
    await server.indexed();
    const tell = (part: object) => server.connection.sendNotification(mentionMethods.files, { root: ROOT, ...part });
    await tell({ paths: ["new.ts"], begins: true });
    await tell({ paths: ["newer.ts"], ends: "failed" });
    assert.deepEqual(await paths("ts"), ["a.ts", "b.ts"]);
    await tell({ paths: ["lost.ts"], begins: true });
    await tell({ paths: ["c.ts"], begins: true });
    await tell({ paths: ["d.ts"], ends: "whole" });
    await tell({ paths: ["late.ts"], ends: "whole" });
    assert.deepEqual(await paths("ts"), ["c.ts", "d.ts"]);
  });

  it("takes folders that are added and forgets those that went", async () => {
    server = await startServer({ files: { [ROOT]: ["a.ts"], [LIB]: ["b.ts"] } });
    await server.indexed();
    await server.tell({ folders: [{ uri: LIB, name: "lib" }] });
    await server.indexed();
    assert.deepEqual(await paths("ts"), ["b.ts"]);
    await server.tell({ folders: [] });
    assert.deepEqual(await search("ts"), { items: [], indexing: false });
  });

  it("finds a folder of the workspace by a few letters of its name", async () => {
    const folders = [
      { uri: ROOT, name: "app" },
      { uri: LIB, name: "lib two" },
    ];
    server = await startServer({ folders, files: { [ROOT]: ["a.ts"], [LIB]: ["b.ts"] } });
    await server.indexed();
    assert.deepEqual((await search("lib")).items, [
      { kind: "folder", mention: '@"lib two:"', label: "lib two", positions: [0, 1, 2], hint: "workspace folder" },
    ]);
    assert.deepEqual(await paths("lib two:"), ["lib two:b.ts"]);
    assert.deepEqual((await paths("")).length, 2);
  });

  it("says that it is not indexing where the files cannot be listed", async () => {
    server = await startServer({ beforePart: () => Promise.reject(new Error("no ripgrep")) });
    await server.indexed();
    assert.deepEqual(await search("a"), { items: [], indexing: false });
  });

  it("refuses what is not of the protocol, and goes on", async () => {
    server = await startServer({ files: { [ROOT]: ["a.ts"] } });
    await server.indexed();
    for (const params of [undefined, {}, { query: 1, limit: 1 }, { query: "a", limit: -1 }, []]) {
      await assert.rejects(server.connection.sendRequest(mentionMethods.search, params));
    }
    for (const method of [mentionMethods.files, mentionMethods.window]) {
      await server.connection.sendNotification(method, { root: 5, near: 5 });
    }
    await server.connection.sendNotification(mentionMethods.files, { root: LIB, paths: ["x.ts"], begins: true });
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
