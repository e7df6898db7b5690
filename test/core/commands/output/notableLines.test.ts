import assert from "node:assert/strict";
import { ERROR, lineRank, PLACE, SUMMARY, VERDICT, WARNING } from "../../../../src/core/commands/output/lineRank";
import { NotableLines } from "../../../../src/core/commands/output/notableLines";
import { pluck } from "../../../fakes/pluck";

const check = (text: string, expected: number | undefined) => assert.equal(lineRank(text), expected, text);

describe("notable", () => {
  it("knows verdicts and crashes", () => {
    const verdicts = [
      "FAIL src/a.test.ts",
      "not ok 3 - adds",
      "    ✗ adds",
      "  × adds (3 ms)",
      "--- FAIL: TestAdd (0.00s)",
      "FAILED tests/test_a.py::test_b - assert 1 == 2",
      "test result: FAILED. 1 passed; 1 failed",
      "  1 failing",
      "Tests:       2 failed, 10 passed",
      "thread 'main' panicked at src/main.rs:2:5",
      "panic: runtime error",
      "Traceback (most recent call last):",
      "ValueError: bad",
      "Uncaught TypeError: x is not a function",
      "    AssertionError [ERR_ASSERTION]: 1 == 2",
      "src/a.ts(3,5): error TS2304: Cannot find name 'x'.",
      "error[E0308]: mismatched types",
      "main.c:3:5: error: expected ';'",
      "fatal: not a git repository",
      "Segmentation fault (core dumped)",
      "[  842.1] Out of memory: Killed process 48213 (node)",
      "billing  invoice-6f7b  0/1  CrashLoopBackOff  41",
      "  # aws_db_instance.orders must be replaced",
      "CONFLICT (content): Merge conflict in src/a.ts",
      "process exited with code 137",
      "Caused by: com.acme.stock.SoldOut: 0 left",
    ];
    for (const text of verdicts) check(text, VERDICT);
  });

  it("knows errors, places and warnings", () => {
    for (const text of [
      "npm ERR! code 1",
      "make: *** [all] Error 2",
      "sh: foo: command not found",
      "E   assert 1 == 2",
      "connection failed",
    ])
      check(text, ERROR);
    for (const text of [
      "    at add (src/a.ts:3:5)",
      "src/a.ts:3:5",
      '  File "a.py", line 3, in f',
      "  expected 1",
      "+ actual - expected",
      " --> src/main.rs:2:5",
    ])
      check(text, PLACE);
    for (const text of ["warning: unused variable", "DeprecationWarning", "npm warn deprecated x@1"])
      check(text, WARNING);
  });

  it("knows what went wrong in Chinese", () => {
    for (const text of ["连接数据库被拒绝：10.4.0.12", "错误: 找不到文件"]) check(text, ERROR);
  });

  it("knows what sums up", () => {
    for (const text of [
      "Tests  900 passed (900)",
      "Tests: 3 passed, 0 failed",
      "Plan: 3 to add, 0 to change",
      "OK (12 tests)",
    ])
      check(text, SUMMARY);
  });

  it("believes a line that calls itself no error", () => {
    check("npm warn deprecated a@1: it is not supported, and fails", WARNING);
    check("12:00 INFO retry 3, connection refused", WARNING);
  });

  it("passes over what is well", () => {
    const well = [
      "✓ throws an error",
      "ok 3 - fails politely",
      "PASS src/error.test.ts",
      "0 errors, 0 warnings",
      "# fail 0",
      "no errors found",
      "errors: 0",
      "compiled 3 modules",
      "",
    ];
    for (const text of well) check(text, undefined);
  });

  it("takes of a stack its top, and the diff below an assertion", () => {
    const lines = [
      "AssertionError: 1 == 2",
      "+ 1",
      "- 2",
      "  at a (x.ts:1:1)",
      "  at b (y.ts:1:1)",
      "  at c (z.ts:1:1)",
      "fine",
      ...Array(12).fill("fine"),
      "- a list item",
    ];
    const notable = new NotableLines();
    for (const [index, text] of lines.entries()) notable.add(index + 1, text, -1);
    assert.deepEqual(
      pluck(
        notable.select({ characters: 1_000, lines: 100 }, () => false),
        "line",
      ),
      [1, 2, 3, 4],
    );
  });
});
