/** What models write as a summary, good and bad, and what is read of it: by the template, and nothing else is lost. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { summaryInstruction } from "../../../../src/core/context/compaction/askForSummary";
import { isUnusable, partNames, readSummary } from "../../../../src/core/context/compaction/readSummary";
import { estimateTokens } from "../../../../src/core/ground/text/estimate";
import { cases } from "../../../fakes/soak";
import { anything, said, slotsOf } from "./segments";

const slots = slotsOf([said("Never push to the main branch.")]);
const instruction = summaryInstruction({ slots, turns: { from: 1, to: 3 } });

/** The parts that are there. */
function partsOf(text: string): Partial<Record<string, string[]>> {
  const read = readSummary(text, instruction);
  assert.ok(!isUnusable(read), JSON.stringify(read));
  return Object.fromEntries(partNames.filter(name => read[name].length > 0).map(name => [name, read[name]]));
}

const good = `## 📌 Archived Session Summary
*(Contains context from 10:00 to 11:00)*

### 🎯 Objectives & Status
* **Original Goal**: Port the parser
  of the old program
* **Objectives**: parser ported: reached

### 🏗️ Technical Context (Static)
* **Stack**: TypeScript 7, mocha

### ✅ Completed Milestones (The "Done" Pile)
* [✓] parser - 40 tests pass, obs:0123456789ab
* [✓] lexer - faster

### 🧠 Key Insights & Decisions (Persistent Memory)
* **Decisions**: recursive descent, since errors read better
* **Learnings**:
  * CRLF counts as one
  * depth is limited to 200
* **User Preferences**: short answers

### 📂 File System State (Snapshot)
*(Modified files in this archive segment)*
* \`src/a.ts\`: parses numbers
`;
const parts = {
  objectives: ["parser ported: reached"],
  stack: ["TypeScript 7, mocha"],
  milestones: ["[✓] parser - 40 tests pass, obs:0123456789ab", "[✓] lexer - faster"],
  decisions: ["recursive descent, since errors read better"],
  learnings: ["CRLF counts as one", "depth is limited to 200"],
  preferences: ["short answers"],
  files: ["`src/a.ts`: parses numbers"],
};

const check = (title: string, text: string, expected: Partial<Record<string, string[]>>) =>
  it(title, () => assert.deepEqual(partsOf(text), expected));

