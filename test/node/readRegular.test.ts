/** What somebody writes to a pipe, and how long that is waited for. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPipe } from "../../src/node/readRegular";
import { FakeClock } from "../fakes/clock";

if (process.platform !== "win32")
  describe("a pipe", () => {
    let folder: string;
    let pipe: string;
    let clock: FakeClock;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "strata-pipe-"));
      pipe = join(folder, "pipe");
      execFileSync("mkfifo", [pipe]);
      clock = new FakeClock();
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** How the reading ends. */
    const ended = () => {
      const seen: { end?: string } = {};
      readPipe(pipe, { maxBytes: 20, maxMs: 1_000, clock }).then(
        text => Object.assign(seen, { end: text }),
        error => Object.assign(seen, { end: String(error) }),
      );
      return seen;
    };

    it("to which nobody writes is given up after its time", async () => {
      const seen = ended();
      await clock.pass(950);
      assert.equal(seen.end, undefined);
      assert.match(await clock.until("the end", () => seen.end), /nobody wrote all of it within 1 s/);
      assert.equal(clock.steady(), 1_000);
    });

    it("is read to its end, also where its writer comes later; not beyond what it may give", async () => {
      const seen = ended();
      await clock.pass(900);
      await writeFile(pipe, "FROM_PIPE=1\n");
      assert.equal(await clock.until("the end", () => seen.end), "FROM_PIPE=1\n");
      const long = ended();
      const written = writeFile(pipe, "x".repeat(21));
      assert.match(await clock.until("the end", () => long.end), /more than 20 bytes/);
      await written;
    });
  });
