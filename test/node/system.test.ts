import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { build } from "esbuild";
import { nodeClock, nodeHash, nodeIds } from "../../src/node/system";
import { clockContract } from "../contract/clock";
import { eventually } from "../fakes/eventually";

clockContract("nodeClock", () => ({
  clock: nodeClock,
  pass: async ms => {
    const start = performance.now();
    await eventually(`${ms} ms`, () => performance.now() - start > ms);
  },
}));

describe("system", () => {
  it("a call aside keeps no process alive, another one does", async () => {
    const contents = `
      import { nodeClock } from "./src/node/system";
      nodeClock.after(60_000, () => process.stdout.write("aside, "), "aside");
      nodeClock.after(1, () => process.stdout.write("called, "));
      process.on("exit", () => process.stdout.write("over"));`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: process.cwd(), loader: "ts" },
      ...{ bundle: true, platform: "node", format: "esm", write: false },
    });
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "-e",
      outputFiles[0]?.text ?? "",
    ]);
    assert.equal(stdout, "called, over");
  });

  it("gives ids that differ and are fit for file names", () => {
    const ids = Array.from({ length: 10_000 }, () => nodeIds.next("ses"));
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every(id => /^ses_[0-9a-f]{16}$/.test(id)));
  });

  it("hashes text as UTF-8", () => {
    assert.equal(nodeHash.sha256("ä"), nodeHash.sha256(Buffer.from([0xc3, 0xa4])));
    assert.equal(nodeHash.sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });
});
