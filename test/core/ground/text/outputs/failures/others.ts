/** Runs of programs that nobody asked for by name. */
import { folder, lines, noun, pascal, symbol, text, title } from "../kit";
import { among, type Failures, type Program, step } from "./kit";

const gtest: Program = count => ({
  program: "GoogleTest",
  output: text(
    `[==========] Running ${count * step} tests from 20 test suites.`,
    among(
      count,
      n => `[       OK ] ${pascal(n)}Test.${pascal(n + 1)} (0 ms)`,
      n => [
        `[ RUN      ] ${pascal(n)}Test.${pascal(n * 3)}Of${n}`,
        `/home/dev/net/test/${noun(n)}_test.cc:${n * 7}: Failure`,
        "Expected equality of these values:",
        `  total`,
        `    Which is: ${n * 8}`,
        `  ${n * 9}`,
        `[  FAILED  ] ${pascal(n)}Test.${pascal(n * 3)}Of${n} (0 ms)`,
      ],
    ),
    `[  PASSED  ] 440 tests.`,
    `[  FAILED  ] ${count} tests, listed below:`,
    lines(count, n => `[  FAILED  ] ${pascal(n)}Test.${pascal(n * 3)}Of${n}`),
    "",
    ` ${count} FAILED TESTS`,
  ),
  names: lines(count, n => `${pascal(n)}Test.${pascal(n * 3)}Of${n}`),
});

const nodeTest: Program = count => ({
  program: "node --test",
  output: text(
    among(
      count,
      n => `✔ ${title(n)} (${n % 40}.12ms)`,
      n => [`✖ ${title(n * 17)} as no. ${n} (1.${n}21ms)`],
    ),
    `ℹ tests ${count * step}`,
    `ℹ pass ${count * 22}`,
    `ℹ fail ${count}`,
    "ℹ duration_ms 1204.12",
    "",
    "✖ failing tests:",
    "",
    lines(count, n => [
      `test at test/${folder(n)}/${noun(n)}.test.js:${n * 7}:1`,
      `✖ ${title(n * 17)} as no. ${n} (1.${n}21ms)`,
      "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
      "  ",
      `  ${n * 8} !== ${n * 9}`,
      "  ",
      `      at TestContext.<anonymous> (file:///home/dev/shop/test/${folder(n)}/${noun(n)}.test.js:${n * 7}:10)`,
      "      at Test.runInAsyncScope (node:async_hooks:211:14) {",
      "    generatedMessage: true,",
      "    code: 'ERR_ASSERTION',",
      `    actual: ${n * 8},`,
      `    expected: ${n * 9},`,
      "    operator: 'strictEqual'",
      "  }",
      "",
    ]).flat(),
  ),
  names: lines(count, n => `${title(n * 17)} as no. ${n}`),
});

const tap: Program = count => ({
  program: "TAP (bats, prove)",
  output: text(
    `1..${count * step}`,
    among(
      count,
      n => `ok ${n} - ${title(n)}`,
      n => [
        `not ok ${n * step} - ${title(n * 17)} as no. ${n}`,
        `# (in test file test/${folder(n)}.bats, line ${n * 7})`,
        `#   \`[ "$output" = "${n * 9}" ]' failed`,
      ],
    ),
  ),
  names: lines(count, n => `${title(n * 17)} as no. ${n}`),
});

const unittest: Program = count => ({
  program: "python -m unittest",
  output: text(
    among(
      count,
      n => `test_${noun(n)}_${n} (tests.test_${folder(n)}.${pascal(n)}.test_${noun(n)}_${n}) ... ok`,
      n => [
        `test_${symbol(n * 3)}_${n} (tests.test_${folder(n)}.${pascal(n)}.test_${symbol(n * 3)}_${n}) ... ${n % 4 === 0 ? "ERROR" : "FAIL"}`,
      ],
    ),
    "",
    lines(count, n => [
      "======================================================================",
      `${n % 4 === 0 ? "ERROR" : "FAIL"}: test_${symbol(n * 3)}_${n} (tests.test_${folder(n)}.${pascal(n)}.test_${symbol(n * 3)}_${n})`,
      "----------------------------------------------------------------------",
      "Traceback (most recent call last):",
      `  File "/home/dev/shop/tests/test_${folder(n)}.py", line ${n * 7}, in test_${symbol(n * 3)}_${n}`,
      `    self.assertEqual(total, ${n * 9})`,
      `AssertionError: ${n * 8} != ${n * 9}`,
      "",
    ]).flat(),
    "----------------------------------------------------------------------",
    `Ran ${count * step} tests in 2.114s`,
    "",
    `FAILED (failures=${count - 5}, errors=5)`,
  ),
  names: lines(count, n => `test_${symbol(n * 3)}_${n}`),
});

const bun: Program = count => ({
  program: "bun test",
  output: text(
    "bun test v1.2.4 (fd9a5ea6)",
    lines(count, n => [
      "",
      `src/${folder(n)}/${noun(n)}-${n}.test.ts:`,
      ...lines(9, m => `(pass) ${pascal(n)} > ${title(n * 9 + m)} [0.${m}2ms]`),
      `${n * 7 - 1} |   const cart = fill();`,
      `${n * 7} |   expect(cart.total).toBe(${n * 9});`,
      "                        ^",
      "error: expect(received).toBe(expected)",
      "",
      `Expected: ${n * 9}`,
      `Received: ${n * 8}`,
      "",
      `      at <anonymous> (/home/dev/shop/src/${folder(n)}/${noun(n)}-${n}.test.ts:${n * 7}:22)`,
      `(fail) ${pascal(n)} > ${title(n * 17)} as no. ${n} [1.23ms]`,
    ]).flat(),
    "",
    ` ${count * 9} pass`,
    ` ${count} fail`,
  ),
  names: lines(count, n => `${title(n * 17)} as no. ${n}`),
});

