/** Runs of what is compiled first. */
import { folder, lines, noun, pascal, symbol, text, upper } from "../kit";
import { among, type Failures, type Program, step } from "./kit";

const go: Program = count => ({
  program: "go test",
  output: text(
    among(
      count,
      n => `--- PASS: Test${pascal(n)}${n} (0.0${n % 10}s)`,
      n => [
        `=== RUN   Test${pascal(n * 3)}Of${n}`,
        `    ${noun(n)}_test.go:${n * 7}: got ${n * 8}, want ${n * 9}`,
        `--- FAIL: Test${pascal(n * 3)}Of${n} (0.00s)`,
      ],
    ),
    "FAIL",
    "exit status 1",
    "FAIL\tgithub.com/acme/shop/billing\t1.204s",
    lines(30, n => `ok  \tgithub.com/acme/shop/${folder(n)}/${noun(n)}\t0.${n}s`),
    "FAIL",
  ),
  names: lines(count, n => `Test${pascal(n * 3)}Of${n}`),
});

const cargoName = (n: number) => `${folder(n)}::tests::${noun(n * 3)}_${folder(n + 2)}_${n}`;

const cargo: Program = count => ({
  program: "cargo test",
  output: text(
    `running ${count * step} tests`,
    among(
      count,
      n => `test ${folder(n)}::tests::${noun(n)}_${folder(n + 3)}_${n + 100} ... ok`,
      n => [`test ${cargoName(n)} ... FAILED`],
    ),
    "",
    "failures:",
    "",
    lines(count, n => [
      `---- ${cargoName(n)} stdout ----`,
      "",
      `thread '${cargoName(n)}' panicked at src/${folder(n)}.rs:${n * 7}:9:`,
      "assertion `left == right` failed",
      `  left: ${n * 8}`,
      ` right: ${n * 9}`,
      "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
      "",
    ]).flat(),
    "",
    "failures:",
    lines(count, n => `    ${cargoName(n)}`),
    "",
    `test result: FAILED. 440 passed; ${count} failed; 0 ignored; 0 measured; 0 filtered out; finished in 2.11s`,
    "",
    "error: test failed, to rerun pass `--lib`",
  ),
  names: lines(count, cargoName),
});

const surefireFrames = (n: number) => [
  "\tat org.junit.jupiter.api.AssertionFailureBuilder.build(AssertionFailureBuilder.java:151)",
  "\tat org.junit.jupiter.api.AssertionFailureBuilder.buildAndThrow(AssertionFailureBuilder.java:132)",
  "\tat org.junit.jupiter.api.AssertEquals.failNotEqual(AssertEquals.java:197)",
  "\tat org.junit.jupiter.api.Assertions.assertEquals(Assertions.java:531)",
  `\tat com.acme.${folder(n)}.${pascal(n)}Test.${symbol(n * 3)}Of${n}(${pascal(n)}Test.java:${n * 7})`,
  "\tat java.base/java.lang.reflect.Method.invoke(Method.java:580)",
  "",
];

