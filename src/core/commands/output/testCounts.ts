/**
 * How many tests failed and passed, and how many errors there were, as test runners, compilers and linters sum it up at the end
 * of their output. Their formats are fixed and in no person's language; what none of them matches is not counted.
 */
import { SIGN } from "./lineRank";

export interface TestFacts {
  tests?: { failed: number; passed?: number };
  errors?: number;
}

const MAX_LINE = 300;

/** A line with `all` sums up what other lines may have counted; the others are added. */
const RUNNERS: readonly RegExp[] = [
  // Mocha, Bun, Playwright; Node, TAP
  /^\s+(?<passed>\d+) (?:passing|pass|passed)(?: \([^)]*\))?$/,
  /^\s+(?<failed>\d+) (?:failing|fail|failed)(?: \([^)]*\))?$/,
  /^[#ℹ] (?:pass (?<passed>\d+)|fail (?<failed>\d+))$/,
  // Jest, Vitest, pytest
  /^\s*Tests:?\s+(?:(?<failed>\d{1,9}) failed\W+)?(?:\d+ skipped\W+)?(?:\d+ todo\W+)?(?<passed>\d{1,9}) passed/,
  /^\s*Tests:?\s+(?<failed>\d{1,9}) failed/,
  /^(?:=+ )?(?:(?<failed>\d{1,9}) failed, )?(?<passed>\d{1,9}) passed(?:, \d+ (?!errors?)\w+)*(?:, (?<errors>\d{1,9}) errors?)? in [\d.]+ ?s/,
  /^(?:=+ )?(?:(?<failed>\d{1,9}) failed(?:, \d+ (?!errors?)\w+)*)?(?:,? ?(?<errors>\d{1,9}) errors?)? in [\d.]+ ?s/,
  // Cargo, .NET
  /^test result: \w+\. (?<passed>\d+) passed; (?<failed>\d+) failed;/,
  /^(?:Passed|Failed)!\s+-\s+Failed:\s+(?<failed>\d+), Passed:\s+(?<passed>\d+)/,
  // Maven, PHPUnit, RSpec, unittest
  /\bTests run: (?<all>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+)(?:, Skipped: \d+)?$/,
  /^Tests: (?<all>\d+), Assertions: \d+(?:, Failures: (?<failed>\d+))?(?:, Errors: (?<errors>\d+))?/,
  /^(?<all>\d+) examples?, (?<failed>\d+) failures?/,
  /^Ran (?<all>\d+) tests? in [\d.]+s$/,
  /^FAILED \((?:failures=(?<failed>\d+))?(?:, )?(?:errors=(?<errors>\d+))?/,
];
/** Go says how many passed only where it names each. */
const GO = /^--- (FAIL|PASS): /;

const SUM_OF_ERRORS =
  /^Found (\d+) errors?\b|^[✖✘] \d+ problems? \((\d+) errors?|^error: could not compile .* due to (?:(\d+) )?previous errors?/;
const ONE_ERROR = /\berror TS\d+:|^\S[^:]*:\d+:(?:\d+:)? (?:fatal )?error: /;

export class TestCounts {
  private failed = 0;
  private passed: number | undefined;
  /** those that passed are among these, which a line counted that says of none whether it failed */
  private isOfAll = false;
  private named = 0;
  private summed: number | undefined;

  /** Takes every line of the output, in order. @param may as `lineRank` */
  add(line: string, may: number): void {
    if ((may & SIGN.count) === 0 || line.length > MAX_LINE) return;
    const [, go] = GO.exec(line) ?? [];
    if (go === "FAIL") this.failed += 1;
    else if (go === "PASS") this.passed = (this.passed ?? 0) + 1;
    const groups = RUNNERS.find(runner => runner.test(line))?.exec(line)?.groups;
    if (groups) this.take(groups);
    else if (ONE_ERROR.test(line)) this.named += 1;
    const found = groups ? null : SUM_OF_ERRORS.exec(line);
    if (found) this.summed = (this.summed ?? 0) + Number(found[1] ?? found[2] ?? found[3] ?? 1);
  }

  get facts(): TestFacts {
    const { failed, passed, named, summed = named } = this;
    return {
      ...(failed + (passed ?? 0) > 0 && { tests: { failed, ...(passed !== undefined && { passed }) } }),
      ...(summed > 0 && { errors: summed }),
    };
  }

  private take({ all, passed = "0", failed = "0", errors = "0" }: Record<string, string | undefined>): void {
    const wrong = Number(failed) + Number(errors);
    if (all !== undefined) {
      this.failed = wrong;
      this.passed = Number(all) - wrong;
      this.isOfAll = true;
    } else {
      this.failed += wrong;
      this.passed = Math.max(0, (this.passed ?? 0) + Number(passed) - (this.isOfAll ? wrong : 0));
    }
  }
}
