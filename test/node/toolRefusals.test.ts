import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NodeToolRefusals } from "../../src/node/toolRefusals";

describe("node: models without tools", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "strata-refusals-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("are known to the next process, the newest two hundred of them", async () => {
    const inNewFolder = join(folder, "new");
    const store = new NodeToolRefusals(inNewFolder);
    assert.deepEqual(await store.read(), {});
    for (let number = 1; number <= 201; number++) await store.add(`http://host model-${number}`, number);
    const known = await new NodeToolRefusals(inNewFolder).read();
    assert.equal(Object.keys(known).length, 200);
    assert.equal(known["http://host model-201"], 201);
    assert.ok(!("http://host model-1" in known));
  });

  it("a damaged file is as none", async () => {
    writeFileSync(join(folder, "models-without-tools.json"), "{");
    assert.deepEqual(await new NodeToolRefusals(folder).read(), {});
  });
});
