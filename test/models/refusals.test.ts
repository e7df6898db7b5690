/** What servers refuse of a request that can do without it: it is left out, said where it matters, and the request goes again. */

import assert from "node:assert/strict";
import type { OptionalPart } from "../../src/core/ground/ports";
import { refusalOf } from "../../src/models/failure";
import { retryAfter } from "../../src/models/failureFacts";
import { LeftOut } from "../../src/models/leftOut";
import { pluck } from "../fakes/pluck";
import { endWorlds, proven, records, type World, world } from "../overHttp/world";
import type { WireAnswer } from "../wire/anthropicServer";
import { startOpenaiServer } from "../wire/openaiServer";
import { startRawServer } from "../wire/rawServer";
import { openai } from "./bodies";
import { ask, models, step, told } from "./connect";
import rooms from "./rooms.json";

const answers: readonly [words: string, OptionalPart | undefined, status?: number][] = [
  ["Invalid content type. image_url is only supported by certain models.", "images"],
  ["image input is not supported - hint: if this is unexpected, you may need to provide the mmproj", "images", 500],
  ["unknown variant `image_url`, expected `text`", "images"],
  ["Unsupported image format: image/bmp", undefined],
  ["The image size exceeds the limit of 10 MB", undefined],
  ["Unsupported parameter: 'reasoning_effort' is not supported with this model.", "reasoning"],
  ["Unsupported value: 'reasoning.effort' does not support 'minimal' with this model.", "reasoning"],
  ['"gemma3" does not support thinking', "reasoning"],
  ["Your organization must be verified to generate reasoning summaries. Please go to the settings.", "summary"],
  ["Unsupported parameter: 'reasoning.summary' is not supported with this model.", "summary"],
  ["got an unexpected keyword argument 'reasoning_effort'", "reasoning", 500],
  ["reasoning_effort: Input should be 'low', 'medium' or 'high'", "reasoning", 422],
  ["Budget 0 is invalid. This model only works in thinking mode.", "reasoning"],
  ["Unable to submit request because The model does not support setting thinking_budget to 0.", "reasoning"],
  ["invalid thinking: only type=enabled is allowed for this model", "reasoning"],
  ["temperature may only be set to 1 when thinking is enabled", undefined],
  ["'stream_options' is not allowed", "usage"],
  ["Only user and assistant roles are supported!", "system"],
  ["messages.3: the thinking block is bound to a different conversation", undefined],
  ["property 'reasoning_content' is unsupported", "past-thoughts"],
  ['[{"type":"extra_forbidden","loc":["body","messages",2,"assistant","reasoning_content"]}]', "past-thoughts", 422],
  ["messages[2].reasoning: Extra inputs are not permitted", "past-thoughts"],
  ["thinking is enabled but reasoning_content is missing in assistant tool call message at index 2", "bare-steps"],
  ["The `reasoning_content` in the thinking mode must be passed back to the API.", "bare-steps"],
  ["messages.2.reasoning_content: Field required", "bare-steps", 422],
  ["Param Incorrect: reasoning_content cannot be null", "bare-steps"],
  ["the message at position 3 must not be without reasoning_content", "bare-steps"],
  ["reasoning_content: invalid type: integer `3`", undefined],
  [
    "messages.5.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block",
    "late-thinking",
  ],
  ['[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]', "usage", 422],
  ["Developer instruction is not enabled for models/gemma-3-27b-it", "system"],
  ["Conversation roles must alternate user/assistant/user/assistant/...", "turns"],
  ["temperature is not supported", undefined],
  ["Invalid 'tools[0].function.name': string too long.", undefined],
];

describe("refusals: how servers say them", () => {
  for (const [words, part, status = 400] of answers) {
    it(words, () => {
      const facts = { status, headers: {}, words, labels: "" };
      const leftOut = new LeftOut();
      assert.equal(refusalOf(facts, leftOut).left?.part, part);
      assert.equal(refusalOf({ ...facts, status: 401 }, leftOut).left, undefined);
      if (part) leftOut.add(part);
      assert.equal(refusalOf(facts, leftOut).left, undefined);
    });
  }
});

/** More was asked for than a model writes, or than there is room for: what is asked for then, of 32,000; null: nothing less helps. */
const asked = rooms as [server: string, words: string, tokens: number | null][];

