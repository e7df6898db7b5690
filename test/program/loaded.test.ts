/** What a command of the terminal program loads: what needs the agent is loaded by what runs it alone. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { inPlace, program, runArgs, withModel } from "./program";

/** At the program's end, the paths of all that was required. */
const LISTS = `process.on("exit", () => require("node:fs").writeFileSync(process.env.LOADED, JSON.stringify(Object.keys(require.cache))));`;

describe("what a command loads", function () {
  this.timeout(60_000);
  const { place, strata } = program();

  async function loadedBy(argsIn: (at: ReturnType<typeof place>) => string[]): Promise<string[]> {
    const at = place();
    const [lists, loaded] = [join(at.home, "lists.cjs"), join(at.home, "loaded.json")];
    writeFileSync(lists, LISTS);
    await strata({ ...at, env: { NODE_OPTIONS: `--require ${lists}`, LOADED: loaded } }, argsIn(at));
    return JSON.parse(readFileSync(loaded, "utf8"));
  }
  const hasZod = (paths: string[]) => paths.some(path => /\bZodError\b/.test(readFileSync(path, "utf8")));
  const hasAgent = (paths: string[]) => paths.some(path => basename(path) === "agent.js");

  for (const args of [["--help"], ["--version"], ["--no-such-option"], ["rum"]])
    it(`${args} neither the agent nor a schema`, async () => {
      const paths = await loadedBy(() => args);
      assert.ok(paths.length > 1);
      assert.deepEqual([hasAgent(paths), hasZod(paths)], [false, false]);
    });

  it("a list not the agent", async () => {
    const paths = await loadedBy(at => ["list", ...inPlace(at)]);
    assert.equal(hasAgent(paths), false);
  });

  it("a run both, and of the SDK nothing where the house's own adapter asks", () =>
    withModel(undefined, async url => {
      const paths = await loadedBy(at => runArgs(at, url, "--prompt", "hello"));
      const hasSdk = paths.some(path => readFileSync(path, "utf8").includes("vercel.ai.error"));
      assert.deepEqual([hasAgent(paths), hasZod(paths), hasSdk], [true, true, false]);
    }));
});
