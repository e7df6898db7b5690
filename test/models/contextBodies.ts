/** How servers say that a request is too long. */
import { openai, type ServerAnswer } from "./bodies";

export const contextAnswers: readonly ServerAnswer[] = [
  {
    server: "OpenAI, Chat Completions",
    status: 400,
    body: openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130412 tokens. Please reduce the length of the messages.",
      "invalid_request_error",
      "context_length_exceeded",
    ),
    code: "context-too-long",
    retryable: false,
  },
  {
    server: "OpenAI, Responses",
    status: 400,
    body: openai(
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
      "invalid_request_error",
      "context_length_exceeded",
    ),
    code: "context-too-long",
    retryable: false,
  },
  {
    server: "Anthropic",
    status: 400,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 208310 tokens > 200000 maximum" },
    },
    code: "context-too-long",
    retryable: false,
  },
  {
    server: "Anthropic, with max_tokens",
    status: 400,
    body: {
      type: "error",
      error: {
        type: "invalid_request_error",
        message:
          "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again",
      },
    },
    code: "context-too-long",
    retryable: false,
  },
  {
    server: "Google",
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
    code: "context-too-long",
    retryable: false,
  },
  {
    server: "vLLM before 0.10",
    status: 400,
    body: {
      object: "error",
      message:
        "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens (568 in the messages, 6048 in the completion). Please reduce the length of the messages or completion.",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    code: "context-too-long",
    retryable: false,
  },
  {
    server: "vLLM",
    status: 400,
    body: {
      error: {
        message:
          "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 1210 input tokens (8192 > 8192 - 1210).",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
    },
    code: "context-too-long",
    retryable: false,
  },
  {
    server: "llama.cpp",
    status: 400,
    body: {
      error: {
        code: 400,
        message: "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 14429,
        n_ctx: 8192,
      },
    },
    code: "context-too-long",
    retryable: false,
  },
  {
    server: "llama.cpp, older: the error comes with status 200",
    status: 200,
    headers: { "content-type": "application/json" },
    body: {
      error: {
        code: 400,
        message:
          "the request exceeds the available context size. try increasing the context size or enable context shift",
        type: "exceed_context_size_error",
        n_prompt_tokens: 14429,
        n_ctx: 8192,
      },
    },
    code: "context-too-long",
    retryable: false,
  },
  {
    server: "Ollama",
    status: 400,
    body: { error: "prompt too long; exceeded max context length by 15935 tokens (ref: 0c1f)" },
    code: "context-too-long",
    retryable: false,
  },
  {
    server: "OpenRouter",
    status: 400,
    body: {
      error: {
        message:
          "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one.",
        code: 400,
      },
    },
    code: "context-too-long",
    retryable: false,
  },
  {
    server: "a proxy that takes no such body",
    status: 413,
    body: "Payload Too Large",
    code: "context-too-long",
    retryable: false,
  },
];
