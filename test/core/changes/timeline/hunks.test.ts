/** Changes that wait for a review, found again in a text that somebody typed into: examples, and random ones. */
import assert from "node:assert/strict";
import {
  findHunks,
  type Hunk,
  keepHunks,
  reviewLines,
  undoHunks as undoneText,
} from "../../../../src/core/changes/timeline/hunks";
import { putBack } from "../../../../src/core/changes/timeline/putBack";
import { withLf } from "../../../../src/core/ground/text/lines";
import { Random } from "../../../fakes/random";
import { cases } from "../../../fakes/soak";

const lines = (text: string) => text.split("");
/** The text as it stands without these changes. */
function undoHunks(base: readonly string[], now: readonly string[], hunks: readonly Hunk[]): string[] {
  const put = putBack(now.join("\n"), { from: "", to: base.join("\n") }, hunks);
  return put.kind === "text" ? (put.text ?? "").split("\n") : [...now];
}
const hunksOf = (base: string, agent: string, now = agent) => findHunks(lines(base), lines(agent), lines(now));
const undone = (base: string, agent: string, now = agent, of: (hunks: Hunk[]) => Hunk[] = all => all) =>
  undoHunks(lines(base), lines(now), of(hunksOf(base, agent, now))).join("");

describe("changes that wait for a review", () => {
  it("are those of the agent, each where it stands now", () => {
    assert.deepEqual(hunksOf("abcdef", "aBcdXef", "1aBcdXef"), [
      { base: { first: 1, count: 1 }, agent: { first: 1, count: 1 }, now: { first: 2, count: 1 } },
      { base: { first: 4, count: 0 }, agent: { first: 4, count: 1 }, now: { first: 5, count: 1 } },
    ]);
  });

  it("are gone where somebody took them back by hand, and come again with them", () => {
    assert.equal(hunksOf("abcdef", "aBcdXef", "abcdXef").length, 1);
    assert.equal(hunksOf("abcdef", "aBcdXef", "abcdef").length, 0);
    assert.equal(hunksOf("abcdef", "aBcdXef", "aBcdXef").length, 2);
  });

  it("do not cover lines that somebody rewrote or put between", () => {
    assert.equal(undone("abc", "aWXYZbc", "aWX?Zbc"), "a?bc");
    assert.equal(undone("abc", "aWXYZbc", "aWX?YZbc"), "a?bc");
    assert.equal(undone("abc", "aXc", "a?c"), "a?c");
    assert.equal(undone("abcd", "aXYd", "aX?d"), "ab?d");
    assert.equal(undone("abcd", "ad", "a?d").replace(/[^?]/g, ""), "?");
  });

  it("of a new file are all but what somebody wrote into it", () => {
    const base = reviewLines("");
    const agent = reviewLines("one\ntwo\n");
    const now = reviewLines("one\nmine\ntwo\n");
    assert.equal(undoHunks(base, now, findHunks(base, agent, now)).join("\n"), "mine\n");
    assert.equal(undoHunks(base, agent, findHunks(base, agent, agent)).join("\n"), "");
  });
});

/** Lines that stand once each, and some that stand everywhere. */
function randomText(random: Random, name: string): string[] {
  return Array.from({ length: random.int(1, 12) }, (_, index) => line(random, `${name}${index}`));
}
const line = (random: Random, name: string) => (random.chance(0.4) ? random.pick(["", "}", "x"]) : name);

/** @param typed whether its lines are told from all others */
function changed(random: Random, text: readonly string[], name: string, typed: boolean): string[] {
  const now = [...text];
  for (let times = random.int(0, 4); times > 0; times -= 1) {
    const at = random.int(0, now.length);
    const fresh = Array.from({ length: random.int(0, 3) }, (_, index) => {
      const own = `${name}${times}.${index}`;
      return typed ? own : line(random, own);
    });
    now.splice(at, random.int(0, 3), ...fresh);
  }
  return now.length > 0 ? now : [""];
}

