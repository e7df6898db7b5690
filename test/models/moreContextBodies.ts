/** How more servers say that a request is too long. */
import { openai, type ServerAnswer } from "./bodies";

export type ContextRefusal = Pick<ServerAnswer, "server" | "status" | "body" | "headers">;

export const moreRefusals: readonly ContextRefusal[] = [
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
    server: "a program of one's own on llama.cpp",
    status: 400,
    body: { error: "context shift is disabled, prompt exceeds n_ctx" },
  },
  {
    server: "LiteLLM",
    status: 400,
    body: { error: { message: "litellm.ContextWindowExceededError: see the server's log" } },
  },
];
