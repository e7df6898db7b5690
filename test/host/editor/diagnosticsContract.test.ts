/** VS Code's problems keep the contract that the fake keeps. */
import { nodeClock } from "../../../src/node/system";
import { VSCodeDiagnostics } from "../../../src/vscode/editor/diagnostics";
import { diagnosticsContract } from "../../contract/diagnostics";
import { eventually } from "../../fakes/eventually";
import { startChecker } from "../checker";
import { editorWorld } from "../editorWorld";

diagnosticsContract("VSCodeDiagnostics", async tree => {
  const world = await editorWorld();
  const { files } = world;
  for (const [path, text] of Object.entries(tree)) await world.put(path, text);
  const refOf = (uri: { scheme: string; fsPath: string }) =>
    uri.scheme === "file" ? files.resolve(uri.fsPath) : Promise.resolve(undefined);
  const diagnostics = new VSCodeDiagnostics({ documents: files.documents, refOf, clock: nodeClock });
  const checker = startChecker("sql");
  return {
    ...{ files, diagnostics },
    async show(path) {
      await world.show(path);
      const ref = await files.resolve(path);
      await eventually("its problems are listed", async () => (await diagnostics.of(ref)).length > 0);
    },
    async dispose() {
      checker.dispose();
      diagnostics.dispose();
      await world.dispose();
    },
  };
});
