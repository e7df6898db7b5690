import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runAgain } from "../../scripts/lib/again.mjs";
import { mochaPart, resultOf, sourceOf } from "../../scripts/lib/mocha.mjs";
import { type Part, type Result, runParts } from "../../scripts/lib/parts.mjs";
import { soaks, soaksOf } from "../../scripts/lib/soaks.mjs";
import { temporaryFolder } from "../fakes/temporary";

const quietly = (part: Part) => part.run();

describe("results of a test run", () => {
  const report = (passes: number, failures: object[] = [], pending = 0) =>
    JSON.stringify({
      stats: { passes, pending, end: "2026-01-01T00:00:00.000Z" },
      passes: Array.from({ length: passes }, () => ({ file: "out/test/a.test.mjs" })),
      failures,
    });
  const check = (text: string, code: number, expected: [passed: number, failed: number, skipped?: number]) => {
    const { passed, failed, skipped } = resultOf(text, code, "");
    assert.deepEqual([passed, failed, skipped], [...expected, undefined].slice(0, 3));
  };
  const failure = {
    file: "out/host/trusted/code.test.js",
    fullTitle: "code renames",
    err: { message: "no", stack: "no" },
  };

  it("are those of mocha's report, with the source of what failed", () => {
    check(report(12), 0, [12, 0, 0]);
    check(report(12, [failure], 1), 1, [12, 1, 1]);
    const { failures, output, passedIn } = resultOf(report(1, [failure]), 1, "told beside");
    assert.deepEqual(failures, [{ file: "test/host/trusted/code.test.ts", title: "code renames" }]);
    assert.match(output ?? "", /code\.test\.ts: code renames[\s\S]*told beside/);
    assert.deepEqual(passedIn, { "test/a.test.ts": 1 });
  });

  it("hold a failure where the run ended badly, ran nothing or left no report", () => {
    check(report(12), 1, [12, 1, 0]);
    check(report(0), 0, [0, 1, 0]);
    check("", 139, [0, 1]);
  });

  it("hold a failure where the run did not come to its end, whatever code it left", () => {
    const cut = JSON.stringify({ ...JSON.parse(report(12)), stats: { passes: 12, pending: 0 } });
    check(cut, 0, [12, 1, 0]);
    assert.deepEqual([resultOf(cut, 0, "").cut, resultOf(report(12), 0, "").cut], [true, undefined]);
  });

  it("tell of a hook that belongs to no file", () => {
    const { failures } = resultOf(report(1, [{ ...failure, file: undefined }]), 1, "");
    assert.deepEqual(failures, [{ file: "", title: "code renames" }]);
  });

  it("a bundle leads to its source", () => {
    assert.equal(sourceOf("out/test/core/changes/edits/merge.test.mjs"), "test/core/changes/edits/merge.test.ts");
    assert.equal(sourceOf("out/crashes/crashes/killed.test.mjs"), "test/crashes/killed.test.ts");
    assert.equal(sourceOf("out/panel/turn.test.mjs"), "test/panel/turn.test.ts");
  });
});

describe("the pool of parts", () => {
  it("keeps the cores busy and never overbooks them; what is larger than all runs alone", async () => {
    let busy = 0;
    const seen: number[] = [];
    const part = (weight: number): Part => ({
      name: `${weight}`,
      weight,
      run: async () => {
        busy += weight;
        seen.push(busy);
        for (let turns = 0; turns < 5; turns++) await new Promise(resolve => setImmediate(resolve));
        busy -= weight;
        return { passed: 1, failed: 0 };
      },
    });
    const parts = [0.75, 1, 3, 0.75, 0.5, 2, 0.5].map(part);
    const results = await runParts(parts, { cores: 2, tell: quietly });
    assert.equal(results.size, parts.length);
    assert.ok(
      seen.every(each => each <= 2 || each === 3),
      seen.join(),
    );
    assert.ok(seen.filter(each => each > 1).length >= 4, "more than one at a time");
  });
});

