/** Calls and thoughts that a model writes into its text, through whole turns. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { endWorlds, newest, proven, records, reopened, say, sent, world } from "./world";

const hermes = (name: string, input: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`;
const BROKEN = '<tool_call>\n{"name": "Read", "arguments": {"file": "src/a.ts"}}\n</tool_call>';
const files = { "src/a.ts": "let a = 1;\n" };

describe("over HTTP: calls as text", () => {
  afterEach(endWorlds);

  for (const protocol of ["auto", "tools", "react"] as const) {
    it(`are run, and the model gets what came of them (${protocol})`, async () => {
      const at = await world({ files, settings: { "model.protocol": protocol } });
      const edit = { file_path: "src/a.ts", old_string: "1", new_string: "2" };
      await say(
        at,
        "Make it two.",
        { text: `I read it.\n${hermes("Read", { file_path: "src/a.ts" })}` },
        {
          text: `<tool_call>\n<function=Edit>${Object.entries(edit)
            .map(([key, value]) => `\n<parameter=${key}>\n${value}\n</parameter>`)
            .join("")}\n</function>\n</tool_call>`,
        },
        { text: protocol === "react" ? "Action: Finish[It is two.]" : "It is two." },
      );
      assert.equal(readFileSync(join(at.workspace, "src/a.ts"), "utf8"), "let a = 2;\n");
      assert.equal(newest(at, "turnEnd").reason, "done");
      assert.match(sent(at), /let a = 1;/);
      await proven(at);
      await proven(await reopened(at));
    });
  }

  it("may change their form in the middle, and be calls again", async () => {
    const at = await world({ files });
    await say(
      at,
      "Read it.",
      { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
      { text: hermes("LS", { path: "src" }) },
      { text: '[TOOL_CALLS]Grep[ARGS]{"pattern": "let"}' },
      { calls: [{ name: "Glob", input: { pattern: "*.ts" } }] },
      { text: "Done." },
    );
    const calls = records(at, "message").flatMap(({ message }) =>
      message.parts.flatMap(part => (part.type === "dynamic-tool" ? [part.toolName] : [])),
    );
    assert.deepEqual(calls, ["Read", "LS", "Grep", "Glob"]);
    await proven(at);
  });

  it("that cannot be read are asked for once more", async () => {
    const at = await world({ files });
    await say(
      at,
      "Read it.",
      { text: BROKEN },
      { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
      { text: "Done." },
    );
    const again = JSON.stringify(at.script.asked[1]?.body);
    assert.match(again, /Call tools by the interface for tool calls.*the input of Read cannot be read/);
    assert.equal(newest(at, "turnEnd").reason, "done");
    await proven(at);
  });

  it("that may be examples are asked about once, and are text then", async () => {
    const at = await world({ files });
    const call = hermes("Edit", { file_path: "src/a.ts", old_string: "1", new_string: "2" });
    const example = `For example:\n\n${call}\n\nThat is all.`;
    await say(at, "How do models call?", { text: example }, { text: example });
    assert.equal(newest(at, "turnEnd").reason, "done");
    assert.match(JSON.stringify(at.script.asked[1]?.body), /meant it or explained it/);
    assert.equal(readFileSync(join(at.workspace, "src/a.ts"), "utf8"), "let a = 1;\n");
    await proven(at);
    await proven(await reopened(at));
  });

  it("that cannot be read twice end the turn, and the person hears what to set", async () => {
    const at = await world({ files });
    await say(at, "Read it.", { text: BROKEN }, { text: BROKEN }, { text: "Never asked." });
    const { reason, error } = newest(at, "turnEnd");
    assert.deepEqual([reason, error?.code], ["error", "unreadable-call"]);
    assert.match(error?.details ?? "", /--enable-auto-tool-choice.*--jinja/);
    assert.equal(error?.actions[0], "set-protocol");
    assert.equal(at.script.asked.length, 2);
  });

  it("that are said at the end and did not come are asked for once more", async () => {
    const at = await world({ files });
    await say(
      at,
      "Read it.",
      { text: "I will read it now.", finishReason: "tool_calls" },
      { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
      { text: "Done." },
    );
    assert.match(
      JSON.stringify(at.script.asked[1]?.body),
      /ended as an answer with a call does, and no call came with it/,
    );
    assert.equal(records(at, "attempt").length, 1);
    assert.deepEqual([newest(at, "turnEnd").reason, records(at, "result").length], ["done", 1]);
    assert.deepEqual(records(at, "note"), []);
    await proven(at);
  });

  it("that did not come twice are said, and the answer stays", async () => {
    const at = await world({ files });
    const said = { text: "All is well.", finishReason: "tool_calls" };
    await say(at, "Is it well?", said, said, { text: "Never asked." });
    assert.equal(newest(at, "turnEnd").reason, "done");
    assert.equal(at.script.asked.length, 2);
    assert.match(JSON.stringify(newest(at, "message").message.parts), /All is well\./);
    assert.match(newest(at, "note").text, /but none came.*--enable-auto-tool-choice/);
    await say(at, "And now?", { text: "Yes." });
    assert.doesNotMatch(sent(at), /no call came with it/);
    await proven(at);
  });

  it("beside calls as they should be are only text", async () => {
    const at = await world({ files });
    const call = { name: "Read", input: { file_path: "src/a.ts" } };
    await say(at, "Read it.", { text: hermes("Read", call.input), calls: [call] }, { text: "Done." });
    const [, first] = records(at, "message");
    assert.equal(first?.message.parts.filter(part => part.type === "dynamic-tool").length, 1);
  });
});

describe("over HTTP: thoughts in the text", () => {
  afterEach(endWorlds);

  for (const [what, text] of [
    ["<think>", "<think>\nThe hidden plan.\n</think>\n\nHello."],
    ["only its end", "The hidden plan.\n</think>\n\nHello."],
  ] as const) {
    it(`are shown as thoughts and not sent again: ${what}`, async () => {
      const at = await world();
      await say(at, "Hello?", { text });
      const { parts } = newest(at, "message").message;
      const said = parts.flatMap(part => (part.type === "text" ? [part.text] : [])).join("");
      assert.equal(said.trim(), "Hello.");
      const thought = parts.flatMap(part => (part.type === "reasoning" ? [part.text] : [])).join("");
      assert.match(thought, /hidden/);
      await say(at, "And now?", { text: "Bye." });
      assert.match(sent(at), /Hello\./);
      assert.doesNotMatch(JSON.stringify(at.script.asked.at(-1)?.body), /hidden|think>/i);
      assert.equal(newest(at, "turnEnd").reason, "done");
      await proven(at);
    });
  }

  it("stand before a call as text", async () => {
    const at = await world({ files });
    const text = `<think>I read it.</think>\n${hermes("Read", { file_path: "src/a.ts" })}`;
    await say(at, "Read it.", { text }, { text: "Done." });
    assert.match(sent(at), /let a = 1;/);
  });
});