const maven: Program = count => ({
  program: "Maven (surefire 3)",
  output: text(
    "[INFO] Scanning for projects...",
    lines(
      90,
      n =>
        `[INFO] Downloaded from central: https://repo.maven.apache.org/maven2/com/${folder(n)}/${noun(n)}/${n}.0/${noun(n)}-${n}.0.jar (${n} kB at ${n}0 kB/s)`,
    ),
    "[INFO] -------------------------------------------------------",
    "[INFO]  T E S T S",
    "[INFO] -------------------------------------------------------",
    lines(count, n => [
      `[INFO] Running com.acme.${folder(n)}.${pascal(n + 40)}Test`,
      `[INFO] Tests run: 9, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.0${n} s -- in com.acme.${folder(n)}.${pascal(n + 40)}Test`,
      `[INFO] Running com.acme.${folder(n)}.${pascal(n)}Test`,
      `[ERROR] Tests run: 9, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.0${n} s <<< FAILURE! -- in com.acme.${folder(n)}.${pascal(n)}Test`,
      `[ERROR] com.acme.${folder(n)}.${pascal(n)}Test.${symbol(n * 3)}Of${n} -- Time elapsed: 0.00${n} s <<< FAILURE!`,
      `org.opentest4j.AssertionFailedError: expected: <${n * 9}> but was: <${n * 8}>`,
      ...surefireFrames(n),
    ]).flat(),
    "[INFO] ",
    "[INFO] Results:",
    "[INFO] ",
    "[ERROR] Failures: ",
    lines(
      count,
      n => `[ERROR]   ${pascal(n)}Test.${symbol(n * 3)}Of${n}:${n * 7} expected: <${n * 9}> but was: <${n * 8}>`,
    ),
    "[INFO] ",
    `[ERROR] Tests run: 440, Failures: ${count}, Errors: 0, Skipped: 3`,
    "[INFO] ",
    "[INFO] ------------------------------------------------------------------------",
    "[INFO] BUILD FAILURE",
    "[INFO] ------------------------------------------------------------------------",
    "[INFO] Total time:  14.021 s",
    "[INFO] Finished at: 2026-03-02T14:03:27+01:00",
    "[INFO] ------------------------------------------------------------------------",
    "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project shop: There are test failures.",
    "[ERROR] ",
    "[ERROR] Please refer to /home/dev/shop/target/surefire-reports for the individual test results.",
    "[ERROR] Please refer to dump files (if any exist) [date].dump, [date]-jvmRun[N].dump and [date].dumpstream.",
    "[ERROR] -> [Help 1]",
    "[ERROR] ",
    "[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.",
    "[ERROR] Re-run Maven using the -X switch to enable full debug logging.",
    "[ERROR] ",
    "[ERROR] For more information about the errors and possible solutions, please read the following articles:",
    "[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/MojoFailureException",
  ),
  names: lines(count, n => `${pascal(n)}Test.${symbol(n * 3)}Of${n}`),
});

const oldMaven: Program = count => ({
  program: "Maven (surefire 2)",
  output: text(
    lines(
      40,
      n => `[INFO] Downloading: https://repo.maven.apache.org/maven2/${folder(n)}/${noun(n)}/${n}.0/${noun(n)}.pom`,
    ),
    "-------------------------------------------------------",
    " T E S T S",
    "-------------------------------------------------------",
    lines(count, n => [
      `Running com.acme.${folder(n)}.${pascal(n)}Test`,
      "Tests run: 9, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.383 sec <<< FAILURE!",
      `${symbol(n * 3)}Of${n}(com.acme.${folder(n)}.${pascal(n)}Test)  Time elapsed: 0.415 sec  <<< FAILURE!`,
      `java.lang.AssertionError: expected:<${n * 9}> but was:<${n * 8}>`,
      ...surefireFrames(n).slice(3),
    ]).flat(),
    "",
    "Results :",
    "",
    "Failed tests: ",
    lines(
      count,
      n => `  ${symbol(n * 3)}Of${n}(com.acme.${folder(n)}.${pascal(n)}Test): expected:<${n * 9}> but was:<${n * 8}>`,
    ),
    "",
    `Tests run: 440, Failures: ${count}, Errors: 0, Skipped: 0`,
    "",
    "[INFO] ------------------------------------------------------------------------",
    "[INFO] BUILD FAILURE",
    "[INFO] ------------------------------------------------------------------------",
    "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:2.12.4:test (default-test) on project shop: There are test failures.",
    "[ERROR] -> [Help 1]",
  ),
  names: lines(count, n => `${symbol(n * 3)}Of${n}`),
});

