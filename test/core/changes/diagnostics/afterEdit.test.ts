/** What the result of an edit says of problems. */
import assert from "node:assert/strict";
import { sinceEdit } from "../../../../src/core/changes/diagnostics/problems";
import type { Problem } from "../../../../src/core/ground/ports";
import { findsBad, problem } from "../../../fakes/diagnostics";
import { hiding } from "../../../fakes/redact";
import { Harness } from "../../looking/harness";

const edit = (old_string: string, new_string: string) => ({ file_path: "a.ts", old_string, new_string });

/** A session that has read `a.ts`, which is open and was checked. */
async function reader(text: string, checked = true): Promise<Harness> {
  const harness = new Harness({ app: { "a.ts": text } }, { checker: findsBad });
  if (checked) await harness.diagnostics.check("a.ts");
  await harness.call("Read", { file_path: "a.ts" });
  return harness;
}
/** The lines of the answer that speak of problems. */
const said = ({ text }: { text: string }) =>
  text.slice(text.search(/^(New problems|Problems now|No new|Diagnostics:)/m));

describe("problems in the result of an edit", () => {
  it("exactly those that are new", async () => {
    const harness = await reader("old bad\nb\nc\n");
    const answer = await harness.call("Edit", edit("b\n", "x\nmy bad\nb\n"));
    assert.equal(said(answer), "New problems since the edit:\nerror 3:1 my bad is bad");
    assert.equal(answer.digest, "Edit a.ts +2 −0 · 1 new error");
    assert.deepEqual(answer.data.diagnostics, { new: 1, fixed: 0, first: ["error 3:1 my bad is bad"] });
    const again = await harness.call("Edit", edit("x\n", ""));
    assert.equal(said(again), "No new problems.");
    assert.equal(again.digest, "Edit a.ts +0 −1");
  });

  it("those that went away are counted", async () => {
    const harness = await reader("old bad\nbad too\nc\n");
    assert.equal(said(await harness.call("Edit", edit("old bad", "good"))), "No new problems. 1 fixed.");
    const answer = await harness.call("Edit", edit("bad too", "bad three"));
    assert.equal(said(answer), "New problems since the edit:\nerror 2:1 bad three is bad\n1 fixed.");
  });

  it("unknown where no checker reports, and nothing is said where nobody waits", async () => {
    const harness = await reader("a\nb\n");
    harness.diagnostics.checker = () => undefined;
    const answer = await harness.call("Edit", edit("a", "bad"));
    assert.equal(said(answer), "Diagnostics: unknown (no checker reported on the file).");
    assert.equal(answer.data.diagnostics, "unknown");
    assert.equal(answer.digest, "Edit a.ts +1 −1");
    assert.deepEqual(harness.diagnostics.waits, [2_000]);
    harness.waitMs = 0;
    const quiet = await harness.call("Edit", edit("b", "c"));
    assert.doesNotMatch(quiet.text, /roblems|Diagnostics/);
    assert.equal(quiet.data.diagnostics, undefined);
    const terminal = new Harness({ app: { "a.ts": "a\n" } });
    await terminal.call("Read", { file_path: "a.ts" });
    assert.doesNotMatch((await terminal.call("Edit", edit("a", "b"))).text, /roblems|Diagnostics/);
  });

  it("of a file that was not open before, nobody can tell the old from the new; of a new one all are", async () => {
    const harness = await reader("bad\nb\n", false);
    const answer = await harness.call("Edit", edit("b\n", "c\n"));
    assert.equal(
      said(answer),
      "Problems now (the file was not open before the edit, so some may be older):\nerror 1:1 bad is bad",
    );
    assert.equal(answer.digest, "Edit a.ts +1 −1 · 1 error");
    const created = await harness.call("Write", { file_path: "new.ts", content: "bad\n" });
    assert.equal(said(created), "New problems since the edit:\nerror 1:1 bad is bad");
    assert.equal(created.digest, "Write new.ts +1 −0 (new) · 1 new error");
  });

  it("a stop while it waits ends the wait; the edit is made and told", async () => {
    const harness = await reader("a\n");
    harness.diagnostics.meanwhile = () => harness.stop.abort();
    const answer = await harness.call("Edit", edit("a", "bad"));
    assert.equal(answer.status, "ok");
    assert.match(answer.text, /^Edited a\.ts/);
    assert.match(said(answer), /unknown/);
    assert.equal(harness.files.onDisk("a.ts"), "bad\n");
  });

  it("what is typed meanwhile moves lines and says so", async () => {
    const harness = await reader("old bad\nb\n");
    harness.files.edit("a.ts");
    harness.diagnostics.meanwhile = () => harness.files.edit("a.ts", "typed\nold bad\nbad\ntyped bad\n");
    const answer = await harness.call("Edit", edit("b\n", "bad\n"));
    assert.equal(
      said(answer),
      "New problems since the edit:\nerror 3:1 bad is bad\nerror 4:1 typed bad is bad\n" +
        "The file was changed again meanwhile: some of these may come from that.",
    );
  });

  it("an edit that is refused, or fails, waits for nobody", async () => {
    const harness = await reader("a\n");
    assert.equal((await harness.call("Edit", edit("z", "bad"))).status, "NO_MATCH");
    assert.deepEqual(harness.diagnostics.waits, []);
  });

  it("at most ten, the worst first, the rest counted; messages on one line, cut, secrets out before", () => {
    const many = [
      problem(9, "w", { severity: "warning", code: "no-undef", source: "eslint" }),
      ...Array.from({ length: 11 }, (_, at) => problem(at + 1, `e${at}\n  because`, { source: "ts", code: "2304" })),
      problem(1, "h", { severity: "hint" }),
    ];
    const since = (problems: readonly Problem[]) =>
      sinceEdit(
        { before: [], complete: true },
        "x",
        "x",
        { problems, text: undefined },
        hiding(text => text.replaceAll("s3cret", "[secret]")),
      );
    const lines = since(many).text.split("\n");
    assert.equal(lines.length, 12);
    assert.equal(lines[1], "error 1:1 e0 because (ts 2304)");
    assert.equal(lines.at(-1), "… 2 more (1 error, 1 warning)");
    assert.equal(since(many).digest, " · 11 new errors, 1 new warning");
    assert.deepEqual((since(many).data as { first: string[] }).first.length, 5);
    assert.equal(since([problem(1, "h", { severity: "hint" })]).text, "No new problems.");
    const long = since([problem(1, `${"x".repeat(290)} s3cret ${"y".repeat(500)}`)]).text;
    assert.match(long, /\[secret\]…$/);
  });
});
