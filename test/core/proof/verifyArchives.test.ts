/** What `verify` says of a session with archives: proven over all files, and whatever byte changes, its file is named. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { History } from "../../../src/core/log/history";
import { checkManifestBytes } from "../../../src/core/proof/verify";
import { FakeClock } from "../../fakes/clock";
import { compactTurns } from "../../fakes/compacted";
import { hash } from "../../fakes/hash";
import { FakeIds } from "../../fakes/ids";
import { pluck } from "../../fakes/pluck";
import { type Bytes, bytesOf, flipped, fullSession, verifyBytes } from "../../fakes/proof";
import { asItIs } from "../../fakes/redact";
import { cases } from "../../fakes/soak";

const ARCHIVE = "archive/0001.jsonl";
const SUMMARY = "## 📌 Archived Session Summary";
let original: Bytes;

before(async () => {
  const { disk, ports, id } = await fullSession();
  const ids = new FakeIds();
  const deps = { clock: new FakeClock(), hash, emit: () => undefined, redact: asItIs };
  const next = (prefix: Parameters<FakeIds["next"]>[0]) => `again_${ids.next(prefix)}`;
  const { history } = await History.open(await ports.storage.open(id), { ...deps, ids: { next } });
  await compactTurns(history, [1], { id: "sum_1", text: SUMMARY });
  await history.files.close();
  original = bytesOf(disk, id);
});

const dataOf = (name: string) => original.files.get(name) ?? Buffer.alloc(0);
function withFile(name: string, data: Buffer | undefined): Bytes {
  const files = new Map(original.files);
  if (data) files.set(name, data);
  else files.delete(name);
  return { blobs: original.blobs, files };
}

describe("verify, with archives", () => {
  it("proves what went to archives too", async () => {
    const { defects, proven, observations, archives, notes } = await verifyBytes(original);
    assert.deepEqual([defects, proven, observations, archives, notes], [[], 7, 8, 1, []]);
  });

  it("names an archive that is missing, and what it takes with it", async () => {
    const { defects } = await verifyBytes(withFile(ARCHIVE, undefined));
    const archive = defects.find(({ kind }) => kind === "archive");
    assert.deepEqual([archive?.source, archive?.found], [ARCHIVE, null]);
    assert.ok(defects.some(({ kind }) => kind === "segment"));
  });

  it("names no archive that the log does not: it says that it is there", async () => {
    const { defects, notes } = await verifyBytes(withFile("archive/0002.jsonl", dataOf(ARCHIVE)));
    assert.deepEqual(defects, []);
    assert.match(notes.join(), /does not name archive\/0002\.jsonl/);
  });

  it("names a summary that is about other messages than those that went", async () => {
    const wrong: [RegExp, string][] = [
      [/("sourceRange":\{"fromId":")[^"]+/, "$1msg_99"],
      [/("toId":")[^"]+/, "$1msg_99"],
      [/("sourceRange":\{[^}]*"count":)\d+/, "$199"],
    ];
    for (const [part, other] of wrong) {
      const text = dataOf("history.jsonl").toString("utf8").replace(part, other);
      const { defects } = await verifyBytes(withFile("history.jsonl", Buffer.from(text)));
      assert.deepEqual(pluck(defects, "kind"), ["range"], other);
      assert.match(defects[0]?.text ?? "", /^the summary sum_1 says that it is about .* messages from /);
    }
  });

  it("names a summary that is not as it was written", async () => {
    const text = dataOf("history.jsonl").toString("utf8").replace("Archived", "archived");
    const { defects } = await verifyBytes(withFile("history.jsonl", Buffer.from(text)));
    assert.deepEqual(pluck(defects, "source"), [`obs:${hash.sha256(SUMMARY)}`]);
  });

  it("names an archive in which any byte changed", () => {
    const check = async (at: number, mask: number) => {
      const data = dataOf(ARCHIVE);
      const { defects } = await verifyBytes(withFile(ARCHIVE, flipped(data, at % data.length, mask)));
      assert.ok(
        defects.some(({ source }) => source === ARCHIVE),
        JSON.stringify(defects),
      );
    };
    const property = fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), check);
    return fc.assert(property, { numRuns: cases(1_000) });
  });

  it("names bytes that reading makes alike: a character that is none already", async () => {
    const bytes = Buffer.from('{}\n{"\xff"}\n', "latin1");
    const files = { readBytes: async () => bytes };
    const [defect] = await checkManifestBytes(files, bytes.toString("utf8"), hash, []);
    assert.deepEqual([defect?.kind, defect?.request], ["manifest", 2]);
    assert.deepEqual(await checkManifestBytes(files, bytes.toString("utf8"), hash, defect ? [defect] : []), []);
    const archive = dataOf(ARCHIVE);
    const at = archive.indexOf(Buffer.from("\u{1f600}"));
    assert.ok(at > 0);
    const report = await verifyBytes(withFile(ARCHIVE, flipped(archive, at, 0x40)));
    assert.ok(report.defects.some(({ source }) => source === ARCHIVE));
  });
});
