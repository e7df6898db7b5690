/** The demo's folder: made new each time, and known by its place. */
import assert from "node:assert/strict";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { isDemoFolder, newDemoFolder } from "../../src/node/demoFolder";

const sample = join(root, "sample");

describe("the demo's folder", () => {
  const made: string[] = [];
  after(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
  const inTemporary = (prefix: string) => {
    const folder = mkdtempSync(join(tmpdir(), prefix));
    made.push(folder);
    return folder;
  };
  const newDemo = async (from = sample) => {
    const folder = await newDemoFolder(from);
    made.push(dirname(folder));
    return folder;
  };

  it("has the sample, whole; each is another, and what was changed in one stays", async () => {
    const one = await newDemo();
    writeFileSync(join(one, "src/invoice.js"), "changed");
    const other = await newDemo();
    const files = (folder: string) => readdirSync(folder, { recursive: true }).sort();
    assert.deepEqual(files(other), files(sample));
    assert.equal(readFileSync(join(one, "src/invoice.js"), "utf8"), "changed");
    assert.deepEqual(readFileSync(join(other, "src/invoice.js")), readFileSync(join(sample, "src/invoice.js")));
    assert.ok(isDemoFolder(one) && isDemoFolder(other));
  });

  it("can be changed where the extension cannot", async () => {
    const installed = join(inTemporary("installed-"), "sample");
    cpSync(sample, installed, { recursive: true });
    chmodSync(join(installed, "src/invoice.js"), 0o444);
    chmodSync(join(installed, "src"), 0o555);
    const folder = await newDemo(installed);
    chmodSync(join(installed, "src"), 0o755);
    writeFileSync(join(folder, "src/invoice.js"), "changed");
    writeFileSync(join(folder, "src/new.js"), "new");
  });

  it("is no other folder: a name alone says nothing", async () => {
    const folder = await newDemo();
    const elsewhere = join(inTemporary("elsewhere-"), "strata-demo-abc123", "invoice-sample");
    mkdirSync(elsewhere, { recursive: true });
    const others = [elsewhere, dirname(folder), join(folder, "src"), tmpdir(), sample, "/", ""];
    for (const other of others) assert.equal(isDemoFolder(other), false, other);
    assert.equal(isDemoFolder("/no/such/strata-demo-abc123/invoice-sample"), false);
  });
});
