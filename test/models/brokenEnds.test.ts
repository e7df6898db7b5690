/** Answers that their server broke off and says so by the reason of their end: half an answer, which is tried again. */
import assert from "node:assert/strict";
import type { Settings } from "../../src/shared/settings";
import { events, startRawServer } from "../wire/rawServer";
import { models, step } from "./connect";

const compatible = { "model.provider": "server", "model.api": "chat" } as const;
const responses = { "model.provider": "server", "model.api": "responses" } as const;
const claude = { "model.provider": "anthropic", "model.name": "claude-opus-5-5" } as const;
const google = { "model.provider": "google", "model.name": "gemini-3-pro" } as const;
const started = {
  type: "message_start",
  message: { id: "m", model: "m", usage: { input_tokens: 10, output_tokens: 1 } },
};

const chat = (finish_reason: string) => ({
  settings: compatible,
  body: events(
    { id: "c", choices: [{ index: 0, delta: { content: "Half an" }, finish_reason: null }] },
    { id: "c", choices: [{ index: 0, delta: {}, finish_reason }] },
  ),
});
const gemini = (finishReason: string) => ({
  settings: google,
  body: events(
    { candidates: [{ content: { parts: [{ text: "Half an" }], role: "model" } }] },
    { candidates: [{ content: { parts: [] }, finishReason }] },
  ),
});

async function ended(settings: Partial<Settings>, body: readonly string[], contentType?: string) {
  const server = await startRawServer(() => ({ body, ...(contentType && { contentType }) }));
  try {
    const connection = await models({ ...settings, "model.baseUrl": server.url }).connect();
    const { outcome } = await step(connection);
    if (outcome.kind !== "failed") return { outcome };
    return { outcome, failure: connection.explain(outcome.error) };
  } finally {
    await server.close();
  }
}

