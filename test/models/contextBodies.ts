/** How servers say that a request is too long: of real answers those that other words read (`models/refusals.ts`). */
import { openai, type ServerAnswer } from "./bodies";

const refusals: readonly (readonly [server: string, status: number, words: string, code?: string])[] = [
  [
    "OpenAI, Chat Completions",
    400,
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130412 tokens. Please reduce the length of the messages.",
    "context_length_exceeded",
  ],
  ["Anthropic", 400, "prompt is too long: 208310 tokens > 200000 maximum"],
  [
    "Google",
    400,
    "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
    "INVALID_ARGUMENT",
  ],
  [
    "vLLM",
    400,
    "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 1210 input tokens (8192 > 8192 - 1210).",
  ],
  [
    "llama.cpp, older: the error comes with status 200",
    200,
    "the request exceeds the available context size. try increasing the context size or enable context shift",
    "exceed_context_size_error",
  ],
  ["Ollama", 400, "prompt too long; exceeded max context length by 15935 tokens (ref: 0c1f)"],
  ["llama.cpp, found out while it reads", 500, "Context size has been exceeded."],
  [
    "OpenAI, GPT-5",
    400,
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 292144 tokens. Please reduce the length of the messages.",
    "context_length_exceeded",
  ],
  ["Anthropic, a body over its size", 413, "Request exceeds the maximum size", "request_too_large"],
  [
    "vLLM, a check in the engine",
    400,
    "The decoder prompt (length 66501) is longer than the maximum model length of 65536. Make sure that `max_model_len` is no smaller than the number of text tokens.",
  ],
  ["LM Studio 0.4", 400, "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"],
  ["xAI", 400, "This model's maximum prompt length is 131072 but the request contains 200134 tokens."],
  [
    "Mistral",
    400,
    "Prompt contains 40327 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  ],
  [
    "TGI",
    422,
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5012 `inputs` tokens and 100 `max_new_tokens`",
  ],
  ["Bedrock behind a gateway", 400, "Input is too long for requested model."],
  ["DashScope", 400, "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]"],
  ["Volcengine", 400, "Total tokens of image and text exceed max message tokens. Request id: 02"],
  ["Kimi", 400, "Invalid request: Your request exceeded model token limit: 8192"],
  ["MiniMax, in two words", 400, "token limit"],
  ["Zhipu", 400, "Prompt 超长", "1261"],
  [
    "Cohere",
    400,
    "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt",
  ],
  ["Copilot", 400, "prompt token count of 150000 exceeds the limit of 64000", "model_max_prompt_tokens_exceeded"],
  ["Baidu", 400, "the max input characters is 20000, prompt tokens too long"],
  [
    "OpenAI, one message over what a string may be",
    400,
    "Invalid 'messages[1].content': string too long. Expected a string with maximum length 10485760, but got a string with length 11534336 instead.",
    "string_above_max_length",
  ],
  ["Google, a body over its size", 400, "Request payload size exceeds the limit: 20971520 bytes.", "INVALID_ARGUMENT"],
  ["Cloudflare", 413, "x"],
  ["GitHub Models", 413, "Request body too large for gpt-4o model. Max size: 8000 tokens.", "tokens_limit_reached"],
  [
    "Bedrock, Nova",
    400,
    "Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
  ],
  ["TabbyAPI", 422, "Prompt length 9000 is greater than max_seq_len 8192"],
  ["TensorRT-LLM", 400, "The sum of prompt length (9000) and query length (1) should not exceed max_num_tokens (8192)"],
  ["a program of one's own on llama.cpp", 400, "context shift is disabled, prompt exceeds n_ctx"],
  ["LiteLLM", 400, "litellm.ContextWindowExceededError: see the server's log"],
];

export const contextAnswers: readonly ServerAnswer[] = refusals.map(([server, status, words, code = null]) => ({
  ...{ server, status, body: openai(words, "invalid_request_error", code) },
  ...{ code: "context-too-long", retryable: false },
}));
