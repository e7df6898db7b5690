/** Merging random changes: beside each other all of them merge, as git does it; on each other none does in silence. */
import assert from "node:assert/strict";
import { mergeTexts } from "../../../../src/core/changes/edits/merge";
import { planLines } from "../../../../src/core/changes/edits/planEdits";
import { withLf } from "../../../../src/core/ground/text/lines";
import { gitMerges, type Sides } from "../../../fakes/gitMerge";
import { Random } from "../../../fakes/random";
import { cases } from "../../../fakes/soak";
import { anything, apart, overlapping, type Pair } from "./mergePairs";

const made = <P>(make: (random: Random) => P, count = cases(1000)): P[] =>
  Array.from({ length: count }, (_, seed) => make(new Random(seed)));

/** undefined: a conflict */
function merged({ base, ours, theirs }: Sides): string | undefined {
  const merge = mergeTexts(base, ours, theirs);
  return merge.kind === "merged" ? merge.text : undefined;
}

const swapped = ({ base, ours, theirs }: Sides): Sides => ({ base, ours: theirs, theirs: ours });
const about = (seed: number, pair: Sides) => `seed ${seed}: ${JSON.stringify(pair, null, 1)}`;

/** Says which pair it was. */
function each<P extends Sides>(pairs: readonly P[], check: (pair: P, seed: number) => void): void {
  for (const [seed, pair] of pairs.entries()) {
    try {
      check(pair, seed);
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : error}\n${about(seed, pair)}`, { cause: error });
    }
  }
}

describe("merging 1,000 pairs of changes that do not touch", () => {
  const pairs = made(random => apart(random));
  const builtOf = ({ both }: Pair) => both as string;

  it("gives both changes, whoever was first", () =>
    each(pairs, pair => {
      assert.equal(merged(pair), builtOf(pair));
      assert.equal(merged(swapped(pair)), builtOf(pair));
    }));

  it("is what git merge-file gives", async () => {
    const reference = await gitMerges(pairs);
    each(pairs, (pair, seed) => assert.equal(merged(pair), reference[seed]));
  });

  it("says the same of a text with CRLF, which keeps them", () =>
    each(pairs, pair => {
      const crlf = (text: string) => text.replaceAll("\n", "\r\n");
      const target = merged({ base: crlf(pair.base), ours: pair.ours, theirs: crlf(pair.theirs) });
      assert.equal(planLines(crlf(pair.theirs), target as string).newText, crlf(builtOf(pair)));
    }));

  it("leaves each line end of a text that has several kinds", () =>
    each(pairs, (pair, seed) => {
      const now = mixed(pair.theirs, new Random(seed));
      const { newText } = planLines(now, merged({ ...pair, theirs: now }) as string);
      assert.equal(withLf(newText), builtOf(pair));
      const [before, after] = [endsOf(now), endsOf(newText)];
      for (const [line, end] of after) if (before.has(line)) assert.equal(end, before.get(line), line);
    }));
});

describe("merging 1,000 pairs of changes that overlap", () => {
  const pairs = made(overlapping);

  it("is a conflict, whoever was first", () =>
    each(pairs, pair => {
      assert.equal(merged(pair), undefined);
      assert.equal(merged(swapped(pair)), undefined);
    }));

  it("is none where both made the same change", () =>
    each(pairs, ({ base, ours }) => {
      assert.equal(merged({ base, ours, theirs: ours }), ours);
    }));

  it("is none where one side changed nothing", () =>
    each(pairs, ({ base, ours }) => {
      assert.equal(merged({ base, ours, theirs: base }), ours);
      assert.equal(merged({ base, ours: base, theirs: ours }), ours);
    }));
});

/** Of several ways to see what changed, ours need not be git's: but nothing may be lost, and no wolf cried too often. */
describe("merging where lines repeat, so that it cannot be told what changed", () => {
  it("gives what git gives, or in one of fifty a conflict", async () => {
    const pairs = made(random => apart(random, false), cases(300));
    const reference = await gitMerges(pairs);
    let conflicts = 0;
    each(pairs, (pair, seed) => {
      const text = merged(pair);
      if (text === undefined && reference[seed] !== undefined) conflicts += 1;
      else assert.equal(text, reference[seed]);
    });
    assert.ok(conflicts <= pairs.length / 50, `${conflicts} conflicts of ${pairs.length}`);
  });

  it("loses no line that one side added, and keeps none that one side removed", () =>
    each(made(anything, cases(3000)), pair => {
      const text = merged(pair);
      if (text === undefined || pair.ours === pair.theirs) return;
      const [base, ours, theirs, both] = [pair.base, pair.ours, pair.theirs, text].map(counts);
      for (const line of new Set([base, ours, theirs, both].flatMap(found => [...(found?.keys() ?? [])]))) {
        const [b, o, t, m] = [base, ours, theirs, both].map(found => found?.get(line) ?? 0) as [
          number,
          number,
          number,
          number,
        ];
        // Each side's change counts once; where both made the same, it counts once for the two of them.
        const [apart, same] = [o + t - b, Math.abs(o - b) > Math.abs(t - b) ? o : t];
        const [least, most] = [Math.min(apart, same), Math.max(apart, same)];
        assert.ok(m >= least && m <= most, `${JSON.stringify(line)}: ${b}, ${o}, ${t} became ${m}`);
      }
    }));
});

/** Each line's end by chance: `\n` or `\r\n`. */
const mixed = (text: string, random: Random) => text.replace(/\n/g, () => (random.chance(0.5) ? "\r\n" : "\n"));

/** Lines that stand nowhere else in any of the texts, each with its end. */
function endsOf(text: string): Map<string, string> {
  const lines = [...text.matchAll(/^(.*const .*?)(\r\n|\n|$)/gm)];
  return new Map(lines.map(([, line = "", end = ""]) => [line, end]));
}

/** How often each line stands, with its end. */
function counts(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) found.set(line, (found.get(line) ?? 0) + 1);
  return found;
}
