/** The panel's words: numbers, times, outcomes, terminal lines. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { loadTranslation } from "../../src/shared/l10n";
import { type ErrorCode, errorCodeSchema } from "../../src/shared/toolResult";
import { toolTraits } from "../../src/shared/toolTraits";
import { looksWords } from "../../webview-ui/src/components/conversation/Looks";
import { formatClock, formatDuration, formatWhen } from "../../webview-ui/src/text/format";
import {
  endWords,
  failureWords,
  isFailureLine,
  outcomeWords,
  refusalWords,
  terminalLines,
  toolCommand,
  toolFile,
  toolTarget,
} from "../../webview-ui/src/text/toolWords";

function check<A extends unknown[], R>(run: (...args: A) => R, cases: [...A, R][]) {
  for (const all of cases) {
    const input = all.slice(0, -1) as unknown as A;
    assert.deepEqual(run(...input), all.at(-1), JSON.stringify(input));
  }
}

describe("panel words", () => {
  it("durations", () =>
    check(formatDuration, [
      [80, "0.1 s"],
      [2340, "2.3 s"],
      [12_400, "12 s"],
      [185_000, "3 min 5 s"],
      [120_000, "2 min"],
    ]));

  it("every failure, in Chinese too; of a command that failed its end is said", () => {
    const said = (code: ErrorCode) => {
      const outcome = { error: { code }, durationMs: 0 };
      return failureWords(code) ?? refusalWords({ outcome, approval: null });
    };
    const codes = errorCodeSchema.options;
    const without = () => codes.filter(code => said(code) === undefined);
    assert.deepEqual(without(), ["EXIT"]);
    assert.equal(failureWords("toString"), undefined);
    try {
      loadTranslation(JSON.parse(readFileSync(join(root, "l10n/bundle.l10n.zh-cn.json"), "utf8")));
      for (const code of codes) assert.doesNotMatch(said(code) ?? "", /[A-Za-z]/, code);
    } finally {
      loadTranslation(undefined);
    }
  });

  it("running clocks, also where the clocks of two machines differ", () =>
    check(formatClock, [
      [-5000, "0:00"],
      [192_000, "3:12"],
      [3_729_000, "1:02:09"],
    ]));

  it("how long ago", () =>
    check(formatWhen, [
      [100_000, 120_000, "now"],
      [0, 300_000, "5 min ago"],
      [0, 3 * 3_600_000, "3 h ago"],
      [0, 30 * 3_600_000, "1 day ago"],
      [0, 100 * 3_600_000, "4 days ago"],
    ]));

  it("what a call works on", () =>
    check(
      (toolName: string, input: Record<string, string> | null) => toolTarget({ toolName, input }),
      [
        ["Read", { file_path: "src/a.ts" }, "src/a.ts"],
        ["Grep", { pattern: "a|b" }, '"a|b"'],
        ["Bash", { command: "cd a\n  npm test" }, "cd a ⏎ npm test"],
        ["BashOutput", { bash_id: "task_1", filter: "x" }, "task_1"],
        ["KillBash", { shell_id: "task_1" }, "task_1"],
        ["TodoWrite", { todos: "x" }, ""],
        ["server:tool", { file_path: "a" }, ""],
        ["Read", null, ""],
      ],
    ));

  it("a foreign tool has an icon, and no target", () => {
    for (const [name, expected] of [
      ["server:tool", "plug"],
      ["constructor", "tools"],
    ] as const) {
      const { icon, target } = toolTraits(name);
      assert.deepEqual([icon, target], [expected, null]);
      const call = { toolName: name, input: { file_path: "a", command: "b" } };
      assert.deepEqual([toolTarget(call), toolFile(call), toolCommand(call)], ["", null, null]);
    }
  });

  it("which file a card opens", () =>
    check(
      (toolName: string) => toolFile({ toolName, input: { file_path: "a.ts", path: "b", pattern: "c" } }),
      [
        ["Read", "a.ts"],
        ["Edit", "a.ts"],
        ["LS", null],
        ["Grep", null],
      ],
    ));

  it("the outcome is the digest without what the card says already", () =>
    check(outcomeWords, [
      ["Read src/a.ts 1–84", "Read", "src/a.ts", "1–84"],
      ["Bash npm test exit 1 · 2.3 s", "Bash", "npm test", "exit 1"],
      ["Bash npm test exit 1 · 2.3 s · TypeError: x · y", "Bash", "npm test", "exit 1 · TypeError: x · y"],
      ["Bash cd a npm test exit 0 · 3 min 5 s", "Bash", "cd a ⏎ npm test", "exit 0"],
      ["Bash npm run a-very… exit 0 · 240 ms", "Bash", "npm run a-very-long-name", "exit 0"],
      ['Grep "roundTotal" 7 hits in 3 files', "Grep", '"roundTotal"', "7 hits in 3 files"],
      ["Edit src/a.ts +3 −1", "Edit", "src/a.ts", ""],
      ["Edit src/a.ts +3 −1 (new) · not saved", "Edit", "src/a.ts", ""],
      ["Edit · The file changed since it was read.", "Edit", "src/a.ts", "The file changed since it was read."],
      ["TodoWrite 1 of 3 todos done; now: Fixing", "TodoWrite", "", "1 of 3 todos done; now: Fixing"],
      ["12 hits", "server:tool", "", "12 hits"],
      ["LS . 2 folders, 4 files", "LS", "", "2 folders, 4 files"],
    ]));

  it("terminal output: no colours, repainted lines in their last state", () =>
    check(terminalLines, [
      ["\u001b[31mred\u001b[0m\r\nnext", ["red", "next"]],
      ["10%\r55%\r100%\ndone", ["100%", "done"]],
      ["\u001b]0;title\u0007text", ["text"]],
    ]));

  it("lines that tell of a failure", () =>
    check(isFailureLine, [
      ["FAIL src/a.test.ts", true],
      ["  AssertionError: expected 1 to equal 2", true],
      ["not ok 3 - totals", true],
      ["error[E0308]: mismatched types", true],
      ["src/a.ts(3,1): error TS2304: Cannot find name", true],
      ["  ✔ no error here", false],
      ["0 errors", false],
      ["FAILSAFE mode off", false],
    ]));
});

describe("panel words: what calls came to", () => {
  const printed = { first: 0, count: 1 };

  it("a command's end, from facts", () =>
    check(endWords, [
      [{ printed, exitCode: 1, tests: { failed: 1, passed: 2 } }, 900, "1 of 3 failed"],
      [{ printed, exitCode: 1, tests: { failed: 2 } }, 900, "2 failed"],
      [{ printed, exitCode: 0, tests: { failed: 0, passed: 3 } }, 900, "3 passed"],
      [{ printed, exitCode: 1, tests: { failed: 0, passed: 3 } }, 900, "exit 1"],
      [{ printed, exitCode: 2, errors: 4 }, 900, "4 errors"],
      [{ printed, exitCode: 3 }, 900, "exit 3"],
      [{ printed, exitCode: 0 }, 12_000, ""],
      [{ printed, signal: "SIGKILL" }, 900, "ended by SIGKILL"],
      [{ printed, by: "limit" as const }, 120_000, "killed after 2 min"],
      [{ printed, by: "sandbox" as const }, 900, "ended by the sandbox"],
    ]));

  it("a run of looking: files that are read in parts count once", () => {
    const read = (file_path: string) => ({ toolName: "Read", input: { file_path } });
    const grep = { toolName: "Grep", input: { pattern: "a" } };
    check(looksWords, [
      [[read("a"), read("a"), read("b"), grep, { ...grep, toolName: "Glob" }], "Looked at 2 files, searched twice"],
      [[grep, grep, grep], "Searched 3 times"],
      [[read("a"), { toolName: "LS", input: { path: "." } }, grep], "Looked at 1 file, listed 1 folder, searched once"],
      [[{ toolName: "Code", input: { symbol: "totalOf" } }], "Looked up 1 symbol"],
    ]);
  });
});
