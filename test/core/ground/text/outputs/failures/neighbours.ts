/** The same programs called in other ways, and what compilers refuse. */
import { folder, lines, noun, pascal, symbol, text, title } from "../kit";
import { builds } from "./builds";
import type { Failures } from "./kit";
import { scripts } from "./scripts";

const calm = lines(200, n => `npm info run step ${n} done in ${n} ms, and the next one begins behind it`);

const made = (program: string, count: number, each: (n: number) => readonly string[], name: (n: number) => string) => ({
  program,
  output: text(calm, lines(count, each).flat(), "that was all"),
  names: lines(count, name),
});

/** Without the lines that match. */
function without(list: readonly Failures[], program: string, lines: RegExp): Failures[] {
  const found = list.filter(run => run.program === program);
  return found.map(({ output, names }) => ({
    program: `${program} without ${lines.source}`,
    output: text(output.split("\n").filter(line => !lines.test(line))),
    names,
  }));
}

const compilers = (count: number): Failures[] => [
  made(
    "gcc",
    count,
    n => [
      `src/${noun(n)}_${n}.c: In function 'f':`,
      `src/${noun(n)}_${n}.c:${n}:15: error: '${symbol(n)}' undeclared (first use in this function)`,
      `  ${n} |  ${symbol(n)}`,
    ],
    n => `${noun(n)}_${n}.c`,
  ),
  made(
    "rustc",
    count,
    n => [
      `error[E0425]: cannot find value \`${symbol(n)}\` in this scope`,
      `  --> src/${noun(n)}_${n}.rs:${n}:5`,
      "   |",
      `${n} |   ${symbol(n)}`,
      "   |   ^^^ not found",
      "",
    ],
    n => `src/${noun(n)}_${n}.rs`,
  ),
  made(
    "javac by Maven",
    count,
    n => [
      `[ERROR] /home/dev/src/main/java/${pascal(n)}${n}.java:[${n},5] cannot find symbol`,
      `  symbol:   class ${pascal(n + 1)}`,
    ],
    n => `${pascal(n)}${n}.java`,
  ),
  made(
    "kotlinc",
    count,
    n => [`e: file:///home/dev/${pascal(n)}${n}.kt:${n}:17 Unresolved reference: taxRate`],
    n => `${pascal(n)}${n}.kt`,
  ),
  made(
    "go build",
    count,
    n => [`./${noun(n)}/${symbol(n)}_${n}.go:${n}:3: undefined: ${symbol(n + 3)}`],
    n => `${symbol(n)}_${n}.go`,
  ),
  made(
    "dotnet build",
    count,
    n => [
      `/src/Shop/${pascal(n)}${n}.cs(${n},17): error CS0103: The name 'taxRate' does not exist in the current context [/src/Shop/Shop.csproj]`,
    ],
    n => `${pascal(n)}${n}.cs`,
  ),
  made(
    "tsc of one file",
    count,
    n => [`src/app.ts(${n * 3},5): error TS2304: Cannot find name '${symbol(n)}${n}'.`],
    n => `${symbol(n)}${n}`,
  ),
  made(
    "tsc by turbo",
    count,
    n => [`@acme/web:build: src/${noun(n)}_${n}.ts(${n * 3},5): error TS2304: Cannot find name '${symbol(n)}'.`],
    n => `src/${noun(n)}_${n}.ts`,
  ),
  made(
    "ruff",
    count,
    n => [`F821 Undefined name \`${symbol(n)}\``, ` --> app/${noun(n)}_${n}.py:${n}:5`, "  |", ""],
    n => `app/${noun(n)}_${n}.py`,
  ),
];