/** Claude's pieces of a call, and of the end at the limit of an answer. */
const CALL_BEGUN = [
  started,
  { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", name: "Read", input: {} } },
  { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"file_path":"a' } },
];
const CUT_AT_LIMIT = [
  { type: "message_delta", delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];

describe("ends of an answer that are none", () => {
  for (const [reason, { settings, body }] of [
    ...["error", "network_error", "ERROR"].map(word => [word, chat(word)] as const),
    ...["MALFORMED_FUNCTION_CALL"].map(word => [word, gemini(word)] as const),
  ]) {
    it(`${reason} is half an answer, and said`, async () => {
      const { failure, outcome } = await ended(settings, body);
      assert.deepEqual([failure?.code, failure?.retryable], ["cut", true]);
      assert.match(failure?.message ?? "", new RegExp(`broke off its answer \\(${reason}\\)`));
      assert.ok(outcome.parts.some(part => part.type === "text" && part.text === "Half an"));
    });
  }

  for (const [word, reason] of [
    ["stop", "stop"],
    ["end_turn", "stop"],
    ["length", "length"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["content_filter", "content-filter"],
    ["something_new", "other"],
  ] as const) {
    it(`${word} is ${reason}`, async () => {
      const { settings, body } = chat(word);
      const { outcome } = await ended(settings, body);
      assert.equal(outcome.kind === "answered" && outcome.finishReason, reason);
    });
  }

  it("a stream whose pieces all say an empty reason, and which ends, was cut", async () => {
    const piece = { id: "c", choices: [{ index: 0, delta: { content: "Half" }, finish_reason: "" }] };
    const { failure } = await ended(chat("").settings, events(piece, piece));
    assert.equal(failure?.code, "cut");
  });
});

/** Errors in a stream that began with 200, and the status that each stands for. */
const errors: readonly [Partial<Settings>, piece: unknown, status: number, code?: string][] = [
  [compatible, { error: { message: "Overloaded", type: "overloaded_error" } }, 503],
  [compatible, { error: { message: "Provider returned error", code: "502" } }, 502],
  [compatible, { error: "model runner has unexpectedly stopped" }, 500],
  [compatible, 'event: error\ndata: {"message":"Our servers are busy","code":"503"}', 503],
  [compatible, 'event: error\ndata: {"message":"The engine is currently overloaded, please try again later"}', 503],
  [compatible, { error: { message: "Too fast.", type: "rate_limit_reached_error" } }, 429, "rate-limit"],
  [compatible, { error: { message: "EngineCore encountered an issue.", type: "InternalServerError" } }, 500],
  [responses, { type: "error", error: { code: "server_is_overloaded", message: "Please try again later." } }, 503],
  [responses, { type: "response.failed", response: { error: { code: "server_error", message: "Sorry." } } }, 500],
  [claude, 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 503],
  [claude, { type: "error", error: { type: "api_error", message: "Internal server error" } }, 500],
  [claude, { type: "error", message: "Overloaded" }, 503],
  [responses, { type: "error", code: "server_error", message: "Sorry." }, 500],
  [google, { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }, 503],
];
const final: typeof errors = [
  [
    compatible,
    { error: { message: "messages.1: must not be empty", type: "invalid_request_error" } },
    400,
    "bad-request",
  ],
  [compatible, { error: { message: "No such key.", type: "authentication_error" } }, 401, "auth"],
];

describe("an error within a stream", () => {
  for (const [settings, piece, status, code = "server"] of errors) {
    it(`is tried again as ${status} is: ${JSON.stringify(piece)}`, async () => {
      for (const before of settings === claude ? [[], [started]] : [[]]) {
        const { failure } = await ended(settings, events(...before, piece));
        assert.equal(failure?.code, code, failure?.message);
        assert.equal(failure?.retryable, true);
        if (before.length === 0) assert.equal(failure?.status, status);
      }
    });
  }
  for (const [settings, piece, status, code] of final) {
    it(`is not tried again: ${JSON.stringify(piece)}`, async () => {
      const { failure } = await ended(settings, events(piece));
      assert.deepEqual([failure?.code, failure?.retryable, failure?.status], [code, false, status]);
    });
  }
  it("that comes with status 200 in the place of a stream is tried again as well", async () => {
    const body = JSON.stringify({ error: { message: "Wait.", type: "overloaded_error" } });
    const { failure } = await ended(compatible, [body], "application/json");
    assert.deepEqual([failure?.code, failure?.retryable], ["server", true]);
  });
});

describe("a whole answer in the place of a stream, in an interface that has none", () => {
  for (const [settings, answer] of [
    [claude, { id: "m", type: "message", role: "assistant", content: [{ type: "text", text: "Hello" }] }],
    [responses, { id: "r", object: "response", error: null, output: [{ type: "message", content: [] }] }],
  ] as const)
    it(`is said: ${JSON.stringify(answer)}`, async () => {
      for (const end of ["", "\n"]) {
        const { failure } = await ended(settings, [JSON.stringify(answer) + end]);
        assert.match(failure?.message ?? "", /does not answer like a model server/);
      }
    });
});

describe("a call that was cut off by the most tokens", () => {
  const call = { type: "function_call", id: "f1", call_id: "c1", name: "Read", arguments: "" };
  for (const [name, settings, body] of [
    [
      "Responses",
      responses,
      events(
        { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
        { type: "response.output_item.added", output_index: 0, item: call },
        { type: "response.function_call_arguments.delta", item_id: "f1", output_index: 0, delta: '{"file_path":"a' },
        {
          type: "response.incomplete",
          response: {
            incomplete_details: { reason: "max_output_tokens" },
            usage: { input_tokens: 10, output_tokens: 5 },
          },
        },
      ),
    ],
    ["Messages", claude, events(...CALL_BEGUN, { type: "content_block_stop", index: 0 }, ...CUT_AT_LIMIT)],
    ["Messages, without the block's end", claude, events(...CALL_BEGUN, ...CUT_AT_LIMIT)],
  ] as const) {
    it(name, async () => {
      const { outcome } = await ended(settings, body);
      const [part, ...more] = outcome.parts;
      assert.ok(part?.type === "dynamic-tool", JSON.stringify(outcome));
      assert.match(part.errorText ?? "", /cut off/);
      assert.deepEqual(more, []);
    });
  }
});
