/** What mentions become when files and folders move. */
import assert from "node:assert/strict";
import { mentionMethods, movesResultSchema } from "../../src/shared/mentions/serverProtocol";
import { allSyntaxes } from "../fixtures/mentions/languages";
import { ROOT, type ServerClient, startServer } from "./client";

const LIB = "file:///work/lib";
const FILES = ["src/a.ts", "src/b/c.ts", "changes/one.md", "types/own.d.ts", "types/own/index"];

describe("mention server: moves", () => {
  let server: ServerClient;
  const folders = [
    { uri: ROOT, name: "app" },
    { uri: LIB, name: "lib" },
  ];
  before(async () => {
    server = await startServer({ folders, files: { [ROOT]: [...FILES], [LIB]: [] } });
    await server.indexed();
  });
  beforeEach(() => server.tell({ folders }));
  after(() => server.close());

  /** The text after the moves. */
  async function moved(text: string, moves: [from: string, to: string][], languageId = "markdown"): Promise<string> {
    const found = movesResultSchema.parse(
      await server.connection.sendRequest(mentionMethods.moves, {
        moves: moves.map(([from, to]) => ({ from, to })),
        documents: [
          { uri: `${ROOT}/notes.md`, languageId, text },
          { uri: `${ROOT}/other.md`, languageId: "markdown", text: "@nothing" },
        ],
      }),
    );
    assert.ok(found.every(({ uri }) => uri === `${ROOT}/notes.md`));
    const edits = found[0]?.edits ?? [];
    return edits.toReversed().reduce((so, { start, end, text }) => so.slice(0, start) + text + so.slice(end), text);
  }

  it("follows a file, with its lines and what stands around it", async () => {
    const move: [string, string] = [`${ROOT}/src/a.ts`, `${ROOT}/src/new%20name.ts`];
    assert.equal(
      await moved("See @src/a.ts. @src/a.ts:3-5, @src/a.tsx @./src/a.ts me@src/a.ts", [move]),
      'See @"src/new name.ts". @"src/new name.ts":3-5, @src/a.tsx @"src/new name.ts" me@src/a.ts',
    );
  });

  it("follows a folder, and all that is in it", async () => {
    const move: [string, string] = [`${ROOT}/src`, `${ROOT}/lib/source`];
    assert.equal(
      await moved("@src @src/ @src/b/c.ts:1 @srcs/x @app:src/a.ts", [move]),
      "@lib/source @lib/source/ @lib/source/b/c.ts:1 @srcs/x @app:lib/source/a.ts",
    );
  });

  it("follows into another folder of the workspace, and leaves alone what goes out of all", async () => {
    assert.equal(await moved("@src/a.ts", [[`${ROOT}/src/a.ts`, `${LIB}/a.ts`]]), "@lib:a.ts");
    assert.equal(await moved("@lib:a.ts", [[`${LIB}/a.ts`, `${ROOT}/a.ts`]]), "@app:a.ts");
    assert.equal(await moved("@src/a.ts", [[`${ROOT}/src/a.ts`, "file:///elsewhere/a.ts"]]), "@src/a.ts");
  });

  it("leaves alone attachments and packages, whatever a folder is called", async () => {
    const changes: [string, string] = [`${ROOT}/changes`, `${ROOT}/docs/changes`];
    const text = '@changes, @changes/ @"changes" @changes/one.md';
    const follows = "@changes, @docs/changes/ @docs/changes @docs/changes/one.md";
    assert.equal(await moved(text, [changes], "strata-prompt"), follows);
    assert.equal(await moved(text, [changes]), follows);
    const types: [string, string] = [`${ROOT}/types`, `${ROOT}/src/types`];
    const packages = "`npm i @types/node`, @types/node and `@types/*`, @types/*";
    assert.equal(await moved(packages, [types]), packages);
    assert.equal(await moved(packages, [types], "strata-prompt"), packages);
    const ours = "`@types/own/index`, @types, `@types/` and @types/own";
    assert.equal(await moved(ours, [types]), "`@src/types/own/index`, @src/types, `@src/types/` and @src/types/own");
    // What moves is there, also where no index has it.
    assert.equal(await moved("`@dist/out`", [[`${ROOT}/dist/out`, `${ROOT}/out`]]), "`@out`");
  });

  it("passes over what is too long for mentions", async () => {
    const documents = ["\n", "a\n".repeat(10_000_000)].map((rest, index) => ({
      ...{ uri: `${ROOT}/${index}.md`, languageId: "markdown", text: `@src/a.ts${rest}` },
    }));
    const moves = [{ from: `${ROOT}/src/a.ts`, to: `${ROOT}/z.ts` }];
    const found = movesResultSchema.parse(
      await server.connection.sendRequest(mentionMethods.moves, { moves, documents }),
    );
    assert.deepEqual(
      found.map(({ uri }) => uri),
      [`${ROOT}/0.md`],
    );
  });

  it("several at once, each once", async () => {
    const swap: [string, string][] = [
      [`${ROOT}/a.ts`, `${ROOT}/b.ts`],
      [`${ROOT}/b.ts`, `${ROOT}/a.ts`],
    ];
    assert.equal(await moved("@a.ts @b.ts", swap), "@b.ts @a.ts");
  });

  it("changes comments of code only, and those only where the setting is on", async () => {
    const code = 'import "@src/a.ts"; // @src/a.ts';
    const move: [string, string] = [`${ROOT}/src/a.ts`, `${ROOT}/z.ts`];
    assert.equal(await moved(code, [move], "typescript"), 'import "@src/a.ts"; // @z.ts');
    await server.tell({
      folders,
      comments: {},
      ignoreCase: false,
    });
    assert.equal(await moved(code, [move], "typescript"), code);
  });

  it("follows what is in a folder within another one, however it is mentioned", async () => {
    const SUB = `${ROOT}/sub`;
    const nested = [...folders, { uri: SUB, name: "sub" }];
    await server.tell({
      ...{ folders: nested, comments: allSyntaxes, ignoreCase: false },
    });
    assert.equal(
      await moved("@sub:x.ts @sub/x.ts @/work/app/sub/x.ts:3 @app:sub/x.ts @x.ts", [[`${SUB}/x.ts`, `${SUB}/y.ts`]]),
      "@sub:y.ts @sub:y.ts @sub:y.ts:3 @sub:y.ts @x.ts",
    );
    assert.equal(await moved("@sub:x.ts @sub/x.ts", [[`${SUB}/x.ts`, `${ROOT}/x.ts`]]), "@app:x.ts @x.ts");
  });

  it("goes by the file system's idea of case", async () => {
    const move: [string, string] = [`${ROOT}/src/a.ts`, `${ROOT}/z.ts`];
    assert.equal(await moved("@SRC/A.ts", [move]), "@SRC/A.ts");
    await server.tell({
      folders,
      comments: allSyntaxes,
      ignoreCase: true,
    });
    assert.equal(await moved("@SRC/A.ts", [move]), "@z.ts");
    assert.equal(await moved('@"ÄRA/x.ts"', [[`${ROOT}/%C3%A4ra`, `${ROOT}/b`]]), "@b/x.ts");
  });
});
