/** More of them. */
import { clock, folder, lines, noun, pascal, symbol, text, title } from "../kit";
import { among, type Failures, type Program } from "./kit";

const mix: Program = count => ({
  program: "mix test",
  output: text(
    lines(60, n => ".".repeat((n % 40) + 20)),
    lines(count, n => [
      "",
      `  ${n}) test ${title(n * 17)} as no. ${n} (Shop.${pascal(n)}Test)`,
      `     test/shop/${noun(n)}_test.exs:${n * 7}`,
      "     Assertion with == failed",
      `     code:  assert total(cart) == ${n * 9}`,
      `     left:  ${n * 8}`,
      `     right: ${n * 9}`,
      "     stacktrace:",
      `       test/shop/${noun(n)}_test.exs:${n * 7 + 1}: (test)`,
      "",
      ...lines(2, m => ".".repeat(m * 9)),
    ]).flat(),
    "",
    "Finished in 1.4 seconds (1.2s async, 0.2s sync)",
    `440 tests, ${count} failures`,
  ),
  names: lines(count, n => `${title(n * 17)} as no. ${n}`),
});

const minitest: Program = count => ({
  program: "rails test (minitest)",
  output: text(
    `Run options: --seed 4711`,
    "",
    "# Running:",
    "",
    lines(count, n => [
      `${".".repeat(22)}F`,
      "",
      "Failure:",
      `${pascal(n)}Test#test_${symbol(n * 3)}_${n} [test/models/${noun(n)}_test.rb:${n * 7}]:`,
      `Expected: ${n * 9}`,
      `  Actual: ${n * 8}`,
      "",
      `bin/rails test test/models/${noun(n)}_test.rb:${n * 7 - 3}`,
      "",
    ]).flat(),
    "Finished in 2.114s, 208.1 runs/s, 300.2 assertions/s.",
    `460 runs, 700 assertions, ${count} failures, 0 errors, 0 skips`,
  ),
  names: lines(count, n => `test_${symbol(n * 3)}_${n}`),
});

const mypy: Program = count => ({
  program: "mypy",
  output: text(
    lines(
      count,
      n =>
        `app/${folder(n)}/${symbol(n * 3)}_${n}.py:${n * 7}: error: Incompatible types in assignment (expression has type "${pascal(n)}", variable has type "${pascal(n + 2)}")  [assignment]\n    ${symbol(n)} = ${pascal(n)}(${"x".repeat(280)})\n    ^~~~~~~~~~~~~`,
    ),
    `Found ${count} errors in ${count} files (checked 440 source files)`,
  ),
  names: lines(count, n => `app/${folder(n)}/${symbol(n * 3)}_${n}.py`),
});

const karma: Program = count => ({
  program: "karma",
  output: text(
    lines(count, n => [
      `Chrome Headless 120.0.0.0 (Linux 0.0.0): Executed ${n * 22} of 460 SUCCESS (0.${n} secs / 0.${n} secs)`,
      `Chrome Headless 120.0.0.0 (Linux 0.0.0) ${pascal(n)} ${title(n * 17)} as no. ${n} FAILED`,
      `\tError: Expected ${n * 8} to be ${n * 9}.`,
      `\t    at <Jasmine>`,
      `\t    at UserContext.apply (src/app/${folder(n)}/${noun(n)}.component.spec.ts:${n * 7}:19)`,
      `\t    at _ZoneDelegate.invoke (node_modules/zone.js/fesm2015/zone.js:368:28)`,
      `\t    at ProxyZoneSpec.onInvoke (node_modules/zone.js/fesm2015/zone-testing.js:273:39)`,
    ]).flat(),
    lines(90, n => `chunk ${n} ${symbol(n)}.js ${n} kB`),
    `Chrome Headless 120.0.0.0 (Linux 0.0.0): Executed 460 of 460 (${count} FAILED) (2.1 secs / 1.9 secs)`,
    `TOTAL: ${count} FAILED, 440 SUCCESS`,
  ),
  names: lines(count, n => `${title(n * 17)} as no. ${n}`),
});

const flutter: Program = count => ({
  program: "flutter test",
  output: text(
    among(
      count,
      n => `00:${10 + (n % 50)} +${n}: /home/dev/app/test/${folder(n)}_test.dart: ${title(n)}`,
      n => [
        `00:31 +${n * 22} -${n}: /home/dev/app/test/${folder(n)}_test.dart: ${title(n * 17)} as no. ${n} [E]`,
        `  Expected: <${n * 9}>`,
        `    Actual: <${n * 8}>`,
        "  package:matcher                                     expect",
        `  test/${folder(n)}_test.dart ${n * 7}:5                         main.<fn>`,
      ],
    ),
    `${clock(3)} +440 -${count}: Some tests failed.`,
  ),
  names: lines(count, n => `${title(n * 17)} as no. ${n}`),
});

export const more = (count: number): Failures[] => [mix, minitest, mypy, karma, flutter].map(program => program(count));
