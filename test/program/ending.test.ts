/** The ways in which a run ends: signals, readers that go away, full disks, limits. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../fakes/eventually";
import { inPlace, type Place, pidIn, program, runArgs, said, withModel } from "./program";

const bash = (command: string, text?: string) => (request: Parameters<typeof said>[0]) =>
  said(request).length > 0
    ? { text: "The end." }
    : { ...(text ? { text } : {}), calls: [{ name: "Bash", input: { command } }] };

describe("the end of a run in a terminal", function () {
  this.timeout(180_000);
  const { place, strata } = program();
  const auto = (at: Place, url: string, ...more: string[]) =>
    runArgs(at, url, "--mode", "auto", "--trust", "--prompt", "go", ...more);
  const isGone = (pid: number) => assert.throws(() => process.kill(pid, 0), /ESRCH/);

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it(`${signal} stops: no process is left, the turn's end is written`, () =>
      withModel(bash("echo $$ > pid; sleep 600"), async url => {
        const at = place();
        const { code } = await strata(at, auto(at, url), async ({ kill }) => {
          await pidIn(at, "pid");
          kill(signal);
        });
        assert.equal(code, 130);
        isGone(await pidIn(at, "pid"));
        const list = await strata(at, ["sessions", "--storage", at.storage, "--json"]);
        const shown = await strata(at, ["show", JSON.parse(list.out).id, "--storage", at.storage]);
        assert.match(shown.out, /Stopped\./);
      }));
  }

  it("a second Ctrl+C quits at once and still leaves no process, however deaf it is", () =>
    withModel(bash("trap '' TERM INT HUP; echo $$ > pid; while :; do sleep 1; done"), async url => {
      const at = place();
      const { code } = await strata(at, auto(at, url), async ({ kill, seen }) => {
        await pidIn(at, "pid");
        kill("SIGINT");
        await eventually("it says that it stops", () => seen().includes("Stopping"), { saw: seen });
        kill("SIGINT");
      });
      assert.equal(code, 130);
      const pid = await pidIn(at, "pid");
      // The system takes a moment to end what was killed; what was not killed never ends.
      await eventually("the command's process is gone", () => !isAlive(pid));
    }));

  it("a reader that goes away ends it quietly, with 1", () =>
    withModel(bash("echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done", "Working.\n"), async url => {
      const at = place();
      const { code, err } = await strata(at, auto(at, url), async ({ child, seen }) => {
        await eventually("it works", () => seen().includes("Working."), { saw: seen });
        child.stdout?.destroy();
        writeFileSync(join(at.workspace, "go"), "");
      });
      assert.equal(code, 1);
      assert.doesNotMatch(err, /EPIPE|\n\s+at /);
    }));

  it("an output on a full disk is a sentence, with 1", function () {
    if (!existsSync("/dev/full")) this.skip();
    return withModel(
      () => ({ text: "Hello." }),
      async url => {
        const at = place();
        const full = openSync("/dev/full", "w");
        const { code, err } = await strata(at, auto(at, url), undefined, full);
        closeSync(full);
        assert.equal(code, 1);
        assert.match(err, /The output could not be written: the disk is full\./);
        assert.doesNotMatch(err, /\n\s+at /);
      },
    );
  });

  it("so it is where something is only printed, and a reader that has what it wanted is no fault", function () {
    if (!existsSync("/dev/full")) this.skip();
    return withModel(
      () => ({ text: "Hello." }),
      async url => {
        const at = place();
        await strata(at, auto(at, url));
        for (const args of [["list"], ["list", "--json"], ["--help"]]) {
          const full = openSync("/dev/full", "w");
          const more = args[0] === "list" ? inPlace(at) : [];
          const cut = await strata(at, [...args, ...more], undefined, full);
          closeSync(full);
          assert.equal(cut.code, 1, args.join(" "));
          assert.match(cut.err, /^The output could not be written: the disk is full\./);
          const gone = await strata(at, [...args, ...more], ({ child }) => child.stdout?.destroy());
          assert.deepEqual([gone.code, gone.err], [0, ""], args.join(" "));
        }
      },
    );
  });

  it("the limit of steps is 5", () =>
    withModel(bash("true"), async url => {
      const at = place();
      assert.equal((await strata(at, auto(at, url, "--max-steps", "1"))).code, 5);
    }));
});

/** A dead one that nobody has reaped yet does not count. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)]);
  return !/^(Z.*)?$/.test(String(stdout).trim());
}
