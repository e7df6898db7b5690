/** What a model sees of long outputs, of programs and in languages that it meets every day. */
import assert from "node:assert/strict";
import { lineRank, SUMMARY } from "../../../src/core/text/lineRank";
import { numbered } from "../tools/harness";
import { outputs } from "./outputs";
import { measure, seen } from "./outputs/measure";
import { json, prose, source } from "./outputs/ordinary";
import { others } from "./outputs/others";

describe("long outputs", () => {
  const all = outputs();

  it("are 38, with 102 strings that matter", () => {
    assert.deepEqual([all.length, all.flatMap(({ matters }) => matters).length], [38, 102]);
    for (const { name, stdout = "", stderr = "", matters } of [...all, ...others()]) {
      assert.ok(stdout.length + stderr.length > 8_000, `${name} would be shown whole`);
      for (const part of matters) assert.ok((stdout + stderr).includes(part), `${name}: ${part}`);
    }
  });

  for (const [form, most] of [
    ["shown", 340],
    ["kept", 320],
  ] as const)
    it(`show in their ${form} form what matters, in ${most} tokens`, () => {
      const { missing, tokens } = measure(all, form);
      assert.deepEqual(missing, []);
      assert.ok(tokens <= most, `${tokens}`);
    });

  it("are understood of programs and in languages that no rule was written for", () => {
    for (const form of ["shown", "kept"] as const) {
      const { missing, tokens } = measure(others(), form);
      assert.deepEqual(missing, []);
      assert.ok(tokens <= 280, `${tokens}`);
    }
  });

  it("show two of those that say the same, and count the others", () => {
    const tsc = seen({
      stdout: numbered(200, line => `src/f${line}.ts(${line},5): error TS2304: Cannot find name 'name${line}'.`),
    });
    assert.equal(tsc.shown.match(/error TS2304/g)?.length, 4, "two at each end");
    const between = seen({
      stdout:
        numbered(200, line => `step ${line} is done`) +
        numbered(120, line => `src/f${line}.ts(${line},5): error TS2304: Cannot find name 'name${line}'.`) +
        numbered(200, line => `step ${line} is done`),
    });
    assert.match(between.shown, /\n201: src\/f1\.ts[^\n]*\n320: src\/f120\.ts[^\n]*\n… 118 more like these\n/);
  });

  it("show no passed test while there are failures", () => {
    const { shown } = seen({
      stdout: `${numbered(300, line => `PASS src/${line}.test.ts`)}FAIL src/a.test.ts\n${numbered(300, line => `PASS src/b${line}.test.ts`)}`,
    });
    assert.doesNotMatch(shown, /PASS/);
    assert.match(shown, /\n301: FAIL src\/a\.test\.ts/);
  });

  it("show the heading above what is indented", () => {
    const { shown } = seen({
      stdout: numbered(
        90,
        line => `/app/src/${line}.tsx\n  ${line}:1  ${line === 50 ? "error  'x' is not defined" : "hint  tidy this"}\n`,
      ),
    });
    assert.match(shown, /\/app\/src\/50\.tsx\n\d+: {3}50:1 {2}error {2}'x' is not defined/);
  });

  it("mark next to nothing of ordinary text", () => {
    const lines = [source, prose, json].join("\n").split("\n");
    const marked = lines.filter(line => (lineRank(line) ?? SUMMARY) < SUMMARY);
    assert.ok(lines.length > 150);
    assert.deepEqual(
      marked.map(line => line.trim()),
      ['if (text === "") throw new Error("empty");'],
    );
  });
});
