import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { demo } from "../../scripts/offline-model/demo.mjs";
import type { OfflineAnswer, OfflineMessage } from "../../scripts/offline-model/server.mjs";
import { temporaryFolder } from "../fakes/temporary";

type Tool = (input: Record<string, string>) => string | Promise<string>;

/** The agent's tools in a few lines each, on a copy of the real sample. */
function toolsOn(folder: string): Map<string, Tool> {
  return new Map<string, Tool>([
    ["TodoWrite", () => "Todo list updated."],
    ["LS", () => "src/\n  invoice.js\ntest/\n  invoice.test.js"],
    ["Grep", () => "src/invoice.js:4:export function roundTotal(cents) {"],
    ["Read", ({ file_path = "" }) => numbered(join(folder, file_path))],
    ["Edit", input => edit(folder, input)],
    ["Bash", ({ command }) => runTests(folder, command)],
  ]);
}

async function numbered(path: string): Promise<string> {
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  return lines.map((line, index) => `${index + 1}\t${line}`).join("\n");
}

async function edit(folder: string, { file_path = "", old_string = "", new_string = "" }: Record<string, string>) {
  const path = join(folder, file_path);
  const text = await readFile(path, "utf8");
  assert.equal(text.split(old_string).length, 2, "exactly one match");
  await writeFile(path, text.replace(old_string, new_string));
  return "Edited.";
}

function runTests(folder: string, command: string | undefined): string {
  assert.equal(command, "npm test");
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, status } = spawnSync(process.execPath, ["--test"], { cwd: folder, env, encoding: "utf8" });
  return status === 0 ? stdout : `EXIT: exit code ${status}\n${stdout}`;
}

/** Tools that behave otherwise in one test. */
type Replace = (tools: Map<string, Tool>, folder: string) => [string, Tool][];

interface Played {
  answers: OfflineAnswer[];
  /** "Read src/invoice.js", step by step */
  calls: string[][];
  /** all text of the assistant */
  text: string;
  final: string;
}

async function play(prompt: string, replace: Replace = () => []): Promise<Played> {
  const folder = temporaryFolder("demo");
  await cp(resolve("sample"), folder, { recursive: true });
  const real = toolsOn(folder);
  const tools = new Map([...real, ...replace(real, folder)]);
  const messages: OfflineMessage[] = [
    { role: "system", text: "You are Strata." },
    { role: "user", text: prompt },
  ];
  const answers: OfflineAnswer[] = [];
  for (let step = 0; step < 15; step++) {
    const tail: OfflineMessage = {
      role: "user",
      text: "<system-reminder>\nFix nothing here: this is the tail.\n</system-reminder>",
    };
    const request = {
      api: "chat" as const,
      model: "m",
      tools: [...tools.keys()],
      messages: [...messages, tail],
      headers: {},
      body: {},
    };
    const answer = demo(request);
    assert.deepEqual(demo(request), answer, "a pure function");
    answers.push(answer);
    const calls = (answer.calls ?? []).map((call, index) => ({ ...call, id: `${step}.${index}` }));
    messages.push({ role: "assistant", text: answer.text ?? "", ...(calls.length ? { calls } : {}) });
    if (calls.length === 0) break;
    for (const { id, name, input } of calls) {
      messages.push({
        role: "tool",
        callId: id,
        text: (await tools.get(name)?.(input as Record<string, string>)) ?? "UNKNOWN_TOOL: no",
      });
    }
  }
  const named = ({ name, input }: { name: string; input: unknown }) =>
    `${name} ${(input as { file_path?: string }).file_path ?? ""}`.trim();
  return {
    answers,
    calls: answers.flatMap(({ calls }) => (calls ? [calls.map(named)] : [])),
    text: answers.map(({ text }) => text ?? "").join("\n"),
    final: answers.at(-1)?.text ?? "",
  };
}

const WAY = [
  ["TodoWrite"],
  ["LS", "Grep"],
  ["Read src/invoice.js", "Read test/invoice.test.js"],
  ["Bash"],
  ["TodoWrite", "Edit src/invoice.js"],
  ["TodoWrite", "Bash"],
  ["TodoWrite"],
];

