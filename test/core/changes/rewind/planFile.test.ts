/** What a rewind does to a file that the editor has unsaved text for: the disk alone does not tell. */
import assert from "node:assert/strict";
import { planFile } from "../../../../src/core/changes/rewind/rewindFiles";
import type { FileChain } from "../../../../src/core/changes/timeline/timeline";
import type { FileState } from "../../../../src/shared/fileStates";

const was: FileState = { type: "file", sha256: "was" };
const left: FileState = { type: "file", sha256: "left" };

const chain: FileChain = {
  ...{ uri: "file:///ws/a.txt", path: "a.txt", made: false, shared: false },
  segments: [{ before: was, after: left }],
};

describe("what a rewind plans for a file", () => {
  it("puts back exactly what stood there, where nobody wrote since", () => {
    assert.deepEqual(planFile(chain, { state: left, unsaved: false }), { kind: "exact", from: left, to: was });
    assert.deepEqual(planFile(chain, { state: was, unsaved: false }), { kind: "same" });
  });

  it("takes the agent's part out of text that is unsaved, whatever the disk holds", () => {
    for (const state of [left, was]) assert.deepEqual(planFile(chain, { state, unsaved: true }), { kind: "merge" });
  });
});
