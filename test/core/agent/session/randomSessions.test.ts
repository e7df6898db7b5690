/** Whatever a person and an agent do: requests begin as the one before, say why they do not, and nobody's words are lost. */
import assert from "node:assert/strict";
import { Random } from "../../../fakes/random";
import { type Acts, RandomSession } from "../../../fakes/randomSession";
import { isSoak } from "../../../fakes/soak";

const SESSIONS = isSoak("random") ? 2_000 : 20;
/** The same in every test; others each time in soak. */
const SEED = Number(process.env.STRATA_SEED ?? (isSoak("random") ? Date.now() % 1_000_000 : 38));
const AT_ONCE = 10;

describe("random sessions", function () {
  this.timeout(240_000);

  for (let first = SEED; first < SEED + SESSIONS; first += AT_ONCE)
    it(`send what was said once and in its order, and say why they begin otherwise, from seed ${first}`, async () => {
      const failures: string[] = [];
      for (let seed = first; seed < first + AT_ONCE; seed++) {
        const session = await RandomSession.begin(seed);
        try {
          for (let act = new Random(seed).int(4, 18); act > 0; act--) await session.act();
          await session.end();
        } catch (error) {
          failures.push(`seed ${seed}: ${session.done.join(" ")}\n${error instanceof Error ? error.stack : error}`);
        }
      }
      assert.equal(failures.length, 0, failures.join("\n"));
    });
});

const fifty = Array<Acts>(isSoak("random") ? 1_000 : 30).fill("say");
const odd: [what: string, acts: Acts[]][] = [
  ["a turn of 300 calls", ["say", "calls", "say", "reopen", "say"]],
  ["turns without calls", ["none", "none", "say", "none", "none"]],
  ["a turn that was stopped, and goes on", ["say", "stopped", "resume", "say", "stopped", "say", "say"]],
  ["a turn that is steered five times", ["steered", "say", "steered", "reopen", "say", "say"]],
  ["20 pictures", ["pictures", "say", "many", "say", "compact", "say"]],
  ["50,000 pasted tokens", ["say", "pasted", "say", "say", "compact", "say", "undo", "say"]],
  ["two models", ["say", "model", "many", "model", "say", "model", "say", "model", "say"]],
  ["a smaller window in the middle", ["many", "say", "many", "narrow", "say", "many", "say", "say"]],
  [
    "a branch after a rewind over two compactions",
    [
      "say",
      "say",
      "say",
      "compact",
      "say",
      "many",
      "compact",
      "say",
      "back",
      "say",
      "undoRewind",
      "say",
      "undo",
      "say",
      "undo",
      "say",
    ],
  ],
  ["an output that imitates what Strata says", ["imitates", "say", "imitates", "say", "say", "compact", "say", "say"]],
  ["another way to remember in the middle", ["say", "many", "memory", "say", "memory", "many", "say", "say"]],
  [
    "processes that are killed",
    [...Array<Acts>(12).fill("killed"), "many", "killed", "compact", ...Array<Acts>(12).fill("killed"), "say"],
  ],
  ["a long row of turns", ["say", ...fifty, "reopen", "say"]],
];

describe("sessions with", function () {
  this.timeout(isSoak("random") ? 1_200_000 : 240_000);
  for (const memory of ["lean", "plain"]) {
    for (const [what, acts] of odd) {
      it(`${what}, ${memory}, lose nothing`, async () => {
        const session = await RandomSession.begin(7, memory);
        for (const act of acts) await session.act(act);
        await session.end();
      });
    }
  }
});
