/** What came of a call, read back from its record for somebody who reads Chinese. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { eitherOf, formatDuration, inSentences, namesText } from "../../src/shared/format";
import { loadTranslation, t } from "../../src/shared/l10n";
import { actionTitle, outcomeSaid } from "../../src/shared/outcomeSaid";

describe("in Chinese", () => {
  before(() => loadTranslation(JSON.parse(readFileSync(join(root, "l10n/bundle.l10n.zh-cn.json"), "utf8"))));
  after(() => loadTranslation(undefined));

  const outcomes: [string, string][] = [
    ["7 hits in 3 files", "3 个文件中有 7 处匹配"],
    ["1 new error, 2 new warnings", "1 个新错误，2 个新警告"],
    ["1 folder, 0 files", "1 个文件夹，0 个文件"],
    ["exit 1 · in the sandbox · 240 ms", "退出代码 1 · 沙盒内 · 240 ms"],
    ["1 of 3 todos done", "待办已完成 1/3"],
    ["src/a.ts 3 lines", "src/a.ts 3 lines"],
    ["7 constructors", "7 constructors"],
  ];
  for (const [outcome, said] of outcomes) it(outcome, () => assert.equal(outcomeSaid(outcome), said));

  it("a question says what would be done", () => {
    assert.equal(actionTitle({ title: "Run `npm test` in the background" }), "在后台运行 `npm test`");
    assert.equal(actionTitle({ title: "Rename a to b in 2 files" }), "将 a 重命名为 b（2 个文件）");
    assert.equal(actionTitle({ title: "Whatever a server calls it" }), "Whatever a server calls it");
  });

  it("sentences, lists and times stand as Chinese writes them", () => {
    assert.equal(inSentences(["没有模型。", false, "请选择一个。", "Choose."]), "没有模型。请选择一个。Choose.");
    assert.equal(namesText(["a", "b", "c"]), "a、b、c");
    assert.equal(eitherOf(["OpenAI", "Ollama", "其他"]), "OpenAI、Ollama 或其他");
    assert.equal(formatDuration(2_300), "2.3 秒");
  });
});

describe("in English", () => {
  it("what stands in the record is said as it is", () => {
    for (const text of ["7 hits in 3 files", "exit 1", "1 of 3 todos done"]) assert.equal(outcomeSaid(text), text);
    assert.equal(actionTitle({ title: "Run `npm test`" }), "Run `npm test`");
    assert.equal(inSentences(["One.", undefined, "Two."]), "One. Two.");
    assert.equal(namesText(["a", "b"]), "a, b");
  });
});

describe("a sentence in another", () => {
  after(() => loadTranslation(undefined));
  const english = "No: {0}. Then {1}.";
  const rows: [language: "en" | "zh", values: [string, string], said: string][] = [
    ["en", ["it is full", "a"], "No: it is full. Then a."],
    ["en", ["It is full.", "a."], "No: It is full. Then a."],
    ["en", ["Is it?", "a…"], "No: Is it? Then a…"],
    ["en", ["已满。", "v1.2"], "No: 已满。 Then v1.2."],
    ["zh", ["It is full.", "已满。"], "否：It is full.然后已满。"],
    ["zh", ["已满", "a"], "否：已满。然后a。"],
    // A stranger's text takes no full stop out of it.
    ["en", ["rm \uffff./x", "It is full."], "No: rm \uffff./x. Then It is full.."],
  ];
  for (const [language, values, said] of rows)
    it(`has one full stop: ${said}`, () => {
      loadTranslation(language === "en" ? undefined : { [english]: "否：{0}。然后{1}。" });
      assert.equal(t("No: {0}. Then {1}.", ...values), said);
    });
});
