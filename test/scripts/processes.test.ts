import assert from "node:assert/strict";
import { run, start, stop, waitForLine } from "../../scripts/lib/processes.mjs";

/** Prints the pid of a child of its own that has left its group, and stays. */
const family = `
  const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true });
  console.log("child " + child.pid);
  setInterval(() => {}, 1000);
`;
const node = (code: string) => [process.execPath, ["-e", code]] as const;

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("processes of the scripts", () => {
  it("stop takes the whole tree, children that left the group too", async () => {
    const parent = start(...node(family));
    const [, child] = await waitForLine(parent, /child (\d+)/);
    assert.ok(lives(Number(child)));
    await stop(parent);
    assert.equal(lives(Number(child)), false);
    assert.equal(lives(parent.pid ?? 0), false);
  });

  it("run gives code and output, and stops what takes too long", async () => {
    const ended = await run(...node("console.log(1); console.error(2); process.exit(3)"));
    // Of two pipes the order of what comes is not told.
    assert.deepEqual([ended.code, ended.output.trim().split("\n").sort()], [3, ["1", "2"]]);
    const { code, output } = await run(...node("setInterval(() => {}, 1000)"), { limitMs: 300 });
    assert.notEqual(code, 0);
    assert.match(output, /stopped after/);
  });

  it("waitForLine says what the program printed when it ends first", async () => {
    await assert.rejects(
      waitForLine(start(...node("console.log('no port')")), /ready/),
      /ended with code 0\. It printed:\nno port/,
    );
    await assert.rejects(waitForLine(start("strata-no-such-program", []), /ready/), /could not be started/);
  });
});
