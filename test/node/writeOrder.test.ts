import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { NO_SANDBOX } from "../../src/core/ports";
import { NodeShell } from "../../src/node/shell/shell";
import { inRuns } from "../../src/node/shell/writeOrder";

/** Each prints to both in turn. Beside the same with one pipe for both, where the order is the system's. */
const COMMANDS: Record<string, string> = {
  "a line each": "echo one; echo two >&2; echo three; echo four >&2",
  "many lines": "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done",
  "an error first": "echo e >&2; echo o; echo e2 >&2; echo o2",
  "a trace": "set -x; echo a; echo b; echo c",
  "an error between": "echo before; ls /nosuch; echo after",
  "a program": `"${process.execPath}" -e 'for (let i = 0; i < 5; i++) { console.log("o" + i); console.error("e" + i) }'`,
  "stderr in stdout's place": "exec 3>&1 1>&2 2>&3; echo a; echo b >&2; echo c",
};

if (process.platform === "linux")
  describe("stdout and stderr", () => {
    for (const [name, command] of Object.entries(COMMANDS))
      it(`stand in the order of writing: ${name}`, async () => {
        let ours = "";
        const run = { command, cwd: tmpdir(), sandbox: NO_SANDBOX, signal: new AbortController().signal };
        await new NodeShell().run({
          ...run,
          onOutput: (_, chunk) => {
            ours += Buffer.from(chunk);
          },
        });
        const args = ["-c", `exec 2>&1; bash -c "$1"`, "bash", command];
        assert.equal(ours, spawnSync("bash", args, { cwd: tmpdir(), encoding: "utf8" }).stdout);
      });

    const sorted = (out: string, err: string, runs: readonly (0 | 1)[], isLast = true) => {
      const texts = (list: readonly (readonly [number, Uint8Array])[]) =>
        list.map(([at, chunk]) => `${at}${Buffer.from(chunk)}`).join("|");
      const { pieces, rest, waiting } = inRuns([Buffer.from(out), Buffer.from(err)], runs, isLast);
      return [texts(pieces), texts(rest), waiting.join("")];
    };
    for (const [out, err, runs, expected] of [
      ["a\n", "b\n", [0, 1], ["0a\n|1b\n", "", ""]],
      ["a\nb\nc\nd\n", "x\ny\n", [0, 1, 0, 1], ["0a\nb\n|1x\n|0c\nd\n|1y\n", "", ""]],
      // more lines than each has the same of: with the last
      ["a\nb\nc\n", "x\n", [0, 1, 0], ["0a\n|1x\n|0b\nc\n", "", ""]],
      // fewer lines than writes
      ["ab", "x\n", [0, 1, 0], ["0ab|1x\n", "", ""]],
    ] as const)
      it(`runs ${runs.join("")} of ${JSON.stringify([out, err])}`, () => {
        assert.deepEqual(sorted(out, err, runs), expected);
      });

    it("what comes behind a write that was not read yet is kept back", () => {
      assert.deepEqual(sorted("a\n", "x\ny\n", [0, 1, 0, 1], false), ["0a\n|1x\n", "1y\n", "01"]);
    });
  });
