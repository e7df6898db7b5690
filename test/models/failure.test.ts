import assert from "node:assert/strict";
import { startOfflineModel } from "../../scripts/offline-model/server.mjs";
import { AnswerError, type ModelFailure, type ModelFailureCode, NoModelError } from "../../src/core/ground/ports";
import { answers, openai } from "./bodies";
import { apis, ask, KEY, models, step, told } from "./connect";
import { contextAnswers } from "./contextBodies";
import { otherLimits } from "./otherLimits";

const ADDRESS = "https://models.example/v1";

/** What a request comes to with this `fetch`, through the SDK and back. */
async function explain(
  fetch: typeof globalThis.fetch,
  api: "chat" | "responses" = "chat",
  key: string | null = KEY,
): Promise<ModelFailure> {
  const settings = { "model.baseUrl": ADDRESS, "model.api": api, "model.name": "some-model" };
  const from = models(settings, { key: key ?? undefined, fetch });
  const connection = await from.connect();
  const { outcome } = await step(connection, ask());
  assert.equal(outcome.kind, "failed");
  return connection.explain(outcome.kind === "failed" ? outcome.error : undefined);
}

function answering(status: number, body: unknown, headers: Record<string, string> = {}): typeof fetch {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return async () => new Response(text, { status, headers });
}

/** One sentence in one line; no address, no setting, no key. */
function checkSentence(failure: ModelFailure): void {
  const { message } = failure;
  assert.match(message, /^\S.*[^.]\.$/, message);
  assert.ok(message.length < 120 && told(failure).length < 600, message);
  assert.doesNotMatch(message, /https?:|strata\.|\. [A-Z]|!/, message);
  assert.doesNotMatch(told(failure), /sk-|Bearer/);
}

/** The same words as each of these says them. */
const envelopes = (message: string, code: number): Record<string, unknown> => ({
  OpenAI: openai(message, "invalid_request_error", null),
  Azure: { error: { code: "BadRequest", message } },
  Anthropic: { type: "error", error: { type: "invalid_request_error", message } },
  Google: [{ error: { code, message, status: "INVALID_ARGUMENT" } }],
  Bedrock: { message },
  OpenRouter: { error: { message, code, metadata: { provider_name: "x" } } },
  Mistral: { object: "error", message, type: "invalid_request_error", param: null, code: "1000" },
  vLLM: { error: { message, type: "BadRequestError", param: null, code } },
  "vLLM before 0.10": { object: "error", message, type: "BadRequestError", param: null, code },
  "llama.cpp": { error: { code, message, type: "invalid_request_error" } },
  Ollama: { error: message },
  FastAPI: { detail: message },
  MiniMax: { base_resp: { status_code: 2013, status_msg: message } },
  Baidu: { error_code: 336003, error_msg: message },
  Ascend: { msg: message },
  xAI: { code: "Client specified an invalid argument", error: message },
});

