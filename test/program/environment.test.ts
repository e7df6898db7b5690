/** Attack 13: what a command can read of the process that started it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { program, runArgs, said, withModel } from "./program";

describe("attack 13: the keys of this process", function () {
  this.timeout(180_000);
  const { place, strata } = program();
  const key = "no-shape-of-a-key-at-all-4711";

  it("are in no environment that a command can read, and still in use", async function () {
    if (process.platform !== "linux") this.skip();
    const at = {
      ...place(),
      env: { OPENAI_API_KEY: key, STRATA_TEST_TOKEN: key, OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${key}` },
    };
    const keys: unknown[] = [];
    let shown = "";
    // Turned round, so that nothing but this hides them; in a file too, which nobody redacts.
    const command =
      "for p in $PPID $$ $BASHPID; do tr '\\0' '\\n' < /proc/$p/environ; done | tee read.txt | rev; grep PPid /proc/$PPID/status";
    await withModel(
      request => {
        keys.push(request.headers?.authorization);
        shown = said(request).at(-1)?.text ?? "";
        return shown === "" ? { calls: [{ name: "Bash", input: { command } }] } : { text: "Done." };
      },
      async url => {
        const { code, err } = await strata(at, runArgs(at, url, "--mode", "auto", "--trust", "--prompt", "go"));
        assert.equal(code, 0, err);
      },
    );
    const read = readFileSync(join(at.workspace, "read.txt"), "utf8");
    assert.match(read, /^XDG_CONFIG_HOME=/m, "it was read");
    assert.match(read, /^OPENAI_API_KEY=$/m, "of the process that was started with it");
    assert.ok(!read.includes(key));
    assert.deepEqual(new Set(keys), new Set([`Bearer ${key}`]));
    assert.ok(!shown.includes([...key].reverse().join("")));
  });
});
