/** The editor's adapters keep the same contracts as the disk's and the fakes. */
import * as vscode from "vscode";
import { filesContract } from "../../contract/files";
import { searchContract } from "../../contract/search";
import { unsavedContract } from "../../contract/unsaved";
import { editorWorld, typeAtStart } from "../editorWorld";

filesContract("VSCodeFiles", rootNames => editorWorld(rootNames));

unsavedContract("UnsavedDocuments", async rootNames => {
  const world = await editorWorld(rootNames);
  const document = (path: string) =>
    vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === vscode.Uri.file(world.at(path)).toString());
  return {
    ...world,
    type: async (path, text) => typeAtStart(await world.show(path), text),
    inEditor: path => document(path)?.getText(),
    saves: async path => void (await document(path)?.save()),
  };
});

searchContract("VSCodeSearch", async (tree, ignore) => {
  const world = await editorWorld();
  await world.put(".gitignore", ignore.join("\n"));
  for (const [path, text] of Object.entries(tree)) await world.put(path, text);
  return world;
});
