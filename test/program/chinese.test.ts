/** The terminal program in Chinese: help, a run, what is in force and an error have no English sentence. */
import assert from "node:assert/strict";
import { inPlace, type Place, program, runArgs, withModel } from "./program";

/** Three words in a row, where they are no command line, path or name. */
const english = /\b[A-Za-z][a-z]+ [a-z]{2,} [a-z]{2,}\b/;

const sentencesIn = (text: string) =>
  text
    .replace(/strata [a-z]+( [A-Z-]+)*|`[^`]*`/g, "…")
    .split("\n")
    .filter(line => english.test(line));

describe("the terminal program in Chinese", function () {
  this.timeout(120_000);
  const { place, strata } = program();
  const chinese = (): Place => ({ ...place(), env: { LANG: "zh_CN.UTF-8" } });

  it("has no English sentence in its help, in a run, in what is in force and in errors", async () => {
    const at = chinese();
    const where = inPlace(at);
    const said: string[] = [];
    const run = async (...args: string[]) => {
      const { out, err } = await strata(at, args);
      said.push(out, err);
      return out + err;
    };
    assert.match(await run("--help"), /终端中的编程智能体/);
    await withModel(
      () => ({ text: "好了。" }),
      async url => {
        const told = await run(...runArgs(at, url, "--trust", "--prompt", "做点事"));
        assert.match(told, /（1 个步骤，0 次工具调用/);
        const [id = ""] = /ses_\w+/.exec(told) ?? [];
        for (const command of ["show", "explain", "verify"]) await run(command, id, ...where);
        await run("show", id, "--cost", ...where);
      },
    );
    assert.match(await run("permit", ...where), /模式：先询问/);
    for (const command of ["list", "hooks", "skills", "mcp"]) await run(command, ...where);
    await run("run", "--nothing");
    await run("show", "none", ...where);
    await run("run", ...where, "--prompt", "嗨");
    assert.deepEqual(said.flatMap(sentencesIn), []);
  });
});
