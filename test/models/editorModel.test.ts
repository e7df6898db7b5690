/** A model that the editor has: whole turns with tools, what it counts, how it fails, and when it is the one in use. */

import assert from "node:assert/strict";
import { createSession } from "../../src/core/agent/session/openSession";
import { NoModelError } from "../../src/core/ground/ports";
import { verifySession } from "../../src/core/proof/verify";
import { createModels } from "../../src/models";
import { type EditorChat, EditorModelError, toChatMessages } from "../../src/models/editorModel";
import { type Settings, settingsSchema } from "../../src/shared/settings";
import { world } from "../fakes/agent";
import { FakeClock } from "../fakes/clock";
import { fakeChat } from "../fakes/editorChat";
import { hash } from "../fakes/hash";
import { told } from "./connect";

function models(chats: readonly EditorChat[] | undefined, set: Partial<Settings> = { "model.provider": "vscode" }) {
  const settings = settingsSchema.parse(set);
  return createModels({
    settings: { get: () => settings },
    apiKey: async () => "key",
    ...{ hash, clock: new FakeClock() },
    ...(chats && { editorModels: { list: async () => chats } }),
  });
}

const text = (words: string) => [{ type: "text" as const, text: words }];

describe("a model of the editor", () => {
  it("does a turn with a tool: turns of two roles, each request begins with the one before", async () => {
    const chat = fakeChat(request =>
      request === 0
        ? [
            ...text("I look. "),
            { type: "other" },
            { type: "call", id: "c1", name: "Read", input: { file_path: "a.txt" } },
          ]
        : [...text("It says "), ...text("hello.")],
    );
    const { ports, disk, files } = world();
    files.put("a.txt", "hello\n");
    const session = await createSession({ ...ports, models: models([chat]) });
    await session.submit("What does a.txt say?");
    await session.idle();
    assert.equal(chat.asked.length, 2);
    const [first, second] = chat.asked;
    assert.deepEqual(
      first?.turns.map(turn => turn.role),
      ["user"],
    );
    assert.deepEqual(
      second?.turns.map(turn => turn.role),
      ["user", "assistant", "user"],
    );
    assert.deepEqual(second?.turns[1]?.parts, [
      { type: "text", text: "I look. " },
      { type: "call", id: "c1", name: "Read", input: { file_path: "a.txt" } },
    ]);
    const result = second?.turns[2]?.parts[0];
    assert.ok(result?.type === "result" && result.id === "c1" && /hello/.test(result.text));
    assert.ok(first?.tools.some(tool => tool.name === "Read" && "properties" in tool.inputSchema));
    const answers = session.history.conversation.messages.filter(({ role }) => role === "assistant");
    assert.deepEqual(
      answers.at(-1)?.parts.map(part => part.type === "text" && part.text),
      ["It says hello."],
    );
    const report = await verifySession(session.history.files, hash);
    assert.deepEqual([report.defects, report.proven], [[], 2]);
    assert.ok(disk.text(session.id, "requests.jsonl")?.includes('"bodySha256":null'));
  });

  for (const [what, options] of [
    ["says that it takes no tools", { takesTools: false }],
    ["refuses them", {}],
  ] as const) {
    it(`does a turn in the text protocol where it ${what}`, async () => {
      const chat = fakeChat(
        () =>
          chat.asked.at(-1)?.turns.length === 1
            ? [...text("Thought: I look.\nAction: Re"), ...text('ad[{"file_path":"a.txt"}]')]
            : text("Action: Finish[It says hello.]"),
        options,
      );
      const { send } = chat;
      chat.send = async (turns, tools, signal) => {
        if (tools.length > 0) throw new Error("This model does not support tool calling.");
        return send(turns, tools, signal);
      };
      const { ports, files } = world();
      files.put("a.txt", "hello\n");
      const session = await createSession({ ...ports, models: models([chat]) });
      await session.submit("What does a.txt say?");
      await session.idle();
      const [, second] = chat.asked;
      assert.deepEqual(
        second?.turns.map(({ role }) => role),
        ["user", "assistant", "user"],
      );
      assert.deepEqual(second?.turns[1]?.parts, [
        { type: "text", text: '[assistant] Thought: I look.\nAction: Read[{"file_path":"a.txt"}]' },
      ]);
      assert.match(JSON.stringify(second?.turns[2]?.parts), /\[tool\] .*hello/);
      assert.deepEqual(session.history.conversation.messages.at(-1)?.parts, [{ type: "text", text: "It says hello." }]);
      assert.ok(session.history.records.some(({ kind }) => kind === "note"));
      const report = await verifySession(session.history.files, hash);
      assert.deepEqual([report.defects, report.proven], [[], report.requests]);
    });
  }

  it("an answer that ends since the person stopped it is no whole answer", async () => {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const chat = fakeChat(async function* (_, signal) {
      yield* text("Half of ");
      resolve();
      await new Promise(done => signal.addEventListener("abort", done, { once: true }));
    });
    const { ports } = world();
    const session = await createSession({ ...ports, models: models([chat]) });
    await session.submit("Go on.");
    await begun;
    await session.stop();
    await session.idle();
    const last = session.history.conversation.messages.at(-1);
    assert.equal(last?.metadata?.stopped, true);
  });

  it("leave that is withdrawn in the middle of a turn ends it with a clear sentence: nothing is lost, and it goes on once it is given again", async () => {
    let withdrawn = false;
    const chat = fakeChat(number => {
      if (withdrawn) throw new EditorModelError("no-permission", "Access was removed.");
      withdrawn = number === 0;
      return number === 0
        ? [{ type: "call", id: "c1", name: "Read", input: { file_path: "src/a.ts" } }]
        : text("Here.");
    });
    const { ports } = world();
    const session = await createSession({ ...ports, models: models([chat]) });
    await session.submit("Look.");
    await session.idle();
    const end = session.history.records.findLast(record => record.kind === "turnEnd");
    assert.equal(end?.error?.code, "auth");
    assert.match(told(end?.error), /does not let Strata use acme\/one yet\. Allow it when VS Code asks/);
    assert.deepEqual(
      session.history.records.map(({ kind }) => kind),
      ["message", "message", "result", "turnEnd"],
    );
    withdrawn = false;
    await session.resume();
    await session.idle();
    assert.equal(session.history.records.findLast(record => record.kind === "turnEnd")?.reason, "done");
    assert.equal(chat.asked.length, 3);
  });

  const failures = [
    ["no-permission", "auth", /does not let Strata use acme\/one yet/],
    ["blocked", "rate-limit", /takes no more requests.*“The month is used up\.”/],
    ["not-found", "unknown-model", /VS Code no longer has the model acme\/one/],
  ] as const;
  for (const [code, wanted, sentence] of failures) {
    it(`says why: ${code}`, async () => {
      const connection = await models([fakeChat(() => [])]).connect();
      const failure = connection.explain(new EditorModelError(code, "The month is used up."));
      assert.deepEqual([failure.code, failure.retryable], [wanted, false]);
      assert.match(told(failure), sentence);
    });
  }

  it("the words of a vendor for a request that is too long are understood", async () => {
    const connection = await models([fakeChat(() => [])]).connect();
    assert.equal(connection.explain(new Error("Message exceeds token limit.")).code, "context-too-long");
  });
});

