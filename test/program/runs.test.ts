/** The contract of `strata run --out` (docs/runs.md), by the built program over HTTP: results, going on, limits, answers from outside. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineScript } from "../../scripts/offline-model/server.mjs";
import { runResultSchema } from "../../src/shared/runResult";
import { git } from "../fakes/git";
import { eventsOf, type Place, program, runArgs, said, withModel } from "./program";

const resultOf = (out: string) => runResultSchema.parse(JSON.parse(readFileSync(join(out, "result.json"), "utf8")));

/** One file after the other, then a command, then words. */
const writes =
  (count: number): OfflineScript =>
  request => {
    const done = said(request).length;
    if (done < count)
      return { calls: [{ name: "Write", input: { file_path: `new${done}.txt`, content: `${done}\n` } }] };
    return done === count ? { calls: [{ name: "Bash", input: { command: "ls" } }] } : { text: "All written." };
  };

const asks: OfflineScript = request =>
  said(request).length === 0
    ? { calls: [{ name: "Write", input: { file_path: "new.txt", content: "one\n" } }] }
    : { text: `Then: ${said(request)[0]?.text}` };

describe("a run of a folder", function () {
  this.timeout(180_000);
  const { place, strata } = program();

  function begun(): { at: Place; out: string; args(url: string, ...more: string[]): string[] } {
    const at = place();
    const out = join(at.home, "out");
    git(at.workspace, "init", "-q");
    git(at.workspace, "add", ".");
    git(at.workspace, "commit", "-qm", "first");
    const { storage } = at;
    const args = (url: string, ...more: string[]) =>
      runArgs(at, url, "--out", out, ...more).filter(word => word !== "--storage" && word !== storage);
    return { at, out, args };
  }

  it("leaves result, patch, trajectory and session; the same again does nothing, another task is refused", () =>
    withModel(writes(2), async (url, requests) => {
      const { at, out, args } = begun();
      writeFileSync(join(at.workspace, "before.txt"), "mine\n");
      const todo = args(url, "--trust", "--mode", "edits", "--prompt", "write them");
      const first = await strata(at, todo);
      assert.equal(first.code, 0, first.err);
      const result = resultOf(out);
      const { reason, exit, files, before, commands, answer, base, model } = result;
      assert.deepEqual(
        { reason, exit, answer, model },
        { reason: "done", exit: 0, answer: "All written.", model: "offline-model" },
      );
      assert.deepEqual(before, ["before.txt"]);
      assert.deepEqual(
        files?.map(({ path }) => path),
        ["before.txt", "new0.txt", "new1.txt"],
      );
      assert.deepEqual(
        commands?.map(({ command, exit: code }) => [command, code]),
        [["ls", 0]],
      );
      const clone = join(at.home, "clone");
      git(at.home, "clone", "-q", at.workspace, clone);
      git(clone, "checkout", "-q", base ?? "");
      git(clone, "apply", "--binary", join(out, "change.patch"));
      assert.equal(readFileSync(join(clone, "new1.txt"), "utf8"), "1\n");
      assert.equal((await strata(at, ["verify", join(out, "session.strata"), "--workspace", at.workspace])).code, 0);
      assert.equal(JSON.parse(readFileSync(join(out, "trajectory.json"), "utf8")).schema_version, "ATIF-v1.7");
      const sent = requests();
      const again = await strata(at, todo);
      assert.deepEqual([again.code, requests()], [0, sent]);
      const other = await strata(at, args(url, "--prompt", "another"));
      assert.equal(other.code, 2);
      assert.match(other.err, /another task/);
      assert.deepEqual(resultOf(out), result);
    }));

  it("goes on where a limit, a kill or a server's fault ended it, and never beyond a limit of the whole run", () =>
    withModel(writes(3), async (url, requests) => {
      const { at, out, args } = begun();
      const todo = (...more: string[]) => args(url, "--trust", "--mode", "edits", "--prompt", "write them", ...more);
      assert.equal((await strata(at, todo("--max-steps", "2"))).code, 5);
      assert.equal(resultOf(out).limit, "steps");
      assert.equal((await strata(at, todo("--max-steps", "2"))).code, 5);
      assert.equal((await strata(at, todo("--max-tokens", "10"))).code, 5);
      assert.equal(requests(), 2);
      const late = await strata(at, args("http://127.0.0.1:9/v1", "--trust", "--prompt", "write them"));
      assert.deepEqual([late.code, resultOf(out).reason], [75, "later"]);
      const killed = await strata(at, todo(), ({ child, kill }) => {
        child.stderr?.on("data", () => existsSync(join(at.workspace, "new2.txt")) && kill("SIGKILL"));
      });
      const end = killed.code === 0 ? killed : await strata(at, todo());
      assert.equal(end.code, 0, end.err);
      assert.equal(requests(), 5);
      assert.equal(resultOf(out).steps, 5);
    }));

  it("as JSON: an approval waits, and is answered from outside, once, for what was shown", () =>
    withModel(asks, async url => {
      const { at, out, args } = begun();
      const first = await strata(at, args(url, "--trust", "--json", "--prompt", "write it"));
      assert.equal(first.code, 3, first.err);
      const { waits, reason } = resultOf(out);
      assert.equal(reason, "waits");
      assert.match(waits?.title ?? "", /new\.txt/);
      const shown = eventsOf(first.out).flatMap(event =>
        event.type === "record" && event.record.kind === "approval" ? [event.record.approvalId] : [],
      );
      assert.deepEqual(shown, [waits?.id]);
      assert.equal((await strata(at, args(url, "--trust", "--json", "--prompt", "write it"))).code, 3);
      const unknown = await strata(at, args(url, "--trust", "--allow-call", "apr_none"));
      assert.equal(unknown.code, 1);
      assert.equal(resultOf(out).reason, "waits");
      writeFileSync(join(at.workspace, "new.txt"), "of others\n");
      const moved = await strata(at, args(url, "--trust", "--allow-call", waits?.id ?? ""));
      assert.notEqual(moved.code, 0);
      assert.equal(readFileSync(join(at.workspace, "new.txt"), "utf8"), "of others\n");
      rmSync(join(at.workspace, "new.txt"));
    }));

  it("answers by the call's id too; a second answer is told that it came too late", () =>
    withModel(asks, async url => {
      const { at, out, args } = begun();
      assert.equal((await strata(at, args(url, "--trust", "--json", "--prompt", "write it"))).code, 3);
      const callId = resultOf(out).waits?.callId ?? "";
      const saved = join(at.home, "saved");
      cpSync(out, saved, { recursive: true });
      const both = await Promise.all([1, 2].map(() => strata(at, args(url, "--trust", "--allow-call", callId))));
      assert.deepEqual(both.map(({ code }) => code).toSorted(), [0, 1], both.map(({ err }) => err).join("\n"));
      assert.equal(readFileSync(join(at.workspace, "new.txt"), "utf8"), "one\n");
      assert.equal(resultOf(out).reason, "done");
      rmSync(join(at.workspace, "new.txt"));
      rmSync(out, { recursive: true });
      cpSync(saved, out, { recursive: true });
      const no = await strata(at, args(url, "--trust", "--deny-call", callId, "Not this file"));
      assert.equal(no.code, 0, no.err);
      assert.match(no.out, /Not this file/);
      assert.ok(!existsSync(join(at.workspace, "new.txt")));
    }));

  it("says what is wrong with a folder, and leaves it alone", () =>
    withModel(asks, async (url, requests) => {
      const { at, out, args } = begun();
      mkdirSync(out);
      writeFileSync(join(out, "result.json"), '{"version":1');
      const broken = await strata(at, args(url, "--prompt", "go"));
      assert.deepEqual([broken.code, readFileSync(join(out, "result.json"), "utf8")], [2, '{"version":1']);
      const file = await strata(
        at,
        args(url, "--prompt", "go").map(word => (word === out ? join(out, "result.json") : word)),
      );
      assert.equal(file.code, 1);
      assert.match(file.err, /folder of results/);
      // A repository that brings a result would pass a gate that nothing stands behind.
      const brought = join(at.workspace, "results");
      mkdirSync(brought);
      const done = { version: 1, task: "0", session: "ses_1", reason: "done", started: "2026-01-01T00:00:00Z" };
      writeFileSync(join(brought, "result.json"), JSON.stringify(done));
      git(at.workspace, "add", ".");
      const forged = await strata(
        at,
        args(url, "--prompt", "go").map(word => (word === out ? brought : word)),
      );
      assert.deepEqual([forged.code, /came with the repository/.test(forged.err)], [2, true], forged.err);
      assert.equal(requests(), 0);
    }));
});
