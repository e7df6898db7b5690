/** Forms of results as the model is sent them: in the step behind the call, in the next turn, and folded for want of room. */
import assert from "node:assert/strict";
import { estimateTokens, sentTokens } from "../../../src/core/ground/text/estimate";
import type { Json } from "../../../src/shared/messages";
import type { LogRecord } from "../../../src/shared/records";
import { start, type WorldOptions } from "../../fakes/agent";
import type { ShellScript } from "../../fakes/shell";
import { numbered } from "../looking/harness";

type Call = { name: string; input: Json };
const bash = (command: string): Call => ({ name: "Bash", input: { command } });
const write = (content: string): Call => ({ name: "Write", input: { file_path: "a.ts", content } });
const read = (file_path: string): Call => ({ name: "Read", input: { file_path } });

/** Each step of the first turn has these calls; then a second turn follows. */
async function played(steps: readonly Call[][], { settings, ...options }: WorldOptions = {}) {
  const agent = await start({ mode: "auto", settings: { "context.memory": "plain", ...settings }, ...options });
  const { models, session } = agent;
  models.play(...steps.map(calls => ({ calls })), { text: "Done." }, { text: "Well." });
  for (const words of ["go", "and now?"]) {
    await session.submit(words);
    await session.idle();
  }
  /** of each request, the results in it */
  const requests = models.requests.map(({ prompt }) =>
    prompt.flatMap(message =>
      message.role === "tool"
        ? message.content.flatMap(part =>
            part.type === "tool-result" && part.output.type === "text" ? [part.output.value] : [],
          )
        : [],
    ),
  );
  const results = session.history.records.filter(
    (record): record is Extract<LogRecord, { kind: "result" }> => record.kind === "result",
  );
  return { requests, results, behind: requests[steps.length] ?? [], next: requests.at(-1) ?? [] };
}

const failing = (stdout: string, stderr: string): ShellScript => ({
  output: [
    ["stdout", stdout],
    ["stderr", stderr],
  ],
  exitCode: 1,
});
const data = (text: string | undefined) => (JSON.parse(text ?? "{}") as { data: Record<string, Json> }).data;
const trace = `Traceback (most recent call last):\n${numbered(40, line => `  File "${line}.py", line ${line}, in f`)}ValueError: no rate for 7\n`;

