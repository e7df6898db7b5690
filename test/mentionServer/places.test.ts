/** Links, definitions and hovers over the protocol. */
import assert from "node:assert/strict";
import type { DocumentLink, Hover, LocationLink, MarkupContent } from "vscode-languageserver-protocol";
import { ROOT, type ServerClient, startServer } from "./client";

const NOTES = `${ROOT}/notes.md`;
const LIB = "file:///work/lib%20b";

describe("mention server: places", () => {
  let server: ServerClient;
  before(async () => {
    server = await startServer({
      folders: [
        { uri: ROOT, name: "app" },
        { uri: LIB, name: "lib b" },
      ],
      files: { [ROOT]: ["src/a.ts", "my notes/b c.md", "terminal/a.ts", "problems"], [LIB]: ["x.ts"] },
      hidden: { [`${ROOT}/.env`]: "file", [`${ROOT}/dist`]: "folder" },
      looks: {
        [`${ROOT}/src/a.ts`]: { kind: "file", size: 2_100, mtime: 86_400_000, lines: ["one", "two", "```", "four"] },
        [`${ROOT}/src`]: { kind: "folder", size: 1, mtime: 0, lines: ["a.ts"] },
        [`${ROOT}/problems`]: { kind: "file", size: 1, mtime: 0, lines: [] },
        [`${ROOT}/my_*notes*.md`]: { kind: "file", size: 1, mtime: 0, lines: [] },
      },
    });
    await server.indexed();
  });
  after(() => server.close());

  const textDocument = { uri: NOTES };
  const links = async (text: string) => {
    await server.open(NOTES, "markdown", text);
    const found = await server.connection.sendRequest<DocumentLink[]>("textDocument/documentLink", { textDocument });
    return found.map(({ range, target }) => [text.slice(range.start.character, range.end.character), target]);
  };
  const at = async <T>(method: string, text: string): Promise<T> => {
    const character = text.indexOf("|");
    await server.open(NOTES, "markdown", text.replace("|", ""));
    return server.connection.sendRequest<T>(method, { textDocument, position: { line: 0, character } });
  };

  it("links what is there, with its lines: from the index, or ignored by it", async () => {
    assert.deepEqual(await links('@src/a.ts:3-5, @src/a.ts:7 @"my notes/b c.md" @.env @nobody @src/gone.ts'), [
      ["@src/a.ts:3-5", `${ROOT}/src/a.ts#L3-L5`],
      ["@src/a.ts:7", `${ROOT}/src/a.ts#L7`],
      ['@"my notes/b c.md"', `${ROOT}/my%20notes/b%20c.md`],
      ["@.env", `${ROOT}/.env`],
    ]);
  });

  it("links into the other folders of the workspace, and by absolute paths in them", async () => {
    assert.deepEqual(await links('@"lib b:x.ts" @app:src/a.ts @/work/app/src/a.ts @"/work/lib b/x.ts" @/etc/passwd'), [
      ['@"lib b:x.ts"', `${LIB}/x.ts`],
      ["@app:src/a.ts", `${ROOT}/src/a.ts`],
      ["@/work/app/src/a.ts", `${ROOT}/src/a.ts`],
      ['@"/work/lib b/x.ts"', `${LIB}/x.ts`],
    ]);
  });

  it("leads out of no folder, whatever is written", async () => {
    assert.deepEqual(await links("@../../etc/passwd @src/../../x.ts @~/x.ts @/ @.. @"), []);
    assert.deepEqual(await links("@src/../src/./a.ts"), [["@src/../src/./a.ts", `${ROOT}/src/a.ts`]]);
  });

  it("shows folders in the explorer", async () => {
    const [[raw, target] = []] = await links("@src/ and");
    assert.equal(raw, "@src/");
    const [command, args = ""] = target?.split("?") ?? [];
    assert.equal(command, "command:revealInExplorer");
    assert.deepEqual(JSON.parse(decodeURIComponent(args)), [
      { $mid: 1, scheme: "file", authority: "", path: "/work/app/src" },
    ]);
  });

  it("asks once for a place, for no name that is a person's, and not for places without end", async () => {
    server.looked.length = 0;
    await links("by @somebody, @gone/x.ts @./gone/x.ts @gone/x.ts:3 @.env @src/a.ts @somebody");
    assert.deepEqual(server.looked.splice(0), [["gone/x.ts", ".env"]]);
    const many = Array.from({ length: 700 }, (_, index) => `@gone/${index}.ts`);
    assert.deepEqual(await links(`${many.join(" ")} @src/a.ts`), [["@src/a.ts", `${ROOT}/src/a.ts`]]);
    assert.deepEqual(
      server.looked.map(paths => paths.length),
      [500],
    );
  });

  it("takes the bare words for attachments, not for what is called so", async () => {
    const file = `${ROOT}/problems`;
    assert.deepEqual(await links('@terminal @problems @./problems @"problems"'), [
      ["@./problems", file],
      ['@"problems"', file],
    ]);
    assert.deepEqual(await at("textDocument/definition", "@prob|lems"), []);
    assert.equal(await at("textDocument/hover", "@prob|lems"), null);
    assert.ok(await at("textDocument/hover", "@./prob|lems"));
  });

  it("goes to the definition, at its lines", async () => {
    const [found] = await at<LocationLink[]>("textDocument/definition", "see @src/|a.ts:3-5");
    assert.equal(found?.targetUri, `${ROOT}/src/a.ts`);
    assert.deepEqual(found?.targetRange, { start: { line: 2, character: 0 }, end: { line: 5, character: 0 } });
    assert.deepEqual(found?.originSelectionRange?.start, { line: 0, character: 4 });
    assert.deepEqual(await at("textDocument/definition", "see @src/|gone.ts"), []);
    assert.deepEqual(await at("textDocument/definition", "see| nothing"), []);
  });

  it("hovers with path, size, last change and first lines, whatever stands in them", async () => {
    const value = async (text: string) =>
      ((await at<Hover | null>("textDocument/hover", text))?.contents as MarkupContent | undefined)?.value;
    const whole = await value("@src/|a.ts");
    assert.match(whole ?? "", /^\*\*app:src\/a\\\.ts\*\*\n\n2\.1 kB · changed .*1970/);
    assert.match(whole ?? "", /\n````ts\none\ntwo\n```\nfour\n````$/);
    assert.match((await value("@src/|a.ts:2-2")) ?? "", /```ts\ntwo\n```$/);
    assert.match((await value("@|src/")) ?? "", /folder, 1 entry\n\n```\na\.ts\n```$/);
    assert.match((await value('@"my|_*notes*.md"')) ?? "", /\*\*app:my\\_\\\*notes\\\*\\\.md\*\*\n\n1 byte$/);
    assert.equal(await value("@src/|gone.ts"), undefined);
    assert.equal(await value("@../../etc/pas|swd"), undefined);
  });

  it("has nothing to say of a workspace without folders", async () => {
    await server.tell({ folders: [] });
    assert.deepEqual(await links("@src/a.ts"), []);
    assert.equal(await at("textDocument/completion", "@sr|"), null);
    assert.equal(await at("textDocument/hover", "@src/|a.ts"), null);
  });
});
