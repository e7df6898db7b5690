/**
 * How servers refuse a part of a request: an id, a picture, a tool, a parameter, a file, a name. Each has a limit in it, and none
 * is made better by less conversation.
 */
export const otherLimits: readonly (readonly [words: string, status?: number])[] = [
  // ids
  [
    "Invalid 'input[3].call_id': string too long. Expected a string with maximum length 64, but got a string with length 71 instead.",
  ],
  [
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 64 instead.",
  ],
  ["messages.5.content.1.tool_use.id: String should have at most 64 characters, which is the limit of the input"],
  ["The conversation id exceeds the maximum length of 64 characters"],
  [
    "1 validation error detected: Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must have length less than or equal to 64",
  ],
  // pictures
  ["messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6189756 bytes > 5242880 bytes"],
  [
    "messages.41.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
  ],
  ["Invalid image data: the input exceeds the limit of 20 MB", 413],
  ["Image tokens exceed the limit per message"],
  ["Request contains too many large pictures", 413],
  ["total pixels of the message exceed the maximum of 33177600"],
  ["The base64 input exceeds the maximum of 28 MB", 413],
  // tools
  [
    "Invalid 'tools[14].function.name': string too long. Expected a string with maximum length 64, but got a string with length 71 instead.",
  ],
  ["Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024."],
  [
    "The specified schema produces a constraint that has too many states for serving. Typical causes are schemas with lots of text (for example, very long property or enum names), input limits.",
  ],
  ["Invalid schema for function 'x': In context=('properties', 'a'), input exceeds max nesting of 5"],
  ["Request has 300 function declarations, which exceeds the limit of 128"],
  // parameters
  [
    "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
  ],
  ["`thinking.budget_tokens` must be within the range of the context's max_tokens"],
  ["temperature: range of input: should be from 0 to 1"],
  ["Invalid 'stop': array too long. Expected an array with maximum length 4 in the request"],
  ["logit_bias: too many tokens, limit 300"],
  ["prompt_cache_key: string too long, maximum 64"],
  ["n: request exceeds the maximum of 1 for this prompt"],
  ["reasoning_effort: input is out of range"],
  // files, names, and other things with a length
  ["A maximum of 100 PDF pages may be provided in the prompt."],
  ["Audio input is too long: the limit is 1500 seconds"],
  ["Invalid 'messages[1].name': string too long. Expected a string with maximum length 64."],
  ["Request URL is too long: over the maximum of 8192", 413],
  ["maximum recursion depth exceeded in the request"],
  // what is allowed in a time, to an account, or at all
  ["processing of the input timed out: time limit exceeded"],
  ["You have exceeded the maximum number of tokens per day of your plan"],
  ["concurrency limit of requests exceeded"],
  ["Token expired: maximum age exceeded"],
  // a small number, and no window
  ["user: string too long, at most 64 characters of input"],
  ["Too many breakpoints in the prompt: limit 4"],
  ["the message has an assistant prefill, which exceeds what this model takes"],
  // what is allowed, once more
  ["Your request exceeds the maximum allowed number of parallel requests"],
  ["You have reached your 5-hour message limit"],
  ["tokens per request are limited in your tier; upgrade"],
  ["Model is overloaded: too many requests in the chat queue"],
  ["Prompt injection detected: score exceeds threshold"],
];