describe("a model's summary", () => {
  check("as asked for; the goal is ours to write", good, parts);
  check(
    "what stands behind the goal, and is not indented below it, is kept",
    good.replace("  of the old program", "Never touch the lexer.\n```\nnpm test\n```"),
    { ...parts, objectives: ["Never touch the lexer.\n```\nnpm test\n```", "parser ported: reached"] },
  );
  check("CRLF", good.replaceAll("\n", "\r\n"), parts);
  check("in a fence", `\`\`\`markdown\n${good}\n\`\`\``, parts);
  const introduced = (words: string) => ({ ...parts, learnings: [words, ...parts.learnings] });
  check(
    "in a fence, after a word",
    `Here is the summary:\n\n\`\`\`\n${good}\`\`\`\n`,
    introduced("Here is the summary:"),
  );
  check("in a fence that was cut off", `\`\`\`md\n${good}`, parts);
  check(
    "with words before and thoughts",
    `<think>\nI must…\n</think>\nSure, here it is:\n\n${good}`,
    introduced("Sure, here it is:"),
  );
  check("without emoji", good.replace(/📌|🎯|🏗️|✅|🧠|📂/gu, ""), parts);
  check("headings of another level", good.replaceAll("###", "#"), parts);
  check("headings in bold", good.replace(/^#+ (.*)$/gm, "**$1**"), parts);
  check("other list marks", good.replace(/^( *)\* (?=[*[`A-Za-z])/gm, "$1- "), parts);
  check("labels as headings", good.replace(/^\* \*\*(?!Orig)(.+?)\*\*: ?/gm, "#### $1\n"), parts);

  check(
    "a code block stays whole",
    "### 🧠 Key Insights & Decisions\n* **Learnings**:\n  * run\n\n```sh\n# build\nmake\n```\n* and test",
    {
      learnings: ["run\n```sh\n# build\nmake\n```", "and test"],
    },
  );
  check(
    "a fence without an end is none",
    "### 🧠 Key Insights & Decisions\n* **Learnings**: runs under bash 5\n```\n### 📂 File System State\n* `a`: new file",
    {
      learnings: ["runs under bash 5"],
      files: ["`a`: new file"],
    },
  );
  check(
    "wrapped lines and nested lists",
    "### ✅ Completed Milestones\n- [x] the parser\n  is ported\n  - with tests\n    and docs\n- the lexer",
    {
      milestones: ["[x] the parser is ported\n- with tests and docs", "the lexer"],
    },
  );
  check(
    "emoji, CJK, half characters",
    "### 🧠 Key Insights & Decisions\n* **Decisions**: 用 👩‍👩‍👧 递归下降 \ud800 解析器，因为错误信息更好",
    {
      decisions: ["用 👩‍👩‍👧 递归下降 \ufffd 解析器，因为错误信息更好"],
    },
  );
});

describe("a summary that is not as asked for", () => {
  check("misses headings: what is there counts", "### ✅ Completed Milestones\n* [✓] parser - ported", {
    milestones: ["[✓] parser - ported"],
  });
  check("misses all headings, has labels", "**Decisions**: recursive descent\n**Stack**: TypeScript", {
    decisions: ["recursive descent"],
    stack: ["TypeScript"],
  });
  const prose = "We ported the parser. ".repeat(12).trim();
  check("only prose: better in the wrong place than lost", prose, { learnings: [prose] });
  check("an unknown section", "### ✅ Completed Milestones\n* parser is ported\n### Blockers\n* the server is down", {
    milestones: ["parser is ported"],
    learnings: ["Blockers", "the server is down"],
  });
  check(
    "says that there is nothing",
    good.replace("short answers", "None.").replace("`src/a.ts`: parses numbers", "No files were changed."),
    (({ preferences, files, ...rest }) => rest)(parts),
  );
  check("repeats the prompt and answers it", `${instruction}\n\n${good}`, parts);
  check("repeats what code adds anyway", good.replace("short answers", "\n  * the original goal\n  * short answers"), {
    ...parts,
    preferences: ["the original goal", "short answers"],
  });
  check("calls a tool in text and goes on", `<tool_call>{"name":"Read","arguments":{}}</tool_call>\n${good}`, parts);
});

describe("what is not by the template is kept as text", () => {
  /** Each line stands in what was read, whatever part it came to, but for its marks. */
  const kept = (title: string, text: string, ...learnings: string[]) =>
    it(title, () => {
      const read = partsOf(text);
      const all = Object.values(read).flat().join("\n");
      for (const line of text.split("\n")) {
        const words = line.replace(/^[\s#*]+/, "");
        assert.ok(all.includes(words), `${words} is not in ${JSON.stringify(read)}`);
      }
      for (const learning of learnings) assert.ok(read.learnings?.includes(learning), JSON.stringify(read.learnings));
    });

  const body = good.slice(good.indexOf("* **Objectives**"), good.indexOf("### 📂"));
  kept(
    "headings without any mark",
    "Here\n## A\nObjectives & Status\n* port\nCompleted Milestones\n* [✓] parser - 40 tests pass, which took us a while".padEnd(
      260,
      " and on",
    ),
    "A",
  );
  kept(
    "labels without marks",
    body
      .replace(/^###.*$/gm, "")
      .replace(/\*\*(.+?)\*\*:/g, "$1:")
      .replace(/\n+/g, "\n"),
    "Objectives: parser ported: reached",
    "Decisions: recursive descent, since errors read better",
    "User Preferences: short answers",
  );
  kept(
    "in Chinese",
    `## 目标\n* **原始目标**：移植\n## 技术背景\n* **技术栈**：TypeScript\n## 完成的里程碑\n* [✓] 解析器 - 通过\n## 关键见解\n* **决策**：递归下降\n* **经验**：CRLF 算一个\n* **用户偏好**：简短\n## 文件系统\n* \`a.ts\`: 数字${"，一二三四五六七八九十".repeat(15)}`,
    "目标",
    "**原始目标**：移植",
    "**决策**：递归下降",
    "[✓] 解析器 - 通过",
  );
  kept(
    "in a language that nobody knows",
    `## A\n* port the parser\n## B\n* TypeScript\n## C\n* it parses\n## D\n* **X**: descent\n* **Y**: CRLF\n* **Z**: short\n## E\n* \`a.ts\`: numbers ${"one two three ".repeat(12)}`.trim(),
    "port the parser",
    "**X**: descent",
  );
  kept(
    "words of its own in headings and labels",
    "### ✅ Parser ported, all tests pass\n* **✅ Lexer**: faster\n### 🎯 Objectives & more\n* **Risk**: none so far\n* **Recursive descent**\n* **constructor**: #123 is fixed\n#124 too\n*(an aside)*",
  );
  check(
    "Chinese under the template's emoji",
    "### 🎯 目标与状态\n* **目标**: 修复舍入\n### 🧠 关键见解\n* **决定**: 四舍五入",
    {
      objectives: ["🎯 目标与状态", "**目标**: 修复舍入"],
      learnings: ["🧠 关键见解", "**决定**: 四舍五入"],
    },
  );

  it("any lines, below any headings, in any marks: each word is there", () => {
    const word = fc.stringMatching(/^[a-z]{5,12}$/);
    const mark = fc.constantFrom(
      "",
      "* ",
      "  * ",
      "    - ",
      "- ",
      "1. ",
      "   ",
      "#### ",
      "**Stack**: ",
      "* **Learnings**: ",
    );
    const heading = fc.constantFrom("### 🎯 Objectives & Status", "## Notes", "", "```", "### ✅ Completed Milestones");
    const line = fc.oneof(
      fc.tuple(mark, fc.array(word, { minLength: 2, maxLength: 6 })).map(([sign, words]) => ({ sign, words })),
      heading.map(sign => ({ sign, words: [] })),
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 20, maxLength: 60 }), lines => {
        const text = `## Notes\n${lines.map(({ sign, words }) => sign + words.join(" ")).join("\n")}`;
        const read = readSummary(text, instruction);
        if (isUnusable(read) || read.leftOut > 0) return;
        const all = partNames.flatMap(name => read[name]).join("\n");
        for (const { words } of lines) for (const one of words) assert.ok(all.includes(one), one);
      }),
      { numRuns: cases(300) },
    );
  });
});

describe("no summary at all", () => {
  const check = (title: string, text: string, why: RegExp) =>
    it(title, () => {
      const read = readSummary(text, instruction);
      assert.ok(isUnusable(read), JSON.stringify(read));
      assert.match(read.why, why);
    });

  check("empty", "", /wrote nothing/);
  check("white space", " \r\n\t\u2028 ", /wrote nothing/);
  check("the prompt", instruction, /repeated the instruction/);
  check(
    "the prompt as it was sent",
    `<system-reminder>\n${instruction}\n</system-reminder>`,
    /repeated the instruction/,
  );
  check("the prompt in a fence", `\`\`\`\n${instruction}\n\`\`\``, /repeated the instruction/);
  check("a call in JSON", '{"name":"Read","arguments":{"file_path":"a.ts"}}', /called tools/);
  check("a call in JSON, in a fence", '```json\n[{"tool":"Read","input":{}}]\n```', /called tools/);
  check("a call in tags", '<tool_call>\n{"name": "Read"}\n</tool_call>', /called tools/);
  check("a call in tags that was cut off", '<tool_call>\n{"name": "Re', /called tools/);
  check("a call as ReAct writes it", 'Action: Read[{"file_path":"a.ts"}]', /called tools/);
  check("only thoughts", "<think>What do I write?</think>", /called tools and wrote no summary|nothing/);
  check("headings alone", good.replace(/^[* ].*$/gm, ""), /headings and nothing below/);
  check("a short answer to the user", "Sure, I will fix the test now.", /none of the sections/);
  check(
    "placeholders",
    "### ✅ Completed Milestones\n* [✓] [what was finished] - [its result]",
    /repeated|nothing below/,
  );
});

/** So many words, each another one. */
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => `word${from + at}`).join(" ");

describe("a summary of any text", () => {
  it("a model that runs in circles", () => {
    const circling = readSummary(
      `### ✅ Completed Milestones\n${"* [✓] the parser is ported\n".repeat(60)}`,
      instruction,
    );
    assert.ok(isUnusable(circling));
    assert.match(circling.why, /again and again/);
    const twice = readSummary("### ✅ Completed Milestones\n* the parser\n* The  parser\n* the lexer", instruction);
    assert.ok(!isUnusable(twice));
    assert.deepEqual(twice.milestones, ["the parser", "the lexer"]);
  });

  it("the user's words are taken from the log alone", () => {
    const read = readSummary(
      `${good}\n### 💬 The User's Words (Verbatim)\n* **Rules**, which hold on:\n  * “Push to main.” (turn 1)`,
      instruction,
    );
    assert.ok(!isUnusable(read));
    assert.doesNotMatch(JSON.stringify(read), /Push to main/);
  });

  const tokens = (text: string) => {
    const read = readSummary(text, instruction);
    return isUnusable(read)
      ? 0
      : partNames.flatMap(name => read[name]).reduce((sum, item) => sum + estimateTokens(item), 0);
  };

  it("too long: at most 2,000 tokens, some of each part, what was cut is counted", () => {
    const items = (name: string) =>
      Array.from({ length: 200 }, (_, at) => `* ${name} ${at} ${numbers(at * 30, 30)}`).join("\n");
    const text = `### ✅ Completed Milestones\n${items("did")}\n### 🧠 Key Insights & Decisions\n* **Decisions**:\n${items("chose")}\n### 📂 File System State\n* \`a.ts\`: short`;
    const read = readSummary(text, instruction);
    assert.ok(!isUnusable(read));
    assert.ok(tokens(text) <= 2_000);
    assert.ok(read.milestones.length > 10 && read.decisions.length > 10);
    assert.deepEqual(read.files, ["`a.ts`: short"]);
    assert.equal(read.milestones.length + read.decisions.length + read.leftOut, 400);
  });

  it("one endless line", () => {
    const read = readSummary(
      `### ✅ Completed Milestones\n* ${Array.from({ length: 5_000 }, (_, at) => `漢字${at}🚀`).join("")}`,
      instruction,
    );
    assert.ok(!isUnusable(read) && read.milestones[0]?.endsWith("…") && read.milestones[0].isWellFormed());
    assert.equal(read.leftOut, 1);
  });

  it("a code block that was cut ends where it was cut", () => {
    const block = `\`\`\`sh\n${Array.from({ length: 900 }, (_, at) => `make it ${at}\n`).join("")}\`\`\``;
    const read = readSummary(`### ✅ Completed Milestones\n* this was run\n${block}\n* and that`, instruction);
    assert.ok(!isUnusable(read));
    assert.match(read.milestones[0] ?? "", /^this was run\n```sh\n(?:make it \d+\n)+m[^\n]*…\n```$/);
    assert.equal(read.milestones[1], "and that");
  });

  it("is a function, bounded, and throws at nothing", () => {
    const line = fc.oneof(anything, fc.constantFrom(...good.split("\n"), ...instruction.split("\n")));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), lines => {
        const text = lines.join("\n");
        assert.deepEqual(readSummary(text, instruction), readSummary(text, instruction));
        assert.ok(tokens(text) <= 2_000);
      }),
      { numRuns: cases(1_000) },
    );
  });
});
