import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { NodeShell } from "../../src/node/shell";
import { shellContract } from "../contract/shell";

if (process.platform !== "win32") {
  shellContract("NodeShell", () => new NodeShell());

  describe("NodeShell.killAll", () => {
    it("ends every command that runs, deaf ones too, with what they started", async () => {
      const shell = new NodeShell();
      const started = Promise.withResolvers<void>();
      let ready = 0;
      const run = (command: string) =>
        shell.run({
          command,
          cwd: tmpdir(),
          timeoutMs: 60_000,
          signal: new AbortController().signal,
          onOutput: () => {
            if (++ready === 2) started.resolve();
          },
        });
      const deaf = run("trap '' TERM INT HUP; echo up; while :; do sleep 600; done");
      const withChildren = run("sleep 600 & echo up; wait");
      await started.promise;
      shell.killAll();
      for (const { signal, ended, leftBehind } of await Promise.all([deaf, withChildren]))
        assert.deepEqual({ signal, ended, leftBehind }, { signal: "SIGKILL", ended: "exited", leftBehind: false });
      // Nothing lives any more: nobody else's process is hit.
      shell.killAll();
    });
  });
}