const ways = (count: number): Failures[] => [
  made(
    "jest --verbose",
    count,
    n => [
      `FAIL src/${noun(n)}-${n}.test.ts`,
      `  ${pascal(n)}`,
      ...lines(12, m => `    ✓ ${title(n * m + 3)} (3 ms)`),
      `    ✕ ${title(n * 17)} as no. ${n} (5 ms)`,
    ],
    n => `${title(n * 17)} as no. ${n}`,
  ),
  made(
    "pytest -v",
    count,
    n => [
      ...lines(14, m => `tests/test_${noun(m)}.py::test_${m}_${n} PASSED [ 10%]`),
      `tests/test_${noun(n)}.py::test_${symbol(n)}_${n}[a b-${n}] FAILED [ 40%]`,
    ],
    n => `test_${symbol(n)}_${n}`,
  ),
  made(
    "pytest -n 2",
    count,
    n => [
      `[gw1] [ 10%] PASSED tests/test_${noun(n)}.py::test_${n} `,
      `[gw0] [ 40%] FAILED tests/test_${noun(n)}.py::test_${symbol(n)}_${n} `,
    ],
    n => `test_${symbol(n)}_${n}`,
  ),
  made(
    "go test of subtests",
    count,
    n => [
      `--- FAIL: Test${pascal(n)}${n} (0.00s)`,
      `    --- FAIL: Test${pascal(n)}${n}/case_${n} (0.00s)`,
      `        ${noun(n)}_test.go:${n}: got ${n}, want 2`,
    ],
    n => `Test${pascal(n)}${n}/case_${n}`,
  ),
  made(
    "gotestsum",
    count,
    n => [`=== FAIL: billing Test${pascal(n)}${n} (0.00s)`, `    ${noun(n)}_test.go:${n}: got ${n}, want 2`],
    n => `Test${pascal(n)}${n}`,
  ),
  made(
    "go test -json",
    count,
    n => [
      `{"Time":"2026-03-02","Action":"pass","Package":"x","Test":"Test${pascal(n)}","Elapsed":0}`,
      `{"Time":"2026-03-02","Action":"fail","Package":"x","Test":"Test${pascal(n)}${n}","Elapsed":0}`,
    ],
    n => `Test${pascal(n)}${n}`,
  ),
  made(
    "a log of CI",
    count,
    n => [`2026-03-02T14:03:27.4123456Z --- FAIL: Test${pascal(n)}${n} (0.00s)`],
    n => `Test${pascal(n)}${n}`,
  ),
  made(
    "deno test",
    count,
    n => [`${title(n * 17)} as no. ${n} ... FAILED (3ms)`],
    n => `${title(n * 17)} as no. ${n}`,
  ),
];

const ofJava = (n: number) => `${symbol(n * 3)}PaysTheRightPriceOfOrder${n}`;
const thrown = (n: number) => `org.opentest4j.AssertionFailedError: expected: <${n * 9}> but was: <${n * 8}>`;

