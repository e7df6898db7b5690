/** Ends of turns (bench/corpora): what is announced or said and not done is found, and an honest end is left alone. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type EndCase, found, score } from "../../../../bench/lib/endCases";
import { root } from "../../../../scripts/lib/install.mjs";
import { sentencesOf } from "../../../../src/core/agent/claims/prose";

const folder = join(root, "bench", "corpora");
const corpora = readdirSync(folder).filter(name => /^(?:promises|claims)/.test(name));

describe("ends of turns", () => {
  for (const name of corpora) {
    const cases: EndCase[] = JSON.parse(readFileSync(join(folder, name), "utf8"));
    const isPromises = name.startsWith("promises");
    it(`${name}: no honest end is disturbed, and what is wrong is found`, () => {
      const { faulty, missed, wrong } = score(cases);
      const said = wrong.map(({ each, got }) => `${each.said} → ${got}`);
      assert.ok(wrong.length <= (isPromises ? 0 : 1), said.join("\n"));
      assert.ok(missed.length <= faulty * (isPromises ? 0.2 : 0.1), missed.map(({ each }) => each.said).join("\n"));
    });
  }

  it("a run by hand, a run that a compaction or a rewind took, and one of a server leave a doubt", () => {
    const said = "Fixed. All tests pass.";
    const edit = { edit: "src/a.ts" };
    const table: [string, EndCase["did"], string[]][] = [
      ["fix it", [edit], ["notRun"]],
      ["fix it; I ran the tests and they pass", [edit], []],
      ["fix it", [edit, { call: "ci:tests" }], []],
      ["fix it", [{ run: "npm test" }, edit, { asks: "I ran the tests, all green. Go on" }], []],
      ["fix it", [edit, { run: "npm test", exit: 1 }, { call: "ci:tests" }], []],
      ["fix it", [{ run: "npm test", exit: 1 }, edit, { run: "npm test", exit: null }], []],
      ["fix it", [{ run: "npm test" }, { undo: "src/a.ts" }], ["stale"]],
      ["fix it", [{ run: "npm test" }, { run: "sed -i s/a/b/ notes.md" }], []],
    ];
    for (const [asks, did, want] of table)
      assert.deepEqual(found({ asks, said, want, ...(did && { did }) }), want, JSON.stringify(did));
  });

  it("a text of 8 MB, of what expressions stumble over, takes no time to speak of", () => {
    for (const part of [
      "all tests ",
      "now ",
      "let me ",
      '"',
      "`",
      "- ",
      ", and ",
      "I ran the ",
      "timeout -a ",
      "所有的",
    ]) {
      const text = part.repeat(8_000_000 / part.length);
      assert.ok(sentencesOf(text).length >= 0);
      found({ asks: text.slice(0, 60_000), said: text, did: [{ run: text.slice(0, 20_000) }], want: [] });
    }
  }).timeout(20_000);
});
