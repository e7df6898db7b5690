/** What an empty conversation offers, by how the workspace stands. */

import assert from "node:assert/strict";
import { offersFor, type WorkState } from "../../src/vscode/panel/start/workOffers";
import { pluck } from "../fakes/pluck";

const open = { name: "invoice.js", mention: "@src/invoice.js" };
const last = { id: "ses_1", title: "Round totals half up", when: "11:27" };
const failed = { command: "npm test" };
const fixIt = "The last command failed. Fix it";

const explain = "Explain how this project is built and where to start reading";
const find = "Find a bug that is worth fixing";
const runTests = "Run the tests and fix what fails";

const table: [name: string, state: WorkState, texts: string[]][] = [
  ["nothing is known", {}, [explain, find]],
  ["it has tests", { canTest: true }, [runTests, explain, find]],
  ["the last command failed", { failed }, [fixIt, explain, find]],
  ["one file is not committed", { uncommitted: 1 }, ["Review 1 uncommitted file", explain, find]],
  ["all is committed", { uncommitted: 0, problems: { errors: 0 } }, [explain, find]],
  ["one file has problems", { problems: { errors: 2, file: "a.ts" } }, ["Fix 2 errors in a.ts", explain, find]],
  ["several files have problems", { problems: { errors: 7 } }, ["Fix 7 errors", explain, find]],
  ["a file is open", { open }, ["Explain invoice.js", explain, find]],
  [
    "all at once: the most urgent three, and the last session",
    { failed, uncommitted: 3, problems: { errors: 1, file: "a.ts" }, open, last, canTest: true },
    [fixIt, "Review 3 uncommitted files", "Fix 1 error in a.ts", "Continue: Round totals half up"],
  ],
  ["the demo: what it can do", { isDemo: true, canTest: true, uncommitted: 3 }, ["Fix the failing test"]],
  [
    "the demo with an open file",
    { isDemo: true, open, last },
    ["Fix the failing test", "Explain invoice.js", "Continue: Round totals half up"],
  ],
  ["only a session was", { last: { ...last, title: "" } }, [explain, find, "Continue: Untitled"]],
];

describe("what an empty conversation offers", () => {
  for (const [name, state, texts] of table)
    it(name, () => {
      assert.deepEqual(pluck(offersFor(state), "text"), texts);
    });

  it("puts words into the composer with what is meant, or opens the session", () => {
    const [command, changes, file, session] = offersFor({ failed, uncommitted: 3, open, last });
    assert.equal(command?.words, "Find out why `npm test` failed, and fix it @terminal");
    assert.equal(changes?.words, "Review the uncommitted changes @changes");
    assert.equal(file?.words, "Explain @src/invoice.js");
    assert.deepEqual([session?.words, session?.sessionId], [undefined, "ses_1"]);
  });
});
