/** What an empty conversation offers, by how the workspace stands. */
import assert from "node:assert/strict";
import { failedTests, runsTests } from "../../src/vscode/panel/start/testRuns";
import { offersFor, type WorkState } from "../../src/vscode/panel/start/workOffers";

const open = { name: "invoice.js", mention: "@src/invoice.js" };
const last = { id: "ses_1", title: "Round totals half up", when: "11:27" };
const tests = { command: "npm test", failed: 1, isAttachable: true };

const explain = "Explain how this project is built and where to start reading";
const find = "Find a bug that is worth fixing";
const runTests = "Run the tests and fix what fails";

const table: [name: string, state: WorkState, texts: string[]][] = [
  ["nothing is known", {}, [explain, find]],
  ["it has tests", { canTest: true }, [runTests, explain, find]],
  ["one test failed", { tests, canTest: true }, ["1 test fails. Fix it", explain, find]],
  ["several failed", { tests: { ...tests, failed: 1_200 } }, ["1,200 tests fail. Fix them", explain, find]],
  [
    "how many is not known",
    { tests: { command: "make test", isAttachable: false } },
    ["Tests fail. Fix them", explain, find],
  ],
  ["one file is not committed", { uncommitted: 1 }, ["Review 1 uncommitted file", explain, find]],
  ["all is committed", { uncommitted: 0, problems: { errors: 0 } }, [explain, find]],
  ["one file has problems", { problems: { errors: 2, file: "a.ts" } }, ["Fix 2 errors in a.ts", explain, find]],
  ["several files have problems", { problems: { errors: 7 } }, ["Fix 7 errors", explain, find]],
  ["a file is open", { open }, ["Explain invoice.js", explain, find]],
  [
    "all at once: the most urgent three, and the last session",
    { tests, uncommitted: 3, problems: { errors: 1, file: "a.ts" }, open, last, canTest: true },
    ["1 test fails. Fix it", "Review 3 uncommitted files", "Fix 1 error in a.ts", "Continue: Round totals half up"],
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
      assert.deepEqual(
        offersFor(state).map(({ text }) => text),
        texts,
      );
    });

  it("puts words into the composer with what is meant, or opens the session", () => {
    const [test, changes, file, session] = offersFor({ tests, uncommitted: 3, open, last });
    assert.equal(test?.words, "Fix the failing tests of `npm test` @terminal");
    assert.equal(changes?.words, "Review the uncommitted changes @changes");
    assert.equal(file?.words, "Explain @src/invoice.js");
    assert.deepEqual([session?.words, session?.sessionId], [undefined, "ses_1"]);
    const [elsewhere] = offersFor({ tests: { ...tests, isAttachable: false } });
    assert.equal(elsewhere?.words, "Fix the failing tests of `npm test`");
  });
});

describe("a run of tests", () => {
  const runs = [
    ...["npm test", "npm t", "npm run test:unit -- -w", "pnpm test", "yarn test", "npx vitest run", "mocha out/test"],
    ...["cd app && CI=1 npm test", "python -m pytest -q", "pytest tests/", "cargo test", "go test ./...", "make test"],
    ...["./gradlew :app test", "mvn -q test", "bundle exec rspec", "node --test", "dotnet test"],
  ];
  for (const command of runs) it(command, () => assert.equal(runsTests(command), true));
  const others = [
    "npm install",
    "npm run build",
    "cat test.txt",
    "git commit -m 'npm test'",
    "echo pytest",
    "make",
    "",
  ];
  for (const command of others) it(`is not ${command || "nothing"}`, () => assert.equal(runsTests(command), false));

  it("says how many failed where its output does", () => {
    assert.equal(failedTests("  2 passing (12ms)\n  1 failing\n"), 1);
    assert.equal(failedTests("Tests:       3 failed, 10 passed, 13 total"), 3);
    assert.equal(failedTests("=== 2 failed, 5 passed in 0.12s ==="), 2);
    assert.equal(failedTests("# fail 4"), 4);
    assert.equal(failedTests("10 passed, 0 failed"), undefined);
    assert.equal(failedTests("error: linking"), undefined);
  });
});
