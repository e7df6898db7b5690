/** How servers say that a request is too long. */
import { openai, type ServerAnswer } from "./bodies";
import { type ContextRefusal, moreRefusals } from "./moreContextBodies";

const refusals: readonly ContextRefusal[] = [
  {
    server: "OpenAI, Chat Completions",
    status: 400,
    body: openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130412 tokens. Please reduce the length of the messages.",
      "invalid_request_error",
      "context_length_exceeded",
    ),
  },
  {
    server: "OpenAI, Responses",
    status: 400,
    body: openai(
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
      "invalid_request_error",
      "context_length_exceeded",
    ),
  },
  {
    server: "OpenAI, GPT-5",
    status: 400,
    body: openai(
      "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 292144 tokens. Please reduce the length of the messages.",
      "invalid_request_error",
      "context_length_exceeded",
    ),
  },
  {
    server: "Anthropic, a body over its size",
    status: 413,
    body: { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
  },
  {
    server: "Anthropic",
    status: 400,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 208310 tokens > 200000 maximum" },
    },
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
  },
  {
    server: "Google, without the count",
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message: "The input token count exceeds the maximum number of tokens allowed 1048576.",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
  },
  {
    server: "vLLM, a check in the engine",
    status: 400,
    body: {
      error: {
        message:
          "The decoder prompt (length 66501) is longer than the maximum model length of 65536. Make sure that `max_model_len` is no smaller than the number of text tokens.",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
    },
  },
  {
    server: "vLLM behind Xinference",
    status: 500,
    body: {
      detail:
        "[address=0.0.0.0:43769, pid=1065] The decoder prompt (length 66501) is longer than the maximum model length of 65536.",
    },
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
  },
  {
    server: "Ollama",
    status: 400,
    body: { error: "prompt too long; exceeded max context length by 15935 tokens (ref: 0c1f)" },
  },
  {
    server: "llama.cpp, with the counts",
    status: 400,
    body: {
      error: {
        code: 400,
        message: "request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 14429,
        n_ctx: 8192,
      },
    },
  },
  {
    server: "llama.cpp, found out while it reads",
    status: 500,
    body: { error: { code: 500, message: "Context size has been exceeded.", type: "server_error" } },
  },
  {
    server: "LM Studio, llama.cpp",
    status: 400,
    body: {
      error:
        "Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input.",
    },
  },
  {
    server: "LM Studio 0.4",
    status: 400,
    body: {
      error: {
        message: "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)",
        type: "internal_error",
        param: null,
        code: "unknown",
      },
    },
  },
  {
    server: "LM Studio, MLX",
    status: 400,
    body: {
      error:
        "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input.",
    },
  },
  {
    server: "Groq",
    status: 400,
    body: openai(
      "Please reduce the length of the messages or completion.",
      "invalid_request_error",
      "context_length_exceeded",
    ),
  },
  {
    server: "xAI",
    status: 400,
    body: {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 200134 tokens.",
    },
  },
  {
    server: "Mistral",
    status: 400,
    body: {
      object: "error",
      message: "Prompt contains 40327 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      type: "invalid_request_error",
      code: 3051,
    },
  },
  {
    server: "SGLang",
    status: 400,
    body: {
      object: "error",
      message: "The input (40327 tokens) is longer than the model's context length (32768 tokens).",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  },
  {
    server: "TGI",
    status: 422,
    body: {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5012 `inputs` tokens and 100 `max_new_tokens`",
      error_type: "validation",
    },
  },
  {
    server: "Bedrock behind a gateway",
    status: 400,
    body: openai("Input is too long for requested model.", "invalid_request_error", null),
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
  },
];

export const contextAnswers: readonly ServerAnswer[] = [...refusals, ...moreRefusals].map(refusal => ({
  ...refusal,
  code: "context-too-long",
  retryable: false,
}));
