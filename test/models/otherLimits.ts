/**
 * How servers refuse a part of a request: an id, a picture, a tool, a parameter, a file, a name. Each has a limit in it, and none
 * is made better by less conversation.
 */
export const otherLimits: readonly (readonly [words: string, status?: number])[] = [
  // ids
  [
    "Invalid 'input[3].call_id': string too long. Expected a string with maximum length 64, but got a string with length 71 instead.",
  ],
  ["call_id: string too long"],
  [
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 64 instead.",
  ],
  ["messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
  ["messages.5.content.1.tool_use.id: String should have at most 64 characters, which is the limit of the input"],
  ["Tool call id was call_abc_123 but must be a-z, A-Z, 0-9, with a length of 9, the maximum for messages.", 422],
  ["The conversation id exceeds the maximum length of 64 characters"],
  ["previous_response_id: input string exceeds maximum length"],
  [
    "1 validation error detected: Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must have length less than or equal to 64",
  ],
  ["callId of the message is too long"],
  // pictures
  ["messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6189756 bytes > 5242880 bytes"],
  [
    "messages.3.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
  ],
  [
    "messages.41.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
  ],
  ["Too many images in request: input has 51, the maximum is 50"],
  ["Invalid image data: the input exceeds the limit of 20 MB", 413],
  ["The image size exceeds the limit of 10 MB of this context"],
  ["Image tokens exceed the limit per message"],
  ["At most 16 image(s) may be provided in one prompt.", 422],
  ["Request contains too many large pictures", 413],
  ["Input media type image/bmp is over the allowed range"],
  ["total pixels of the message exceed the maximum of 33177600"],
  ["image_url: input string too long"],
  ["The base64 input exceeds the maximum of 28 MB", 413],
  // tools
  [
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 142 instead. Reduce the input.",
  ],
  [
    "Invalid 'tools[14].function.name': string too long. Expected a string with maximum length 64, but got a string with length 71 instead.",
  ],
  ["tools.14.custom.description: message is longer than the maximum of 1024 characters"],
  ["Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024."],
  ["The schema of function 'search' is too large: input exceeds 5000 properties"],
  [
    "The specified schema produces a constraint that has too many states for serving. Typical causes are schemas with lots of text (for example, very long property or enum names), input limits.",
  ],
  ["tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$', maximum 64"],
  ["Invalid schema for function 'x': In context=('properties', 'a'), input exceeds max nesting of 5"],
  ["too many tools in the prompt: limit 64"],
  ["Request has 300 function declarations, which exceeds the limit of 128"],
  // parameters
  ["max_tokens: 200000 > 128000, which is the maximum allowed number of output tokens for claude-sonnet-4-5"],
  [
    "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
  ],
  ["Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 128000, but got 200000 instead."],
  ["`thinking.budget_tokens` must be within the range of the context's max_tokens"],
  [
    "Unable to submit request because it has a maxOutputTokens value of 99999 but the supported range is from 1 (inclusive) to 65537 (exclusive).",
  ],
  ["temperature: range of input: should be from 0 to 1"],
  ["Range of max_tokens should be [1, 8192], input was larger"],
  ["Invalid 'stop': array too long. Expected an array with maximum length 4 in the request"],
  ["top_logprobs of messages exceeds the limit of 20"],
  ["logit_bias: too many tokens, limit 300"],
  ["Invalid 'metadata': too many properties in the request. Expected an object with at most 16, exceeds limit"],
  ["prompt_cache_key: string too long, maximum 64"],
  ["A maximum of 4 blocks with cache_control may be provided in messages. Found 5: limit exceeded."],
  ["n: request exceeds the maximum of 1 for this prompt"],
  ["Invalid 'user': string too long. The name exceeds 512 in this request."],
  ["reasoning_effort: input is out of range"],
  // files, names, and other things with a length
  ["The file in the message exceeds the maximum size of 50 MB", 413],
  ["A maximum of 100 PDF pages may be provided in the prompt."],
  ["messages.0.content.0.document: input exceeds 32 MB maximum", 413],
  ["Audio input is too long: the limit is 1500 seconds"],
  ["video input exceeds the maximum length of one hour"],
  ["Invalid 'messages[1].name': string too long. Expected a string with maximum length 64."],
  ["header X-Title exceeds the limit of the request", 413],
  ["Request URL is too long: over the maximum of 8192", 413],
  ["JSON nesting depth of the input exceeds 100"],
  ["maximum recursion depth exceeded in the request"],
  // what is allowed in a time, to an account, or at all
  ["context deadline exceeded"],
  ["processing of the input timed out: time limit exceeded"],
  ["input token rate limit exceeded, please slow down your requests"],
  ["You have exceeded the maximum number of tokens per day of your plan"],
  ["Your account has reached its limit of free messages today"],
  ["concurrency limit of requests exceeded"],
  ["Your prompt exceeded the severity threshold of the content filter"],
  ["Token expired: maximum age exceeded"],
  ["Credit limit exceeded: the request needs more balance"],
  // a small number, and no window
  ["user: string too long, at most 64 characters of input"],
  ["Too many content blocks in message: maximum is 100"],
  ["Too many breakpoints in the prompt: limit 4"],
  ["messages: roles must alternate; max one system message"],
  ["the message has an assistant prefill, which exceeds what this model takes"],
  ["Input contains too many invalid characters"],
  // what is allowed, once more
  ["Your request exceeds the maximum allowed number of parallel requests"],
  ["This request exceeds your spend cap"],
  ["You have reached your 5-hour message limit"],
  ["Hourly token limit exceeded for your chat"],
  ["tokens per request are limited in your tier; upgrade"],
  ["Too many messages sent in this chat. Slow down"],
  ["Model is overloaded: too many requests in the chat queue"],
  ["The request was considered high risk; message limit of 2000 a month"],
  ["Prompt injection detected: score exceeds threshold"],
  ["This input comes from a region beyond the allowed range"],
];
