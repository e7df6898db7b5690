import assert from "node:assert/strict";
import { nodeClock, nodeHash, nodeIds } from "../../src/node/system";

describe("system", () => {
  it("sleeps, and wakes for an abort with its reason", async () => {
    await nodeClock.sleep(1);
    const controller = new AbortController();
    const sleeping = nodeClock.sleep(60_000, controller.signal);
    controller.abort(new Error("stopped"));
    await assert.rejects(sleeping, /stopped/);
    await assert.rejects(nodeClock.sleep(1, controller.signal), /stopped/);
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
