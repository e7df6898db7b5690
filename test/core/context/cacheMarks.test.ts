/** Where a request marks up to where its provider is to cache: by its segments and by what earlier requests marked. */
import assert from "node:assert/strict";
import { chooseMarks, type MarkedRequest, REMEMBERED, remembering } from "../../../src/core/context/cacheMarks";
import { cachePlaces } from "../../../src/core/context/compose";
import type { Segment } from "../../../src/shared/manifest";
import { hash } from "../../fakes/hash";

/**
 * A letter a segment: T tools, P prompt, R rules, S a summary, L a page of the ledger, U the user, A an answer, r a result, k one that is
 * kept, f one that is folded, t the tail. What follows it tells it from others of its kind.
 */
function list(text: string) {
  const kinds: Record<string, Partial<Segment>> = {
    T: { layer: "L1", role: "tools", source: "tools" },
    P: { layer: "L1", role: "system", source: "prompt:system" },
    R: { layer: "L2", role: "system", source: "rules:AGENTS.md" },
    L: { layer: "L3", role: "user", source: "ledger:1" },
    S: { layer: "L3", role: "system", source: "summary:1" },
    U: { layer: "L3", role: "user" },
    A: { layer: "L3", role: "assistant" },
    r: { layer: "L3", role: "tool", form: "shown" },
    k: { layer: "L3", role: "tool", form: "kept" },
    f: { layer: "L3", role: "tool", form: "folded" },
    t: { layer: "tail", role: "user", source: "tail:todo" },
  };
  return text.split(" ").map(word => ({
    ...({ source: word, form: "raw", tokens: 1, trust: "strata" } as const),
    ...(kinds[word[0] ?? ""] as Pick<Segment, "layer" | "role">),
    ...{ sha256: hash.sha256(word), value: word },
  }));
}

const request = (step: number, text: string, before: readonly MarkedRequest[] = []): MarkedRequest => ({
  ...{ model: "m", runId: "run", turn: 1, step },
  cacheMarks: chooseMarks(list(text), before, hash),
});
/** One after the other. */
const played = (...texts: string[]) =>
  texts.reduce<MarkedRequest[]>((marked, text, step) => remembering(marked, request(step, text, marked)), []);
const places = (text: string, before: readonly MarkedRequest[] = []) =>
  chooseMarks(list(text), before, hash).map(({ at }) => at);

describe("marks of a cache", () => {
  const rows: [what: string, before: string[], now: string, expected: number[]][] = [
    ["the first request", [], "T P R U1 t1", [3, 4]],
    ["the next step", ["T P R U1 t1"], "T P R U1 A1 r1 t2", [3, 4, 6]],
    ["a tail alone changed", ["T P R U1 t1"], "T P R U1 t2", [3, 4]],
    ["side by side", ["T P R U1", "T P R U1 A1 r1 r2"], "T P R U1 A1 r1 r2 A2 r3 r4", [3, 4, 7, 10]],
    [
      "a fold",
      ["T P R U1", "T P R U1 A1 r1", "T P R U1 A1 r1 A2 r2", "T P R U1 A1 r1 A2 r2 A3 r3"],
      "T P R U1 A1 f1 A2 r2 A3 r3 A4 r4",
      [3, 4, 6, 12],
    ],
    [
      "a fold in the middle",
      ["T P R U1", "T P R U1 A1 r1", "T P R U1 A1 r1 A2 r2", "T P R U1 A1 r1 A2 r2 A3 r3"],
      "T P R U1 A1 r1 A2 f2 A3 r3 A4 r4",
      [3, 6, 8, 12],
    ],
    ["a fold of one of two", ["T P R U1", "T P R U1 A1 r1 r2"], "T P R U1 A1 f1 r2 A2 r3", [3, 4, 9]],
    ["a settle", ["T P R U1", "T P R U1 A1 r1", "T P R U1 A1 r1 A2 r2"], "T P R U1 A1 r1 A2 k2 A3 U2", [3, 4, 6, 10]],
    ["a compaction", ["T P R U1", "T P R U1 A1 r1 A2 U2"], "T P R S1 L1 U2", [3, 6]],
    ["the one after it", ["T P R S1 L1 U2", "T P R S1 L1 U2 A3 U3"], "T P R S1 S2 L1 L2 U3", [3, 8]],
    ["its undo", ["T P R U1", "T P R U1 A1 r1 A2 U2", "T P R S1 L1 U2"], "T P R U1 A1 r1 A2 U2 A3 U3", [3, 4, 8, 10]],
    ["another page in the ledger's place", ["T P R S1 L1 L2 U2"], "T P R S2 L3 U3", [3, 6]],
    ["a branch", ["T P R U1", "T P R U1 A1 U2", "T P R U1 A1 U2 A2 U3"], "T P R U1 A1 U2 A4 U4", [3, 6, 8]],
    [
      "a request for a summary of less, for nothing",
      ["T P R U1", "T P R U1 A1 r1 A2 r2 A3 U2", "T P R U1 A1 r1 t9"],
      "T P R U1 A1 r1 A2 r2 A3 U2 A4 r4",
      [3, 4, 10, 12],
    ],
    ["other rules", ["T P R U1", "T P R U1 A1 U2"], "T P R2 U1 A1 U2", [3, 6]],
    ["rules that grew", ["T P R U1"], "T P R R2 U1 A1 U2", [4, 7]],
  ];
  for (const [what, before, now, expected] of rows)
    it(`after ${what}: the end, the newest that was marked, what stays`, () => {
      assert.deepEqual(places(now, played(...before)), expected);
    });

  it("are never more than four, never the same, and always where a message or a piece ends", () => {
    const whole = "T P R L1 L2 S1 U1 A1 f1 f2 A2 f3 r4 A3 r5 A4 U2 A5 r6 t1".split(" ");
    const marked = played(...whole.map((_, at) => whole.slice(0, at + 1).join(" ")));
    for (let length = 2; length <= whole.length; length++) {
      const now = list(whole.slice(0, length).join(" "));
      const marks = chooseMarks(now, marked, hash);
      const { instructions, messages } = cachePlaces(now, marks);
      assert.ok(marks.length <= 4 && new Set(marks.map(({ at }) => at)).size === marks.length);
      assert.equal(instructions.filter(({ isMarked }) => isMarked).length + messages.length, marks.length, `${length}`);
    }
  });

  it("pieces of the instructions are the same, marked or not", () => {
    const texts = (marks: string) => cachePlaces(list(marks), []).instructions.map(({ text }) => text);
    assert.deepEqual(texts("T P R S1 S2 L1 L2 U1"), ["P\n\nR", "S1\n\nS2"]);
    assert.deepEqual(texts("T P R U1"), ["P\n\nR"]);
  });

  it("of an attempt that is made again, and of long ago, are forgotten", () => {
    const [first, again] = [request(1, "T P U1 A1 r1"), request(1, "T P U1")];
    assert.deepEqual(remembering([first], again).length, 1);
    const many = Array.from({ length: REMEMBERED + 20 }, (_, step) => request(step, "T P U1"));
    const all = many.reduce<MarkedRequest[]>(remembering, []);
    assert.deepEqual([all.length, all[0]?.step], [REMEMBERED, 20]);
  });
});
