/**
 * A session that version 1 wrote. Its requests can be proven by every later version, and so the prefix of a session that
 * is gone on with does not move: whatever breaks this test breaks the sessions that people have. Never write it anew.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { canonicalJson } from "../../../src/core/context/compose";
import { hash } from "../../fakes/hash";
import { type Bytes, rebuildFrom, verifyBytes } from "../../fakes/proof";

const folder = "test/golden/session.v1";

function golden(): Bytes {
  const load = (folder: string, names: string[]) =>
    new Map(names.map(name => [name, readFileSync(`${folder}/${name}`)]));
  return {
    files: load(folder, ["history.jsonl", "requests.jsonl"]),
    blobs: load(`${folder}/blobs`, readdirSync(`${folder}/blobs`)),
  };
}

describe("a session of version 1", () => {
  it("is proven: reasoning, provider metadata, images, a retry, both forms", async () => {
    const { defects, proven, requests } = await verifyBytes(golden());
    assert.deepEqual([defects, proven, requests], [[], 9, 9]);
  });

  it("is rebuilt to the same bytes", async () => {
    const expected = readFileSync(`${folder}/requests.sha256`, "utf8").trimEnd().split("\n");
    for (const [at, sha256] of expected.entries()) {
      const { content } = await rebuildFrom(golden(), at + 1);
      assert.equal(content && hash.sha256(canonicalJson(content)), sha256, `request ${at + 1}`);
    }
  });
});
