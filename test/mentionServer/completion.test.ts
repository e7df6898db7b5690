/** Completion over the protocol: what is offered, and that an editor keeps the order and the text. */
import assert from "node:assert/strict";
import type { CompletionItem, CompletionList, Hover } from "vscode-languageserver-protocol";
import { mentionMethods } from "../../src/shared/mentions/serverProtocol";
import { eventually } from "../fakes/eventually";
import { ROOT, type ServerClient, startServer } from "./client";

const NOTES = `${ROOT}/notes.md`;
const FILES = ["src/invoice.ts", "src/invoices/list.ts", "my notes/plan b.md", "README.md", 'odd/a"b.txt', "ä/日本.md"];

describe("mention server: completion", () => {
  let server: ServerClient;
  before(async () => {
    server = await startServer({ files: { [ROOT]: FILES } });
    await server.indexed();
  });
  after(() => server.close());

  /** @param text `|` is the cursor */
  async function complete(text: string, languageId = "markdown", uri = NOTES): Promise<CompletionList | null> {
    const at = text.indexOf("|");
    const lines = text.slice(0, at).split("\n");
    await server.open(uri, languageId, text.replace("|", ""));
    return server.connection.sendRequest<CompletionList | null>("textDocument/completion", {
      textDocument: { uri },
      position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 },
    });
  }
  /** The text after an item was chosen, as an editor inserts it; snippets' cursor is `|`. */
  const chosen = (text: string, item: CompletionItem) => {
    assert.ok(item.textEdit && "range" in item.textEdit);
    const { range, newText } = item.textEdit;
    const plain = item.insertTextFormat === 2 ? newText.replace("$0", "|").replace(/\\([\\$}])/g, "$1") : newText;
    const line = text.replace("|", "");
    return line.slice(0, range.start.character) + plain + line.slice(range.end.character);
  };

  it("offers files and folders, and asks to be asked again", async () => {
    const list = await complete("See @inv|");
    assert.ok(list);
    assert.equal(list.isIncomplete, true);
    assert.deepEqual(list.items.map(({ detail }) => detail).sort(), [
      "src/invoice.ts",
      "src/invoices",
      "src/invoices/list.ts",
    ]);
    const item = list.items.find(({ detail }) => detail === "src/invoice.ts");
    assert.ok(item);
    assert.equal(chosen("See @inv|", item), "See @src/invoice.ts");
    assert.deepEqual(
      { label: item.label, description: item.labelDetails?.description, kind: item.kind },
      { label: "invoice.ts", description: "src", kind: 17 },
    );
  });

  it("keeps its order in an editor that filters by what is typed and sorts by sortText", async () => {
    for (const typed of ["@inv", "@src/inv", '@"my n', "@", "@INV", "@nvo"]) {
      const list = await complete(`${typed}|`);
      assert.ok(list && list.items.length > 0, typed);
      for (const { filterText } of list.items) assert.ok(filterText?.startsWith(typed), `${typed}: ${filterText}`);
      const sorted = list.items.map(({ sortText }) => sortText);
      assert.deepEqual(sorted, [...sorted].sort());
      assert.equal(new Set(sorted).size, sorted.length);
    }
  });

  it("replaces the whole mention, quotes included", async () => {
    const quoted = await complete('a @"pla|n x" b');
    assert.equal(quoted?.items[0]?.detail, "my notes/plan b.md");
    assert.ok(quoted?.items[0]);
    assert.equal(chosen('a @"pla|n x" b', quoted.items[0]), 'a @"my notes/plan b.md" b');
    const middle = await complete("a @READ|ME.txt, b");
    assert.ok(middle?.items[0]);
    assert.equal(chosen("a @READ|ME.txt, b", middle.items[0]), "a @README.md, b");
  });

  it("goes on within a folder that is chosen, between its quotes too", async () => {
    const plain = (await complete("@invoices|"))?.items.find(({ detail }) => detail === "src/invoices");
    assert.ok(plain);
    assert.equal(plain.command?.command, "editor.action.triggerSuggest");
    assert.equal(chosen("@invoices|", plain), "@src/invoices/");
    const quoted = (await complete("@my|"))?.items.find(({ detail }) => detail === "my notes");
    assert.ok(quoted);
    assert.equal(chosen("@my|", quoted), '@"my notes/|"');
    const within = await complete('@"my notes/|"');
    assert.equal(within?.items[0]?.detail, "my notes/plan b.md");
    const inFolder = await complete("@src/invoices/|");
    assert.equal(inFolder?.items[0]?.detail, "src/invoices/list.ts");
  });

  it("writes names that need it in quotes, with their letters as they are", async () => {
    for (const [typed, expected] of [
      ["@日本|", '@"ä/日本.md"'],
      ["@plan|", '@"my notes/plan b.md"'],
      ["@odd/a|", '@"odd/a\\"b.txt"'],
    ] as const) {
      const item = (await complete(typed))?.items.find(({ kind }) => kind === 17);
      assert.ok(item);
      assert.equal(chosen(typed, item), expected);
    }
  });

  it("stays silent where no mention stands", async () => {
    for (const [text, languageId] of [
      ["me@inv|", "markdown"],
      ["const a = '@inv|'", "typescript"],
      ["@Inj|\nclass A {}", "typescript"],
      ["no at sign|", "markdown"],
      ["// @inv|", "unknown-language"],
    ] as const) {
      assert.equal(await complete(text, languageId, `${ROOT}/x.${languageId}`), null, text);
    }
  });

  it("in comments where the setting is on; a tag of a doc comment is left to its language", async () => {
    const uri = `${ROOT}/code.ts`;
    assert.ok((await complete("// see @inv|", "typescript", uri))?.items.length);
    assert.equal(await complete("/**\n * @par|\n */", "typescript", uri), null);
    assert.ok((await complete("/**\n * @src/|\n */", "typescript", uri))?.items.length);
    await server.tell({ folders: server.workspace.folders, comments: false });
    assert.equal(await complete("// see @inv|", "typescript", uri), null);
    await server.tell({ folders: server.workspace.folders });
  });

  it("offers first what is open or was looked at", async () => {
    const near = { open: [{ root: ROOT, path: "README.md" }], recent: [{ root: ROOT, path: "src/invoices/list.ts" }] };
    await server.connection.sendNotification(mentionMethods.window, { near });
    const list = await complete("@|");
    const first = list?.items.slice(0, 2).map(({ detail }) => detail);
    assert.deepEqual(first?.sort(), ["README.md", "src/invoices/list.ts"]);
  });

  it("works in untitled documents, commit messages and prompts", async () => {
    for (const languageId of ["plaintext", "git-commit", "strata-prompt", "scminput"]) {
      const list = await complete("@READ|", languageId, `untitled:${languageId}`);
      assert.equal(list?.items[0]?.detail, "README.md", languageId);
    }
  });

  it("offers attachments in a prompt, where a sent one has them, among the files as the composer does", async () => {
    const offered = async (text: string, languageId = "strata-prompt") => {
      const list = await complete(text, languageId, `untitled:attachments-${languageId}`);
      return list?.items.map(({ label }) => label) ?? [];
    };
    const all = await offered("@|");
    assert.deepEqual(all.slice(7, 11), ["problems", "selection", "changes", "terminal"]);
    assert.equal((await offered("see @term|"))[0], "terminal");
    assert.equal((await offered("@s|")).indexOf("selection"), 5);
    for (const text of ['@"term|', "@terminals|", "@term/|"]) {
      assert.ok(!(await offered(text)).includes("terminal"), text);
    }
    assert.ok(!(await offered("@term|", "markdown")).includes("terminal"));
    const item = (await complete("a @TER|m b", "strata-prompt"))?.items[0];
    assert.ok(item);
    assert.ok(item.filterText?.startsWith("@TER"));
    assert.equal(chosen("a @TER|m b", item), "a @terminal b");
  });

  it("offers the workspace's folders by their names, and goes on in the one that was chosen", async () => {
    const folders = [
      { uri: ROOT, name: "app" },
      { uri: "file:///work/lib%20two", name: "lib two" },
    ];
    server.workspace.files["file:///work/lib%20two"] = ["only.ts"];
    await server.tell({ folders });
    await server.indexed();
    const named = (await complete("@lib|"))?.items.find(({ label }) => label === "lib two:");
    assert.ok(named);
    assert.equal(chosen("@lib|", named), '@"lib two:|"');
    assert.equal(named.command?.command, "editor.action.triggerSuggest");
    assert.deepEqual(
      (await complete('@"lib two:|"'))?.items.map(({ detail }) => detail),
      ["lib two:only.ts"],
    );
    const first = (await complete("@ap|"))?.items.find(({ label }) => label === "app:");
    assert.ok(first);
    assert.equal(chosen("@ap|", first), "@app:");
    const top = (await complete("@READ|"))?.items[0];
    assert.deepEqual([top?.label, top?.labelDetails?.description], ["README.md", "app"]);
    await server.tell({ folders: folders.slice(0, 1) });
    assert.ok(!(await complete("@ap|"))?.items.some(({ label }) => label === "app:"));
  });

  it("answers while the list is still coming", async () => {
    const { promise: held, resolve: go } = Promise.withResolvers<void>();
    let parts = 0;
    const slow = await startServer({
      files: { [ROOT]: FILES },
      beforePart: async () => (++parts > 1 ? held : undefined),
    });
    const ask = () =>
      slow.connection.sendRequest<{ items: unknown[]; indexing: boolean }>(mentionMethods.search, {
        ...{ query: "invoice", limit: 9 },
      });
    const early = await eventually("there is an early answer", async () => {
      const answer = await ask();
      return answer.items.length > 0 ? answer : undefined;
    });
    assert.equal(early.indexing, true);
    const uri = "untitled:early";
    await slow.open(uri, "markdown", "@READ");
    const waiting = slow.connection.sendRequest<CompletionList>("textDocument/completion", {
      ...{ textDocument: { uri }, position: { line: 0, character: 5 } },
    });
    go();
    await slow.indexed();
    assert.equal((await ask()).items.length, 3);
    assert.equal((await waiting).items[0]?.detail, "README.md");
    await slow.close();
  });

  it("offers resources of MCP servers in a prompt, and tells what one is", async () => {
    const resources = [
      {
        server: "docs",
        uri: "demo://static/features.md",
        title: "Features*",
        mimeType: "text/markdown",
        template: false,
      },
      { server: "docs", uri: "demo://page/{id}", title: "Page", template: true },
    ];
    await server.connection.sendNotification(mentionMethods.window, { resources });
    const uri = "untitled:prompt";
    const list = await complete("See @docs:demo|", "strata-prompt", uri);
    const [page, features] = ["docs:demo://page/{id}", "docs:demo://static/features.md"].map(label =>
      list?.items.find(item => item.label === label),
    );
    assert.ok(page && features);
    assert.equal(chosen("See @docs:demo|", features), "See @docs:demo://static/features.md");
    assert.equal(chosen("See @docs:demo|", page), "See @docs:demo://page/");
    assert.equal(features.detail, "Features* · text/markdown");
    assert.ok(page.command, "it asks on");
    assert.ok(!(await complete("See @docs:demo|"))?.items.some(({ label }) => label.startsWith("docs:")), "no prompt");
    await server.open(uri, "strata-prompt", "See @docs:demo://static/features.md, please.");
    const hover = await server.connection.sendRequest<Hover | null>("textDocument/hover", {
      textDocument: { uri },
      position: { line: 0, character: 12 },
    });
    assert.match(JSON.stringify(hover?.contents), /Features\\\\\* · text\/markdown · resource of the MCP server docs/);
  });
});
