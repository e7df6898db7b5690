/** Edits in a real VS Code keep the same contract as on disk and in memory, and what only an editor has besides. */
import { editsContract } from "../../contract/edits";
import { editorWorld } from "../editorWorld";
import { formatOnSave, typistIn } from "../typist";

editsContract(
  "VSCodeFiles",
  async () => {
    const world = await editorWorld();
    let unformat: (() => Promise<void>) | undefined;
    return {
      ...world,
      typist: typistIn(world.at),
      async formatOnSave() {
        unformat = await formatOnSave();
      },
      async dispose() {
        await unformat?.();
        await world.dispose();
      },
    };
  },
  { editor: true, readOnly: true },
);