describe("results in requests", () => {
  it("have how stderr of a command that failed ends, and later why it failed", async () => {
    const ends = Array.from({ length: 20 }, (_, at) => `${"abcdefghijklmnopqrst"[at]} was not there`);
    const shell = {
      ends: failing(
        numbered(400, line => `FAILED case ${line}`),
        `${numbered(80, line => `note ${line}`)}${ends.join("\n")}\n`,
      ),
      trace: failing(
        numbered(300, line => `row ${line} is read`),
        trace,
      ),
    };
    const { behind, next } = await played([[bash("ends")], [bash("trace")]], { shell });
    assert.deepEqual(
      ends.filter(line => !behind[0]?.includes(line)),
      [],
    );
    assert.match(behind[1] ?? "", /ValueError: no rate for 7/);
    assert.match(next[1] ?? "", /ValueError: no rate for 7/);
  });

  it("say that a file was overwritten", async () => {
    const files = { "a.ts": numbered(200) };
    const { behind, next } = await played([[read("a.ts")], [write(numbered(200, line => `row ${line}`))]], { files });
    assert.match(behind[1] ?? "", /^Overwrote a\.ts: /);
    assert.match(next[1] ?? "", /^Overwrote a\.ts: /);
  });

  it("have in the next turn what the table says", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`src/folder/with/a/long/name/f${at + 10}.ts`, `hit ${at}\n`.repeat(3)]),
    );
    const place = "src/folder/with/a/long/name";
    const shell = {
      "*": {
        output: [
          ["stdout", numbered(150, line => `out ${line} of what it has to say`)],
          ["stderr", numbered(40, line => `err ${line}`)],
        ] as const,
      },
    };
    const calls: Call[] = [
      { name: "LS", input: { path: place } },
      { name: "Glob", input: { pattern: "**/*.ts" } },
      { name: "Grep", input: { pattern: "hit" } },
      bash("all"),
    ];
    const { next } = await played([calls], { files, shell });
    const [ls = {}, glob = {}, grep = {}, command = {}] = next.map(data);
    const size = (value: Json | undefined) => (Array.isArray(value) ? value.length : -1);
    assert.deepEqual([ls.directory, ls.files, ls.directories, ls.total, size(ls.first)], [place, 60, 0, 60, 10]);
    assert.deepEqual([glob.pattern, glob.hits, size(glob.first)], ["**/*.ts", 60, 10]);
    assert.deepEqual([grep.pattern, grep.hits, grep.files, size(grep.first)], ["hit", 180, 60, 5]);
    assert.match(String(Array.isArray(grep.first) && grep.first[0]), /f10\.ts:1: hit 0$/);
    const { stdout, stderr, ...facts } = command;
    const out = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => `out ${from + at} of what it has to say`);
    const handle = /obs:\w{12}/.exec(String(stdout))?.[0];
    assert.deepEqual(stdout, [...out(1, 5), `… 135 more lines, ${handle}`, ...out(141, 150)]);
    assert.deepEqual(stderr, [
      `… 20 more lines, ${handle}`,
      ...Array.from({ length: 20 }, (_, at) => `err ${at + 21}`),
    ]);
    assert.deepEqual(Object.keys(facts), ["command", "exitCode", "durationMs", "stdoutLines", "stderrLines"]);
  });

  it("have another form only where that saves 60 tokens as they are counted", async () => {
    const texts = [
      numbered(20),
      numbered(60),
      "漢字かな".repeat(60),
      numbered(190, line => `a long line of output ${line}`),
      '{"a":"b"}\n'.repeat(30),
      numbered(150, line => `第${line}行`),
    ];
    const shell = Object.fromEntries(texts.map((text, at) => [`t${at}`, { output: [["stdout", text]] as const }]));
    const files = Object.fromEntries(texts.map((text, at) => [`t${at}.txt`, text]));
    const calls = texts.flatMap((_, at) => [bash(`t${at}`), read(`t${at}.txt`)]);
    for (const memory of ["plain", "lean"] as const) {
      const { behind, next } = await played([calls], { shell, files, settings: { "context.memory": memory } });
      assert.equal(next.length, calls.length);
      const changed = next.filter((text, at) => text !== behind[at]);
      assert.ok(changed.length > 0, memory);
      for (const [at, text] of next.entries())
        if (text !== behind[at]) assert.ok(sentTokens(behind[at] ?? "") - sentTokens(text) >= 60, text);
    }
  });

  it("tell folded what it was, the part, and the point of the error, in 40 tokens", async () => {
    const shell = {
      "*": { output: [["stdout", numbered(190, line => `a long line of output ${line}`)]] as const },
      "npm test": failing(
        numbered(150, line => `row ${line} is read`),
        trace,
      ),
    };
    const files = { "src/core/agent/loop.ts": numbered(900, line => `const value${line} = ${line};`) };
    const grep: Call = { name: "Grep", input: { pattern: "value\\d+" } };
    const steps = [
      [bash("npm test")],
      [{ name: "Read", input: { file_path: "src/core/agent/loop.ts", offset: 101, limit: 300 } }],
      [grep],
      ...Array.from({ length: 9 }, (_, at) => [bash(`echo ${at}`)]),
    ];
    const { behind } = await played(steps, {
      ...{ shell, files, maxSteps: 20 },
      settings: { "context.memory": "lean", "model.contextWindow": 24_000 },
    });
    const folded = behind.filter(text => text.startsWith("[folded] "));
    for (const text of folded) assert.ok(estimateTokens(text) <= 40, text);
    const has = (pattern: RegExp) =>
      assert.ok(
        folded.some(text => pattern.test(text)),
        `${pattern}: ${folded.join("\n")}`,
      );
    has(/^\[folded\] npm test: exit 1, 192 lines · ValueError: no rate for 7 · obs:\w{12}$/);
    has(/^\[folded\] src\/core\/agent\/loop\.ts: 101–400 of 900 · obs:\w{12}$/);
    has(/^\[folded\] value\\d\+: 900 hits in 1 file · obs:\w{12}$/);
  });
});