describe("refusals: room for the answer", () => {
  for (const [server, words, tokens] of asked) {
    it(`${server}: ${words}`, () => {
      const facts = { status: 400, headers: {}, words: words.slice(0, 299), labels: "" };
      const prompt = [{ role: "user", content: [{ type: "text", text: "x".repeat(1000) }] }] as const;
      const params = { prompt, maxOutputTokens: 32_000 } as unknown as Parameters<LeftOut["takeOut"]>[0];
      const leftOut = new LeftOut();
      leftOut.takeOut(params);
      const refused = refusalOf(facts, leftOut).left;
      if (refused) leftOut.add(refused.part);
      const now = leftOut.takeOut(params).maxOutputTokens ?? 0;
      assert.ok(now <= (tokens ?? 32_000) && now > (tokens ?? 32_000) * 0.5, String(now));
      // Refused in the same words: not for what is asked for. These count what was asked for last, or the least it can be.
      if (!/at least|Current length/.test(words)) assert.equal(refusalOf(facts, leftOut).left, undefined);
    });
  }
});

it("refusals: are read by what their own conversation sent, beside another one with the same model", async () => {
  const error = { message: "input length and `max_tokens` exceed context limit: 1000 + 32000 > 20000" };
  const server = await startRawServer(() => ({ body: [JSON.stringify({ error })], status: 400 }));
  const from = models({ "model.provider": "server", "model.baseUrl": server.url });
  const [one, other] = [await from.connect(), await from.connect()];
  const { outcome } = await step(one, ask("x".repeat(1000)));
  assert.ok(outcome.kind === "failed");
  await step(other);
  await server.close();
  assert.match(JSON.stringify(one.explain(outcome.error).refused), /^{"window":20000,"perCharacter":0\.9/);
});

type Body = Parameters<Parameters<typeof startOpenaiServer>[0]>[0];

/** A session whose server refuses what `refuses` finds in a body, in these words. */
async function refusing(words: string, refuses: (body: Body) => boolean, settings: object = {}) {
  const bodies: Body[] = [];
  const script: WireAnswer[] = [
    { calls: [{ id: "c1", name: "Read", input: { file_path: "a.png" } }] },
    { text: "Seen." },
    { text: "Again." },
  ];
  const server = await startOpenaiServer((body, number) => {
    bodies.push(body);
    const said = JSON.stringify(openai(words, "invalid_request_error", null));
    return refuses(body) ? { refuse: { status: 400, body: said } } : (script[number] ?? {});
  });
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const at = await world({
    files: { "a.png": Buffer.from(pixel, "base64") },
    settings: { "model.baseUrl": server.url, "model.name": "glm-4.6", "model.api": "chat", ...settings },
  });
  for (const text of ["Look.", "And again."]) {
    await at.session.submit(text);
    await at.session.idle();
  }
  await proven(at);
  await server.close();
  assert.deepEqual(pluck(records(at, "turnEnd"), "reason"), ["done", "done"]);
  return { at, bodies };
}

const warnings = (at: World) => records(at, "note").flatMap(({ level, text }) => (level === "warning" ? [text] : []));
const retries = ({ events }: World) => events.filter(({ type }) => type === "retry").length;

describe("refusals: a session goes on without", () => {
  afterEach(endWorlds);

  it("images: said once, named in their place, and the text beside them still goes", async () => {
    const hasImage = (body: Body) => JSON.stringify(body).includes("image_url");
    const { at, bodies } = await refusing("image input is not supported", hasImage);
    assert.equal(bodies.filter(hasImage).length, 1);
    assert.equal(bodies.length, 4);
    assert.match(JSON.stringify(bodies[2]), /\[image\/png: this model cannot be shown it\]/);
    assert.match(JSON.stringify(bodies.at(-1)), /And again\./);
    assert.equal(warnings(at).length, 1);
    assert.match(warnings(at)[0] ?? "", /glm-4\.6 at \S+ refuses images \(“.*”\), so requests go without\./);
    assert.equal(retries(at), 0);
  });

  it("how much it thinks: said once", async () => {
    const has = ({ reasoning_effort }: Body) => reasoning_effort !== undefined;
    const words = "Unsupported parameter: 'reasoning_effort' is not supported with this model.";
    const { at, bodies } = await refusing(words, has, { "model.reasoning": "high" });
    assert.deepEqual(bodies.map(has), [true, false, false, false]);
    assert.match(warnings(at)[0] ?? "", /refuses a reasoning effort/);
    assert.equal(warnings(at).length, 1);
  });

  it("usage in the stream: silently, and it is estimated", async () => {
    const has = ({ stream_options }: Body) => stream_options !== undefined;
    const { at, bodies } = await refusing("stream_options: Extra inputs are not permitted", has);
    assert.deepEqual(bodies.map(has), [true, false, false, false]);
    assert.deepEqual(warnings(at), []);
  });

  it("the role system and two messages of the user in a row: their texts go all the same", async () => {
    const has = ({ messages }: Body) =>
      messages.some(({ role }: { role: string }, at: number) => role === "system" || role === messages[at - 1]?.role);
    const { bodies } = await refusing("System role not supported", has);
    assert.deepEqual(bodies.map(has), [true, false, false, false]);
    const [first, refused] = [bodies[0].messages[0].content, bodies[1].messages[0]];
    assert.ok(refused.role === "user" && refused.content.startsWith(first) && refused.content.endsWith("Look."));
  });

  it("room for the answer: asked for less, silently, as long as the input fits", async () => {
    const words =
      "input length and `max_tokens` exceed context limit: 15000 + 90000 > 100000, decrease input length or `max_tokens` and try again";
    const isBeyond = ({ max_tokens }: Body) => max_tokens > 85_000;
    const { at, bodies } = await refusing(words, isBeyond, { "model.maxOutputTokens": 90_000 });
    assert.deepEqual(bodies.map(isBeyond), [true, false, false, false]);
    assert.ok(bodies.slice(1).every(({ max_tokens }) => max_tokens > 40_000));
    assert.deepEqual([warnings(at), records(at, "compaction")], [[], []]);
  });

  it("how much a model writes at most: learnt, and said", async () => {
    const words = "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]";
    const { at, bodies } = await refusing(words, ({ max_tokens }) => max_tokens > 8192, {
      "model.maxOutputTokens": 90_000,
    });
    assert.deepEqual(pluck(bodies, "max_tokens"), [90_000, 8192, 8192, 8192]);
    assert.equal(warnings(at).length, 1);
    assert.match(warnings(at)[0] ?? "", /refuses more than 8,?192 tokens of an answer \(“/);
  });

  it("what was left out and is refused all the same is a failure, said once more", async () => {
    const connection = await models({ "model.baseUrl": "http://localhost:1/v1" }).connect();
    const error = Object.assign(new Error("x"), {
      statusCode: 400,
      responseBody: JSON.stringify(openai("System role not supported", "x", null)),
    });
    assert.deepEqual(connection.explain(error).refused, "system");
    connection.leaveOut?.("system");
    const failure = connection.explain(error);
    assert.deepEqual([failure.code, failure.retryable, failure.refused], ["bad-request", false, undefined]);
    assert.match(told(failure), /refused the request \(400\)\. “System role not supported”/);
  });
});

describe("how long a server asks to wait", () => {
  const now = Date.UTC(2026, 0, 1);
  const cases: [string, Record<string, string>, number | undefined][] = [
    ["OpenAI's limits: the one that is used up", limits("0", "1s", "50", "6m0s"), 1000],
    ["none used up, as for one request that is too much now: the next one", limits("9", "20ms", "50", "6m0s"), 20],
    ["its own words first", { ...limits("0", "1h", "0", "1h"), "retry-after": "3" }, 3000],
    [
      "Anthropic's",
      { "anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": "2026-01-01T00:00:09Z" },
      9000,
    ],
    [
      "OpenRouter's, ms since the epoch",
      { "x-ratelimit-reset": String(now + 5000), "x-ratelimit-remaining": "0" },
      5000,
    ],
    ["seconds since the epoch", { "x-ratelimit-reset": String(now / 1000 + 5) }, 5000],
    ["a date that is over", { "x-ratelimit-reset": "2025-01-01T00:00:00Z" }, 0],
    ["nonsense", { "x-ratelimit-reset": "later 5", "retry-after": "-5" }, undefined],
  ];
  for (const [name, headers, expected] of cases) it(name, () => assert.equal(retryAfter(headers, now), expected));

  it("Google's, in the body", async () => {
    const connection = await models({ "model.baseUrl": "http://localhost:1/v1" }).connect();
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }];
    const error = { code: 429, message: "Quota.", status: "RESOURCE_EXHAUSTED", details };
    const failure = Object.assign(new Error("x"), { statusCode: 429, responseBody: JSON.stringify({ error }) });
    assert.equal(connection.explain(failure).retryAfterMs, 34_500);
  });
});

function limits(requestsLeft: string, requests: string, tokensLeft: string, tokens: string) {
  return {
    "x-ratelimit-remaining-requests": requestsLeft,
    "x-ratelimit-reset-requests": requests,
    "x-ratelimit-remaining-tokens": tokensLeft,
    "x-ratelimit-reset-tokens": tokens,
  };
}
