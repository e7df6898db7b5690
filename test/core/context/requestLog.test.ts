/** `requests.jsonl` goes on where an earlier process stopped, whatever that left. */
import assert from "node:assert/strict";
import { type AgentPorts, openSession } from "../../../src/core/agent/session/openSession";
import { verifySession } from "../../../src/core/proof/verify";
import type { Manifest } from "../../../src/shared/manifest";
import { hash } from "../../fakes/hash";
import { fullSession } from "../../fakes/proof";

/** A session of 7 requests whose process ended; `damage` happens to its request log; then it goes on in a new process. */
async function goesOn(damage: (text: string) => string) {
  const { disk, id, ports, models } = await fullSession();
  disk.put(id, "requests.jsonl", damage(disk.text(id, "requests.jsonl") ?? ""));
  models.play({ text: "I am back." }, { text: "And again." });
  for (const text of ["go on", "more"]) await say(ports, id, text);
  const lines = (disk.text(id, "requests.jsonl") ?? "").split("\n").slice(0, -1);
  const files = await ports.storage.open(id);
  const report = await verifySession(files, hash);
  await files.close();
  return { lines, fresh: lines.slice(-2).map((line): Manifest => JSON.parse(line)), report };
}

async function say(ports: AgentPorts, id: string, text: string) {
  const session = await openSession(ports, id);
  await session.submit(text);
  await session.idle();
  await session.close();
}

describe("the request log after a restart", () => {
  it("goes on with splices and chain", async () => {
    const { lines, fresh, report } = await goesOn(text => text);
    const before: Manifest = JSON.parse(lines[6] ?? "");
    assert.equal(fresh[0]?.previous, before.self);
    assert.ok(fresh.every(({ keep }) => keep > 0));
    assert.deepEqual([report.defects, report.proven, report.requests], [[], 9, 9]);
  });

  it("cuts a torn last line, and is whole again", async () => {
    const { fresh, report } = await goesOn(text => `${text}{"version":1,"requestId":"req_torn","segm`);
    assert.ok(fresh.every(({ keep }) => keep > 0));
    assert.deepEqual([report.defects, report.notes, report.proven, report.requests], [[], [], 9, 9]);
  });

  it("starts a whole list after a line that cannot be read; what came before stays proven", async () => {
    const { fresh, report } = await goesOn(text => text.replace(/.*\n$/, "damaged\n"));
    assert.deepEqual([fresh[0]?.keep, fresh[0]?.previous], [0, null]);
    assert.ok((fresh[1]?.keep ?? 0) > 0);
    assert.deepEqual(
      report.defects.map(({ kind, request }) => [kind, request]),
      [
        ["manifest", 7],
        ["answer", undefined],
      ],
    );
    assert.equal(report.proven, 8);
  });

  it("does so where the line is not the last one", async () => {
    const { fresh, report } = await goesOn(text => {
      const lines = text.split("\n");
      return lines.with(3, lines[3]?.slice(5) ?? "").join("\n");
    });
    assert.equal(fresh[0]?.keep, 0);
    assert.deepEqual(
      report.defects.map(({ kind, request }) => [kind, request]),
      [
        ["manifest", 4],
        ["splice", 5],
        ["answer", undefined],
      ],
    );
    assert.equal(report.proven, 3 + 2);
  });

  it("goes on where the file is gone, and the loss is named", async () => {
    const { fresh, report } = await goesOn(() => "");
    assert.equal(fresh[0]?.keep, 0);
    assert.deepEqual(new Set(report.defects.map(({ kind }) => kind)), new Set(["answer"]));
    assert.equal(report.proven, 2);
  });
});
