/** A server that answers each time in another way, and a model that writes its calls each time in another form, in one turn. */
import assert from "node:assert/strict";
import { events, type RawAnswer, startRawServer } from "../wire/rawServer";
import { endWorlds, newest, proven, records, world } from "./world";

const input = (number: number) => ({ file_path: `src/${number}.ts` });
const piece = (delta: unknown, finish_reason: string | null = null, rest: object = {}) => ({
  ...{ id: "c", object: "chat.completion.chunk", created: 1, model: "m" },
  choices: [{ index: 0, delta, finish_reason }],
  ...rest,
});
const called = (number: number, rest: object = {}) => ({
  tool_calls: [
    {
      ...{ index: 0, id: `c${number}`, type: "function", ...rest },
      function: { name: "Read", arguments: JSON.stringify(input(number)) },
    },
  ],
});
const whole = (number: number) => ({
  ...{ id: "c", object: "chat.completion", created: 1, model: "m" },
  choices: [
    { index: 0, message: { role: "assistant", content: null, ...called(number) }, finish_reason: "tool_calls" },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
});
const written = (text: string): RawAnswer => ({ body: events(piece({ content: text }), piece({}, "stop")) });

/** Each calls Read of the file of its number. */
const ways: readonly [what: string, answer: (number: number) => RawAnswer][] = [
  ["as it should be", number => ({ body: events(piece(called(number)), piece({}, "tool_calls"), "data: [DONE]") })],
  ["whole, as JSON", number => ({ contentType: "application/json", body: [JSON.stringify(whole(number))] })],
  ["whole, said to be a stream", number => ({ body: [JSON.stringify(whole(number))] })],
  [
    "a stream said to be JSON",
    number => ({ contentType: "application/json", body: events(piece(called(number)), piece({}, "tool_calls")) }),
  ],
  [
    "a line of JSON each",
    number => ({
      contentType: "application/x-ndjson",
      body: [piece(called(number)), piece({}, "tool_calls")].map(line => `${JSON.stringify(line)}\n`),
    }),
  ],
  ["a busy server first", () => ({ status: 503, contentType: "text/html", body: ["<h1>Busy</h1>"] })],
  [
    "behind pings and nulls",
    number => ({ body: events(": ping", "data: null", {}, piece(called(number)), piece({}, "stop")) }),
  ],
  [
    "an id that is a number, no end",
    number => ({ body: events(piece(called(number, { id: number })), "data: [DONE]") }),
  ],
  ["cut before its call", () => ({ body: events(piece({ content: "I will " })) })],
  [
    "an error within the stream",
    () => ({ body: events(piece({ content: "I" }), { error: { message: "Overloaded", code: 503 } }) }),
  ],
  [
    "Hermes",
    number => written(`<tool_call>\n${JSON.stringify({ name: "Read", arguments: input(number) })}\n</tool_call>`),
  ],
  [
    "Qwen",
    number =>
      written(
        `<tool_call>\n<function=Read>\n<parameter=file_path>\nsrc/${number}.ts\n</parameter>\n</function>\n</tool_call>`,
      ),
  ],
  ["Mistral", number => written(`[TOOL_CALLS]Read[ARGS]${JSON.stringify(input(number))}`)],
  [
    "invoke",
    number =>
      written(
        `<function_calls>\n<invoke name="Read">\n<parameter name="file_path">src/${number}.ts</parameter>\n</invoke>\n</function_calls>`,
      ),
  ],
  [
    "Kimi",
    number =>
      written(
        `<|tool_calls_section_begin|><|tool_call_begin|>functions.Read:0<|tool_call_argument_begin|>${JSON.stringify(input(number))}<|tool_call_end|><|tool_calls_section_end|>`,
      ),
  ],
  [
    "a thought in tags, then a call",
    number => ({
      body: events(piece({ content: "<think>Hm.</think>" }), piece(called(number)), piece({}, "tool_calls")),
    }),
  ],
];

describe("over HTTP: one turn, each answer in another way", () => {
  afterEach(endWorlds);

  for (const order of ["as they stand", "backwards"] as const) {
    it(`every call is run once, none is lost (${order})`, async () => {
      const answers = order === "backwards" ? [...ways].reverse() : [...ways];
      const server = await startRawServer((_, number) => {
        const way = answers[number];
        return way ? way[1](number) : written("All read.");
      });
      const files = Object.fromEntries(ways.map((_, number) => [`src/${number}.ts`, `const n = ${number};\n`]));
      const settings = {
        "model.provider": "server",
        "model.name": "any-model",
        "model.baseUrl": `${server.url}/v1`,
      } as const;
      const at = await world({ files, settings });
      await at.session.submit("Read all.");
      await at.session.idle();
      assert.equal(newest(at, "turnEnd").reason, "done", newest(at, "turnEnd").error?.message);
      const failing = ["a busy server first", "cut before its call", "an error within the stream"];
      const wanted = answers.flatMap(([what], number) => (failing.includes(what) ? [] : [`src/${number}.ts`]));
      const read = records(at, "message").flatMap(({ message }) =>
        message.parts.flatMap(part =>
          part.type === "dynamic-tool" ? [(part.input as { file_path: string }).file_path] : [],
        ),
      );
      assert.deepEqual(read, wanted);
      assert.deepEqual(
        records(at, "result").map(({ status }) => status),
        wanted.map(() => "success"),
      );
      const last = JSON.stringify(server.requests.at(-1)?.body);
      for (const [number] of answers.entries())
        assert.equal(last.includes(`const n = ${number};`), wanted.includes(`src/${number}.ts`), `${number}`);
      assert.ok(!last.includes("Hm."));
      await proven(at);
      await server.close();
    });
  }
});
