/** The fake keeps the contract that the editor's adapter keeps. */
import { FakeDiagnostics, findsBad } from "../fakes/diagnostics";
import { MemoryFiles } from "../fakes/files";
import { diagnosticsContract } from "./diagnostics";

diagnosticsContract("FakeDiagnostics", async tree => {
  const files = new MemoryFiles({ app: tree });
  const diagnostics = new FakeDiagnostics(files, findsBad);
  return {
    ...{ files, diagnostics },
    async show(path) {
      files.edit(path);
      await diagnostics.check(path);
    },
    dispose: async () => undefined,
  };
});
