/** Rewinds on real disks that are full: file systems of a few megabytes in a namespace of their own, where that can be had. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../fakes/temporary";
import { buildChildren } from "./killing";

/** Runs a program where `app` and `sessions` in a folder are disks of their own. */
function onSmallDisks(place: string, ...program: string[]) {
  const mount = ["app", "sessions"].map(name => `mount -t tmpfs -o size=3m none "$PLACE/${name}"`).join(" && ");
  return spawnSync("unshare", ["-rm", "sh", "-c", `${mount} && exec "$@"`, "sh", ...program], {
    env: { ...process.env, PLACE: place },
    encoding: "utf8",
  });
}

describe("rewinds on real disks that are full", function () {
  this.timeout(120_000);
  const folder = temporaryFolder("full-disk");
  for (const name of ["app", "sessions"]) mkdirSync(join(folder, name));
  before(async function () {
    if (onSmallDisks(folder, "true").status !== 0) this.skip();
    await buildChildren(folder, "fullDisk");
  });

  it("say what stands where, and go on from there", () => {
    const { status, stderr } = onSmallDisks(folder, process.execPath, join(folder, "fullDisk.mjs"), folder);
    assert.deepEqual([stderr.slice(-2_000), status], ["", 0]);
  });
});
