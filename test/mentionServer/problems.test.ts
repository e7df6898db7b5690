/** Mentions of nothing, and what is offered for them. */
import assert from "node:assert/strict";
import { CancellationTokenSource, type CodeAction, type TextDocumentEdit } from "vscode-languageserver-protocol";
import { TextDocument } from "vscode-languageserver-textdocument";
import { Mentions } from "../../src/mentionServer/documents";
import { fixes, problems } from "../../src/mentionServer/problems";
import { Workspace } from "../../src/mentionServer/workspace";
import { eventually } from "../fakes/eventually";
import { ROOT, type ServerClient, startServer } from "./client";

const FILES = ["src/invoice.ts", "src/invoices/list.ts", "README.md", "src/total.ts"];
const MISSING = "@src/gone.ts";

describe("mention server: problems", () => {
  let server: ServerClient;
  before(async () => {
    server = await startServer({ files: { [ROOT]: [...FILES] }, hidden: { [`${ROOT}/dist/out.js`]: "file" } });
    await server.indexed();
  });
  after(() => server.close());

  let documents = 0;
  /** What the server says of a document. */
  const looked = (uri: string) => eventually(`${uri} was looked at`, () => server.diagnostics.get(uri));
  const counted = (uri: string, count: number) =>
    eventually(`${uri} has ${count} problems`, () => server.diagnostics.get(uri)?.length === count);

  /** What is underlined; a mention of nothing at the end says when the server has looked. */
  async function underlined(text: string, languageId = "markdown"): Promise<string[]> {
    const uri = `${ROOT}/doc${++documents}.x`;
    const mark = languageId === "typescript" ? `\n// ${MISSING}` : `\n${MISSING}`;
    const whole = text + mark;
    await server.open(uri, languageId, whole);
    const found = await looked(uri);
    const lines = whole.split("\n");
    const words = found.map(({ range: { start, end } }) => lines[start.line]?.slice(start.character, end.character));
    assert.equal(words.pop(), MISSING);
    return words.map(word => word ?? "");
  }

  it("underlines paths of nothing", async () => {
    assert.deepEqual(await underlined('See @src/invoce.ts, @"no such.md" and @READ.md:3.'), [
      "@src/invoce.ts",
      '@"no such.md"',
      "@READ.md:3",
    ]);
    assert.deepEqual(await underlined("@../../etc/passwd.txt", "strata-prompt"), ["@../../etc/passwd.txt"]);
    assert.deepEqual(await underlined("// @src/invoce.ts\nconst a = '@src/invoce.ts';", "typescript"), [
      "@src/invoce.ts",
    ]);
  });

  it("underlines nobody: people, packages, decorators, tags, addresses, attachments, what is there", async () => {
    const people = "Thanks @someone, @jane.doe and mail@example.com. @angular/core, @types/node, @scope/pkg";
    assert.deepEqual(await underlined(people), []);
    assert.deepEqual(await underlined("import @mui/material/styles.css"), []);
    assert.deepEqual(await underlined("import @mui/material/styles.css", "typescript"), []);
    assert.deepEqual(await underlined("@src/gone/a.css and @/components/Foo.vue"), ["@src/gone/a.css"]);
    assert.deepEqual(await underlined("@mui/material/styles.css", "strata-prompt"), ["@mui/material/styles.css"]);
    assert.deepEqual(await underlined("@problems @selection @changes @terminal", "strata-prompt"), []);
    assert.deepEqual(await underlined("@src/invoice.ts @src @src/ @dist/out.js @README.md:1-2"), []);
    assert.deepEqual(await underlined("`@Injectable()` and\n```ts\n@Component({})\n```"), []);
    assert.deepEqual(await underlined("@Injectable()\n/** @param x @returns y */\nclass A {}", "typescript"), []);
    assert.deepEqual(await underlined("fix by @someone", "git-commit"), []);
  });

  it("warns where the agent reads it, informs elsewhere", async () => {
    const severity = async (uri: string, languageId: string) => {
      await server.open(uri, languageId, MISSING);
      return (await looked(uri))[0]?.severity;
    };
    assert.equal(await severity(`${ROOT}/CODE_LAW.md`, "markdown"), 2);
    assert.equal(await severity("untitled:Untitled-1", "strata-prompt"), 2);
    assert.equal(await severity(`${ROOT}/notes.md`, "markdown"), 3);
  });

  it("offers the nearest names, with the lines kept, as an edit of this version", async () => {
    const uri = `${ROOT}/fix.md`;
    await server.open(uri, "markdown", "see @src/invoce.ts:3-5 here");
    const diagnostics = await looked(uri);
    const range = diagnostics[0]?.range;
    const actions = await server.connection.sendRequest<CodeAction[]>("textDocument/codeAction", {
      ...{ textDocument: { uri }, range, context: { diagnostics } },
    });
    assert.equal(actions[0]?.title, "Change to @src/invoice.ts:3-5");
    assert.equal(actions[0]?.isPreferred, true);
    const [edit] = (actions[0]?.edit?.documentChanges ?? []) as TextDocumentEdit[];
    assert.deepEqual(edit?.textDocument, { uri, version: 1 });
    assert.deepEqual(edit?.edits, [{ range, newText: "@src/invoice.ts:3-5" }]);
    const foreign = diagnostics.map(diagnostic => ({ ...diagnostic, source: "ts" }));
    const none = await server.connection.sendRequest<CodeAction[]>("textDocument/codeAction", {
      ...{ textDocument: { uri }, range, context: { diagnostics: foreign } },
    });
    assert.deepEqual(none, []);
  });

  it("offers names for a few problems at a time, and stops when nobody waits any more", async () => {
    const workspace = new Workspace();
    const { folders } = server.workspace;
    workspace.follow({ workspace: { folders, comments: true, ignoreCase: false } });
    workspace.take({ root: ROOT, paths: FILES, begins: true, ends: "whole" });
    const mentions = new Mentions(workspace, async ({ places }) => places.map(() => null));
    const text = Array.from({ length: 100 }, () => "@src/invoce.ts\n").join("");
    const document = TextDocument.create(`${ROOT}/all.md`, "markdown", 1, text);
    const diagnostics = await problems(document, mentions, workspace);
    assert.equal(diagnostics.length, 100);
    const source = new CancellationTokenSource();
    const params = { textDocument: document, range: diagnostics[0]?.range ?? assert.fail(), context: { diagnostics } };
    const ask = () => fixes(document, params, { mentions, workspace, token: source.token });
    const found = await ask();
    assert.deepEqual(new Set(found.map(action => action.diagnostics?.[0]?.range.start.line)), new Set([0, 1, 2, 3, 4]));
    const late = ask();
    source.cancel();
    assert.deepEqual(await late, []);
  });

  it("follows the text and the files, and says nothing twice", async () => {
    const uri = `${ROOT}/notes.md`;
    await server.open(uri, "markdown", "see @src/new.ts");
    await counted(uri, 1);
    server.workspace.files[ROOT] = [...FILES, "src/new.ts"];
    await server.list(ROOT);
    await counted(uri, 0);
    server.workspace.files[ROOT] = ["README.md"];
    await server.list(ROOT);
    await counted(uri, 1);
    const before = server.reports();
    await server.change(uri, 2, "see @src/new.ts and more");
    const other = `${ROOT}/other.md`;
    await server.open(other, "markdown", MISSING);
    await looked(other);
    assert.equal(server.reports(), before + 1);
    await server.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
    await counted(uri, 0);
  });
});
