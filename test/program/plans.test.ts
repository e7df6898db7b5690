/** Plans in the terminal: printed, edited as a file, carried out. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inPlace, program, runArgs, withModel } from "./program";

const PLAN = "# Plan: Say two\n\n- [ ] Write `a.txt`\n- [ ] Say so\n";
const edit = { calls: [{ name: "Edit", input: { file_path: "a.txt", old_string: "one", new_string: "two" } }] };
const look = { calls: [{ name: "Read", input: { file_path: "a.txt" } }] };

describe("the terminal: plans, and what a turn did", function () {
  this.timeout(60_000);
  const { place, strata } = program();

  it("makes one, prints it, and carries it out as a file has it", async () => {
    const at = place();
    const answers = [look, { text: `I looked.\n\n${PLAN}` }, edit, { text: "Two." }];
    const asked: string[] = [];
    await withModel(
      ({ messages }) => {
        asked.push(JSON.stringify(messages));
        return answers.shift() ?? { text: "Over." };
      },
      async url => {
        const run = (...more: string[]) => strata(at, runArgs(at, url, "--trust", ...more));
        const planned = await run("--mode", "plan", "--prompt", "say two");
        assert.equal(planned.code, 0, planned.err);
        assert.match(planned.out, /# Plan: Say two/);
        assert.match(planned.err, /· Plan: Say two\n {2}`strata run --session ID --carry-out/);
        const id = /Session (\S+)/.exec(planned.err)?.[1] ?? "";
        const printed = await strata(at, ["plan", id, ...inPlace(at)]);
        assert.equal(printed.out, PLAN);
        const file = join(at.home, "plan.md");
        writeFileSync(file, `${printed.out}> quietly\n`);
        const stays = await run("--session", id, "--plan", file);
        assert.equal(stays.code, 2);
        assert.match(stays.err, /The session is in plan mode: say how the plan is carried out with --mode/);
        const done = await run("--session", id, "--plan", file, "--mode", "edits");
        assert.equal(done.code, 0, done.err);
        assert.match(done.err, /· Carrying out the plan “Say two”\n {2}☐ Write `a\.txt`\n {2}☐ Say so\n/);
        assert.match(asked.at(-1) ?? "", /> quietly/);
        assert.equal(readFileSync(join(at.workspace, "a.txt"), "utf8"), "two\n");
        const explain = (...more: string[]) => strata(at, ["explain", id, ...inPlace(at), ...more]);
        const { out } = await explain();
        assert.match(out, /^What turn \d+ did, and why\n1 file \+1 −1 · \d steps.*\n {2}Carry out the plan\.\n/);
        assert.match(out, /\n {2}Edit: a\.txt[\s\S]* {4}allowed: mode Edits allowed\n {4}a\.txt \+1 −1/);
        assert.match(
          (await explain("--turn", "1")).out,
          /^What turn 1 did, and why\n[\s\S]* {2}say two\n[\s\S]* {2}# Plan: Say two/,
        );
        assert.match((await explain("--rule", "Quietly")).out, /^Yes, the model saw it, word for word\./);
        assert.equal(JSON.parse((await explain("--rule", "", "--json")).out).said[0].text, "say two");
        const none = await explain("--turn", "9");
        assert.deepEqual([none.code, none.out], [2, ""]);
        assert.match(none.err, /This session has no turn 9\./);
      },
    );
  });

  it("says what is missing", async () => {
    const at = place();
    const none = await strata(at, ["plan", "ses_none", ...inPlace(at)]);
    assert.notEqual(none.code, 0);
    const unread = await strata(at, ["run", "--plan", "/none/p.md", ...inPlace(at)]);
    assert.equal(unread.code, 2);
    assert.match(unread.err, /The plan \/none\/p\.md cannot be read/);
  });
});
