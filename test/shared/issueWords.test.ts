/** What zod says of a value is said in the person's words and language. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { issueWords } from "../../src/shared/issueWords";
import { loadTranslation } from "../../src/shared/l10n";
import {
  machineSettings,
  type SettingName,
  settingNames,
  settingsSchema,
  workspaceSettings,
} from "../../src/shared/settings";

function wordsOf(name: SettingName, value: unknown): string | undefined {
  const { error } = settingsSchema.shape[name].safeParse(value, { error: issueWords });
  return error?.issues[0]?.message;
}

/** Of every kind that a page or a file can hold. */
const oddValues = [
  null,
  -1,
  0.5,
  1e12,
  "",
  "x".repeat(20_000),
  [],
  [""],
  [1],
  Array(3_000).fill("a"),
  {},
  true,
  { a: 1 },
];

describe("words for values that cannot be used", () => {
  afterEach(() => loadTranslation(undefined));

  it("say what it must be", () => {
    assert.equal(wordsOf("agent.maxSteps", 0), "it must be 1 or more");
    assert.equal(wordsOf("agent.maxSteps", null), "it must be a number");
    assert.equal(wordsOf("agent.maxSteps", 1.5), "it must be a whole number");
    assert.equal(wordsOf("bash.timeoutSeconds", 601), "it must be 600 or less");
    assert.equal(wordsOf("edits.review", "x"), "it must be one of these: editor, panel");
    assert.equal(wordsOf("mcp.off", [""]), "an empty text is not allowed");
    assert.equal(wordsOf("model.contextWindow", 5), "a window has at least 4000 tokens; 0 takes what is known");
  });

  for (const language of ["en", "zh-cn"])
    it(`are never zod's own: ${language}`, () => {
      if (language !== "en")
        loadTranslation(JSON.parse(readFileSync(join(root, `l10n/bundle.l10n.${language}.json`), "utf8")));
      const all = settingNames.flatMap(name => oddValues.flatMap(value => wordsOf(name, value) ?? []));
      assert.ok(all.length > 100);
      const foreign = all.filter(words =>
        language === "en" ? /invalid|expected|too (?:small|big)/i.test(words) : !/\p{Script=Han}/u.test(words),
      );
      assert.deepEqual([...new Set(foreign)], []);
    });
});

it("what a machine and a workspace may set are settings, each once", () => {
  const named = [...machineSettings, ...workspaceSettings];
  assert.deepEqual([...new Set(named)], named);
  assert.deepEqual(
    named.filter(name => !settingNames.includes(name)),
    [],
  );
});
