/** What a day costs, over all windows. */
import assert from "node:assert/strict";
import { appendFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NodeSpending } from "../../../src/node/storage/spending";
import { temporaryFolder } from "../../fakes/temporary";

const noon = new Date(2026, 10, 24, 12).getTime();
const HOUR = 3_600_000;

describe("what a day costs", () => {
  let folder = "";
  beforeEach(async () => {
    folder = join(temporaryFolder("spending"), "spending");
  });

  it("is the sum of what both windows paid, as soon as it is paid", async () => {
    const [one, other] = [new NodeSpending(folder), new NodeSpending(folder)];
    assert.equal(await one.since(0, noon), 0);
    await Promise.all([one, other].flatMap(window => [1, 2, 3].map(cost => window.add({ ts: noon, cost }))));
    assert.deepEqual(await Promise.all([one.since(0, noon), one.since(0, noon), other.since(0, noon)]), [12, 12, 12]);
    await other.add({ ts: noon + 1, cost: 0.5 });
    assert.equal(await one.since(0, noon), 12.5);
  });

  it("begins anew with the day, and can be counted from a moment on", async () => {
    const spending = new NodeSpending(folder);
    await spending.add({ ts: noon, cost: 1 });
    await spending.add({ ts: noon + HOUR, cost: 2 });
    assert.equal(await spending.since(noon, noon), 2);
    assert.equal(await spending.since(0, noon + 13 * HOUR), 0);
    assert.equal(await spending.since(0, noon), 3);
  });

  it("passes over lines that make no sense, and waits for the rest of one that is being written", async () => {
    const spending = new NodeSpending(folder);
    await spending.add({ ts: noon, cost: 1 });
    const file = join(folder, "2026-11-24.jsonl");
    await appendFile(file, `nonsense\n{"ts":${noon},"cost":-4}\n{"ts":${noon},`);
    assert.equal(await spending.since(0, noon), 1);
    await appendFile(file, `"cost":2}\n`);
    assert.equal(await spending.since(0, noon), 3);
  });

  it("keeps a month, for nobody but the person", async () => {
    const spending = new NodeSpending(folder);
    await spending.add({ ts: noon, cost: 1 });
    for (let day = 1; day < 32; day++)
      await writeFile(join(folder, `2026-10-${String(day).padStart(2, "0")}.jsonl`), "");
    await new NodeSpending(folder).add({ ts: noon, cost: 1 });
    const names = await readdir(folder);
    assert.equal(names.length, 31);
    assert.ok(names.includes("2026-11-24.jsonl"));
    if (process.platform !== "win32") assert.equal((await stat(folder)).mode & 0o077, 0);
  });
});
