/** Mentions in editors of a real VS Code. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../../fakes/eventually";
import { discardEditors } from "../discardEditors";
import { withSettings } from "../settings";
import { inWorkspace, type Strata, startStrata, writeHere } from "../strata";

const FILES = {
  "mentions/target.ts": "export const one = 1;\nexport const two = 2;\nexport const three = 3;\n",
  "mentions/deep er/other file.md": "# Other\n",
  "mentions/ignored.log": "log\n",
  "mentions/.gitignore": "*.log\n",
};

describe("mentions in editors", () => {
  let strata: Strata;
  before(async () => {
    for (const [path, text] of Object.entries(FILES)) await writeHere(path, text);
    strata = await startStrata("auto");
  });
  afterEach(discardEditors);
  after(async () => {
    await strata.dispose();
    await vscode.workspace.fs.delete(vscode.Uri.file(inWorkspace("mentions")), { recursive: true });
  });

  const show = async (content: string, language = "markdown") => {
    // VS Code may give the document of that name that was thrown away a moment before.
    const document = await eventually("a document with its content", async () => {
      const opened = await vscode.workspace.openTextDocument({ content, language });
      return opened.getText() === content ? opened : undefined;
    });
    await vscode.window.showTextDocument(document);
    return document;
  };
  const at = (document: vscode.TextDocument, words: string) =>
    document.positionAt(document.getText().indexOf(words) + words.length);
  const complete = async (document: vscode.TextDocument, words: string) => {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      "vscode.executeCompletionItemProvider",
      ...[document.uri, at(document, words)],
    );
    return list.items.filter(({ kind }) => [16, 18].includes(kind ?? -1));
  };
  /** Completion once it offers that file. */
  const offered = (document: vscode.TextDocument, words: string, path: string) =>
    eventually(`${path} is offered`, async () =>
      (await complete(document, words)).find(({ detail }) => detail === path),
    );

  it("completes files and folders, and keeps to the ignore files", async () => {
    const document = await show("see @target and @ignored");
    const item = await offered(document, "@target", "mentions/target.ts");
    assert.equal(item.insertText ?? item.label, "@mentions/target.ts");
    const range = item.range instanceof vscode.Range ? item.range : item.range?.replacing;
    assert.equal(range && document.getText(range), "@target");
    assert.ok(item.filterText?.startsWith("@target"), "the editor leaves it in its list, as typed");
    const sorted = (await complete(document, "@target")).map(({ sortText }) => sortText);
    assert.deepEqual(sorted, [...new Set(sorted)].sort(), "the order stays ours");
    assert.deepEqual(
      (await complete(document, "@ignored")).filter(({ detail }) => detail === "mentions/ignored.log"),
      [],
    );
  });

  it("goes on within a folder that is chosen, between its quotes too", async () => {
    const document = await show("see @deeper");
    const folder = await offered(document, "@deeper", "mentions/deep er");
    assert.ok(folder.insertText instanceof vscode.SnippetString);
    assert.equal(folder.insertText.value, '@"mentions/deep er/$0"');
    assert.equal(folder.command?.command, "editor.action.triggerSuggest");
  });

  it("is silent outside of mentions", async () => {
    const document = await show("/** @par */ me@target", "typescript");
    await complete(document, "@par");
    assert.deepEqual([await complete(document, "@par"), await complete(document, "me@target")], [[], []]);
  });

  it("knows at once what is created, deleted and ignored", async () => {
    const document = await show("see @brandnew");
    await writeHere("mentions/brandnew.ts", "");
    await offered(document, "@brandnew", "mentions/brandnew.ts");
    await writeHere("mentions/.gitignore", "*.log\nbrandnew.ts\n");
    await eventually(
      "the file that is ignored is not offered",
      async () => (await complete(document, "@brandnew")).length === 0,
    );
    await writeHere("mentions/.gitignore", "*.log\n");
    await offered(document, "@brandnew", "mentions/brandnew.ts");
    await vscode.workspace.fs.delete(vscode.Uri.file(inWorkspace("mentions/brandnew.ts")));
    await eventually(
      "the file that went is not offered",
      async () => (await complete(document, "@brandnew")).length === 0,
    );
  });

  it("keeps to the exclude settings", async () => {
    const document = await show("see @target");
    await offered(document, "@target", "mentions/target.ts");
    await withSettings({ "search.exclude": { "**/target.ts": true } }, async () => {
      await eventually(
        "the file that is excluded is not offered",
        async () => (await complete(document, "@target")).length === 0,
      );
    });
    await offered(document, "@target", "mentions/target.ts");
  });

  it("links, and goes to the definition", async () => {
    const document = await show('see @mentions/target.ts:2-3 and @"mentions/deep er/other file.md", thanks @someone');
    const links = await eventually("two links", async () => {
      const found = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        "vscode.executeLinkProvider",
        document.uri,
      );
      return found.length === 2 ? found : undefined;
    });
    assert.equal(links[0]?.target?.fsPath, inWorkspace("mentions/target.ts"));
    assert.equal(links[0]?.target?.fragment, "L2-L3");
    assert.equal(links[1]?.target?.fsPath, inWorkspace("mentions/deep er/other file.md"));
    const folders = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      "vscode.executeLinkProvider",
      (await show("in @mentions/ here")).uri,
    );
    assert.match(`${folders[0]?.target}`, /^command:revealInExplorer\?.*mid.*mentions/);
    const [definition] = await vscode.commands.executeCommand<vscode.LocationLink[]>(
      "vscode.executeDefinitionProvider",
      ...[document.uri, at(document, "@mentions")],
    );
    assert.equal(definition?.targetUri.fsPath, inWorkspace("mentions/target.ts"));
    assert.equal(definition?.targetSelectionRange?.start.line, 1);
  });

  it("in comments of code where the setting is on", async () => {
    // of a language that nobody else completes
    const document = await show('let a = "@target"; // @target', "rust");
    await offered(document, "// @target", "mentions/target.ts");
    assert.deepEqual(await complete(document, '"@target'), []);
    await withSettings({ "strata.mentions.inComments": false }, async () => {
      await eventually(
        "nothing is offered in a comment",
        async () => (await complete(document, "// @target")).length === 0,
      );
    });
  });

  it("answers the composer with the same search", async () => {
    const { mentions } = await strata.api.agent();
    const { items } = await eventually("the search has listed all files", async () => {
      const answer = await mentions.search("other", 10, new AbortController().signal);
      return answer.indexing ? undefined : answer;
    });
    // Other tests leave files of such names, too.
    const own = items.filter(({ kind, label }) => kind === "file" && label.startsWith("mentions/"));
    assert.deepEqual(
      own.map(({ mention, label }) => ({ mention, label })),
      [{ mention: '@"mentions/deep er/other file.md"', label: "mentions/deep er/other file.md" }],
    );
    await assert.rejects(mentions.search("x", 10, AbortSignal.abort()));
  });
});
