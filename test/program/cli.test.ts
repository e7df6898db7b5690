/** The terminal program as a user runs it: a process of its own, a model over HTTP, files on disk. */
import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isProcessAlive } from "../../src/node/processes";
import { eventually } from "../fakes/eventually";
import { eventsOf, inPlace, pidIn, program, runArgs, said, withModel } from "./program";

describe("strata in a terminal", function () {
  this.timeout(180_000);
  const { place, strata } = program();

  it("prints events as JSON lines, and lists, shows and continues the session", () =>
    withModel(
      request => ({ text: `I have ${request.messages.length} messages.` }),
      async url => {
        const at = place();
        const first = await strata(at, runArgs(at, url, "--json", "--prompt", "hello"));
        assert.equal(first.code, 0, first.err);
        const events = eventsOf(first.out);
        assert.equal(events[0]?.type, "session");
        const kinds = events.flatMap(event => (event.type === "record" ? [event.record.kind] : []));
        assert.deepEqual(kinds, ["message", "inject", "message", "turnEnd"]);
        const list = await strata(at, ["sessions", ...inPlace(at), "--json"]);
        const [session] = list.out
          .trim()
          .split("\n")
          .map(line => JSON.parse(line));
        assert.deepEqual([session.title, session.turns], ["hello", 1]);
        const next = await strata(at, runArgs(at, url, "--continue", "--prompt", "more"));
        assert.match(next.out, /I have 5 messages\./);
        const shown = await strata(at, ["show", session.id, ...inPlace(at)]);
        assert.match(shown.out, /> hello[\s\S]*I have 3 messages\.[\s\S]*> more[\s\S]*I have 5 messages\./);
      },
    ));

  it("recalls what a command printed, whole, in part, and by words", () =>
    withModel(
      request =>
        said(request).length > 0 ? { text: "Done." } : { calls: [{ name: "Bash", input: { command: "seq 1 3000" } }] },
      async url => {
        const at = place();
        const ran = await strata(at, runArgs(at, url, "--mode", "auto", "--trust", "--json", "--prompt", "count"));
        const events = eventsOf(ran.out);
        const record = events.flatMap(event =>
          event.type === "record" && event.record.kind === "result" ? [event.record] : [],
        )[0];
        const handle = /obs:[0-9a-f]{12}/.exec(record?.forms.shown ?? "")?.[0] ?? "";
        const [session] = events.flatMap(event => (event.type === "session" ? [event.sessionId] : []));
        const recall = (...args: string[]) =>
          strata(at, ["recall", ...args, "--session", session ?? "", ...inPlace(at)]);
        const whole = Array.from({ length: 3000 }, (_, line) => `${line + 1}\n`).join("");
        assert.deepEqual(await recall(handle), { code: 0, out: whole, err: "" });
        assert.equal((await recall(handle, "--lines", "1500-1501")).out, "1500\n1501\n");
        assert.match(
          (await recall("--query", "2999")).out,
          new RegExp(`^turn 1 · .*Z · ${handle} line 2999 \\(Bash seq`),
        );
        assert.match((await recall("--query", "zebra")).err, /^Nothing in this session/);
        const none = await recall("obs:000000000000");
        assert.deepEqual([none.code, none.out], [1, ""]);
        assert.match(none.err, /^No output [^\n]*handle/);
        assert.equal((await recall(handle, "--lines", "9000")).code, 1);
      },
    ));

  it("exit 3: an approval that nobody could give changes nothing", () =>
    withModel(
      request =>
        said(request).length > 0
          ? { text: "I went on." }
          : { calls: [{ name: "Write", input: { file_path: "b.txt", content: "x" } }] },
      async url => {
        const at = place();
        const { code, out, err } = await strata(at, runArgs(at, url, "--trust", "--prompt", "go"));
        assert.equal(code, 3);
        assert.match(err, /! Nobody was there to allow: Create b\.txt\./);
        assert.match(out, /I went on\./);
        assert.equal(existsSync(join(at.workspace, "b.txt")), false);
      },
    ));

  it("says what was wrong with the log of a session that it goes on with", () =>
    withModel(undefined, async url => {
      const at = place();
      const first = await strata(at, runArgs(at, url, "--prompt", "hello"));
      const [, id = ""] = /Session (\S+)/.exec(first.err) ?? [];
      appendFileSync(join(at.storage, "sessions", id, "history.jsonl"), '{"id":"rec_x","seq":9,"ki');
      const again = await strata(at, runArgs(at, url, "--session", id, "--prompt", "go on"));
      assert.equal(again.code, 0, again.err);
      assert.equal(again.err.split("The last line of this session's log was cut off").length, 2, again.err);
    }));

  it("reads only without --trust, whatever the mode", () =>
    withModel(
      request =>
        said(request).length > 0
          ? { text: said(request)[0]!.text }
          : { calls: [{ name: "Bash", input: { command: "touch b.txt" } }] },
      async url => {
        const at = place();
        const { code, out } = await strata(at, runArgs(at, url, "--mode", "auto", "--prompt", "go"));
        assert.equal(code, 0);
        assert.match(out, /DENIED: [^\n]*not trusted/);
        assert.equal(existsSync(join(at.workspace, "b.txt")), false);
      },
    ));

  it("a killed process loses nothing that was said to be there, and its turn can be seen as cut off", () =>
    withModel(
      request =>
        said(request).length > 0
          ? { text: "?" }
          : { text: "Working.", calls: [{ name: "Bash", input: { command: "echo $$ > up; sleep 600" } }] },
      async url => {
        const at = place();
        const { code } = await strata(
          at,
          runArgs(at, url, "--mode", "auto", "--trust", "--prompt", "go"),
          async ({ kill }) => {
            await pidIn(at, "up");
            kill("SIGKILL");
          },
        );
        assert.equal(code, null);
        const list = await strata(at, ["sessions", ...inPlace(at), "--json"]);
        const { id } = JSON.parse(list.out.trim().split("\n")[0]!);
        const shown = await strata(at, ["show", id, ...inPlace(at)]);
        const group = -Number(readFileSync(join(at.workspace, "up"), "utf8"));
        await eventually("the command has ended behind its agent", () => !isProcessAlive(group));
        assert.match(shown.out, /> go[\s\S]*Working\./);
      },
    ));

  it("exit 1 with one clear sentence when the model refuses, is not there, or is not set up", async () => {
    const at = place();
    await withModel(
      () => ({ fault: "401" }),
      async url => {
        const { code, err } = await strata(at, runArgs(at, url, "--prompt", "go"));
        assert.equal(code, 1);
        assert.match(err, /key/);
      },
    );
    const refused = await strata(at, runArgs(at, "http://127.0.0.1:1/v1", "--prompt", "go"));
    assert.equal(refused.code, 75);
    assert.match(refused.err, /127\.0\.0\.1:1/);
    const none = await strata(at, ["run", ...inPlace(at), "--prompt", "go"]);
    assert.equal(none.code, 1);
    assert.match(none.err, /model/i);
    for (const { err } of [refused, none]) assert.doesNotMatch(err, /\n\s+at /, "no stack");
  });

  it("exit 2 for bad usage", async () => {
    const at = place();
    const missing = await strata(at, ["run", "--workspace", join(at.home, "nowhere"), "--prompt", "go"]);
    assert.equal(missing.code, 2);
    assert.match(missing.err, /nowhere is not there/);
    const empty = await strata(at, ["run", "--prompt", ""]);
    assert.equal(empty.code, 2);
    assert.match(empty.err, /prompt is empty/);
    const unknown = await strata(at, runArgs(at, "http://127.0.0.1:1/v1", "--session", "ses_none", "--prompt", "x"));
    assert.equal(unknown.code, 1);
    assert.doesNotMatch(unknown.err, /\n\s+at /);
  });
});
