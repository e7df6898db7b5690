/** What can go wrong between an agent and a model server, on demand. Error bodies are those of real servers. */

const openaiError = (message, type, code) => ({ error: { message, type, param: null, code } });

/** Faults that are a plain HTTP response. @type {Record<string, (model: string) => {status: number, body: unknown, headers?: Record<string, string>}>} */
const responses = {
  401: () => ({
    status: 401,
    body: openaiError(
      "Incorrect API key provided: sk-offli*********odel. You can find your API key at https://platform.openai.com/account/api-keys.",
      "invalid_request_error",
      "invalid_api_key",
    ),
  }),
  "404-model": model => ({
    status: 404,
    body: openaiError(
      `The model \`${model}\` does not exist or you do not have access to it.`,
      "invalid_request_error",
      "model_not_found",
    ),
  }),
  429: () => ({
    status: 429,
    headers: { "retry-after": "1" },
    body: openaiError("Rate limit reached for requests. Please try again in 1s.", "requests", "rate_limit_exceeded"),
  }),
  500: () => ({
    status: 500,
    body: openaiError("The server had an error while processing your request. Sorry about that!", "server_error", null),
  }),
  "context-length": () => ({
    status: 400,
    body: openaiError(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130412 tokens. Please reduce the length of the messages.",
      "invalid_request_error",
      "context_length_exceeded",
    ),
  }),
  "refuse-tools": model => ({
    status: 400,
    body: openaiError(`registry.ollama.ai/library/${model} does not support tools`, "invalid_request_error", null),
  }),
};

/** Faults of the connection or the stream; server.mjs plays them. */
const streams = ["cut", "cut-clean", "slow", "hang", "garbage", "html"];
/** Faults of the answer itself. */
const answers = {
  "bad-json-call": {
    text: "This call is broken on purpose.",
    calls: [{ name: "Read", input: '{"file_path": "src/inv' }],
  },
  "unknown-tool": {
    text: "This tool does not exist, on purpose.",
    calls: [{ name: "Frobnicate", input: { level: 11 } }],
  },
};

export const faultNames = [...Object.keys(responses), ...streams, ...Object.keys(answers)];

/** @param {string} fault @param {string} model */
export function faultResponse(fault, model) {
  return responses[fault]?.(model);
}

/** @param {string} fault @returns {import("./server.mjs").OfflineAnswer | undefined} */
export function faultAnswer(fault) {
  return answers[fault];
}

/**
 * The fault that a person asks for, in the header `x-offline-fault` or with the words `#fault:429` in the prompt.
 * `#fault-once:429` fails the first of a series of equal requests, so that a retry can be seen to work.
 * @param {string} prompt @param {import("node:http").IncomingHttpHeaders} headers
 * @returns {{fault: string, once: boolean} | undefined}
 */
export function wantedFault(prompt, headers) {
  const header = headers["x-offline-fault"];
  if (typeof header === "string") return { fault: header, once: false };
  const [, once, fault] = prompt.match(/#fault(-once)?:([\w-]+)/) ?? [];
  return fault ? { fault, once: once !== undefined } : undefined;
}
