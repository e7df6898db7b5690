/** A no is never lost, wherever a hook printed it; a yes never comes from what failed. Each row is run by a real shell, too. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HookProcess, readAnswer } from "../../../../src/core/guidance/hooks/answer";
import { runHook } from "../../../../src/core/guidance/hooks/sessionHooks";
import { NodeShell } from "../../../../src/node/shell/shell";
import { temporaryFolder } from "../../../fakes/temporary";
import { type PrintedRow, printedRows } from "./answerTable";

function check(row: PrintedRow, process: HookProcess): void {
  const answer = readAnswer({ event: row.event ?? "PreToolUse" }, process);
  const said = answer.halt === undefined ? (answer.decision ?? "") : "halt";
  assert.equal(said, row.says, JSON.stringify(answer));
  if (row.reason) assert.match(answer.halt ?? answer.reason ?? "", row.reason);
  if (row.context) assert.match(answer.context ?? "", row.context);
}

describe("what a hook says", () => {
  for (const row of printedRows)
    it(row.name, () => {
      const { stdout = "", stderr = "", exitCode = 0, ended = "exited" } = row;
      check(row, { stdout, stderr, exitCode, ended });
    });

  it("a hook that is to fail closed says no where it fails, and not where its time is over", () => {
    const closed = { event: "PreToolUse", failsClosed: true } as const;
    const none = { stdout: "", stderr: "jq: not found" };
    assert.equal(readAnswer(closed, { ...none, exitCode: 127, ended: "exited" }).decision, "deny");
    assert.equal(readAnswer(closed, { ...none, exitCode: null, ended: "failed" }).decision, "deny");
    assert.equal(readAnswer(closed, { ...none, exitCode: null, ended: "timeout" }).decision, undefined);
    assert.equal(readAnswer({ event: "PreToolUse" }, { ...none, exitCode: 127, ended: "exited" }).decision, undefined);
  });

  it("takes no long time over what never ends as an object", () => {
    const process = {
      stdout: `${"{".repeat(500_000)}{"decision":"block"}`,
      stderr: "",
      exitCode: 0,
      ended: "exited",
    } as const;
    assert.equal(readAnswer({ event: "PreToolUse" }, process).decision, "deny");
  });
});

describe("what a hook says by a real shell", function () {
  this.timeout(60_000);
  if (process.platform === "win32") return;
  const folder = temporaryFolder("answer");
  it("every row that a process can say", async () => {
    const shell = new NodeShell();
    const signal = new AbortController().signal;
    for (const [at, row] of printedRows.entries()) {
      const { stdout = "", stderr = "", exitCode = 0, ended } = row;
      if (exitCode === null || ended !== undefined || stdout.includes("\uFFFD")) continue;
      writeFileSync(join(folder, `${at}.out`), stdout);
      writeFileSync(join(folder, `${at}.err`), stderr);
      const command = `cat ${at}.out; cat ${at}.err >&2; exit ${exitCode}`;
      check(row, await runHook({ command, timeoutMs: 60_000 }, { input: "{}", folder }, shell, signal));
    }
  });
});