describe("the second run", () => {
  const failed = (...files: string[]): Result => ({
    ...{ passed: 5, failed: files.length, failures: files.map(file => ({ file, title: "does it" })) },
    passedIn: Object.fromEntries([...files.map(file => [file, 1]), ["other.test.ts", 3]]),
  });
  const check = async (part: Partial<Part>, first: Result, flaky: string[], expected: [number, number]) => {
    const whole: Part = { name: "host", weight: 1, run: async () => first, ...part };
    const results = new Map([[whole, first]]);
    assert.deepEqual(await runAgain(results, quietly), flaky);
    const { passed, failed } = results.get(whole) ?? {};
    assert.deepEqual([passed, failed], expected);
  };

  it("is of the files that failed; what passes then is flaky, and the run is green", async () => {
    const ran: string[][] = [];
    const again = async (files: string[]) => {
      ran.push(files);
      return { passed: 2, failed: 0 };
    };
    const flaky = ["a.test.ts: does it", "b.test.ts: does it"];
    await check({ again }, failed("a.test.ts", "b.test.ts"), flaky, [5 - 2 + 4, 0]);
    assert.deepEqual(ran, [["a.test.ts"], ["b.test.ts"]], "each by itself");
  });

  it("that fails again leaves it red, and names nothing flaky", () =>
    check({ again: async () => ({ passed: 0, failed: 1 }) }, failed("a.test.ts"), [], [5, 1]));

  it("is of all where nobody knows what failed, or what ran: a VS Code that did not start or did not come to its end", async () => {
    const again = async (files: string[]) => {
      assert.deepEqual(files, []);
      return { passed: 7, failed: 0 };
    };
    await check({ again }, { passed: 0, failed: 1 }, ["host"], [7, 0]);
    await check({ again }, { ...failed("a.test.ts"), cut: true }, ["a.test.ts: does it"], [7, 0]);
    await check({ again }, failed("a.test.ts", ""), ["a.test.ts: does it", "host: does it"], [7, 0]);
  });

  it("is not given to unit tests", () => check({}, failed("a.test.ts"), [], [5, 1]));

  it("of real files: one fails once, one always", async () => {
    const folder = temporaryFolder("parts");
    try {
      const mark = join(folder, "mark");
      const test = (name: string, body: string) => {
        writeFileSync(join(folder, `${name}.test.mjs`), `import fs from "node:fs"; it("${name}", () => { ${body} });`);
        return join(folder, `${name}.test.mjs`);
      };
      const sound = test("sound", "");
      const once = test(
        "once",
        `const s = fs.existsSync("${mark}"); fs.writeFileSync("${mark}", ""); if (!s) throw new Error("late");`,
      );
      const always = test("always", `throw new Error("broken");`);
      // Their names are those of their reports.
      const part = (name: string, ...files: string[]) => mochaPart(name, files, { weight: 1, patient: true });
      const shaky = part("tried, shaky", sound, once);
      const results = await runParts([shaky, part("tried, broken", always)], { tell: quietly });
      const flaky = await runAgain(results, quietly);
      assert.equal(flaky.length, 1);
      assert.match(flaky[0] ?? "", /once\.test\.ts: once$/);
      assert.deepEqual(
        [...results.values()].map(({ passed, failed }) => [passed, failed]),
        [
          [2, 0],
          [0, 1],
        ],
      );
      assert.equal(readFileSync(mark, "utf8"), "");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("soaks", () => {
  it("are found in the tests that name them", () => {
    const text = 'soak("large", () => {}); if (isSoak("looks")) x(); cases(30); cases(a.b, "kills");';
    assert.deepEqual([...soaksOf(text)].sort(), ["kills", "large", "looks", "random"]);
    assert.deepEqual([...soaksOf('it("soaks nothing", () => {}); soak("no-such");')], []);
    assert.ok(Object.keys(soaks).length >= 8);
  });
});
