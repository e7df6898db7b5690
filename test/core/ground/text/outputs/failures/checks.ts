/** Compilers and linters, Ruby and PHP. */
import { file, folder, lines, noun, pascal, symbol, text, title, upper } from "../kit";
import type { Failures, Program } from "./kit";

const tscFile = (n: number) => `packages/${folder(n)}/src/${noun(n)}/${symbol(n * 3)}-${n}.ts`;

const tsc: Program = count => ({
  program: "tsc",
  output: text(
    lines(220, n => `@acme/${folder(n)}-${n}:build: cache hit, replaying logs ${n}`),
    lines(
      count,
      n =>
        `${tscFile(n)}(${n * 3},${(n % 40) + 5}): error TS2322: Type '${pascal(n)}' is not assignable to type '${pascal(n + 5)}'.`,
    ),
    lines(120, n => `@acme/${folder(n)}-${n}:lint: cache hit, replaying logs ${n}`),
    " ELIFECYCLE  Command failed with exit code 2.",
  ),
  names: lines(count, tscFile),
});

const prettyTsc: Program = count => ({
  program: "tsc --pretty",
  output: text(
    lines(count, n => [
      `${tscFile(n)}:${n * 3}:${(n % 40) + 5} - error TS2322: Type '${pascal(n)}' is not assignable to type '${pascal(n + 5)}'.`,
      `  Property '${noun(n)}' is missing in type '${pascal(n)}' but required in type '${pascal(n + 5)}'.`,
      "",
      `${n * 3}   const ${symbol(n)}: ${pascal(n + 5)} = make${pascal(n)}();`,
      "          ~~~~~~~~~~~~",
      "",
      `  packages/${folder(n)}/src/types.ts:${n}:3`,
      `    ${n}   ${noun(n)}: string;`,
      "        ~~~~~~~~",
      `    '${noun(n)}' is declared here.`,
      "",
    ]).flat(),
    "",
    `Found ${count} errors in ${count} files.`,
    "",
    "Errors  Files",
    lines(count, n => `     1  ${tscFile(n)}:${n * 3}`),
  ),
  names: lines(count, tscFile),
});

const eslint: Program = count => ({
  program: "eslint",
  output: text(
    "",
    lines(count, n => [
      ...lines(3, m => [
        `/home/dev/shop/${file(n * 5 + m, "tsx")}`,
        ...lines(3, k => `  ${String(n * k).padStart(3)}:${k + 4}   warning  Unexpected console statement  no-console`),
        "",
      ]).flat(),
      `/home/dev/shop/src/${folder(n)}/${symbol(n * 3)}-${n}.tsx`,
      "   12:5   warning  Unexpected console statement  no-console",
      `   57:18  error    '${symbol(n)}' is not defined  no-undef`,
      "",
    ]).flat(),
    `✖ 242 problems (${count} errors, 222 warnings)`,
    "",
  ),
  names: lines(count, n => `src/${folder(n)}/${symbol(n * 3)}-${n}.tsx`),
});

const biome: Program = count => ({
  program: "biome",
  output: text(
    lines(count, n => [
      `src/${folder(n)}/${symbol(n * 3)}-${n}.ts:${n * 3}:7 lint/correctness/noUnusedVariables  FIXABLE  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━`,
      "",
      `  ✖ This variable ${symbol(n)} is unused.`,
      "  ",
      `    ${n * 3 - 1} │ export function ${symbol(n + 1)}() {`,
      `  > ${n * 3} │   const ${symbol(n)} = 1;`,
      "       │         ^^^^^^^^^^^^",
      `    ${n * 3 + 1} │   return 2;`,
      "  ",
      "  ℹ Unused variables are often the result of an incomplete refactoring, typos, or other sources of bugs.",
      "  ",
      "",
    ]).flat(),
    "Checked 440 files in 212ms. No fixes applied.",
    `Found ${count} errors.`,
    "check ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
    "",
    "  ✖ Some errors were emitted while running checks.",
    "",
  ),
  names: lines(count, n => `src/${folder(n)}/${symbol(n * 3)}-${n}.ts`),
});

