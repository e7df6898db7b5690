/** What servers other than OpenAI's refuse in a Chat Completions body. Found in their own error messages. */

interface ToolCall {
  function: { name: string; arguments: string };
}

interface Message {
  role: string;
  reasoning_content?: string;
  tool_calls?: ToolCall[];
}

interface Tool {
  function: { strict?: boolean };
}

export type Body = { messages: Message[]; tools?: Tool[] } & Record<string, unknown>;

/**
 * These refuse unknown fields, and reasoning is one when it comes back: Groq 400 "property 'reasoning_content' is
 * unsupported", Mistral 422 `extra_forbidden`, Cerebras 400 `wrong_api_format`. Others (DeepSeek, Kimi) refuse a step that
 * lost it.
 */
const WITHOUT_REASONING = new Set(["api.groq.com", "api.mistral.ai", "api.cerebras.ai"]);

export function forOtherServers(body: Body, host: string): Body {
  const reasoning = !WITHOUT_REASONING.has(host);
  const messages = body.messages.map(message => (message.role === "assistant" ? plain(message, reasoning) : message));
  return { ...body, messages, ...(body.tools ? { tools: body.tools.map(withoutStrict) } : {}) };
}

function plain(message: Message, reasoning: boolean): Message {
  const { reasoning_content, tool_calls, ...rest } = message;
  return {
    ...rest,
    ...(reasoning_content && reasoning ? { reasoning_content } : {}),
    ...(tool_calls ? { tool_calls: tool_calls.map(objectInput) } : {}),
  };
}

/** Chat templates iterate over the input as an object; one call whose JSON was broken must not break every later request. */
function objectInput(call: ToolCall): ToolCall {
  return call.function.arguments.startsWith("{") ? call : { ...call, function: { ...call.function, arguments: "{}" } };
}

/** OpenAI's own field: without it Responses makes every optional parameter a required one. */
function withoutStrict(tool: Tool): Tool {
  const { strict: _, ...rest } = tool.function;
  return { ...tool, function: rest };
}