interface Case {
  base: string[];
  agent: string[];
  now: string[];
  random: Random;
}

/** Says which case it was. */
function each(check: (one: Case) => void): void {
  for (let seed = 0; seed < cases(20_000); seed += 1) {
    const random = new Random(seed);
    const base = randomText(random, "b");
    const agent = changed(random, base, "a", false);
    const now = changed(random, agent, "typed", true);
    try {
      check({ base, agent, now, random });
    } catch (error) {
      const about = JSON.stringify({ base, agent, now });
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}\n${about}`, { cause: error });
    }
  }
}

const text = (all: readonly string[]) => all.join("\n");
const typedIn = (all: readonly string[]) => all.filter(each => each.startsWith("typed"));

/** Some of them, in their order. */
const some = (random: Random, hunks: readonly Hunk[]) => hunks.filter(() => random.chance(0.5));

describe("random changes under random typing", () => {
  it("stand in order and apart, and are what the agent left there", () =>
    each(({ base, agent, now }) => {
      let end = 0;
      for (const hunk of findHunks(base, agent, now)) {
        assert.ok(hunk.now.first >= end, "one stands in another");
        end = hunk.now.first + hunk.now.count;
        assert.ok(end <= now.length);
        const left = agent.slice(hunk.agent.first, hunk.agent.first + hunk.agent.count);
        assert.deepEqual(now.slice(hunk.now.first, end), left);
      }
    }));

  it("taken back, whichever, no typed line is lost", () =>
    each(({ base, agent, now, random }) => {
      const hunks = findHunks(base, agent, now);
      for (const chosen of [hunks, some(random, hunks)])
        assert.deepEqual(typedIn(undoHunks(base, now, chosen)), typedIn(now));
    }));

  it("nobody typed: taken back together, the base stands; kept together, nothing waits", () =>
    each(({ base, agent }) => {
      const hunks = findHunks(base, agent, agent);
      assert.deepEqual(undoHunks(base, agent, hunks), base);
      assert.deepEqual(keepHunks(base, agent, hunks), agent);
    }));

  it("taken back one after the other, in any order, give what all of them give at once", () =>
    each(({ base, agent, now, random }) => {
      const hunks = findHunks(base, agent, now);
      const all = undoHunks(base, now, hunks);
      // As a review goes: each is looked for anew, from what stands after the one before.
      let [old, left] = [all, now];
      for (;;) {
        const waiting = findHunks(old, left, left);
        if (waiting.length === 0) break;
        left = undoHunks(old, left, [random.pick(waiting)]);
        old = all;
      }
      assert.deepEqual(left, all);
    }));

  it("each taken back alone takes its lines, and leaves the others where they stood", () =>
    each(({ base, agent, now, random }) => {
      const hunks = findHunks(base, agent, now);
      const chosen = some(random, hunks);
      let left = [...now];
      // From the end on, each alone.
      for (const hunk of chosen.toReversed()) left = undoHunks(base, left, [hunk]);
      assert.deepEqual(left, undoHunks(base, now, chosen));
    }));

  it("kept one by one and the rest taken back, the kept ones stand", () =>
    each(({ base, agent, random }) => {
      const hunks = findHunks(base, agent, agent);
      const kept = some(random, hunks);
      const rest = hunks.filter(hunk => !kept.includes(hunk));
      assert.deepEqual(keepHunks(base, agent, kept), undoHunks(base, agent, rest));
    }));

  it("as edits of a text with any line ends, give the same lines and leave the other ends", () =>
    each(({ base, agent, now, random }) => {
      const chosen = some(random, findHunks(base, agent, now));
      for (const end of ["\n", "\r\n"]) {
        const raw = now.join(end);
        const target = undoneText(raw, base, chosen);
        assert.equal(withLf(target), text(undoHunks(base, now, chosen)));
        if (now.length > 1) assert.equal(target, withLf(target).replaceAll("\n", end));
      }
    }));
});
