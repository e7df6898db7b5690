/** What VS Code's own TypeScript extension knows, through the adapter: the contract that the fake keeps. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { codeTool } from "../../../src/core/looking/code";
import { nodeClock } from "../../../src/node/system";
import { VSCodeCode } from "../../../src/vscode/code/codeIntelligence";
import { codeContract } from "../../contract/code";
import { MemoryBlobs } from "../../fakes/blobs";
import { noSession } from "../../fakes/call";
import { isSoak } from "../../fakes/soak";
import { editorWorld } from "../editorWorld";

codeContract("VSCodeCode with TypeScript", async tree => {
  const world = await editorWorld();
  const { files } = world;
  for (const [path, text] of Object.entries(tree)) await world.put(path, text);
  await writeFile(
    world.at("tsconfig.json"),
    JSON.stringify({ compilerOptions: { module: "nodenext" }, include: ["*.ts"] }),
  );
  const deps: ConstructorParameters<typeof VSCodeCode>[0] = {
    documents: files.documents,
    refOf: uri => files.refIfAny(uri),
    clock: nodeClock,
  };
  return {
    files,
    code: new VSCodeCode(deps),
    awake: () => {
      deps.coldMs = 200;
    },
    async type(path, text) {
      const { document } = await world.show(path);
      const change = new vscode.WorkspaceEdit();
      change.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
      await vscode.workspace.applyEdit(change);
    },
    dispose: () => world.dispose(),
  };
});

describe("the tool Code in VS Code", () => {
  it("finds what VS Code's own command finds", async () => {
    const world = await editorWorld();
    const { files, search } = world;
    const users = Array.from({ length: 30 }, (_, at) => `use${at}.ts`);
    await world.put("tsconfig.json", '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler" } }');
    await world.put("load.ts", "export const loadAll = 1;\n");
    for (const path of users) await world.put(path, 'import { loadAll } from "./load";\nexport const one = loadAll;\n');
    const code = new VSCodeCode({ documents: files.documents, refOf: uri => files.refIfAny(uri), clock: nodeClock });
    const tool = codeTool({ files, search, code, clock: nodeClock, blobs: new MemoryBlobs().writer });
    const input = { action: "references" as const, symbol: "loadAll", file_path: "load.ts", line: 1 };
    const ask = async () => {
      const performed = await (await tool.prepare(input, noSession())).perform(noSession());
      assert.ok(typeof performed === "object");
      return performed.result.data;
    };
    const uri = vscode.Uri.file(world.at("load.ts"));
    const bare = async () =>
      vscode.commands.executeCommand<vscode.Location[]>(
        "vscode.executeReferenceProvider",
        uri,
        new vscode.Position(0, 13),
      );
    const facts = (await ask()) as { hits: number; files: number };
    assert.deepEqual([facts.hits, facts.files], [(await bare()).length, users.length + 1]);
    if (isSoak("large")) {
      const median = async (work: () => Promise<unknown>) => {
        const times: number[] = [];
        for (let round = 0; round < 40; round++) {
          const start = performance.now();
          await work();
          times.push(performance.now() - start);
        }
        return times.sort((a, b) => a - b)[20] ?? 0;
      };
      const [tools, commands] = [await median(ask), await median(bare)];
      console.log(`Code references in 31 files: ${tools.toFixed(1)} ms, the bare command ${commands.toFixed(1)} ms`);
    }
    await world.dispose();
  });

  it("a fix with a snippet in it is told as one that cannot be made", async () => {
    const world = await editorWorld();
    const { files } = world;
    await world.put("note.txt", "one\n");
    await world.show("note.txt");
    const uri = vscode.Uri.file(world.at("note.txt"));
    const edit = new vscode.WorkspaceEdit();
    edit.set(uri, [
      vscode.TextEdit.insert(new vscode.Position(0, 0), "zero "),
      vscode.SnippetTextEdit.insert(new vscode.Position(0, 3), new vscode.SnippetString("$1")),
    ]);
    const action = new vscode.CodeAction("Fix the note", vscode.CodeActionKind.QuickFix);
    action.edit = edit;
    const provider = vscode.languages.registerCodeActionsProvider(
      { pattern: "**/note.txt" },
      { provideCodeActions: () => [action] },
    );
    try {
      const code = new VSCodeCode({
        documents: files.documents,
        refOf: each => files.refIfAny(each),
        clock: nodeClock,
      });
      const ref = await files.resolve("note.txt");
      const found = await code.actions(ref, undefined, "quickfix", new AbortController().signal);
      const ours = found.find(({ title }) => title === "Fix the note");
      assert.match(ours?.change?.more ?? "", /snippet/);
    } finally {
      provider.dispose();
      await world.dispose();
    }
  });
});
