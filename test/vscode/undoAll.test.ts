/** "Undo all" takes back no more than its question named, whatever the agent does while somebody reads it. */
import assert from "node:assert/strict";
import type { ReviewFile } from "../../src/shared/panelSnapshot";
import { filesToUndo } from "../../src/vscode/review/undoAll";

const file = (path: string, seq: number, changes = 1): ReviewFile => ({
  uri: `file:///${path}`,
  path,
  turns: [1],
  seq,
  kind: "edited",
  changes,
});

/** Each look finds the next of these. */
function asked(looks: { session: string; files: ReviewFile[] }[], ...answers: boolean[]) {
  const questions: string[] = [];
  const look = async () => {
    const next = looks.shift();
    assert.ok(next);
    return next;
  };
  const ask = async (question: string, detail: string) => {
    questions.push(`${/^More was changed/.test(detail) ? "again: " : ""}${question}`);
    return answers.shift() ?? false;
  };
  return { questions, result: filesToUndo({ look, ask }) };
}

describe("undo all", () => {
  const before = { session: "a", files: [file("a.ts", 3, 2)] };
  const after = { session: "a", files: [file("a.ts", 3, 2), file("b.ts", 5)] };

  it("takes back what was asked about", async () => {
    const { questions, result } = asked([before, { ...before }], true);
    assert.deepEqual((await result)?.files, before.files);
    assert.deepEqual(questions, ["Undo 2 changes in 1 file?"]);
  });

  it("asks again where the agent changed more meanwhile", async () => {
    const { questions, result } = asked([before, after, after], true, true);
    assert.deepEqual((await result)?.files, after.files);
    assert.deepEqual(questions, ["Undo 2 changes in 1 file?", "again: Undo 3 changes in 2 files?"]);
    const edited = { session: "a", files: [file("a.ts", 4, 2)] };
    assert.equal(await asked([before, edited], true, false).result, undefined);
  });

  it("takes nothing back after a no, in another session, or where nothing is left", async () => {
    assert.equal(await asked([before], false).result, undefined);
    await assert.rejects(asked([before, { ...before, session: "b" }], true).result, /Another session/);
    await assert.rejects(asked([before, { session: "a", files: [] }], true).result, /Nothing waits/);
  });
});
