/** `strata rewind` as a person runs it: a process of its own, after the one that worked. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inPlace, program, runArgs, withModel } from "./program";

describe("strata rewind", function () {
  this.timeout(120_000);
  const { place, strata } = program();

  it("says what it would do, goes back with files and conversation, and is undone", () => {
    const answers = [
      { calls: [{ id: "b1", name: "Bash", input: { command: "echo made > made.txt && echo two >> a.txt" } }] },
      { text: "Done." },
    ];
    return withModel(
      () => answers.shift() ?? { text: "The script is over." },
      async url => {
        const at = place();
        const ran = await strata(at, runArgs(at, url, "--mode", "auto", "--trust", "--prompt", "Make it"));
        assert.equal(ran.code, 0, ran.err);
        const where = inPlace(at);
        const list = await strata(at, ["sessions", ...where, "--json"]);
        const { id } = JSON.parse(list.out.trim());
        const rewind = (...args: string[]) => strata(at, ["rewind", id, ...where, ...args]);
        const text = () => readFileSync(join(at.workspace, "a.txt"), "utf8");
        const isMade = () => existsSync(join(at.workspace, "made.txt"));

        const preview = await rewind("--to", "1", "--preview");
        assert.match(
          preview.out,
          /Back to before turn 1: 1 turn leaves[\s\S]* {2}~ a\.txt\n {2}- made\.txt {2}\(made while this ran: echo made .*\)\n/,
        );
        assert.deepEqual([text(), isMade()], ["one\ntwo\n", true]);

        const back = await rewind("--to", "1");
        assert.match(back.err, /Went back to before “/);
        assert.deepEqual([back.code, text(), isMade()], [0, "one\n", false]);
        const shown = await strata(at, ["show", id, ...where]);
        assert.match(shown.out, /Went back to before “.*” · 2 files restored/);

        const again = await rewind("--undo");
        assert.match(again.err, /Undid going back/);
        assert.deepEqual([again.code, text(), isMade()], [0, "one\ntwo\n", true]);
        const undo = await strata(at, runArgs(at, url, "--session", id, "--prompt", "/undo"));
        assert.match(undo.err, /Went back to before “Make it” · 2 files restored.*\n.*strata redo/);
        assert.deepEqual([undo.code, text(), isMade()], [0, "one\n", false]);
        const none = await strata(at, ["undo", id, ...where]);
        assert.match(none.err, /no turn whose files could be put back/);
        const redo = await strata(at, ["redo", id, ...where]);
        assert.deepEqual([redo.code, text(), isMade()], [0, "one\ntwo\n", true], redo.err);
        const more = await rewind("--undo");
        assert.notEqual(more.code, 0);
        assert.match(more.err, /no rewind to undo/);
      },
    );
  });
});
