/** Attack 13: what a command can read of the process that started it. */
import assert from "node:assert/strict";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireSandbox } from "../node/sandbox/inSandbox";
import { type Place, program, runArgs, said, withModel } from "./program";

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

describe("attack 37: the descriptors that this process was started with", function () {
  this.timeout(180_000);
  const { place, strata } = program();
  const LIST = "ls -l /proc/self/fd; echo out > /proc/self/fd/20/made";

  /** @param use what it says of its own descriptors */
  async function started(use: (at: Place) => Promise<string>): Promise<void> {
    const at = place();
    const outside = join(at.home, "outside");
    mkdirSync(outside);
    const opened = { 20: openSync(outside, "r"), 200: openSync(join(at.home, "lock"), "w") };
    try {
      const list = await use({ ...at, opened });
      assert.match(list, /1 -> /, "it was listed");
      assert.doesNotMatch(list, /\/outside|\/lock/);
      assert.throws(() => readFileSync(join(outside, "made")));
    } finally {
      for (const fd of Object.values(opened)) closeSync(fd);
    }
  }

  for (const [where, env, list] of [
    ["outside the sandbox", {}, LIST],
    // What stands around it there has to have none either.
    ["in the sandbox", { STRATA_PERMISSIONS_RUN_EVERYTHING: "false" }, `${LIST}; ls -l /proc/[0-9]*/fd`],
  ] as const)
    it(`reach no command ${where}`, async function () {
      if (process.platform !== "linux") this.skip();
      if (where === "in the sandbox") await requireSandbox(this);
      await started(async at => {
        let shown = "";
        writeFileSync(join(at.workspace, "list.sh"), `exec 2>&1; ${list}`);
        await withModel(
          request => {
            shown = said(request).at(-1)?.text ?? "";
            return shown === "" ? { calls: [{ name: "Bash", input: { command: "sh list.sh" } }] } : { text: "Done." };
          },
          async url => {
            const args = runArgs(at, url, "--mode", "auto", "--trust", "--prompt", "go");
            assert.equal((await strata({ ...at, env }, args)).code, 0);
          },
        );
        return shown;
      });
    });

  it("reach no server", async function () {
    if (process.platform !== "linux") this.skip();
    await started(async at => {
      const list = join(at.home, "list");
      mkdirSync(join(at.home, "config/strata"), { recursive: true });
      const servers = { lists: { command: "sh", args: ["-c", `{ ${LIST}; } > '${list}' 2>&1`] } };
      writeFileSync(join(at.home, "config/strata/mcp.json"), JSON.stringify({ servers }));
      await strata(at, ["mcp", "check", "lists"]);
      return readFileSync(list, "utf8");
    });
  });
});
