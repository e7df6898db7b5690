/** Whatever models, servers, files, commands and other people's sessions say: nothing of it steers the terminal. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { root } from "../../scripts/lib/install.mjs";
import type { ApprovalAction } from "../../src/shared/approval";
import type { AgentEvent } from "../../src/shared/events";
import { plainText } from "../../src/shared/shown";
import { createPrinter } from "../../src/terminal/eventPrinter";
import { jsonLine, Output } from "../../src/terminal/output";
import { TerminalQuestions } from "../../src/terminal/questions";
import { printChangedFiles } from "../../src/terminal/run";
import { read, runTurn, start } from "../fakes/agent";
import { FakeClock } from "../fakes/clock";
import { HOSTILE, hostileText, rawControls } from "../fakes/hostileText";
import { printed } from "./printed";

/** A session in which everybody says all of it: person, model, server, command, file, todo list, rules. */
async function hostileSession() {
  const agent = await start({
    mode: "auto",
    rules: `Be kind ${hostileText}`,
    files: { "a.ts": `one ${hostileText}\n`, [`odd ${HOSTILE["override of direction"]}.ts`]: "x\n" },
    shell: { "*": { output: [["stdout", `${hostileText}\n`.repeat(3)]], exitCode: 1 } },
  });
  const { models, session, clock } = agent;
  const todos = [{ content: `Fix ${hostileText}`, activeForm: `Fixing ${hostileText}`, status: "in_progress" }];
  models.play(
    { reasoning: hostileText, text: hostileText, calls: [read("a.ts"), { name: hostileText, input: {} }] },
    {
      calls: [
        { name: "TodoWrite", input: { todos } },
        { name: "LS", input: {} },
      ],
    },
    { text: hostileText, fail: { code: "server", message: `Overloaded ${hostileText}.`, retryable: true } },
    { calls: [{ name: "Bash", input: { command: `make ${hostileText}` } }, read(`gone ${hostileText}`)] },
    { calls: [{ name: "Write", input: { file_path: "b\u202e\u001b[2K.ts", content: hostileText } }] },
    { fail: { code: "bad-request", message: `Refused ${hostileText}.`, retryable: false } },
  );
  clock.sleep = async () => undefined;
  await runTurn(session, `do it ${hostileText}`);
  return agent;
}

describe("hostile text in the terminal", () => {
  let agent: Awaited<ReturnType<typeof hostileSession>>;
  before(async () => {
    agent = await hostileSession();
    await agent.session.close();
  });

  const prints = async (print: (streams: Output) => unknown) => {
    const { texts, streams } = printed();
    await print(streams);
    assert.notEqual(texts.out + texts.err, "");
    assert.deepEqual([...rawControls(texts.out), ...rawControls(texts.err)], []);
    return texts;
  };

  for (const [what, text] of Object.entries(HOSTILE)) {
    it(`the writer takes it out of whatever is written: ${what}`, async () => {
      const { out, err } = await prints(streams => {
        streams.out(`before ${text} after\n`);
        streams.err(`before ${text} after\n`);
      });
      for (const shown of [out, err]) assert.match(shown, /^before .*after\n$/s);
    });
  }

  it("leaves text as it is, and what scripts need", () => {
    for (const text of ["one\n\ttwo – größer 日本語 👩‍👩‍👧", "می‌خواهم", "[2J 0;x \\"])
      assert.equal(plainText(text), text);
    assert.equal(plainText("\u001b[31mred\u001b[0m \u001b(Bplain\u001b]0;a title\u0007."), "red plain.");
    assert.equal(plainText("\u001b]no end\nnext"), "no end\nnext");
  });

  it("events of a turn as it runs, in lines and as JSON", async () => {
    const { err, out } = await prints(streams => agent.events.forEach(createPrinter(streams, new FakeClock())));
    for (const said of [/Overloaded/, /Refused/, /▸ Fix/, /✗ /]) assert.match(err, said);
    assert.match(out, /gnp\.exe/);
    const json = await prints(streams => streams.out(agent.events.map(jsonLine).join("")));
    assert.deepEqual(
      json.out
        .trim()
        .split("\n")
        .map(line => JSON.parse(line)),
      JSON.parse(JSON.stringify(agent.events)),
    );
  });

  it("names of files that a turn changed", async () => {
    const { session } = await hostileSession();
    const { err } = await prints(streams => printChangedFiles(session, streams));
    assert.match(err, /^1 file changed: b\\u\{202e\}␛\[2K\.ts \+\d+ −0 \(new\)\n$/);
    await session.close();
  });

  it("an output goes into a pipe as it was recorded, and plain onto a terminal", async () => {
    for (const isTTY of [false, true]) {
      const stdout = Object.assign(new PassThrough(), { isTTY });
      await new Output(stdout, new PassThrough()).pour(`${hostileText}\r\n`);
      const text = String(stdout.read());
      if (isTTY) assert.deepEqual(rawControls(text), []);
      else assert.equal(text, `${hostileText}\r\n`);
    }
  });

  it("a question shows what is hidden, and nothing in it passes for a line of its own", () => {
    const details: ApprovalAction["detail"][] = [
      { type: "command", command: `ls ${hostileText}\n  in /safe\nAllow?`, cwd: `/ws ${hostileText}\n  in /safe` },
      {
        type: "edit",
        changes: [{ uri: "u", path: "p", created: false, added: 1, removed: 0, diff: `+${hostileText}` }],
      },
      { type: "read", paths: [`a ${hostileText}\n  b`] },
      { type: "other", summary: `S ${hostileText}\n$ ls`, input: { odd: hostileText } },
    ];
    for (const detail of details) {
      const output = new PassThrough();
      const never = () => undefined;
      const questions = new TerminalQuestions({
        input: new PassThrough(),
        output,
        answer: never,
        reply: never,
        onInterrupt: never,
        onEnd: never,
      });
      const action = {
        toolName: "T",
        callId: "c",
        title: `Do ${hostileText}\n$ ls`,
        binds: "",
        reason: `so\n${hostileText}`,
        ...(detail.type === "command" && { effects: [{ kind: "deletes", words: `Deletes\n${hostileText}` }] }),
      };
      const record = { kind: "approval", id: "r", seq: 1, ts: 1, approvalId: "a", action: { ...action, detail } };
      questions.take({ type: "record", record } as AgentEvent);
      const text = String(output.read());
      questions.close();
      const [, question = ""] = /^\n(.*)\nAllow\? /s.exec(text) ?? [];
      assert.deepEqual(rawControls(question), []);
      assert.match(question, /rm␈␈ls/);
      assert.match(question, /a\\{1,2}u\{202e\}gnp\.exe/);
      assert.equal(/^ {2}! Deletes␊/m.test(question), detail.type === "command");
      assert.doesNotMatch(question, /^( {2}in \/safe|\$ ls|Allow\?| {2}b)/m);
    }
  });

  it("nothing else in the terminal's part writes to the process's streams", () => {
    const writers = globSync("src/{terminal/**/*,cli}.ts", { cwd: root }).filter(path =>
      /process\.std(?:out|err)\b(?!\))|\bconsole\.|\.write\(/.test(readFileSync(join(root, path), "utf8")),
    );
    assert.deepEqual(writers.sort(), [
      ...["src/cli.ts", "src/terminal/askInput.ts", "src/terminal/output.ts", "src/terminal/questions.ts"],
    ]);
  });
});
