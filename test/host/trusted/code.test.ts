/** What VS Code's own TypeScript extension knows, through the adapter: the contract that the fake keeps. */
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { VSCodeCode } from "../../../src/vscode/code/codeIntelligence";
import { codeContract } from "../../contract/code";
import { editorWorld } from "../editorWorld";

codeContract("VSCodeCode with TypeScript", async tree => {
  const world = await editorWorld();
  const { files } = world;
  for (const [path, text] of Object.entries(tree)) await world.put(path, text);
  await writeFile(
    world.at("tsconfig.json"),
    JSON.stringify({ compilerOptions: { module: "nodenext" }, include: ["*.ts"] }),
  );
  return {
    files,
    code: new VSCodeCode({ documents: files.documents, refOf: uri => files.refIfAny(uri) }),
    async type(path, text) {
      const { document } = await world.show(path);
      const change = new vscode.WorkspaceEdit();
      change.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
      await vscode.workspace.applyEdit(change);
    },
    dispose: () => world.dispose(),
  };
});
