/** A server that takes much less than the setting says: the conversation goes on in what it takes, and is never set aside. */
import assert from "node:assert/strict";
import { isSoak } from "../fakes/soak";
import { endWorlds, records, say, words, world } from "./world";

describe("over HTTP: a window smaller than the setting says", function () {
  this.timeout(120_000);
  afterEach(endWorlds);

  for (const serverWindow of isSoak("marathons") ? [5_000, 12_000] : [5_000])
    it(`${serverWindow} tokens`, async () => {
      const at = await world({ serverWindow });
      for (let turn = 1; turn <= 60; turn++) {
        await say(at, words(serverWindow / 40, `Question ${turn}.`), { text: `Answer ${turn}.` });
      }
      const ends = records(at, "turnEnd").map(({ reason, error }) => error?.code ?? reason);
      assert.deepEqual([...new Set(ends)], ["done"]);
      const unneeded = at.events.filter(event => event.type === "compaction" && event.phase === "unneeded");
      assert.deepEqual(unneeded, []);
      assert.equal(at.script.asked.length, 61, "refused once; from then on it is known");
    });
});
