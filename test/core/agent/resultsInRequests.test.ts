/** Forms of results as the model is sent them: in the step behind the call, in the next turn, and folded for want of room. */
import assert from "node:assert/strict";
import { sentTokens } from "../../../src/core/ground/text/estimate";
import type { Json } from "../../../src/shared/messages";
import type { LogRecord } from "../../../src/shared/records";
import { start, type WorldOptions } from "../../fakes/agent";
import type { ShellScript } from "../../fakes/shell";
import { numbered } from "../looking/harness";

type Call = { name: string; input: Json };
const bash = (command: string): Call => ({ name: "Bash", input: { command } });
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
});
