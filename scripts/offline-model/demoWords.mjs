/** What the demo says, in the language that it is asked in: English, or Simplified Chinese. */

const CHANGED = "src/invoice.js";

const english = {
  who: "This is Strata's offline model: no AI, but a script that plays one demo. The tools, the files and the test run are real.",
  realModel:
    "To work with a real model, run **Strata: Choose Model** (in a terminal: set `STRATA_MODEL_NAME` and the provider's key, such as `OPENAI_API_KEY`).",
  knows: `It knows one task; ask it to **fix the failing test**, or ask about a file, as in \`@${CHANGED}\`.`,
  elsewhere: "I find no `invoice.js` here, and the demo is about the sample project only.",
  sources: "The source and its test:",
  tests: "Now the tests, to see it fail:",
  again: "And the tests again:",
  thought: "The script's first step: write down the plan, then look around before touching anything.",
  plan: "I will find out why the test fails, repair the cause and run the tests again.",
  look: "First a look around:",
  passAlready: count => `All ${count} tests pass already: there is nothing to repair.`,
  otherLine: `\`${CHANGED}\` no longer holds the line that this script knows how to repair, so I leave it as it is.`,
  cause: "`roundTotal` cuts the fraction off, where its comment promises to round half up:",
  repaired: count =>
    `**Repaired:** all ${count} tests pass now.\n\n\`roundTotal\` in \`${CHANGED}\` cut the fraction of a cent off; now it rounds half up:`,
  unknownEnd: "The output does not say how the tests ended",
  stillFail: count => `${count} of the tests still fail`,
  notDone: (seen, change) =>
    `${seen}, so this is **not done**. I changed this line in \`${CHANGED}\`:\n\n${change}\n\nThe script knows nothing further to try.`,
  failed: (name, why) => `\`${name}\` failed, and the script knows no way around it, so I stop here:\n\n> ${why}`,
  denied: (name, why) => {
    const meanings = {
      Edit: "the file is unchanged and the test still fails",
      Bash: "I cannot tell whether the tests pass",
    };
    return `\`${name}\` was not allowed, so ${meanings[name] ?? "I cannot go on"}. I stop here.\n\n> ${why}`;
  },
  counts: "It can read the file and tell you what anyone could count.",
  unreadable: (path, why) => `- \`${path}\` could not be read: ${why}`,
  lines: (path, count, range, first) =>
    `- \`${path}\`: I was shown ${count} lines${range && ` (${range.from} to ${range.to})`}; the first with text is \`${first}\`.`,
  noMore: "More than that a script cannot say.",
  todos: ["Find out why the test fails", "Repair the cause", "Run the tests again", "See that all tests pass"],
  run: "Run the tests",
};

/** @type {typeof english} */
const chinese = {
  who: "这是 Strata 的离线模型：没有 AI，只是一段演示脚本。工具、文件和测试运行都是真实的。",
  realModel:
    "要使用真正的模型，请运行 **Strata: 选择模型**（在终端中：设置 `STRATA_MODEL_NAME` 和提供商的密钥，例如 `OPENAI_API_KEY`）。",
  knows: `它只会一项任务：让它**修复失败的测试**，或询问某个文件，例如 \`@${CHANGED}\`。`,
  elsewhere: "这里没有 `invoice.js`，而演示只针对示例项目。",
  sources: "先看源文件和它的测试：",
  tests: "运行测试，看它如何失败：",
  again: "再次运行测试：",
  thought: "脚本的第一步：写下计划，先查看，再动手。",
  plan: "我会找出测试失败的原因，修复它，然后再次运行测试。",
  look: "先四处看看：",
  passAlready: count => `全部 ${count} 项测试都已通过：没有需要修复的。`,
  otherLine: `\`${CHANGED}\` 中已没有这段脚本会修复的那一行，所以我保持原样。`,
  cause: "`roundTotal` 直接舍去小数，而它的注释承诺四舍五入：",
  repaired: count =>
    `**已修复：**全部 ${count} 项测试现已通过。\n\n\`${CHANGED}\` 中的 \`roundTotal\` 原来舍去了不足一分的部分，现在四舍五入：`,
  unknownEnd: "输出没有说明测试结果",
  stillFail: count => `仍有 ${count} 项测试失败`,
  notDone: (seen, change) =>
    `${seen}，所以任务**尚未完成**。我修改了 \`${CHANGED}\` 中的这一行：\n\n${change}\n\n脚本没有别的办法了。`,
  failed: (name, why) => `\`${name}\` 失败，脚本不知道如何绕过，就此停下：\n\n> ${why}`,
  denied: (name, why) => {
    const meanings = { Edit: "文件没有改动，测试仍然失败", Bash: "我无法知道测试是否通过" };
    return `\`${name}\` 未获允许，${meanings[name] ?? "我无法继续"}。就此停下。\n\n> ${why}`;
  },
  counts: "它可以读取文件，告诉你谁都数得出来的东西。",
  unreadable: (path, why) => `- 无法读取 \`${path}\`：${why}`,
  lines: (path, count, range, first) =>
    `- \`${path}\`：我看到 ${count} 行${range && `（第 ${range.from} 到 ${range.to} 行）`}；第一行文字是 \`${first}\`。`,
  noMore: "更多的，脚本就说不出来了。",
  todos: ["找出测试失败的原因", "修复原因", "再次运行测试", "确认全部测试通过"],
  run: "运行测试",
};

/** @param {string} prompt what the person said @returns {typeof english} */
export const wordsFor = prompt => (/\p{Script=Han}/u.test(prompt) ? chinese : english);