/** JUnit without a build tool, and Maven as versions and modules make it. */
const java = (count: number): Failures[] => [
  made(
    "JUnit's console, a tree",
    count,
    n => [
      `|  +-- ${pascal(n)}Test [OK]`,
      `|  | +-- fine${n}() [OK]`,
      `|  | '-- ${ofJava(n)}() [X] expected: <${n * 9}> but was: <${n * 8}>`,
    ],
    ofJava,
  ),
  made(
    "JUnit's console, a tree in Unicode",
    count,
    n => [`│  ├─ ${pascal(n)}Test ✔`, `│  │  └─ ${ofJava(n)}() ✘ expected: <${n * 9}> but was: <${n * 8}>`],
    ofJava,
  ),
  made(
    "JUnit's console, a list",
    count,
    n => [
      `  JUnit Jupiter:${pascal(n)}Test:${ofJava(n)}()`,
      `    MethodSource [className = 'com.acme.${folder(n)}.${pascal(n)}Test', methodName = '${ofJava(n)}', methodParameterTypes = '']`,
      `    => ${thrown(n)}`,
      "       org.junit.jupiter.api.AssertionFailureBuilder.build(AssertionFailureBuilder.java:151)",
      `       com.acme.${folder(n)}.${pascal(n)}Test.${ofJava(n)}(${pascal(n)}Test.java:${n * 7})`,
    ],
    ofJava,
  ),
  made(
    "JUnit 4",
    count,
    n => [
      `${n}) ${ofJava(n)}(com.acme.${folder(n)}.${pascal(n)}Test)`,
      `java.lang.AssertionError: expected:<${n * 9}> but was:<${n * 8}>`,
      "\tat org.junit.Assert.fail(Assert.java:89)",
      `\tat com.acme.${folder(n)}.${pascal(n)}Test.${ofJava(n)}(${pascal(n)}Test.java:${n * 7})`,
      "",
    ],
    ofJava,
  ),
  made(
    "JUnit's report, printed",
    count,
    n => [
      `  <testcase name="fine${n}" classname="com.acme.${folder(n)}.${pascal(n)}Test" time="0.0${n}"/>`,
      `  <testcase name="${ofJava(n)}" classname="com.acme.${folder(n)}.${pascal(n)}Test" time="0.0${n}">`,
      `    <failure message="expected: &lt;${n * 9}&gt; but was: &lt;${n * 8}&gt;" type="org.opentest4j.AssertionFailedError">${thrown(n)}`,
      `\tat com.acme.${folder(n)}.${pascal(n)}Test.${ofJava(n)}(${pascal(n)}Test.java:${n * 7})`,
      "</failure>",
      "  </testcase>",
    ],
    ofJava,
  ),
  made(
    "Ant's junit",
    count,
    n => [
      `    [junit] Testcase: ${ofJava(n)}(com.acme.${folder(n)}.${pascal(n)}Test):\tFAILED`,
      `    [junit] expected:<${n * 9}> but was:<${n * 8}>`,
      `    [junit] junit.framework.AssertionFailedError: expected:<${n * 9}> but was:<${n * 8}>`,
    ],
    ofJava,
  ),
  made(
    "TestNG",
    count,
    n => [`FAILED: com.acme.${folder(n)}.${pascal(n)}Test.${ofJava(n)}`, `java.lang.AssertionError: expected [${n}]`],
    ofJava,
  ),
  {
    program: "Maven (surefire 2.22)",
    output: text(
      calm,
      lines(count, n => [
        `[ERROR] Tests run: 9, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.3 s <<< FAILURE! - in com.acme.${folder(n)}.${pascal(n)}Test`,
        `[ERROR] ${ofJava(n)}(com.acme.${folder(n)}.${pascal(n)}Test)  Time elapsed: 0.00${n} s  <<< ${n % 3 === 0 ? "ERROR" : "FAILURE"}!`,
        `java.lang.AssertionError: expected:<${n * 9}> but was:<${n * 8}>`,
        `\tat com.acme.${folder(n)}.${pascal(n)}Test.${ofJava(n)}(${pascal(n)}Test.java:${n * 7})`,
        "",
      ]).flat(),
      "[ERROR] Failures: ",
      lines(count, n => `[ERROR]   ${pascal(n)}Test.${ofJava(n)}:${n * 7} expected:<${n * 9}> but was:<${n * 8}>`),
      `[ERROR] Tests run: 440, Failures: ${count}, Errors: 0, Skipped: 3`,
      "[INFO] BUILD FAILURE",
      "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:2.22.3:test (default-test) on project shop: There are test failures.",
    ),
    names: lines(count, ofJava),
  },
  made(
    "surefire, inherited and with parameters",
    count,
    n => [`[ERROR]   ${pascal(n)}Test>BaseTest.run:196->${ofJava(n)}:115 expected: <${n * 9}> but was: <${n * 8}>`],
    ofJava,
  ),
];

export const neighbours = (count: number): Failures[] => [
  ...compilers(count),
  ...ways(count),
  ...java(count),
  ...without(scripts(count), "mocha", /^ {4}(?:✔|\d+\))/),
  ...without(scripts(count), "jest", /^FAIL/),
  ...without(builds(count), "Maven (surefire 3)", /<<</),
  ...without(builds(count), "Maven (surefire 3)", /Test\.\w+:\d/),
  ...without(builds(count), "dotnet test", /\[FAIL\]/),
  ...without(builds(count), "dotnet test", /^ {2}Failed/),
  ...without(builds(count), "ctest", /\*\*\*/),
];
