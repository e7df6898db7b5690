/** Whatever a person and an agent do: requests begin as the one before, say why they do not, and nobody's words are lost. */
import assert from "node:assert/strict";
import { Random } from "../../fakes/random";
import { RandomSession } from "../../fakes/randomSession";
import { isSoak } from "../../fakes/soak";

const SESSIONS = Number(process.env.STRATA_SESSIONS ?? (isSoak("random") ? 2_000 : 40));
/** The same in every test; others each time in soak. */
const SEED = Number(process.env.STRATA_SEED ?? (isSoak("random") ? Date.now() % 1_000_000 : 38));

describe("random sessions", function () {
  this.timeout(isSoak("random") ? 7_200_000 : 240_000);

  it("send what was said once and in its order, in requests that say why they begin otherwise", async () => {
    const failures: string[] = [];
    for (let seed = SEED; seed < SEED + SESSIONS; seed++) {
      const session = await RandomSession.begin(seed);
      try {
        for (let act = new Random(seed).int(4, 18); act > 0; act--) await session.act();
        await session.end();
      } catch (error) {
        failures.push(`seed ${seed}: ${session.done.join(" ")}\n${error instanceof Error ? error.stack : error}`);
      }
    }
    assert.equal(failures.length, 0, `${failures.length} of ${SESSIONS}\n${failures.slice(0, 5).join("\n")}`);
  });
});