describe("failure: answers of real servers", () => {
  for (const { server, status, body, headers, code, retryable } of [...contextAnswers, ...answers]) {
    for (const api of apis) {
      it(`${server} (${status}, ${api}) is ${code}`, async () => {
        const failure = await explain(answering(status, body, headers), api);
        checkSentence(failure);
        assert.deepEqual({ code: failure.code, retryable: failure.retryable }, { code, retryable }, failure.message);
        if (status !== 200) assert.equal(failure.status, status);
      });
    }
  }

  it("reads a server's words about a part of a request as nothing else, whoever says them", async () => {
    const from = models({ "model.baseUrl": ADDRESS, "model.name": "some-model" });
    const connection = await from.connect();
    const wrong: string[] = [];
    for (const [words, status = 400] of otherLimits) {
      for (const [server, body] of Object.entries(envelopes(words, status))) {
        const error = Object.assign(new Error("x"), { statusCode: status, responseBody: JSON.stringify(body) });
        if (connection.explain(error).code === "context-too-long") wrong.push(`${server}: ${words}`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(contextAnswers.length >= 30 && otherLimits.length >= 30);
  });

  it("says whether a key was refused or is missing", async () => {
    assert.match((await explain(answering(401, ""))).message, /API key was rejected \(401\)/);
    assert.match((await explain(answering(401, ""), "chat", null)).message, /needs an API key \(401\)/);
  });

  it("takes keys out of what a server says", async () => {
    const words = `bad field near ${KEY} and sk-proj-AbCdEf123456 and Bearer abcdef`;
    const failure = await explain(answering(400, { error: { message: words } }));
    assert.equal(failure.code, "bad-request");
    assert.match(told(failure), /bad field near … and … and …/);
  });

  it("shows of a page or of endless words no more than a person reads, whatever their script", async () => {
    const page = await explain(answering(502, "<html><title>502</title><body>nginx</body></html>"));
    assert.doesNotMatch(told(page), /<|nginx/);
    for (const words of ["x".repeat(10_000), "您的账户已欠费，请充值后再试。", "تم رفض الطلب"]) {
      const failure = await explain(answering(400, { error: { message: words } }));
      checkSentence(failure);
      assert.ok(failure.details?.includes(words.slice(0, 200)));
    }
  });
});

describe("failure: errors inside a stream", () => {
  const sse = (...events: string[]) =>
    answering(200, events.map(event => `data: ${event}\n\n`).join(""), { "content-type": "text/event-stream" });
  const cases: [string, "chat" | "responses", string[], ModelFailureCode, boolean][] = [
    [
      "too long, first event",
      "responses",
      [
        '{"type":"error","sequence_number":2,"error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model.","param":"input"}}',
      ],
      "context-too-long",
      false,
    ],
    [
      "no credit, failed response",
      "responses",
      [
        '{"type":"response.created","response":{"id":"r","created_at":1,"model":"m"}}',
        '{"type":"response.failed","sequence_number":1,"response":{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}}',
      ],
      "rate-limit",
      false,
    ],
    ["a code alone", "chat", ['{"error":{"message":"","type":"insufficient_quota"}}'], "rate-limit", false],
    ["a code alone, of the key", "chat", ['{"error":{"code":"invalid_api_key","message":null}}'], "auth", false],
    [
      "the wrong interface",
      "responses",
      ['{"id":"x","choices":[{"index":0,"delta":{"content":"Hi"}}]}'],
      "bad-answer",
      false,
    ],
    ["nothing at all", "chat", [], "cut", true],
    ["nothing at all", "responses", [], "cut", true],
    [
      "an end without words",
      "chat",
      ['{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}', "[DONE]"],
      "bad-answer",
      true,
    ],
    [
      "an end without words, all tokens spent",
      "chat",
      ['{"choices":[{"index":0,"delta":{"reasoning_content":"hm"},"finish_reason":"length"}]}', "[DONE]"],
      "bad-answer",
      false,
    ],
    [
      "held back",
      "chat",
      ['{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}', "[DONE]"],
      "bad-answer",
      false,
    ],
  ];
  for (const [name, api, events, code, retryable] of cases) {
    it(`${name} (${api}) is ${code}${retryable ? "" : ", for good"}`, async () => {
      const failure = await explain(sse(...events), api);
      checkSentence(failure);
      assert.deepEqual({ code: failure.code, retryable: failure.retryable }, { code, retryable }, failure.message);
    });
  }
});

describe("failure: the network", () => {
  const failed = (code: string, message = code) =>
    new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
  const cases: [string, ModelFailureCode, boolean, RegExp][] = [
    ["ECONNREFUSED", "refused", false, /No server answers/],
    ["EAI_AGAIN", "refused", true, /No server answers/],
    ["ECONNRESET", "refused", true, /broke\. ECONNRESET/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "refused", false, /is not trusted.*NODE_EXTRA_CA_CERTS/],
    ["CERT_HAS_EXPIRED", "refused", false, /clock/],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "refused", false, /https/],
    ["UND_ERR_HEADERS_TIMEOUT", "timeout", true, /120 s/],
    ["Z_DATA_ERROR", "bad-answer", true, /not answer like a model server/],
    ["ZSTD_error_prefix_unknown", "bad-answer", true, /not answer like a model server/],
  ];
  for (const [network, code, retryable, words] of cases) {
    it(`${network} is ${code}`, async () => {
      const failure = await explain(() => Promise.reject(failed(network)));
      checkSentence(failure);
      assert.deepEqual({ code: failure.code, retryable: failure.retryable }, { code, retryable });
      assert.match(told(failure), words);
    });
  }

  it("a time-out tells the time that passed, and offers more", async () => {
    const connection = await models({ "model.baseUrl": ADDRESS, "model.timeoutSeconds": 420 }).connect();
    assert.match(
      connection.explain(failed("UND_ERR_CONNECT_TIMEOUT"), 10_100).message,
      /for 10 s, so I stopped waiting\.$/,
    );
    const { message, remedy } = connection.explain(new AnswerError("timeout", "quiet"), 420_400);
    assert.match(message, /for 420 s/);
    assert.equal(remedy, "set-time");
  });

  it("a proxy that takes the requests is named, not to a server that is near", async () => {
    for (const [baseUrl, words] of [
      ["http://models.test/v1", /the proxy proxy\.test:3128 .*HTTPS_PROXY.*NO_PROXY/],
      ["http://127.0.0.1:1/v1", /^No server answers at 127\.0\.0\.1:1\. ECONNREFUSED$/],
    ] as const) {
      const connection = await models({ "model.baseUrl": baseUrl }, { proxy: "proxy.test:3128" }).connect();
      assert.match(told(connection.explain(failed("ECONNREFUSED"))), words);
    }
  });

  it("a proxy that wants a sign-in, and certificates that are named and not there, are said", async () => {
    const options = { proxy: "proxy.test:3128", lostCertificates: "/gone.pem" };
    const connection = await models({ "model.baseUrl": ADDRESS }, options).connect();
    const caused = (...given: Parameters<typeof failed>) => told(connection.explain(failed(...given)));
    const wanted = /asks for a name and a password \(407\).*PASSWORD@proxy\.test:3128/;
    assert.match(caused("UND_ERR_ABORTED", "Proxy response (407) !== 200 when HTTP Tunneling"), wanted);
    assert.match(caused("ERR_PROXY_TUNNEL", "Failed to establish tunnel to m.test:443: HTTP/1.1 407 No"), wanted);
    assert.match(caused("SELF_SIGNED_CERT_IN_CHAIN"), /NODE_EXTRA_CA_CERTS names \/gone\.pem, which is not there/);
  });

  it("knows a refused connection of the real network stack", async () => {
    const server = await startOfflineModel();
    await server.close();
    for (const baseUrl of [server.url, server.url.replace("127.0.0.1", "localhost")]) {
      const connection = await models({ "model.baseUrl": baseUrl }).connect();
      const { outcome } = await step(connection);
      const failure = connection.explain(outcome.kind === "failed" && outcome.error);
      assert.equal(failure.code, "refused");
      assert.equal(failure.message, `No server answers at ${new URL(baseUrl).host}.`);
    }
  });
});

describe("failure: a key of another provider", () => {
  for (const [key, whose] of [
    ["sk-ant-api03-0123456789", "Anthropic"],
    ["AIzaSy0123456789012345678", "Google"],
    ["sk-or-v1-0123456789", "OpenRouter"],
    ["https://models.example/keys", undefined],
  ] as const) {
    it(`is known by how it begins: ${whose ?? key}`, async () => {
      const failure = await explain(answering(401, { error: { message: "no" } }), "chat", key);
      const like = whose ? `a key of ${whose}` : "an address";
      assert.equal(told(failure), `The API key was rejected (401). It looks like ${like}. “no”`);
    });
  }
});

describe("failure: when to try again", () => {
  const cases: [string, Record<string, string>, number | undefined][] = [
    ["seconds", { "retry-after": "7" }, 7000],
    ["part of a second", { "retry-after": "0.5" }, 500],
    ["milliseconds win", { "retry-after": "7", "retry-after-ms": "1250" }, 1250],
    ["a date that is over", { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
    ["nothing", {}, undefined],
  ];
  for (const [name, headers, expected] of cases) {
    it(name, async () => assert.equal((await explain(answering(429, "", headers))).retryAfterMs, expected));
  }

  for (const [words, expected] of [
    ["You have exhausted your capacity on this model. Your quota will reset after 12h34m16s.", 45_256_000],
    ["Rate limit reached on tokens per min (TPM): Limit 30000. Please try again in 6m0s. Visit https://a.b", 360_000],
    ["Quota exceeded. Please retry in 38.2s.", 38_200],
    ["Too many requests. Wait for 2 hours, 5 minutes", 7_500_000],
    ["Retry after 3 more attempts", undefined],
    ["Try again later", undefined],
    ["The model gpt-4 has 5 minutes of room", undefined],
  ] as const)
    it(`in words: ${words}`, async () => {
      const body = { error: { message: words, type: "rate_limit" } };
      assert.equal((await explain(answering(429, body))).retryAfterMs, expected);
    });
});

describe("failure: anything else", () => {
  const cases: [string, unknown, ModelFailureCode][] = [
    ["no model", new NoModelError("No model yet."), "no-model"],
    ["silence", new AnswerError("timeout", "quiet"), "timeout"],
    ["the platform's own time-out", new DOMException("late", "TimeoutError"), "timeout"],
    ["an error of nobody", new Error("surprise"), "bad-answer"],
    ["words of a model", new AnswerError("unreadable-call", "It was: context_length_exceeded"), "unreadable-call"],
    ["no error at all", undefined, "bad-answer"],
    [
      "an error that is its own cause",
      Object.assign(new Error("round"), { cause: undefined as unknown }),
      "bad-answer",
    ],
  ];
  for (const [name, error, code] of cases) {
    it(`${name} is ${code}`, async () => {
      if (error instanceof Error && error.message === "round") error.cause = error;
      const connection = await models({ "model.baseUrl": ADDRESS }).connect();
      assert.equal(connection.explain(error).code, code);
    });
  }
});