const gradle: Program = count => ({
  program: "Gradle",
  output: text(
    lines(60, n => `> Task :${folder(n)}:${["compileJava", "processResources", "classes", "jar"][n % 4]} UP-TO-DATE`),
    "",
    "> Task :billing:test",
    "",
    among(
      count,
      n => `${pascal(n)}Test > ${symbol(n)}() PASSED`,
      n => [
        "",
        `${pascal(n)}Test > ${symbol(n * 3)}Of${n}() FAILED`,
        `    org.opentest4j.AssertionFailedError: expected: <${n * 9}> but was: <${n * 8}>`,
        "        at app//org.junit.jupiter.api.AssertionFailureBuilder.build(AssertionFailureBuilder.java:151)",
        `        at app//com.acme.${folder(n)}.${pascal(n)}Test.${symbol(n * 3)}Of${n}(${pascal(n)}Test.java:${n * 7})`,
        "",
      ],
    ),
    `${count * step} tests completed, ${count} failed`,
    "",
    "> Task :billing:test FAILED",
    "",
    "FAILURE: Build failed with an exception.",
    "",
    "* What went wrong:",
    "Execution failed for task ':billing:test'.",
    "> There were failing tests. See the report at: file:///home/dev/shop/billing/build/reports/tests/test/index.html",
    "",
    "* Try:",
    "> Run with --scan to get full insights.",
    "",
    "BUILD FAILED in 41s",
    "23 actionable tasks: 3 executed, 20 up-to-date",
  ),
  names: lines(count, n => `${symbol(n * 3)}Of${n}()`),
});

const dotnetName = (n: number) => `Shop.Tests.${upper(folder(n))}.${pascal(n)}Tests.${pascal(n * 3)}Of${n}`;

const dotnet: Program = count => ({
  program: "dotnet test",
  output: text(
    "  Determining projects to restore...",
    "  All projects are up-to-date for restore.",
    "Starting test execution, please wait...",
    "A total of 1 test files matched the specified pattern.",
    lines(count, n => [
      `[xUnit.net 00:00:0${n % 10}.38]     ${dotnetName(n)} [FAIL]`,
      `  Passed Shop.Tests.${pascal(n)}Tests.${pascal(n + 2)} [${n % 40} ms]`,
    ]).flat(),
    among(
      count,
      n => `  Passed Shop.Tests.${pascal(n)}Tests.${pascal(n + 2)} [${n % 40} ms]`,
      n => [
        `  Failed ${dotnetName(n)} [12 ms]`,
        "  Error Message:",
        "   Assert.Equal() Failure: Values differ",
        `Expected: ${n * 9}`,
        `Actual:   ${n * 8}`,
        "  Stack Trace:",
        `     at ${dotnetName(n)}() in /src/Shop.Tests/${pascal(n)}Tests.cs:line ${n * 7}`,
        "   at System.RuntimeMethodHandle.InvokeMethod(Object target, Void** arguments, Signature sig, Boolean isConstructor)",
      ],
    ),
    "",
    `Failed!  - Failed:    ${count}, Passed:   440, Skipped:     0, Total:   460, Duration: 2 s - Shop.Tests.dll (net8.0)`,
  ),
  names: lines(count, dotnetName),
});

const ctestName = (n: number) => `${folder(n)}_${symbol(n * 3)}_${n}`;

const ctest: Program = count => ({
  program: "ctest",
  output: text(
    "Test project /home/dev/net/build",
    among(
      count,
      n =>
        `      Start ${String(n).padStart(3)}: ${noun(n)}_${n}\n${String(n).padStart(3)}/460 Test #${String(n).padStart(3)}: ${`${noun(n)}_${n} `.padEnd(36, ".")}   Passed    0.01 sec`,
      n => [
        `      Start ${String(n * step).padStart(3)}: ${ctestName(n)}`,
        `${String(n * step).padStart(3)}/460 Test #${String(n * step).padStart(3)}: ${`${ctestName(n)} `.padEnd(36, ".")}***Failed    0.19 sec`,
      ],
    ),
    "",
    `96% tests passed, ${count} tests failed out of 460`,
    "",
    "Total Test time (real) =  20.25 sec",
    "",
    "The following tests FAILED:",
    lines(count, n => `\t${String(n * step).padStart(3)} - ${ctestName(n)} (${n % 5 === 0 ? "SEGFAULT" : "Failed"})`),
    "Errors while running CTest",
    "Output from these tests are in: /home/dev/net/build/Testing/Temporary/LastTest.log",
    'Use "--rerun-failed --output-on-failure" to re-run the failed cases verbosely.',
  ),
  names: lines(count, ctestName),
});

export const builds = (count: number): Failures[] =>
  [go, cargo, maven, oldMaven, gradle, dotnet, ctest].map(program => program(count));