const cargoName = (n: number) => `${folder(n)}::tests::${noun(n * 3)}_${folder(n + 2)}_${n}`;

const nextest: Program = count => ({
  program: "cargo nextest",
  output: text(
    among(
      count,
      n => `        PASS [   0.0${n % 90}s] (${n}/460) shop ${folder(n)}::tests::${noun(n)}_${n + 100}`,
      n => [
        `        FAIL [   0.012s] (${n * step}/460) shop ${cargoName(n)}`,
        `  stdout ───`,
        "",
        `    running 1 test`,
        `    test ${cargoName(n)} ... FAILED`,
        "",
        `  stderr ───`,
        "",
        `    thread '${cargoName(n)}' panicked at src/${folder(n)}.rs:${n * 7}:9:`,
        "    assertion `left == right` failed",
        `      left: ${n * 8}`,
        `     right: ${n * 9}`,
        "",
      ],
    ),
    "────────────",
    `     Summary [   2.012s] 460 tests run: 440 passed, ${count} failed, 0 skipped`,
    lines(count, n => `        FAIL [   0.012s] (${n * step}/460) shop ${cargoName(n)}`),
    "error: test run failed",
  ),
  names: lines(count, cargoName),
});

const playwright: Program = count => ({
  program: "playwright",
  output: text(
    among(
      count,
      n => `  ✓  ${n} [chromium] › ${folder(n)}.spec.ts:${n}:1 › ${title(n)} (${n}ms)`,
      n => [`  ✘  ${n * step} [chromium] › ${folder(n)}.spec.ts:${n * 7}:1 › ${title(n * 17)} as no. ${n} (5.0s)`],
    ),
    "",
    lines(count, n => [
      `  ${n}) [chromium] › ${folder(n)}.spec.ts:${n * 7}:1 › ${title(n * 17)} as no. ${n} ──────────────────`,
      "",
      "    Error: expect(locator).toHaveText(expected) failed",
      "",
      `    Expected string: "${n * 9}"`,
      `    Received string: "${n * 8}"`,
      "    Timeout: 5000ms",
      "",
      `      12 |   await page.goto('/${folder(n)}');`,
      `    > 14 |   await expect(page.getByRole('status')).toHaveText('${n * 9}');`,
      "         |                                          ^",
      `        at /home/dev/shop/tests/${folder(n)}.spec.ts:${n * 7}:42`,
      "",
    ]).flat(),
    `  ${count} failed`,
    lines(count, n => `    [chromium] › ${folder(n)}.spec.ts:${n * 7}:1 › ${title(n * 17)} as no. ${n} ──────────`),
    "  440 passed (41.2s)",
  ),
  names: lines(count, n => `${title(n * 17)} as no. ${n}`),
});

const bazel: Program = count => ({
  program: "bazel test",
  output: text(
    among(
      count,
      n => `//${folder(n)}/${noun(n)}:${symbol(n)}_test${" ".repeat(20)}(cached) PASSED in ${n % 9}.1s`,
      n => [
        `//${folder(n)}/${noun(n)}:${symbol(n * 3)}_${n}_test${" ".repeat(20)}FAILED in 2.3s`,
        `  /home/dev/.cache/bazel/testlogs/${folder(n)}/${noun(n)}/${symbol(n * 3)}_${n}_test/test.log`,
      ],
    ),
    "",
    `Executed 460 out of 460 tests: 440 tests pass and ${count} fail locally.`,
  ),
  names: lines(count, n => `${symbol(n * 3)}_${n}_test`),
});

const sbt: Program = count => ({
  program: "ScalaTest",
  output: text(
    lines(count, n => [
      `[info] ${pascal(n)}Spec:`,
      ...lines(9, m => `[info] - should have ${title(n * 9 + m)}`),
      `[info] - should have ${title(n * 17)} as no. ${n} *** FAILED ***`,
      `[info]   ${n * 8} did not equal ${n * 9} (${pascal(n)}Spec.scala:${n * 7})`,
    ]).flat(),
    `[info] Tests: succeeded 180, failed ${count}, canceled 0, ignored 0, pending 0`,
    `[info] *** ${count} TESTS FAILED ***`,
    "[error] Failed tests:",
    lines(count, n => `[error] \tcom.acme.${folder(n)}.${pascal(n)}Spec`),
    "[error] (Test / test) sbt.TestsFailedException: Tests unsuccessful",
  ),
  names: lines(count, n => `${title(n * 17)} as no. ${n}`),
});

const xctest: Program = count => ({
  program: "swift test",
  output: text(
    among(
      count,
      n => `Test Case '${pascal(n)}Tests.test${pascal(n + 1)}' passed (0.00${n % 9} seconds)`,
      n => [
        `/Users/dev/Shop/Tests/ShopTests/${pascal(n)}Tests.swift:${n * 7}: error: ${pascal(n)}Tests.test${pascal(n * 3)}Of${n} : XCTAssertEqual failed: ("${n * 8}") is not equal to ("${n * 9}")`,
        `Test Case '${pascal(n)}Tests.test${pascal(n * 3)}Of${n}' failed (0.012 seconds)`,
      ],
    ),
    `Executed ${count * step} tests, with ${count} failures (0 unexpected) in 2.114 (2.114) seconds`,
  ),
  names: lines(count, n => `test${pascal(n * 3)}Of${n}`),
});

export const others = (count: number): Failures[] =>
  [gtest, nodeTest, tap, unittest, bun, nextest, playwright, bazel, sbt, xctest].map(program => program(count));
