/** Runs of JavaScript and Python. */
import { folder, lines, noun, pascal, text, title } from "../kit";
import { among, type Failures, type Program, step } from "./kit";

const mocha: Program = count => ({
  program: "mocha",
  output: text(
    lines(count, n => [
      `  ${pascal(n)}`,
      ...lines(11, m => `    ✔ ${title(n * 12 + m)}`),
      `    ${n}) ${title(n * 17)} (${n})`,
      "",
    ]).flat(),
    `  ${count * 11} passing (4s)`,
    `  ${count} failing`,
    "",
    lines(count, n => [
      `  ${n}) ${pascal(n)}`,
      `       ${title(n * 17)} (${n}):`,
      "",
      `      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:`,
      "",
      `${n * 3} !== ${n * 4}`,
      "",
      "      + expected - actual",
      "",
      `      -${n * 3}`,
      `      +${n * 4}`,
      "      ",
      `      at Context.<anonymous> (test/${folder(n)}/${noun(n)}.test.js:${n * 5}:12)`,
      "      at process.processImmediate (node:internal/timers:483:21)",
      "",
    ]).flat(),
  ),
  names: lines(count, n => `${title(n * 17)} (${n})`),
});

const jestBlock = (n: number) => [
  `FAIL src/${folder(n)}/${noun(n)}-${n}.test.ts (5.${n} s)`,
  `  ● ${pascal(n)} › ${title(n * 17)} no. ${n}`,
  "",
  "    expect(received).toBe(expected) // Object.is equality",
  "",
  `    Expected: ${n * 9}`,
  `    Received: ${n * 8}`,
  "",
  "      39 |   const cart = fill();",
  "      40 |   cart.apply(tenPercent);",
  `    > 41 |   expect(cart.${noun(n)}).toBe(${n * 9});`,
  "         |                      ^",
  "      42 | });",
  "",
  `      at Object.toBe (src/${folder(n)}/${noun(n)}-${n}.test.ts:41:22)`,
  "",
];

const jest: Program = count => ({
  program: "jest",
  output: text(
    among(count, n => `PASS src/${folder(n)}/${noun(n)}-${n + 100}.test.ts`, jestBlock),
    "Summary of all failing tests",
    lines(count, jestBlock).flat(),
    "",
    `Test Suites: ${count} failed, 440 passed, 460 total`,
    `Tests:       ${count} failed, 2411 passed, 2431 total`,
    "Snapshots:   0 total",
    "Time:        38.114 s",
    "Ran all test suites.",
  ),
  names: lines(count, n => `${title(n * 17)} no. ${n}`),
});

const vitest: Program = count => ({
  program: "vitest",
  output: text(
    " RUN  v3.2.4 /home/dev/shop",
    "",
    among(
      count,
      n => ` ✓ src/${folder(n)}/${noun(n)}-${n + 100}.test.ts (${(n % 17) + 1} tests) ${n % 200}ms`,
      n => [
        ` ❯ src/${folder(n)}/${noun(n)}-${n}.test.ts (6 tests | 1 failed) 41ms`,
        `   ✓ ${noun(n)} > ${title(n * 3)} 2ms`,
        `   × ${noun(n)} > ${title(n * 17)} no. ${n} 12ms`,
        `     → expected ${n * 8} to be ${n * 9} // Object.is equality`,
      ],
    ),
    "",
    `⎯⎯⎯⎯⎯⎯⎯ Failed Tests ${count} ⎯⎯⎯⎯⎯⎯⎯`,
    "",
    lines(count, n => [
      ` FAIL  src/${folder(n)}/${noun(n)}-${n}.test.ts > ${noun(n)} > ${title(n * 17)} no. ${n}`,
      `AssertionError: expected ${n * 8} to be ${n * 9} // Object.is equality`,
      "",
      "- Expected",
      "+ Received",
      "",
      `- ${n * 9}`,
      `+ ${n * 8}`,
      "",
      ` ❯ src/${folder(n)}/${noun(n)}-${n}.test.ts:41:22`,
      "     39|   const cart = fill();",
      "     40|   cart.apply(tenPercent);",
      `     41|   expect(cart.total).toBe(${n * 9});`,
      "       |                      ^",
      "     42| });",
      "",
      `⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[${n}/${count}]⎯`,
      "",
    ]).flat(),
    ` Test Files  ${count} failed | 440 passed (460)`,
    `      Tests  ${count} failed | 2411 passed (2431)`,
    "   Start at  14:03:27",
    "   Duration  21.41s (transform 9.1s, setup 0ms, collect 30.2s, tests 18.4s)",
  ),
  names: lines(count, n => `${title(n * 17)} no. ${n}`),
});

const pytestName = (n: number) => `tests/${folder(n)}/test_${noun(n)}.py::Test${pascal(n)}::test_${noun(n * 3)}_${n}`;

const pytest: Program = count => ({
  program: "pytest",
  output: text(
    "============================= test session starts ==============================",
    "platform linux -- Python 3.12.4, pytest-8.3.3, pluggy-1.5.0",
    "rootdir: /home/dev/shop",
    `collected ${count * step} items`,
    "",
    lines(60, n => `tests/${folder(n)}/test_${noun(n)}.py ${"....F...".repeat((n % 4) + 1)} [${n}%]`),
    "",
    "=================================== FAILURES ===================================",
    lines(count, n => [
      `________________________ Test${pascal(n)}.test_${noun(n * 3)}_${n} ________________________`,
      "",
      `self = <tests.${folder(n)}.test_${noun(n)}.Test${pascal(n)} object at 0x7f3a9c1d${n + 1000}>`,
      "",
      `    def test_${noun(n * 3)}_${n}(self):`,
      `        invoice = Invoice(lines=[Line('0.${n}')])`,
      `>       assert invoice.total() == Decimal('0.${n + 1}')`,
      `E       AssertionError: assert Decimal('0.${n}') == Decimal('0.${n + 1}')`,
      `E        +  where Decimal('0.${n}') = total()`,
      "",
      `tests/${folder(n)}/test_${noun(n)}.py:${n * 7}: AssertionError`,
    ]).flat(),
    "=========================== short test summary info ============================",
    lines(count, n => `FAILED ${pytestName(n)} - AssertionError: assert Decimal('0.${n}') == Decimal('0.${n + 1}')`),
    `======================= ${count} failed, 440 passed in 41.22s ========================`,
  ),
  names: lines(count, pytestName),
});

export const scripts = (count: number): Failures[] => [mocha, jest, vitest, pytest].map(program => program(count));