describe("offline model: demo on the sample project", () => {
  it("speaks the language that it is asked in", async () => {
    const { calls, text, final } = await play("修复失败的测试");
    assert.equal(calls.flat().filter(call => /^(Edit|Bash)/.test(call)).length, 3);
    assert.match(final, /^\*\*已修复：\*\*全部 4 项测试现已通过/);
    assert.doesNotMatch(text.replaceAll(/`[^`]*`|```[\s\S]*?```/g, ""), /\b(the|tests|script)\b/);
  });

  it("finds the cause, repairs it and sees the tests pass", async () => {
    const { calls, final, answers } = await play("Fix the failing test.");
    assert.deepEqual(calls, WAY);
    assert.match(answers[0]?.text ?? "", /^This is Strata's offline model: no AI, but a script/);
    assert.match(final, /^\*\*Repaired:\*\* all 4 tests pass now\..*```diff\n-.*floor.*\n\+.*round.*\n```/s);
  });

  it("reads a mentioned file first", async () => {
    const { calls, final } = await play("Fix the failing test in @test/invoice.test.js, please.");
    assert.deepEqual(calls[0], ["TodoWrite", "Read test/invoice.test.js"]);
    assert.deepEqual(calls[2], ["Read src/invoice.js"]);
    assert.match(final, /all 4 tests pass/);
  });

  it("does again what a crash interrupted", async () => {
    let crashed = false;
    const crashing: Replace = (_, folder) => [
      [
        "Bash",
        input => {
          if (crashed) return runTests(folder, input.command);
          crashed = true;
          return "INTERRUPTED: the call was interrupted, its effect is unknown.";
        },
      ],
    ];
    const { calls, final } = await play("Fix it", crashing);
    assert.deepEqual(calls.filter(step => step.includes("Bash")).length, 3);
    assert.match(final, /all 4 tests pass/);
  });

  const always =
    (...overrides: [string, string][]): Replace =>
    () =>
      overrides.map(([name, result]) => [name, () => result]);
  const writing =
    (tool: string, file: string, text: string, result: string): Replace =>
    (_, folder) => [
      [
        tool,
        async () => {
          await writeFile(join(folder, file), text);
          return result;
        },
      ],
    ];
  const failingTest = 'import { test } from "node:test";\ntest("no", () => { throw new Error("no"); });\n';
  const ends: [string, Replace, string, RegExp][] = [
    [
      "the edit was denied",
      always(["Edit", "DENIED: The user did not allow this: not now"]),
      "Edit src/invoice.js",
      /`Edit` was not allowed, so the file is unchanged and the test still fails.*not now/s,
    ],
    [
      "the command was denied",
      always(["Bash", "DENIED: Commands do not run in plan mode."]),
      "Bash",
      /`Bash` was not allowed, so I cannot tell/,
    ],
    [
      "the edit failed",
      always(["Edit", "NOT_READ: Read the file first."]),
      "Edit src/invoice.js",
      /`Edit` failed.*NOT_READ: Read/s,
    ],
    [
      "the tests still fail",
      writing("Edit", "test/more.test.js", failingTest, "Edited."),
      "TodoWrite",
      /2 of the tests still fail, so this is \*\*not done\*\*/,
    ],
    [
      "the tests say nothing",
      always(["Bash", "no tests here"]),
      "TodoWrite",
      /does not say how the tests ended, so this is \*\*not done\*\*/,
    ],
    [
      "the tests pass already",
      always(["Bash", "# pass 4\n# fail 0"]),
      "Bash",
      /All 4 tests pass already: there is nothing to repair/,
    ],
    [
      "the line is another one",
      writing("Grep", "src/invoice.js", "export const roundTotal = 1;\n", "src/invoice.js:1:roundTotal"),
      "Bash",
      /no longer holds the line/,
    ],
    ["this is another project", always(["LS", "main.py"], ["Grep", "No matches."]), "LS", /no `invoice\.js` here/],
  ];
  for (const [name, replace, last, words] of ends) {
    it(`says so and ends where ${name}`, async () => {
      const { calls, final } = await play("Fix the failing test.", replace);
      assert.ok(calls.at(-1)?.includes(last), `${calls.at(-1)}`);
      assert.match(final, words);
      assert.doesNotMatch(final, /all \d* ?tests pass now/i);
    });
  }
});

describe("offline model: demo, other prompts", () => {
  const cases: [string, string[][], RegExp][] = [
    ["Hello", [], /no AI, but a script.*ask it to \*\*fix the failing test\*\*.*Strata: Choose Model/s],
    [
      "What does @src/invoice.js do?",
      [["Read src/invoice.js"]],
      /`src\/invoice\.js`: I was shown 23 lines; the first with text is `\/\/ Amounts are whole cents/,
    ],
    [
      "And @src/invoice.js:4-6 (see @AGENTS.md)?",
      [["Read src/invoice.js", "Read AGENTS.md"]],
      /`AGENTS\.md`: I was shown \d+ lines/,
    ],
    ["Write to me@example.com", [], /script/],
  ];
  for (const [prompt, calls, words] of cases) {
    it(prompt, async () => {
      const played = await play(prompt);
      assert.deepEqual(played.calls, calls);
      assert.match(played.text, words);
    });
  }

  it("passes lines of a mention on as offset and limit", async () => {
    const { answers } = await play("Explain @src/invoice.js:4-6");
    assert.deepEqual(answers[0]?.calls?.[0]?.input, { file_path: "src/invoice.js", offset: 4, limit: 3 });
  });

  it("says why a file could not be read", async () => {
    const { final } = await play("Explain @gone.txt", () => [["Read", () => "NOT_FOUND: There is no file gone.txt."]]);
    assert.match(final, /`gone\.txt` could not be read: NOT_FOUND: There is no file gone\.txt\./);
  });
});

describe("the offline model asked for something small", () => {
  const ask = (prompt: string, text: string) =>
    demo({
      ...{ api: "chat" as const, model: "offline-model", tools: [], headers: {}, body: {} },
      messages: [
        { role: "system", text: prompt },
        { role: "user", text },
      ],
    }).text;

  it("names a session by the first words of what the person asked for", async () => {
    const prompt = await readFile(resolve("prompts/title.md"), "utf8");
    const text = "The person: Please fix the failing test in @src/invoice.js, will you?\n\nThe agent: Repaired.";
    assert.equal(ask(prompt, text), "Please fix the failing test in");
  });

  it("says in a commit message which files changed", async () => {
    const prompt = await readFile(resolve("prompts/commitMessage.md"), "utf8");
    const diff = (path: string) => `diff --git a/${path} b/${path}\n+x\n`;
    assert.equal(ask(prompt, diff("a.js")), "Change a.js");
    assert.equal(ask(prompt, diff("a.js") + diff("b.js")), "Change a.js and 1 more");
  });
});
