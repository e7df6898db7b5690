/** The editor's adapters keep the same contracts as the disk's and the fakes. */
import { filesContract } from "../../contract/files";
import { searchContract } from "../../contract/search";
import { editorWorld } from "../editorWorld";

filesContract("VSCodeFiles", rootNames => editorWorld(rootNames));

searchContract("VSCodeSearch", async (tree, ignore) => {
  const world = await editorWorld();
  await world.put(".gitignore", ignore.join("\n"));
  for (const [path, text] of Object.entries(tree)) await world.put(path, text);
  return world;
});
