/** How servers say that a request is too long. */
import { openai, type ServerAnswer } from "./bodies";

const refusals: readonly Pick<ServerAnswer, "server" | "status" | "body" | "headers">[] = [
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
  {
    server: "DashScope",
    status: 400,
    body: openai(
      "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]",
      "invalid_request_error",
      "invalid_parameter_error",
    ),
  },
  {
    server: "Volcengine",
    status: 400,
    body: openai(
      "Total tokens of image and text exceed max message tokens. Request id: 02",
      "BadRequest",
      "InvalidParameter",
    ),
  },
  {
    server: "Kimi",
    status: 400,
    body: openai("Invalid request: Your request exceeded model token limit: 8192", "invalid_request_error", null),
  },
  {
    server: "MiniMax",
    status: 400,
    body: { base_resp: { status_code: 2013, status_msg: "invalid params, context window exceeds limit" } },
  },
  {
    server: "MiniMax, in two words",
    status: 400,
    body: { id: "03e1", choices: null, base_resp: { status_code: 1039, status_msg: "token limit" } },
  },
  { server: "Zhipu", status: 400, body: { error: { code: "1261", message: "Prompt 超长" } } },
  { server: "Zhipu, in English", status: 400, body: { error: { code: "1261", message: "Prompt exceeds max length" } } },
  {
    server: "Cohere",
    status: 400,
    body: {
      message:
        "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt",
    },
  },
  {
    server: "Copilot",
    status: 400,
    body: openai("prompt token count of 150000 exceeds the limit of 64000", "", "model_max_prompt_tokens_exceeded"),
  },
  {
    server: "Baidu",
    status: 400,
    body: { error_code: 336103, error_msg: "the max input characters is 20000, prompt tokens too long" },
  },
  {
    server: "Ascend",
    status: 400,
    body: { msg: "Token indices sequence length is longer than the specified maximum sequence length for this model!" },
  },
  {
    server: "OpenAI, one message over what a string may be",
    status: 400,
    body: openai(
      "Invalid 'messages[1].content': string too long. Expected a string with maximum length 10485760, but got a string with length 11534336 instead.",
      "invalid_request_error",
      "string_above_max_length",
    ),
  },
  {
    server: "OpenAI, more messages than it takes",
    status: 400,
    body: openai(
      "Invalid 'messages': array too long. Expected an array with maximum length 2048, but got an array with length 2051 instead.",
      "invalid_request_error",
      "array_above_max_length",
    ),
  },
  {
    server: "OpenAI, with tools counted",
    status: 400,
    body: openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130412 tokens (100000 in the messages, 30412 in the functions). Please reduce the length of the messages or functions.",
      "invalid_request_error",
      "context_length_exceeded",
    ),
  },
  {
    server: "Vertex",
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message:
            "Unable to submit request because the input token count is 1058816 but model only supports up to 1048576. Reduce the input token count and try again. You can also use the CountTokens API to calculate prompt token count and billable characters.",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
  },
  {
    server: "Google, a body over its size",
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message: "Request payload size exceeds the limit: 20971520 bytes.",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
  },
  {
    server: "Fireworks",
    status: 400,
    body: openai("The prompt is too long: 140000, model maximum context length: 131071", "invalid_request_error", null),
  },
  {
    server: "Cerebras",
    status: 400,
    body: {
      message: "Please reduce the length of the messages or completion. Current length is 9012 while limit is 8192",
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    },
  },
  {
    server: "DeepSeek",
    status: 400,
    body: openai(
      "This model's maximum context length is 131072 tokens. However, you requested 140122 tokens (132122 in the messages, 8000 in the completion). Please reduce the length of the messages or completion.",
      "invalid_request_error",
      "invalid_request_error",
    ),
  },
  {
    server: "Together",
    status: 422,
    body: openai(
      "Input validation error: `inputs` must have less than 8192 tokens. Given: 9001",
      "invalid_request_error",
      null,
    ),
  },
  {
    server: "Cloudflare",
    status: 413,
    body: {
      errors: [
        {
          message:
            "AiError: The estimated number of input and maximum output tokens (8500) exceeded this model context window limit (8192).",
        },
      ],
    },
  },
  {
    server: "GitHub Models",
    status: 413,
    body: openai("Request body too large for gpt-4o model. Max size: 8000 tokens.", "", "tokens_limit_reached"),
  },
  {
    server: "Bedrock, Nova",
    status: 400,
    body: {
      message:
        "Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
    },
  },
  {
    server: "Cohere, in other words",
    status: 400,
    body: {
      message: "too many tokens: size limit exceeded by 1000 tokens. Try using shorter or fewer inputs.",
    },
  },
  {
    server: "TabbyAPI",
    status: 422,
    body: { detail: "Prompt length 9000 is greater than max_seq_len 8192" },
  },
  {
    server: "TensorRT-LLM",
    status: 400,
    body: {
      object: "error",
      message: "The sum of prompt length (9000) and query length (1) should not exceed max_num_tokens (8192)",
      type: "BadRequestError",
    },
  },
  {
    server: "nobody knows which, with a hint at a parameter",
    status: 400,
    body: { error: "the input exceeds the context length of 4096 tokens, raise it with the parameter ctx_size" },
  },
  {
    server: "nobody knows which, in Japanese",
    status: 400,
    body: { message: "入力トークン数が上限を超過しています" },
  },
  {
    server: "nobody knows which",
    status: 422,
    body: { detail: "Conversation size 9000 is over the allowed maximum 8000" },
  },
  { server: "nobody knows which, in Chinese", status: 400, body: { message: "输入内容过长，超过模型上下文限制" } },
  {
    server: "a proxy that takes no such body",
    status: 413,
    body: "Payload Too Large",
  },
];

export const contextAnswers: readonly ServerAnswer[] = refusals.map(refusal => ({
  ...refusal,
  code: "context-too-long",
  retryable: false,
}));
