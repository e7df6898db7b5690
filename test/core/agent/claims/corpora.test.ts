/** Ends of turns (bench/corpora): what is announced or said and not done is found, and an honest end is left alone. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { found, score } from "../../../../bench/lib/endCases";
import { root } from "../../../../scripts/lib/install.mjs";

const folder = join(root, "bench", "corpora");

describe("ends of turns", () => {
  for (const name of readdirSync(folder).filter(each => /^(?:promises|claims)/.test(each)))
    it(`${name}: no honest end is disturbed, and what is wrong is found`, () => {
      const { faulty, missed, wrong } = score(JSON.parse(readFileSync(join(folder, name), "utf8")));
      assert.deepEqual(
        wrong.map(({ each, got }) => `${each.said} → ${got}`),
        [],
      );
      const mayMiss = name.startsWith("promises") ? 0.2 : 0.1;
      assert.ok(missed.length <= faulty * mayMiss, missed.map(({ each }) => each.said).join("\n"));
    });

  it("a text of 8 MB, of what expressions stumble over, takes no time to speak of", () => {
    for (const part of 'all tests |all the |now |let me |"|`|- |, and |I ran the |timeout -a |所有的'.split("|")) {
      const said = part.repeat(8_000_000 / part.length);
      const [asks, begun] = [said.slice(0, 1_000_000), `Done. All tests pass.\n${said.slice(0, 390)}.\n`];
      found({ asks, said, did: [{ run: said.slice(0, 20_000) }], want: [] });
      found({ asks, said: begun.repeat(150), did: [{ edit: "src/a.ts" }], want: [] });
    }
  }).timeout(20_000);
});
