/** The fake keeps the contract that VS Code's adapter keeps. */
import { FakeCode } from "../fakes/code";
import { MemoryFiles } from "../fakes/files";
import { codeContract } from "./code";

codeContract("FakeCode", async tree => {
  const files = new MemoryFiles({ app: tree });
  return {
    ...{ files, code: new FakeCode(files) },
    type: async (path, text) => files.edit(path, text),
    dispose: async () => undefined,
  };
});
