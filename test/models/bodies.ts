/** Error answers as real servers send them, and what they have to be read as. */
import type { ModelFailureCode } from "../../src/core/ground/ports";

export interface ServerAnswer {
  server: string;
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  code: ModelFailureCode;
  retryable: boolean;
}

export const openai = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code },
});

export const answers: readonly ServerAnswer[] = [
  // key
  {
    server: "OpenAI, wrong key",
    status: 401,
    body: openai("Incorrect API key provided: sk-test-1234567890abcdef.", "invalid_request_error", "invalid_api_key"),
    code: "auth",
    retryable: false,
  },
  {
    server: "Google, wrong key",
    status: 400,
    body: [
      { error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" } },
    ],
    code: "auth",
    retryable: false,
  },
  // model
  {
    server: "OpenAI, no such model",
    status: 404,
    body: openai(
      "The model `gpt-99` does not exist or you do not have access to it.",
      "invalid_request_error",
      "model_not_found",
    ),
    code: "unknown-model",
    retryable: false,
  },
  {
    server: "OpenRouter, no such model",
    status: 400,
    body: { error: { message: "foo/bar is not a valid model ID", code: 400 } },
    code: "unknown-model",
    retryable: false,
  },
  { server: "Ollama without /v1", status: 404, body: "404 page not found", code: "bad-request", retryable: false },
  // limits
  {
    server: "OpenAI, too many requests",
    status: 429,
    body: openai(
      "Rate limit reached for gpt-5 in organization org-x on requests per min.",
      "requests",
      "rate_limit_exceeded",
    ),
    code: "rate-limit",
    retryable: true,
  },
  {
    server: "OpenAI, no credit",
    status: 429,
    body: openai(
      "You exceeded your current quota, please check your plan and billing details.",
      "insufficient_quota",
      "insufficient_quota",
    ),
    code: "rate-limit",
    retryable: false,
  },
  {
    server: "OpenAI, one request over the limit per minute",
    status: 429,
    body: openai(
      "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 45212. The input or output tokens must be reduced in order to run successfully.",
      "tokens",
      "rate_limit_exceeded",
    ),
    code: "rate-limit",
    retryable: false,
  },
  {
    server: "DeepSeek, no credit",
    status: 402,
    body: openai("Insufficient Balance", "unknown_error", "invalid_request_error"),
    code: "rate-limit",
    retryable: false,
  },
  // server
  {
    server: "OpenAI, failed",
    status: 500,
    body: openai("The server had an error", "server_error", null),
    code: "server",
    retryable: true,
  },
  {
    server: "Anthropic, overloaded",
    status: 529,
    body: { error: { type: "overloaded_error", message: "Overloaded" } },
    code: "server",
    retryable: true,
  },
  { server: "a gateway, request time-out", status: 408, body: "", code: "server", retryable: true },
  // request
  {
    server: "Ollama, model without tools",
    status: 400,
    body: {
      error: {
        message: "registry.ollama.ai/library/gemma:2b does not support tools",
        type: "api_error",
        param: null,
        code: null,
      },
    },
    code: "no-tools",
    retryable: false,
  },
  {
    server: "llama.cpp without templates",
    status: 500,
    body: { error: { code: 500, message: "tools param requires --jinja flag", type: "server_error" } },
    code: "no-tools",
    retryable: false,
  },
  ...[
    [
      "OpenAI, a model without functions",
      "tools is not supported in this model. For a list of supported models, see the documentation.",
    ],
    ["Azure", "Unsupported parameter: 'tools' is not supported with this model."],
    ["Google, Gemma", "Function calling is not enabled for models/gemma-3-27b-it"],
    ["Bedrock", "This model doesn't support tool use in streaming mode."],
    ["OpenRouter", "No endpoints found that support tool use. To learn more about provider routing, visit the site."],
    ["a template without tools", "The chat template of this model does not support tools"],
    ["Groq, a field", "property 'tools' is unsupported"],
  ].map(([server = "", message]) => ({
    ...{ server: `no tools: ${server}`, status: 400, retryable: false },
    body: { error: { message, type: "invalid_request_error" } },
    code: "no-tools" as const,
  })),
  {
    server: "no tools: a strict FastAPI server",
    status: 422,
    body: { detail: [{ type: "extra_forbidden", loc: ["body", "tools"], msg: "Extra inputs are not permitted" }] },
    code: "no-tools",
    retryable: false,
  },
  ...["parallel tool calls are not supported", "Invalid 'tools[0].function.name': string does not match pattern"].map(
    message => ({
      ...{ server: `tools of another kind: ${message}`, status: 400, retryable: false },
      body: { error: { message } },
      code: "bad-request" as const,
    }),
  ),
  // no answer of a model
  {
    server: "a log-in page",
    status: 200,
    headers: { "content-type": "text/html" },
    body: "<!doctype html><p>Please sign in.</p>",
    code: "bad-answer",
    retryable: false,
  },
  {
    server: "some other service",
    status: 200,
    headers: { "content-type": "application/json" },
    body: { hello: "world" },
    code: "bad-answer",
    retryable: true,
  },
];