const rspec: Program = count => ({
  program: "rspec",
  output: text(
    lines(count, n => [
      "",
      pascal(n),
      ...lines(9, m => `  ${title(n * 12 + m)}`),
      `  ${title(n * 17)} at ${n} (FAILED - ${n})`,
    ]).flat(),
    "",
    "Failures:",
    "",
    lines(count, n => [
      `  ${n}) ${pascal(n)} ${title(n * 17)} at ${n}`,
      `     Failure/Error: expect(${noun(n)}.total).to eq(${n * 9})`,
      "     ",
      `       expected: ${n * 9}`,
      `            got: ${n * 8}`,
      "     ",
      "       (compared using ==)",
      `     # ./spec/${folder(n)}/${noun(n)}_spec.rb:${n * 7}:in \`block (2 levels) in <top (required)>'`,
      "",
    ]).flat(),
    "Finished in 8.21 seconds (files took 1.9 seconds to load)",
    `440 examples, ${count} failures`,
    "",
    "Failed examples:",
    "",
    lines(
      count,
      n => `rspec ./spec/${folder(n)}/${noun(n)}_spec.rb:${n * 7 - 2} # ${pascal(n)} ${title(n * 17)} at ${n}`,
    ),
    "",
    "Coverage report generated for RSpec to /home/dev/shop/coverage. 8123 / 9001 LOC (90.24%) covered.",
    lines(45, n => `  ${file(n, "rb", "app")} ${80 + (n % 20)}.0%`),
  ),
  names: lines(count, n => `${title(n * 17)} at ${n}`),
});

const phpunitName = (n: number) => `Tests\\Unit\\${upper(folder(n))}\\${pascal(n)}Test::test${pascal(n * 3)}Of${n}`;

const phpunit: Program = count => ({
  program: "PHPUnit",
  output: text(
    "PHPUnit 11.4.1 by Sebastian Bergmann and contributors.",
    "",
    "Runtime:       PHP 8.3.12",
    "Configuration: /home/dev/shop/phpunit.xml",
    "",
    lines(30, n => `${".....F".repeat(10)}.  ${n * 61} / 1830 (${String(n * 3).padStart(3)}%)`),
    "",
    "Time: 00:12.418, Memory: 64.00 MB",
    "",
    `There were ${count} failures:`,
    "",
    lines(count, n => [
      `${n}) ${phpunitName(n)}`,
      `Failed asserting that ${n * 8}.0 matches expected ${n * 9}.0.`,
      "",
      `/home/dev/shop/tests/Unit/${upper(folder(n))}/${pascal(n)}Test.php:${n * 7}`,
      "/home/dev/shop/vendor/phpunit/phpunit/src/Framework/TestCase.php:1185",
      "/home/dev/shop/vendor/phpunit/phpunit/src/Framework/TestSuite.php:369",
      "/home/dev/shop/vendor/phpunit/phpunit/src/TextUI/TestRunner.php:64",
      "/home/dev/shop/vendor/phpunit/phpunit/src/TextUI/Application.php:210",
      "",
    ]).flat(),
    "FAILURES!",
    `Tests: 1830, Assertions: 2411, Failures: ${count}.`,
  ),
  names: lines(count, n => `${pascal(n)}Test::test${pascal(n * 3)}Of${n}`),
});

const testdox: Program = count => ({
  program: "PHPUnit --testdox",
  output: text(
    "PHPUnit 11.4.1 by Sebastian Bergmann and contributors.",
    "",
    lines(count, n => [
      `${pascal(n)} (Tests\\Unit\\${upper(folder(n))}\\${pascal(n)})`,
      ...lines(9, m => ` ✔ ${upper(title(n * 9 + m))}  ${m} ms`),
      ` ✘ ${upper(title(n * 17))} of ${n}`,
      "   │",
      `   │ Failed asserting that ${n * 8}.0 matches expected ${n * 9}.0.`,
      "   │",
      `   │ /home/dev/shop/tests/Unit/${upper(folder(n))}/${pascal(n)}Test.php:${n * 7}`,
      "   │",
      "",
    ]).flat(),
    "Time: 00:12.418, Memory: 64.00 MB",
    "",
    "FAILURES!",
    `Tests: 902, Assertions: 2411, Failures: ${count}.`,
  ),
  names: lines(count, n => `${upper(title(n * 17))} of ${n}`),
});

export const checks = (count: number): Failures[] =>
  [tsc, prettyTsc, eslint, biome, rspec, phpunit, testdox].map(program => program(count));
