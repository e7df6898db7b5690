/** Pieces of Chat Completions. */
export const chat = (delta: unknown, rest: object = {}) => ({
  ...{ id: "c1", object: "chat.completion.chunk", created: 1, model: "m" },
  choices: [{ index: 0, delta, finish_reason: null }],
  ...rest,
});
export const end = (finish_reason: unknown = "stop", rest: object = {}) => ({
  ...{ id: "c1", object: "chat.completion.chunk", created: 1, model: "m" },
  choices: [{ index: 0, delta: {}, finish_reason }],
  ...rest,
});
export const hello = chat({ content: "Hello" });
export const world = chat({ content: " world" });
export const whole = (message: object, finish_reason = "stop") => ({
  ...{ id: "c1", object: "chat.completion", created: 1, model: "m" },
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
});
