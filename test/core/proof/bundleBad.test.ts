/** What is no whole export of a session creates nothing; what fails in the middle leaves nothing. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { SessionStorage } from "../../../src/core/ground/ports";
import { importSession } from "../../../src/core/proof/importSession";
import { NodeStorage } from "../../../src/node/storage/sessionStorage";
import { cut, exported, importInto, summed } from "../../fakes/bundle";
import { sessionTree } from "../../fakes/children";
import { compactedSession } from "../../fakes/compacted";
import { runningHash } from "../../fakes/hash";
import { FakeIds } from "../../fakes/ids";
import { cases } from "../../fakes/soak";
import { MemoryStorage } from "../../fakes/storage";
import { temporaryFolder } from "../../fakes/temporary";

describe("an import of what is no whole export", () => {
  let lines: string[];
  let text: string;
  before(async () => {
    ({ lines, text } = await exported(await compactedSession()));
  });

  /** Nothing is created. */
  const refused = async (bad: string, code: string, words?: RegExp) => {
    const storage = new MemoryStorage();
    await assert.rejects(importInto(storage, bad), (error: Error & { code?: string }) => {
      assert.equal(error.code, code, error.message);
      if (words) assert.match(error.message, words);
      return true;
    });
    assert.deepEqual([storage.disk.operations, storage.disk.sessions.size], [[], 0]);
  };

  const importing = (open: () => AsyncIterable<string>, storage: SessionStorage = new MemoryStorage(), more = {}) =>
    importSession(open, { storage, ids: new FakeIds(), newHash: runningHash, roots: [], ...more });

  it("no export", async () => {
    for (const bad of ["", "\n", "hello", "hello\n", "{}\n", "[]\n", "\ufeff{}\n", "PK\u0003\u0004\0\0"])
      await refused(bad, "NOT_AN_EXPORT");
  });

  it("a newer version", () => refused(text.replace('"version":1', '"version":3'), "NEWER", /Update Strata/));

  it("cut off at any line, and within lines", async () => {
    for (let count = 1; count < lines.length; count++) await refused(lines.slice(0, count).join(""), "CUT_OFF");
    for (const bytes of [60, 1000, text.length - 200, text.length - 1]) await refused(text.slice(0, bytes), "CUT_OFF");
  });

  it("any byte changed", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.integer({ min: 1, max: 127 }), async (at, mask) => {
        const storage = new MemoryStorage();
        const code = text.charCodeAt(at) ^ mask;
        const bad = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
        await assert.rejects(importInto(storage, bad, 100_000), { name: "BundleError" });
        assert.equal(storage.disk.sessions.size, 0);
      }),
      { numRuns: cases(300) },
    ));

  it("lines doubled, swapped, lost, added, with or without a sum that fits", async () => {
    const [header = "", first = "", second = ""] = lines;
    const rest = lines.slice(2);
    await refused([header, first, ...lines.slice(1)].join(""), "CHANGED");
    await refused(summed([header, first, ...lines.slice(1)]), "CHANGED");
    await refused([header, second, first, ...lines.slice(3)].join(""), "CHANGED");
    await refused([header, ...rest].join(""), "CHANGED");
    await refused(`${text}\n`, "CHANGED");
    await refused(`${text}${first}`, "CHANGED");
    await refused(summed([...lines.slice(0, -2), "{}\n"]), "CHANGED");
    await refused(summed([header, lines.at(-2) ?? "", ...lines.slice(1, -2), "{}\n"]), "CHANGED");
  });

  it("a blob that is not what its name says", () => {
    const bad = lines.map(line => line.replace(/("name":"blobs\/[0-9a-f]+","text":")/, "$1x"));
    return refused(summed(bad), "CHANGED");
  });

  it("names that lead elsewhere, and files that are never in an export", async () => {
    const named = (name: string) => {
      const piece = { kind: "piece", name, text: "x\n" };
      return summed([lines[0] ?? "", `${JSON.stringify(piece)}\n`, ...lines.slice(1)]);
    };
    const names = "../a ../../history.jsonl archive/../../x.jsonl /etc/passwd archive/x.jsonl blobs/../a blobs/abc";
    const never = "meta.json lock.json snapshots/a history.broken.jsonl permissions.jsonl C:\\a archive\\0001.jsonl";
    for (const name of `${names} ${never}`.split(" ")) await refused(named(name), "CHANGED");
    const elsewhere = lines.map(line => line.replace(/"sessionId":"[^"]*"/, '"sessionId":"../../up"'));
    await refused(summed(elsewhere), "NOT_AN_EXPORT");
  });

  it("agents whose names lead elsewhere, that are not whole, come too late, or lie too deep", async () => {
    const { id, given, below, ...tree } = await sessionTree();
    const { lines: whole } = await exported({ ...tree, id });
    const [child, deep] = [given.childId, below];
    const but = (change: (name: string) => string | undefined) =>
      whole.flatMap((line, at) => {
        const { name, ...piece } = JSON.parse(line);
        const changed = at === 0 || at === whole.length - 1 ? name : change(name);
        return at > 0 && at < whole.length - 1 && changed === undefined
          ? []
          : `${JSON.stringify({ ...piece, name: changed })}\n`;
      });
    for (const other of ["..", ".", "a.b", "a\\b", "", "C:", "x".repeat(101)])
      await refused(summed(but(name => name.replace(`children/${child}/`, `children/${other}/`))), "CHANGED");
    await refused(summed(but(name => name.replace(/^(?=children)/, "children/a/".repeat(7)))), "CHANGED");
    for (const gone of [child, deep])
      await refused(summed(but(name => (name.endsWith(`${gone}/history.jsonl`) ? undefined : name))), "CHANGED");
    const late = whole.findIndex(line => line.includes(`${child}/requests.jsonl`));
    await refused(summed([...whole.toSpliced(late, 1).slice(0, -1), whole[late]!, whole.at(-1)!]), "CHANGED");
    const storage = new MemoryStorage();
    const newer = whole.map(line =>
      line.includes(`${deep}/history.jsonl`) ? line.replace('\\"version\\":1', '\\"version\\":9') : line,
    );
    await assert.rejects(importInto(storage, summed(newer)), { name: "NewerLogError" });
    assert.equal(storage.disk.sessions.size, 0);
  });

  it("a log of a newer version is refused before anything is there", async () => {
    const storage = new MemoryStorage();
    const newer = lines.map(line =>
      line.replace('{\\"kind\\":\\"header\\",\\"version\\":1', '{\\"kind\\":\\"header\\",\\"version\\":9'),
    );
    await assert.rejects(importInto(storage, summed(newer)), { name: "NewerLogError" });
    assert.equal(storage.disk.sessions.size, 0);
  });

  it("a file of any size without an end of line is left after a few megabytes", async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 65_536;
        yield "x".repeat(65_536);
      }
    }
    await assert.rejects(importing(endless), { code: "NOT_AN_EXPORT" });
    assert.ok(read < 8_000_000);
  });

  it("a disk that fills up at any operation leaves nothing, a process that dies nothing that opens", async () => {
    const whole = new MemoryStorage();
    await importInto(whole, text);
    const count = whole.disk.operations.length;
    assert.ok(count > 10);
    for (let operation = 1; operation <= count; operation++) {
      const [full, dead] = [new MemoryStorage(), new MemoryStorage()];
      full.disk.failAt(operation, { code: "DISK_FULL" });
      await assert.rejects(importInto(full, text), { code: "DISK_FULL" });
      assert.equal(full.disk.sessions.size, 0);
      if (operation === 1) continue;
      dead.disk.failAt(operation, { torn: 0 });
      await assert.rejects(importInto(dead, text));
      assert.deepEqual(await new MemoryStorage(dead.disk).list(), []);
    }
  });

  it("a file that changes between its two readings leaves nothing, no folder on a real disk", async () => {
    const [memory, folder] = [new MemoryStorage(), temporaryFolder("import")];
    const { text: tree } = await exported(await sessionTree());
    for (const storage of [memory, new NodeStorage(folder)]) {
      let readings = 0;
      const open = () => cut(readings++ === 0 ? tree : tree.slice(0, -20));
      await assert.rejects(importing(open, storage), { code: "CUT_OFF" });
      assert.equal(readings, 2);
    }
    assert.equal(memory.disk.sessions.size, 0);
    assert.deepEqual(readdirSync(join(folder, "sessions")), []);
  });

  it("stopped in the middle: nothing is left", async () => {
    const storage = new MemoryStorage();
    const controller = new AbortController();
    let readings = 0;
    async function* open() {
      readings++;
      for await (const chunk of cut(text)) {
        if (readings === 2) controller.abort();
        yield chunk;
      }
    }
    await assert.rejects(importing(open, storage, { signal: controller.signal }), { name: "AbortError" });
    assert.equal(storage.disk.sessions.size, 0);
  });
});
