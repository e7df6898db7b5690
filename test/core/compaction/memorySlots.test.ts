/** What a summary must hold whatever a model writes: goal, rules of the user, files, environment, rounds. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { findConstraint } from "../../../src/core/compaction/constraints";
import { extractSentences } from "../../../src/core/compaction/sentences";
import { estimateTokens } from "../../../src/core/text/estimate";
import { cases } from "../../fakes/soak";
import { anything, changing, facts, said, slotsOf } from "./segments";

const rulesOf = (...texts: string[]) => slotsOf(texts.map((text, at) => said(text, at + 1))).constraints;

describe("sentences that state a rule", () => {
  const check = (sentences: string, isRule: boolean) => {
    for (const sentence of sentences.trim().split("\n")) {
      it(`${isRule ? "yes" : "no "}: ${sentence.trim()}`, () =>
        assert.equal(
          extractSentences(sentence).some(text => findConstraint(text) !== undefined),
          isRule,
        ));
    }
  };

  check(
    `Always use tabs.
    Never push to main.
    - never push to main;
    You must not touch src/generated.
    The API mustn't change.
    It must work offline.
    Tests must pass before you commit.
    Don't add dependencies.
    Don’t rename public functions.
    Do not edit the lock file!
    We don't use lodash here.
    I don't want any default exports.
    I prefer small commits.
    I'd prefer named exports.
    Prefer composition over inheritance.
    Please make sure that the tests pass.
    Use only the standard library.
    You may only change files below src.
    No new dependencies.
    You should not use any.
    From now on, answer in German.
    Avoid mutable state.
    Under no circumstances delete the table.
    Can you always run the linter first?
    NEVER use var 🚫`,
    true,
  );
  check(
    `始终使用制表符。
    不要修改 src/generated 目录。
    必须先运行测试
    请务必保留注释
    永远不要推送到 main 分支
    绝不要删除表
    禁止使用 any 类型。
    别动这个文件
    尽量用小的提交。
    我更喜欢命名导出
    只能用标准库
    千万不要提交密钥
    代码里的注释一律用英文。
    以后都用中文回答
    不得引入新的依赖
    總是使用空格縮排。
    不要動這個檔案
    優先使用組合
    不能用 lodash
    一定要写测试
    避免使用全局变量
    最好别改公共接口
    请用英文写注释`,
    true,
  );
  check(
    `It always fails on Windows.
    The build never finishes.
    Why does it always fail?
    I don't know why this happens.
    I don't understand.
    Do you prefer tabs?
    Don't you think so?
    What should we do?
    There must be a bug in the parser.
    It must have been the cache.
    The test only fails sometimes.
    Fix the bug in the parser.
    It doesn't work.
    Thanks, that works now.
    修复解析器的错误
    为什么总是失败？
    这个测试总是报错
    我不知道为什么
    特别快
    分别处理两种情况
    识别图片中的文字
    这是别人的代码
    不一定会失败
    它不能用了
    把按钮改成蓝色`,
    false,
  );
  check(
    `at Object.must (src/a.ts:1:2)
    12:00:01 error: must not be null
    error TS2345: Argument must be of type string
    const always = never();
    TypeError: x must be a function`,
    false,
  );
});

describe("the user's rules in a segment", () => {
  const check = (title: string, text: string, expected: string[]) =>
    it(title, () =>
      assert.deepEqual(
        rulesOf(text).map(rule => rule.text),
        expected,
      ),
    );

  check("verbatim, the sentence alone", "Fix the parser. Never touch `src/a.b`, e.g. its header. Thanks.", [
    "Never touch `src/a.b`, e.g. its header.",
  ]);
  check("an item with its lead", "Rules.\nNever:\n- push to main\n- use any\n\nGo on.", [
    "Never: push to main",
    "Never: use any",
  ]);
  check("a sentence over wrapped lines, CRLF", "You must keep\r\nthe old names.\r\nGo.", [
    "You must keep the old names.",
  ]);
  check("Chinese without spaces", "修复解析器。不要改接口！必须保留注释。谢谢。", ["不要改接口！", "必须保留注释。"]);
  check("not in code, not in quotes", "```\nnever()\nmust not\n```\n> you must not\nDo it.", []);
  check("a fence that is never closed is no code", "```\nNever push.", ["Never push."]);
  check("half characters do not stop it", "Never \ud800 push 🚫.", ["Never \ufffd push 🚫."]);
  check("of a reminder's tag, the text stays", "Never write <system-reminder>x</system-reminder>.", [
    "Never write ‹system-reminder>x‹/system-reminder>.",
  ]);

  it("said again, it counts once, as said last", () =>
    assert.deepEqual(rulesOf("Always use tabs.", "Never push.", "always use  tabs"), [
      { text: "Never push.", turn: 2 },
      { text: "always use tabs", turn: 3 },
    ]));

  it("steering counts, what the model says and what was injected do not", () => {
    const messages = [
      said("Never a.", 1, "steer"),
      said("Never b.", 1, "notice"),
      said("Never c.", 1, "normal", "assistant"),
    ];
    assert.deepEqual(slotsOf(messages).constraints, [{ text: "Never a.", turn: 1 }]);
  });

  it("of a long sentence, the part with the rule", () => {
    const [rule] = rulesOf(`${"so ".repeat(300)}never push 🚫 to main ${"so ".repeat(300)}`);
    assert.ok(rule && rule.text.length <= 300, rule?.text);
    assert.match(rule.text, /^….*never push 🚫 to main.*…$/);
  });

  it("of a pasted document, twelve; of many, the newest; the rest is counted", () => {
    const pasted = Array.from({ length: 20 }, (_, at) => `Never do ${at}.`).join("\n");
    assert.deepEqual([rulesOf(pasted).length, slotsOf([said(pasted)]).moreConstraints], [12, 8]);
    const many = slotsOf(Array.from({ length: 60 }, (_, at) => said(`Never do ${at}.`, at + 1)));
    assert.deepEqual([many.constraints.length, many.moreConstraints, many.constraints.at(-1)?.turn], [40, 20, 60]);
  });
});

describe("goal, files, environment, rounds", () => {
  it("the goal: 500 characters, no half ones", () => {
    assert.equal(slotsOf([], { goal: "  Make it\r\nfast 🚀 " }).goal, "Make it\r\nfast 🚀");
    assert.equal(slotsOf([], { goal: `${"a".repeat(499)}🚀` }).goal, "a".repeat(499));
  });

  it("files: how they changed over the segment, as they were left, in the order of the last change", () => {
    const message = said("done", 1, "normal", "assistant");
    const records = [
      changing(message.id, 1, { path: "a.ts", added: 3, created: true, content: "1" }),
      changing(message.id, 2, { path: "b.ts", removed: 2 }),
      changing("another", 3, { path: "c.ts" }),
      changing(message.id, 4, { path: "a.ts", added: 1, removed: 1, content: "2" }),
    ];
    const { files } = slotsOf([message], { records });
    assert.deepEqual(files, [
      { path: "b.ts", created: false, added: 1, removed: 2, changes: 1, stamp: "ded2f7f7", handle: "obs:d4735e3a265e" },
      { path: "a.ts", created: true, added: 4, removed: 1, changes: 2, stamp: "d4735e3a", handle: "obs:4b227777d4dd" },
    ]);
  });

  it("too many files: the newest by name, the others by folder", () => {
    const message = said("done", 1, "normal", "assistant");
    const records = Array.from({ length: 90 }, (_, at) =>
      changing(message.id, at, { path: `src/d${at % 3}/f${at}.ts` }),
    );
    const { files, moreFiles } = slotsOf([message], { records });
    assert.ok(files.length >= 20 && files.length <= 60);
    assert.equal(files.at(-1)?.path, "src/d2/f89.ts");
    assert.equal(files.length + moreFiles.reduce((sum, folder) => sum + folder.files, 0), 90);
    assert.deepEqual(moreFiles.map(({ folder }) => folder).sort(), ["src/d0", "src/d1", "src/d2"]);
  });

  it("the environment in one line", () => {
    assert.equal(slotsOf([]).environment, "linux, bash; folder /ws/app; model gpt-x");
    const two = [...facts.roots, { name: "lib", path: "/ws/lib\n", uri: "file:///ws/lib" }];
    assert.equal(
      slotsOf([], { facts: { ...facts, roots: two } }).environment,
      "linux, bash; folders app = /ws/app, lib = /ws/lib ; model gpt-x",
    );
    assert.equal(
      slotsOf([], { facts: { ...facts, roots: [] } }).environment,
      "linux, bash; no folder open; model gpt-x",
    );
  });

  it("what was asked: the beginning of each message, of the newest more, without the rules", () => {
    const asked = (...messages: ReturnType<typeof said>[]) => slotsOf(messages).asked.map(({ text }) => text);
    const messages = [said("Fix\n\nit. Never push to main.", 4), said("and that", 4, "steer"), said(" ", 5)];
    assert.deepEqual(slotsOf(messages).asked, [
      { turn: 4, text: "Fix it. …" },
      { turn: 4, text: "and that" },
      { turn: 5, text: "(no words)" },
    ]);
    const long = asked(said("one ".repeat(600)), said("two ".repeat(600)), said("three ".repeat(240)));
    assert.match(long[0] ?? "", /^(?:one )+o?n?e?…$/);
    assert.ok((long[0]?.length ?? 0) <= 600);
    assert.equal(long[2], "three ".repeat(240).trim());
    const many = slotsOf(Array.from({ length: 300 }, (_, at) => said(`Task ${at}: ${"word ".repeat(30)}`, at + 1)));
    assert.equal(many.asked.at(-1)?.turn, 300);
    assert.equal(many.moreAsked, 300 - many.asked.length);
    assert.ok(estimateTokens(many.asked.map(({ text }) => text).join("")) <= 800);
  });

  it("is a function of its input, and bounded, whatever was typed", () => {
    fc.assert(
      fc.property(
        fc.array(anything, { maxLength: 8 }),
        anything,
        fc.array(anything, { maxLength: 8 }),
        (texts, goal, paths) => {
          const messages = texts.map((text, at) => said(text, at + 1));
          const records = paths.map((path, at) => changing(messages[0]?.id ?? "", at, { path }));
          const slots = slotsOf(messages, { records, goal });
          assert.deepEqual(slotsOf(messages, { records, goal }), slots);
          const text = JSON.stringify(slots);
          assert.ok(text.isWellFormed() && !/<\s*\/?system-reminder/i.test(text));
          for (const rule of slots.constraints) assert.ok(rule.text.length <= 300 && !/[\r\n]/.test(rule.text));
          for (const file of slots.files) assert.ok(file.path.length <= 240 && !/[\r\n]/.test(file.path));
          assert.ok(slots.goal.length <= 500 && slots.environment.length <= 1_000);
          assert.ok(estimateTokens(slots.constraints.map(rule => rule.text).join("")) <= 1_500);
        },
      ),
      { numRuns: cases(1_000) },
    );
  });
});
