/** A whole output on its way into a blob: what is kept of it at a cap, and what is said of the rest. */
import assert from "node:assert/strict";
import { MAX_RAW, outputNotes, RawCapture } from "../../../src/core/commands/rawCapture";
import { MemoryBlobs } from "../../fakes/blobs";

const MEGABYTE = 1024 * 1024;

describe("an output on its way into a blob", () => {
  it("is kept to the cap, and the rest is counted", async () => {
    const blobs = new MemoryBlobs();
    const raw = new RawCapture(blobs.writer, MEGABYTE);
    for (let n = 0; n < 17; n += 1) await raw.write((n % 2 ? "x\n" : "y ").repeat(32 * 1024));
    const kept = await raw.finish();
    assert.deepEqual([raw.bytes, kept?.bytes, raw.dropped], [17 * 64 * 1024, MEGABYTE, 64 * 1024]);
    assert.equal(blobs.text(kept?.sha256 ?? "")?.length, MEGABYTE);
    assert.equal(blobs.open, 0);
  });

  it("ends at a blank where the cap is in the middle of a piece", async () => {
    const blobs = new MemoryBlobs();
    const raw = new RawCapture(blobs.writer, 10);
    await raw.write("one two three");
    await raw.write(" four");
    const kept = await raw.finish();
    assert.equal(blobs.text(kept?.sha256 ?? ""), "one two ");
    assert.equal(raw.dropped, 10);
  });

  it("says what of it was not kept", () => {
    const notes = outputNotes({ dropped: 2 * MEGABYTE, failure: undefined }, { complete: false }, undefined);
    assert.deepEqual(notes, ["Of the output, the first 100 MB were kept; 2,097,152 more bytes were not."]);
    assert.equal(MAX_RAW, 100 * MEGABYTE);
  });
});
