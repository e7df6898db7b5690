/** What `verify` says of a session as it was written, and of one in which something is not. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { openSession } from "../../../src/core/agent/session/openSession";
import type { Defect } from "../../../src/core/context/requestChain";
import { History } from "../../../src/core/log/history";
import { verifySession } from "../../../src/core/proof/verify";
import type { Manifest } from "../../../src/shared/manifest";
import type { LogRecord } from "../../../src/shared/records";
import { everything } from "../../fakes/agent";
import { budget, childRecord, sessionTree } from "../../fakes/children";
import { FakeClock } from "../../fakes/clock";
import { hash } from "../../fakes/hash";
import { FakeIds } from "../../fakes/ids";
import { type Bytes, bytesOf, flipped, fullSession, rebuildFrom, sessionOn, verifyBytes } from "../../fakes/proof";
import { asItIs } from "../../fakes/redact";
import { cases } from "../../fakes/soak";
import type { DiskSession } from "../../fakes/storage";

const RUNS = { numRuns: cases(1_000) };
let original: Bytes;
let manifests: Manifest[];
let records: LogRecord[];

before(async () => {
  const { disk, id } = await fullSession();
  original = bytesOf(disk, id);
  manifests = linesOf("requests.jsonl").map(line => JSON.parse(line));
  records = linesOf("history.jsonl").map(line => JSON.parse(line));
});

const dataOf = (name: string) => original.files.get(name) ?? Buffer.alloc(0);
const linesOf = (name: string) => dataOf(name).toString("utf8").split("\n").slice(0, -1);
const joined = (lines: string[]) => lines.map(line => `${line}\n`).join("");

function withFile(name: string, data: string | Buffer): Bytes {
  return { blobs: original.blobs, files: new Map(original.files).set(name, Buffer.from(data)) };
}
function withBlob(sha256: string, data: Buffer | undefined): Bytes {
  const blobs = new Map([...original.blobs].filter(([name]) => name !== sha256));
  return { files: original.files, blobs: data ? blobs.set(sha256, data) : blobs };
}
const without = (name: string, line: number) => withFile(name, joined(linesOf(name).toSpliced(line - 1, 1)));
const segment = (source: string) =>
  manifests.flatMap(({ segments }) => segments).find(found => found.source === source);
const resultOf = (callId: string) => records.findIndex(record => record.kind === "result" && record.callId === callId);
const command = () => {
  const record = records[resultOf("call_5")];
  return record?.kind === "result" && record.raw ? record.raw.sha256 : "";
};
const lastAnswer = () => {
  const record = records.findLast(({ kind }) => kind === "message");
  return record?.kind === "message" ? `message:${record.message.id}` : "";
};
/** Of the first result that has a blob. */
const outputOf = ({ files }: DiskSession) =>
  /"raw":\{"sha256":"([0-9a-f]{64})","bytes":\d+,"inline":false/.exec(String(files.get("history.jsonl")))?.[1] ?? "";
const names = (defects: readonly Defect[]) =>
  defects.map(({ kind, request, segment, source }) => [kind, request, segment, source].filter(Boolean).join(" "));

describe("verify", () => {
  it("proves a session as it was written", async () => {
    const { tokens, ...report } = await verifyBytes(original);
    const sound = { sessionId: "ses_1", breaks: { "turn-end": 1 }, defects: [], notes: [] };
    assert.deepEqual(report, { ...sound, requests: 7, proven: 7, observations: 7, archives: 0, agents: 0 });
    assert.ok(tokens.shared > tokens.sent / 2 && tokens.shared < tokens.sent);
  });

  const cases: [string, () => Bytes, () => string[], number][] = [
    ["a piece whose blob is gone", () => withBlob(segment("facts")!.sha256, undefined), () => ["segment 1 3 facts"], 0],
    ["a whole output that is gone", () => withBlob(command(), undefined), () => [`observation obs:${command()}`], 7],
    [
      "a result that is gone",
      () => without("history.jsonl", resultOf("call_6") + 1),
      () => ["segment 5 14 result:call_6"],
      4,
    ],
    ["the last manifest gone", () => without("requests.jsonl", 7), () => [`answer ${lastAnswer()}`], 6],
    ["the first manifest gone", () => without("requests.jsonl", 1), () => ["chain 1", "splice 1"], 0],
    ["a manifest gone in between", () => without("requests.jsonl", 4), () => ["chain 4"], 5],
    [
      "a manifest that cannot be read, and those that build on it",
      () => withFile("requests.jsonl", joined(linesOf("requests.jsonl").with(2, "{"))),
      () => ["manifest 3", "splice 4"],
      2,
    ],
  ];
  for (const [name, damage, expected, proven] of cases) {
    it(`names ${name}`, async () => {
      const report = await verifyBytes(damage());
      assert.deepEqual(names(report.defects).slice(0, expected().length), expected());
      assert.equal(report.proven, proven);
    });
  }

  it("says what it expected and what it found", async () => {
    const { sha256 } = segment("prompt:system")!;
    const other = Buffer.from('"Be someone else."');
    const [defect] = (await verifyBytes(withBlob(sha256, other))).defects;
    assert.deepEqual([defect?.expected, defect?.found], [sha256, hash.sha256(other)]);
  });

  it("proves a log that an editor saved with a byte order mark, and one that goes on behind it", async () => {
    const files = await sessionOn(withFile("history.jsonl", `\uFEFF${dataOf("history.jsonl")}`));
    const deps = { clock: new FakeClock(), ids: new FakeIds(), hash, emit: () => undefined, redact: asItIs };
    for (const text of ["", "More."]) {
      const { history, repairs } = await History.open(files, deps);
      if (text) await history.append({ kind: "note", level: "info", code: "c", text });
      const { defects, proven } = await verifySession(files, hash);
      assert.deepEqual([repairs, defects, proven], [[], [], 7]);
    }
    assert.ok((await files.read("history.jsonl"))?.startsWith('\uFEFF{"kind":"header"'));
  });

  it("holds a cut-off last manifest for what it is: a request that never left", async () => {
    const { defects, notes, proven } = await verifyBytes(
      withFile("requests.jsonl", `${dataOf("requests.jsonl")}{"version":1,"requ`),
    );
    assert.deepEqual([defects, proven], [[], 7]);
    assert.match(notes.join(), /cut off: a request that never left/);
  });
});

describe("verify, with agents below", () => {
  type Tree = Awaited<ReturnType<typeof sessionTree>>;
  const childOf = ({ disk, id, given }: Tree) => disk.sessions.get(id)!.below!.sessions.get(given.childId)!;
  const logOf = (session: DiskSession, change: (text: string) => string) =>
    session.files.set("history.jsonl", Buffer.from(change(String(session.files.get("history.jsonl")))));
  const CASES: Record<string, [damage: (tree: Tree) => unknown, defects: (tree: Tree) => string[], note?: RegExp]> = {
    "as they were written": [() => undefined, () => []],
    "an output of a child that is gone: where it is, and where a report names it": [
      tree => childOf(tree).blobs.delete(outputOf(childOf(tree))),
      tree => [
        `${tree.given.childId} observation obs:${outputOf(childOf(tree))}`,
        ` observation ${tree.given.handles[0]}`,
      ],
    ],
    "a report that names what nobody saw": [
      tree =>
        logOf(tree.disk.sessions.get(tree.id)!, text => text.replaceAll(tree.given.handles[0]!, "obs:0123456789ab")),
      () => [" observation obs:0123456789ab"],
    ],
    "a child that is gone, with what it saw": [
      tree => tree.disk.sessions.get(tree.id)!.below!.sessions.clear(),
      tree => [
        `${tree.given.childId} record history.jsonl`,
        ...tree.given.handles.map(handle => ` observation ${handle}`),
      ],
    ],
    "a child of a child that a newer version wrote": [
      tree =>
        logOf(childOf(tree).below!.sessions.get(tree.below)!, text => text.replace('"version":1', '"version":99')),
      ({ below, given }) => [`${below} record history.jsonl`, `${given.childId} observation`],
    ],
    "one that only began: a crash came before its folder": [
      async tree => {
        const session = await openSession(tree.ports, tree.id);
        await session.history.append({ ...childRecord({ childId: "ses_never" }), budget });
        await session.close();
      },
      () => [],
    ],
    "one that no record names": [
      tree => logOf(tree.disk.sessions.get(tree.id)!, text => text.replaceAll('"kind":"child"', '"kind":"unknown"')),
      () => [],
      /does not name sessions\/ses_/,
    ],
  };
  for (const [what, [damage, expected, note = /^$/]] of Object.entries(CASES))
    it(what, async () => {
      const tree = await sessionTree();
      const whole = await verifySession(await tree.ports.storage.open(tree.id, { readOnly: true }), hash);
      assert.deepEqual([whole.defects, whole.agents, whole.proven, whole.requests], [[], 2, 11, 11]);
      await damage(tree);
      const report = await verifySession(await tree.ports.storage.open(tree.id, { readOnly: true }), hash);
      const found = report.defects.map(({ session = "", kind, source }) => `${session} ${kind} ${source}`);
      for (const [at, defect] of expected(tree).entries()) assert.ok(found[at]?.startsWith(defect), found.join("\n"));
      assert.equal(found.length, expected(tree).length, found.join("\n"));
      assert.match(report.notes.join(), note);
    });
});

describe("verify, one byte changed", () => {
  const mask = fc.integer({ min: 1, max: 255 });

  it("in a blob: names it", () => {
    const flips = fc.record({ blob: fc.nat(), at: fc.nat(), mask });
    const check = async ({ blob, at, mask }: { blob: number; at: number; mask: number }) => {
      const all = [...original.blobs];
      const [sha256, data] = all[blob % all.length]!;
      const { defects } = await verifyBytes(withBlob(sha256, flipped(data, at % data.length, mask)));
      assert.equal(defects[0]?.expected, sha256);
      assert.ok(defects.every(({ kind }) => kind === "segment" || kind === "observation"));
    };
    return fc.assert(fc.asyncProperty(flips, check), RUNS);
  });

  it("in a manifest: names it", () => {
    const flips = fc.record({ at: fc.nat(), mask });
    const check = async ({ at, mask }: { at: number; mask: number }) => {
      const data = dataOf("requests.jsonl");
      const place = at % data.length;
      const line = data.subarray(0, place).toString("latin1").split("\n").length;
      const { defects } = await verifyBytes(withFile("requests.jsonl", flipped(data, place, mask)));
      assert.equal(names(defects)[0], `manifest ${line}`);
    };
    return fc.assert(fc.asyncProperty(flips, check), RUNS);
  });

  it("in the log: names the segment, or it never went to the model", async () => {
    const whole = await contents(original);
    const flips = fc.record({ at: fc.nat(), mask });
    let named = 0;
    const check = async ({ at, mask }: { at: number; mask: number }) => {
      const data = dataOf("history.jsonl");
      const header = data.indexOf("\n") + 1;
      const place = header + (at % (data.length - header));
      const damaged = withFile("history.jsonl", flipped(data, place, mask));
      const { defects } = await verifyBytes(damaged);
      const wrong = defects.find(({ kind }) => kind === "segment");
      if (!wrong) return assert.deepEqual(await contents(damaged), whole);
      named++;
      const line = data.subarray(0, place).toString("latin1").split("\n").length - 1;
      // The byte between two lines belongs to both; the id of one call may have become that of another.
      const hit = [records[line], records[line + 1]].flatMap(record => (record ? sourcesOf(record) : []));
      const damagedLine = String(damaged.files.get("history.jsonl")).split("\n")[line];
      const id = wrong.source?.slice("result:".length);
      assert.ok(
        hit.includes(wrong.source ?? "") || damagedLine?.includes(`"${id}"`),
        `${wrong.source} is not of ${hit}`,
      );
    };
    await fc.assert(fc.asyncProperty(flips, check), RUNS);
    assert.ok(named > RUNS.numRuns / 10, `${named} flips hit what was sent`);
  });

  async function contents(bytes: Bytes) {
    return Promise.all(manifests.map(async (_, at) => (await rebuildFrom(bytes, at + 1)).content));
  }
  function sourcesOf(record: LogRecord): string[] {
    if (record.kind === "result") return [`result:${record.callId}`];
    return record.kind === "message" ? [`message:${record.message.id}`] : [];
  }
});

describe("verify and secrets", () => {
  it("proves requests that never held the key", async () => {
    const key = `sk-proj-${"a1B2".repeat(10)}`;
    const { disk, id } = await fullSession({
      rules: `The key is ${key}`,
      files: { "src/a.ts": `one ${key}\n` },
      shell: { "*": { output: [["stdout", `${key}\n`.repeat(3000)]] } },
      words: `fix ${key} in @src/a.ts`,
    });
    const bytes = bytesOf(disk, id);
    const { defects, proven } = await verifyBytes(bytes);
    assert.deepEqual([defects, proven], [[], 7]);
    const rebuilt = JSON.stringify((await rebuildFrom(bytes, -1)).segments);
    for (const text of [rebuilt, everything(disk)]) {
      assert.ok(!text.includes(key));
      assert.match(text, /\[secret:openai-key:[0-9a-f]{12}\]/);
    }
  });
});
