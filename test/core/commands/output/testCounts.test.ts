/** What runners, compilers and linters sum up, in lines as they print them. */
import assert from "node:assert/strict";
import { lineSigns } from "../../../../src/core/commands/output/lineRank";
import { TestCounts, type TestFacts } from "../../../../src/core/commands/output/testCounts";

function counted(...lines: string[]): TestFacts {
  const counts = new TestCounts();
  for (const line of lines) counts.add(line, lineSigns.in(line));
  return counts.facts;
}

const tests = (failed: number, passed?: number) => ({
  tests: { failed, ...(passed === undefined ? {} : { passed }) },
});

describe("how many tests failed and passed", () => {
  const cases: [runner: string, lines: string[], facts: TestFacts][] = [
    ["Mocha", ["  invoice", "    ✔ adds its lines", "  2 passing (12ms)", "  1 failing"], tests(1, 2)],
    ["Node", ["ℹ tests 3", "ℹ pass 2", "ℹ fail 1", "ℹ cancelled 0"], tests(1, 2)],
    ["TAP", ["not ok 1 - totals", "# tests 2", "# pass 1", "# fail 1"], tests(1, 1)],
    ["Jest", ["Test Suites: 1 failed, 1 total", "Tests:       1 failed, 1 skipped, 2 passed, 4 total"], tests(1, 2)],
    ["Vitest", [" Test Files  1 failed (1)", "      Tests  1 failed | 2 passed (3)"], tests(1, 2)],
    ["pytest", ["==== 1 failed, 2 passed, 1 warning in 0.12s ===="], tests(1, 2)],
    ["pytest -q", ["1 failed, 2 passed in 0.12s"], tests(1, 2)],
    [
      "Cargo",
      ["test result: ok. 3 passed; 0 failed; 0 ignored", "test result: FAILED. 2 passed; 1 failed; 0 ignored"],
      tests(1, 5),
    ],
    [
      "Maven",
      [
        "Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 1 s",
        "Tests run: 3, Failures: 1, Errors: 0, Skipped: 0",
      ],
      tests(1, 2),
    ],
    ["PHPUnit", ["Tests: 5, Assertions: 7, Failures: 2."], tests(2, 3)],
    [".NET", ["Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3"], tests(1, 2)],
    ["RSpec", ["3 examples, 1 failure"], tests(1, 2)],
    ["unittest", ["Ran 3 tests in 0.001s", "FAILED (failures=1)"], tests(1, 2)],
    ["Go -v", ["--- PASS: TestAdd (0.00s)", "--- FAIL: TestSub (0.00s)"], tests(1, 1)],
    ["Go", ["--- FAIL: TestSub (0.00s)", "FAIL", "ok  \tpkg/b\t0.1s"], tests(1)],
    ["Bun", [" 2 pass", " 1 fail"], tests(1, 2)],
    ["Playwright", ["  1 failed", "    a.spec.ts:3:1 › totals", "  2 passed (3.4s)"], tests(1, 2)],
    ["tsc", ["a.ts(3,5): error TS2304: x", "a.ts(4,5): error TS2304: y"], { errors: 2 }],
    ["tsc, pretty", ["a.ts:3:5 - error TS2304: x", "Found 1 error in a.ts:3"], { errors: 1 }],
    ["ESLint", ["✖ 3 problems (2 errors, 1 warning)"], { errors: 2 }],
    ["rustc", ['error: could not compile `a` (bin "a") due to 3 previous errors'], { errors: 3 }],
    ["gcc", ["main.c:3:5: error: expected ';'"], { errors: 1 }],
    [
      "nothing of the kind",
      ["1 file changed, 2 insertions(+)", "passed the salt, failed the exam", "Found 3 matches"],
      {},
    ],
  ];
  for (const [runner, lines, facts] of cases) it(runner, () => assert.deepEqual(counted(...lines), facts));

  it("a line of a million characters is none of these", () =>
    assert.deepEqual(counted(`${" ".repeat(1_000_000)}1 failing`, "1 passed ".repeat(100_000)), {}));
});
