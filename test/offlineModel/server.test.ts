import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type OfflineModel, type OfflineModelOptions, startOfflineModel } from "../../scripts/offline-model/server.mjs";
import { temporaryFolder } from "../fakes/temporary";

async function use(options: OfflineModelOptions, run: (server: OfflineModel) => Promise<void>): Promise<void> {
  const server = await startOfflineModel(options);
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

async function post(server: OfflineModel, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json";
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
}

const chat = (...messages: object[]) => ({ model: "m", messages });
const user = (content: string) => ({ role: "user", content });

describe("offline model: server", () => {
  it("answers in one piece on both interfaces", () =>
    use(
      {
        script: ({ messages }) => ({ text: `You said: ${messages.at(-1)?.text}`, calls: [{ name: "LS", input: {} }] }),
      },
      async server => {
        const { body: completion } = await post(server, "/chat/completions", chat(user("Hi")));
        const [{ message, finish_reason }] = completion.choices;
        assert.equal(message.content, "You said: Hi");
        assert.equal(message.tool_calls[0].function.arguments, "{}");
        assert.equal(finish_reason, "tool_calls");
        const { body: response } = await post(server, "/responses", { model: "m", input: "Hi" });
        assert.deepEqual(
          response.output.map((item: { type: string }) => item.type),
          ["message", "function_call"],
        );
        assert.equal(response.output[0].content[0].text, "You said: Hi");
      },
    ));

  const refusals: [string, string, unknown, number, RegExp][] = [
    ["a body that is no JSON", "/chat/completions", "{", 400, /not a JSON object/],
    ["no messages", "/chat/completions", chat(), 400, /at least one message/],
    [
      "a call without its result",
      "/chat/completions",
      chat(user("Hi"), { role: "assistant", tool_calls: [{ id: "c1", function: { name: "LS", arguments: "{}" } }] }),
      400,
      /followed by a tool message for c1/,
    ],
    [
      "a call without its result",
      "/responses",
      { input: [{ type: "function_call", call_id: "c1", name: "LS", arguments: "{}" }] },
      400,
      /No tool output found for function call c1/,
    ],
    ["a stored response", "/responses", { input: "Hi", previous_response_id: "resp_1" }, 400, /resp_1' not found/],
    ["a stored item", "/responses", { input: [{ type: "item_reference", id: "rs_1" }] }, 400, /rs_1' not found/],
    ["an address that it does not have", "/embeddings", {}, 404, /Unknown request URL/],
  ];
  for (const [name, path, body, status, words] of refusals) {
    it(`refuses ${name} at ${path}`, () =>
      use({ script: () => ({ text: "Hi" }) }, async server => {
        const answer = await post(server, path, body);
        assert.equal(answer.status, status);
        assert.match(answer.body.error.message, words);
      }));
  }

  it("runs by itself, with a script from a file, until it is told to end", async () => {
    const folder = temporaryFolder("offline");
    try {
      const script = join(folder, "script.mjs");
      await writeFile(script, 'export default () => ({ text: "From a file." });\n');
      const child = spawn(process.execPath, [resolve("scripts/offline-model/main.mjs"), "--script", script]);
      const [line] = await once(child.stdout, "data");
      const [, url = ""] =
        /^Offline model \(plays a script\) at (http:\/\/127\.0\.0\.1:\d+\/v1)\n$/.exec(String(line)) ?? [];
      const server = { url, requests: [], close: async () => undefined };
      const { body } = await post(server, "/chat/completions", chat(user("Hi")));
      assert.equal(body.choices[0].message.content, "From a file.");
      child.kill("SIGTERM");
      assert.deepEqual(await once(child, "exit"), [0, null]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
