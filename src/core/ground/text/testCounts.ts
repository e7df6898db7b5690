/**
 * How many tests failed and passed, and how many errors there were, as test runners, compilers and linters sum it up at the end
 * of their output. Their formats are fixed and in no person's language; what none of them matches is not counted.
 */

export interface TestFacts {
  tests?: { failed: number; passed?: number };
  errors?: number;
}

const MAX_LINE = 300;
const HINT = /pass|fail|tests?\b|FAIL|PASS|Failed|Passed|Failures|error|examples?,|Ran |✖/;

interface TestSum {
  failed: number;
  passed: number;
  /** nobody said how many passed */
  isPartial: boolean;
}

type Take = (sum: TestSum, found: RegExpExecArray) => void;

const number = (text: string | undefined) => Number(text ?? 0);

/** "1 failed, 2 passed", "1 failed | 2 passed (3)" */
const addWords: Take = (sum, found) => {
  for (const [, many, word] of (found[1] ?? "").matchAll(/(?<!\d)(\d{1,9}) (passed|failed|errors?)\b/g)) {
    if (word === "passed") sum.passed += number(many);
    else sum.failed += number(many);
  }
};

/** Of a sum that is said once more for each class only the last counts. */
const setOf: Take = (sum, [, all, failures, errors]) => {
  sum.failed = number(failures) + number(errors);
  sum.passed = number(all) - sum.failed;
};

const addOf: Take = (sum, [, all, failed]) => {
  sum.failed += number(failed);
  sum.passed += number(all) - number(failed);
};

const addNamed: Take = (sum, [, first, second, third]) => {
  const [many, word] = /^\d/.test(first ?? "") ? [first, second] : [second, first];
  if (third !== undefined) return;
  if (word?.startsWith("pass")) sum.passed += number(many);
  else sum.failed += number(many);
};

/** By the runner whose line it is. */
const runners: readonly [RegExp, Take][] = [
  // Mocha, Bun, Playwright
  [/^\s+(\d+) (passing|failing|pass|fail|passed|failed)(?: \([^)]*\))?$/, addNamed],
  // Node's, TAP
  [/^(?:#|ℹ) (pass|fail) (\d+)$/, addNamed],
  // Jest, Vitest
  [/^\s*Tests:?\s+(\d+ (?:passed|failed|skipped|todo).*)$/, addWords],
  // pytest
  [/^(?:=+ )?((?:\d+ \w+, )*\d+ (?:passed|failed|errors?)(?:, \d+ \w+)*) in [\d.]+ ?s/, addWords],
  // Cargo
  [
    /^test result: \w+\. (\d+) passed; (\d+) failed;/,
    (sum, [, passed, failed]) => {
      sum.passed += number(passed);
      sum.failed += number(failed);
    },
  ],
  // Maven, PHPUnit
  [/\bTests run: (\d+), Failures: (\d+), Errors: (\d+)(?:, Skipped: \d+)?$/, setOf],
  [/^Tests: (\d+), Assertions: \d+(?:, Failures: (\d+))?(?:, Errors: (\d+))?/, setOf],
  // .NET
  [
    /^(?:Passed|Failed)!\s+-\s+Failed:\s+(\d+), Passed:\s+(\d+)/,
    (sum, [, failed, passed]) => {
      sum.failed += number(failed);
      sum.passed += number(passed);
    },
  ],
  // RSpec
  [/^(\d+) examples?, (\d+) failures?/, addOf],
  // unittest
  [/^Ran (\d+) tests? in [\d.]+s$/, addOf],
  [
    /^FAILED \((?:failures=(\d+))?(?:, )?(?:errors=(\d+))?/,
    (sum, [, failures, errors]) => {
      const failed = number(failures) + number(errors);
      sum.failed += failed;
      sum.passed = Math.max(0, sum.passed - failed);
    },
  ],
  // Go says how many passed only where it names each
  [
    /^--- (FAIL|PASS): /,
    (sum, [, word]) => {
      if (word === "PASS") sum.passed += 1;
      else sum.failed += 1;
      sum.isPartial = sum.passed === 0;
    },
  ],
];

const SUM_OF_ERRORS = [
  /^Found (\d+) errors?\b/,
  /^[✖✘] \d+ problems? \((\d+) errors?/,
  /^error: could not compile .* due to (?:(\d+) )?previous errors?/,
];
const ONE_ERROR = /\berror TS\d+:|^\S[^:]*:\d+:(?:\d+:)? (?:fatal )?error: /;

export class TestCounts {
  private sum: TestSum | undefined;
  private named = 0;
  private summed: number | undefined;

  /** Takes every line of the output, in order. */
  add(line: string): void {
    if (line.length > MAX_LINE || !HINT.test(line)) return;
    for (const [pattern, take] of runners) {
      const found = pattern.exec(line);
      if (!found) continue;
      this.sum ??= { failed: 0, passed: 0, isPartial: false };
      take(this.sum, found);
      return;
    }
    if (ONE_ERROR.test(line)) this.named += 1;
    for (const pattern of SUM_OF_ERRORS) {
      const found = pattern.exec(line);
      if (found) this.summed = (this.summed ?? 0) + Number(found[1] ?? 1);
    }
  }

  get facts(): TestFacts {
    const { sum, named, summed = named } = this;
    const tests = sum && sum.failed + sum.passed > 0 ? sum : undefined;
    return {
      ...(tests && { tests: { failed: tests.failed, ...(!tests.isPartial && { passed: tests.passed }) } }),
      ...(summed > 0 && { errors: summed }),
    };
  }
}