describe("whose model is in use", () => {
  const [one, two] = [fakeChat(() => []), fakeChat(() => [], { name: "acme/two", maxInputTokens: 8_000 })];
  const nameOf = async (chats: EditorChat[] | undefined, set: Partial<Settings>) => {
    const { name, address, contextWindow } = await models(chats, set).connect();
    return { name, address, contextWindow };
  };

  it("auto: the server's where a model is named, else the editor's first", async () => {
    assert.equal((await nameOf([one, two], { "model.name": "gpt-5" })).address, "https://api.openai.com/v1");
    assert.deepEqual(await nameOf([one, two], {}), { name: "acme/one", address: "VS Code", contextWindow: 64_000 });
    await assert.rejects(nameOf([], {}), NoModelError);
    await assert.rejects(nameOf(undefined, {}), NoModelError);
  });

  it("vscode: the one that is named, or the first; else it is said", async () => {
    const vscode = { "model.provider": "vscode" } as const;
    assert.equal((await nameOf([one, two], { ...vscode, "model.name": "acme/two" })).contextWindow, 8_000);
    assert.equal((await nameOf([one, two], vscode)).name, "acme/one");
    await assert.rejects(
      nameOf([one], { ...vscode, "model.name": "acme/three" }),
      /VS Code does not offer the model "acme\/three"/,
    );
    await assert.rejects(nameOf([], vscode), /VS Code offers no model/);
    await assert.rejects(nameOf(undefined, vscode), /this is a terminal/);
  });

  it("server: never the editor's", async () => {
    await assert.rejects(nameOf([one], { "model.provider": "server" }), /No model yet/);
  });
});

describe("turns of two roles", () => {
  it("joins messages of one role, drops reasoning and what is empty, names pictures that cannot be seen", () => {
    const prompt: Parameters<typeof toChatMessages>[0] = [
      { role: "system", content: "Rules." },
      { role: "user", content: [{ type: "text", text: "Look." }] },
      {
        role: "user",
        content: [{ type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([1]) } }],
      },
      { role: "assistant", content: [{ type: "reasoning", text: "Hm." }] },
      { role: "assistant", content: [{ type: "text", text: "" }] },
      { role: "user", content: [{ type: "text", text: "Well?" }] },
    ];
    const blind = toChatMessages(prompt, false);
    assert.deepEqual(blind, [
      {
        role: "user",
        parts: [
          { type: "text", text: "Rules." },
          { type: "text", text: "Look." },
          { type: "text", text: "[image/png: this model cannot be shown it]" },
          { type: "text", text: "Well?" },
        ],
      },
    ]);
    const [seen] = toChatMessages(prompt, true);
    assert.deepEqual(seen?.parts[2], { type: "image", data: new Uint8Array([1]), mediaType: "image/png" });
  });
});
