/**
 * A person types, saves and undoes, other programs write and git checks out, agents edit and are allowed or refused, all at
 * once and at random, in a real VS Code. No key is lost, no edit is made on a wrong base, nobody cries wolf. The seeds are
 * always the same; what happens first is up to the machine. `npm test` plays a few of them; the soak "interleavings" plays all, and
 * breaks Strata in each way that the checks of a run are there to find.
 *
 *   STRATA_FUZZ_SEED=7    this run alone, again and again
 *   STRATA_FUZZ_RUNS=3000 other than so many
 */
import assert from "node:assert/strict";
import { isSoak, soak } from "../../fakes/soak";
import { discardEditors } from "../discardEditors";
import { broken } from "../fuzz/broken";
import { callsOf } from "../fuzz/calls";
import { check } from "../fuzz/check";
import { type Plan, planOf, planText } from "../fuzz/plan";
import { type BrokenDisk, runPlan, type Sabotage } from "../fuzz/run";
import { type Trace, traceText } from "../fuzz/trace";
import { FuzzWorld } from "../fuzz/world";

const { STRATA_FUZZ_SEED: only, STRATA_FUZZ_RUNS: runs } = process.env;
const ALL = 300;
const RUNS = isSoak("interleavings") ? ALL : 8;
/** How often one seed is played again. */
const AGAIN = 20;
/** Seeds in which a fault has to show. */
const SEEDS_TO_FIND = 30;

interface Played {
  trace: Trace;
  /** sentences on what went wrong */
  wrong: string[];
}

/** One after the other, until `enough`. What is true of a run is looked at while the next one is played. */
async function playAll(
  plans: readonly Plan[],
  enough: (played: Played) => boolean,
  sabotage?: Sabotage,
  disk?: BrokenDisk,
): Promise<void> {
  const world = await FuzzWorld.open(plans);
  let before: Promise<boolean> = Promise.resolve(false);
  try {
    for (const plan of plans) {
      const trace = await runPlan(world, plan, sabotage, disk).catch(error => {
        throw new Error(`A run did not come to its end. ${againText(plan)}\n${error.stack}\n${planText(plan)}`);
      });
      if (await before) return;
      before = check(trace).then(wrong => enough({ trace, wrong }));
    }
    await before;
  } finally {
    await world.dispose();
    await discardEditors();
  }
}

const againText = ({ seed }: Plan) =>
  `Play it again: STRATA_FUZZ_SEED=${seed} STRATA_HOST_ONLY=interleaving npm test -- host`;

/** A run that went wrong, for people: how to play it again, what was wrong, all that happened. */
const failureText = ({ trace, wrong }: Played) =>
  [againText(trace.plan), ...wrong, planText(trace.plan), traceText(trace)].join("\n");

describe("interleavings of people, programs and agents", function () {
  this.timeout(15 * 60_000);
  let restore: () => Promise<void>;
  before(async () => {
    restore = await FuzzWorld.settle();
  });
  after(() => restore());
  const ended = new Map<string, number>();
  const count = Number(runs ?? (only ? AGAIN : RUNS));

  it(`${count} runs: everybody's work stays`, async () => {
    const plans = Array.from({ length: count }, (_, at) => (only ? planOf(Number(only), `${at}-`) : planOf(at)));
    const failed: string[] = [];
    let played = 0;
    await playAll(plans, one => {
      played += 1;
      for (const end of endsOf(one.trace)) ended.set(end, (ended.get(end) ?? 0) + 1);
      if (one.wrong.length > 0) failed.push(failureText(one));
      return false;
    });
    assert.equal(played, count);
    assert.equal(failed.length, 0, `${failed.length} of ${count} runs went wrong.\n\n${failed.join("\n\n")}`);
  });

  if (!only && count >= ALL) {
    it("calls ended in every way that they can, often", () => {
      for (const end of [
        "made",
        "made beside a change",
        "made anew after a change",
        "CONFLICT",
        "DENIED",
        "NOT_FOUND",
      ]) {
        const least = end === "NOT_FOUND" ? 1 : 15;
        assert.ok((ended.get(end) ?? 0) >= least, JSON.stringify([...ended]));
      }
    });
  }

  soak("interleavings", () => {
    for (const [name, { sabotage, disk, plan = (same: Plan) => same, said }] of only ? [] : Object.entries(broken)) {
      it(`is noticed: one that ${name}`, async () => {
        const plans = Array.from({ length: SEEDS_TO_FIND }, (_, seed) => plan(planOf(seed, "broken-")));
        const all: string[] = [];
        const isFound = ({ wrong }: Played) => {
          all.push(...wrong);
          return wrong.some(words => said.test(words));
        };
        await playAll(plans, isFound, sabotage, disk);
        assert.match(all.join("\n"), said);
      });
    }
  });
});

/** How the edits of a run ended. */
function endsOf(trace: Trace): string[] {
  return callsOf(trace).flatMap(({ intent, status, applies, result }) => {
    if (!intent) return [];
    const again = applies.length > 1 ? ["made anew after a change"] : [];
    if (status !== "ok") return [status, ...again];
    return [result.forms.shown.includes("Since you read the file") ? "made beside a change" : "made", ...again];
  });
}
