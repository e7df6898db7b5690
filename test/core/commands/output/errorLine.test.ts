/** Which line tells why a command failed: in all forms that its result has. */
import assert from "node:assert/strict";
import { compressResult } from "../../../../src/core/tool/resultForms";
import { formsOf, Harness, numbered } from "../../looking/harness";

type Row = [title: string, output: { stdout?: string; stderr?: string }, point: string];

const frames = numbered(12, line => `  File "/app/a${line}.py", line ${line}, in f\n    f(${line})`);
const trace = (last: string) => `Traceback (most recent call last):\n${frames}${last}\n`;
const noise = numbered(300, line => `step ${line} is done`);

const rows: Row[] = [
  ["Python", { stderr: trace("ValueError: no rate for 7") }, "ValueError: no rate for 7"],
  ["Python, of no usual name", { stderr: trace("shop.Sold: 0 left") }, "shop.Sold: 0 left"],
  ["Python, without words", { stderr: trace("KeyboardInterrupt") }, "KeyboardInterrupt"],
  [
    "Python, one while another was handled",
    {
      stderr: `${trace("KeyError: 'a'")}\nDuring handling of the above exception, another exception occurred:\n\n${trace("OSError: disk")}`,
    },
    "OSError: disk",
  ],
  ["Python, what goes on behind it", { stderr: `${trace("ValueError: a")}see the log\n` }, "ValueError: a"],
  ["Python, of several lines", { stderr: `${trace("ValueError: a")}and b\n` }, "ValueError: a"],
  [
    "Python, its syntax",
    { stderr: '  File "a.py", line 3\n    x =\n      ^\nSyntaxError: invalid syntax\n' },
    "SyntaxError: invalid syntax",
  ],
  [
    "Node",
    {
      stderr:
        '/app/a.js:3\n  throw new Error("boom");\n  ^\n\nError: boom\n    at f (/app/a.js:3:9)\n  [cause]: Error: no socket\n\nNode.js v22.1.0\n',
    },
    "[cause]: Error: no socket",
  ],
  [
    "Java",
    {
      stderr:
        'Exception in thread "main" java.lang.RuntimeException: not saved\n\tat Main.main(Main.java:4)\nCaused by: java.io.IOException: disk full\n\tat Main.save(Main.java:9)\n',
    },
    "Caused by: java.io.IOException: disk full",
  ],
  [
    "Rust",
    { stderr: "thread 'main' panicked at src/main.rs:1:51:\nno rate for 7\nnote: run with `RUST_BACKTRACE=1`\n" },
    "no rate for 7",
  ],
  [
    "Go",
    { stderr: "panic: no rate\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:3 +0x1\nexit status 2\n" },
    "panic: no rate",
  ],
  ["Git", { stderr: "fatal: not a git repository\n" }, "fatal: not a git repository"],
  ["a shell", { stderr: "sh: 1: foo: not found\n" }, "sh: 1: foo: not found"],
  [
    "stderr before stdout",
    { stdout: "ERROR one test failed\n", stderr: "cp: cannot stat 'a': No such file or directory\n" },
    "cp: cannot stat 'a': No such file or directory",
  ],
  [
    "what ran another program",
    { stdout: "AssertionError: 1 == 2\n", stderr: "npm ERR! code 1\nmake: *** [test] Error 1\n" },
    "AssertionError: 1 == 2",
  ],
  ["that alone", { stderr: "make: *** [test] Error 1\n" }, "make: *** [test] Error 1"],
  ["a warning on stderr", { stdout: "FAILED a.py::test_b\n", stderr: "warning: old\n" }, "FAILED a.py::test_b"],
  [
    "Jest",
    { stderr: "FAIL src/a.test.ts\n  ● price › loads\n\n    TypeError: id is required\n" },
    "TypeError: id is required",
  ],
  ["Jest, without words", { stderr: "FAIL src/a.test.ts\n  ● price › loads\n\n    Expected: 1\n" }, "● price › loads"],
  [
    "pytest",
    { stdout: "=== FAILURES ===\n___ test_b ___\nE       KeyError: 'b'\nFAILED a.py::test_b\n" },
    "KeyError: 'b'",
  ],
  [
    "unittest",
    { stderr: `ERROR: test_b (a.T)\n------\n${trace("KeyError: 'b'")}\nFAILED (errors=1)\n` },
    "KeyError: 'b'",
  ],
  [
    "go test",
    { stdout: "--- FAIL: TestA (0.00s)\n    a_test.go:9: got 1, want 2\nFAIL\n" },
    "a_test.go:9: got 1, want 2",
  ],
  ["CTest", { stdout: "The following tests FAILED:\n\t  3 - rounds (Failed)\n" }, "3 - rounds (Failed)"],
  [
    "Gradle",
    { stderr: "FAILURE: Build failed with an exception.\n\n* What went wrong:\nNo rate for 7\n" },
    "No rate for 7",
  ],
  [
    "Maven",
    {
      stdout:
        "[ERROR] Failures: \n[ERROR]   ShopTest.rounds:9 expected 1\n[ERROR] Failed to execute goal org.apache:surefire\n[ERROR] \n",
    },
    "[ERROR]   ShopTest.rounds:9 expected 1",
  ],
  [
    "gcc",
    { stderr: "a.c: In function 'f':\na.c:3:5: error: 'y' undeclared\nmake: *** [a.o] Error 1\n" },
    "a.c:3:5: error: 'y' undeclared",
  ],
  ["no error in words: the end of stderr", { stdout: "a\nb\n", stderr: "c\nd\n====\n" }, "d"],
  ["no error in words: the end of stdout", { stdout: "a\nb\n" }, "b"],
  ["words of others", { stderr: "编译\n错误: 找不到文件\n" }, "错误: 找不到文件"],
  ["nothing", {}, ""],
];

describe("the line that tells why a command failed", () => {
  for (const [title, { stdout = "", stderr = "" }, point] of rows)
    for (const [around, before, behind] of [
      ["", "", ""],
      [" in a long output", noise, title.startsWith("no error in words") ? "" : noise],
    ])
      it(`${title}${around}`, async () => {
        const output = [
          ["stdout", before + stdout + behind],
          ["stderr", stderr],
        ] as const;
        const harness = new Harness({}, { shell: { "*": { output: [...output], exitCode: 1, durationMs: 1_000 } } });
        const { performed, digest } = await harness.call("Bash", { command: "make" });
        assert.ok(performed);
        const { kept, folded } = compressResult(performed.result, "obs:3fa9c1d2e4b5", formsOf("Bash"));
        if (point === "" && before !== "") return;
        const words = point.replace(/\s+/g, " ");
        assert.equal(digest, `Bash make exit 1 · 1 s${point && ` · ${words}`}`);
        assert.equal(performed.ended?.point ?? "", point);
        assert.ok(performed.result.text.includes(point), performed.result.text);
        if (kept !== undefined) assert.ok(kept.includes(JSON.stringify(point).slice(1, -1)), kept);
        if (folded === undefined) return assert.equal(before, "");
        assert.ok(folded.includes(words.slice(0, 50)), folded);
        assert.doesNotMatch(folded, /EXIT|Traceback/);
      });
});
