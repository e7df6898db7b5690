/**
 * The two packages that speak OpenAI's interfaces. `@ai-sdk/openai` for OpenAI itself and for every server of the
 * Responses interface; `@ai-sdk/openai-compatible` for Chat Completions elsewhere: it reads the reasoning that vLLM,
 * llama.cpp, Ollama and others stream (`reasoning_content`, `reasoning`), keeps role `system` and `max_tokens`, and takes
 * answers that are less exact than OpenAI's. Each is loaded when it is needed: together they take longer than a start may.
 */
import type { LanguageModel } from "ai";
import type { ModelConnection } from "../core/ports";
import type { Settings } from "../shared/settings";
import type { Address } from "./address";

type ProviderOptions = ModelConnection["providerOptions"];

export interface Provider {
  options: ProviderOptions;
  model(fetch: typeof globalThis.fetch): Exclude<LanguageModel, string>;
}

export interface ProviderInput {
  address: Address;
  name: string;
  /** undefined: none is sent */
  key: string | undefined;
  reasoning: Settings["model.reasoning"];
}

/** The provider's name is the key of its options and metadata. */
const COMPATIBLE = "compatible";

export function loadProvider(input: ProviderInput): Promise<Provider> {
  if (input.address.api === "responses") return responses(input);
  return input.address.openai ? openaiChat(input) : compatibleChat(input);
}

/** `store: false`: nothing is kept there, so every request holds all it needs, the reasoning of steps before included. */
async function responses({ address, name, key, reasoning }: ProviderInput): Promise<Provider> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  return {
    options: {
      openai: {
        store: false,
        // A summary of the reasoning is for verified organisations only; for others it would be an error.
        ...(reasoning === "default" ? {} : { reasoningEffort: reasoning, reasoningSummary: null }),
        ...(address.openai ? {} : elsewhere(reasoning)),
      },
    },
    model: fetch => createOpenAI({ baseURL: address.baseUrl, apiKey: key ?? "", fetch }).responses(name),
  };
}

/**
 * OpenAI wants the role `developer` from some models, and the SDK knows which; other servers know it by chance only. And
 * the SDK sends an effort only to models that it knows to reason.
 */
function elsewhere(reasoning: Settings["model.reasoning"]) {
  return { systemMessageMode: "system", ...(reasoning === "default" ? {} : { forceReasoning: true }) };
}

async function openaiChat({ address, name, key, reasoning }: ProviderInput): Promise<Provider> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  return {
    options: { openai: { store: false, ...(reasoning === "default" ? {} : { reasoningEffort: reasoning }) } },
    model: fetch => createOpenAI({ baseURL: address.baseUrl, apiKey: key ?? "", fetch }).chat(name),
  };
}

async function compatibleChat({ address, name, key, reasoning }: ProviderInput): Promise<Provider> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return {
    options: { [COMPATIBLE]: reasoning === "default" ? {} : { reasoningEffort: reasoning } },
    model: fetch =>
      createOpenAICompatible({
        name: COMPATIBLE,
        baseURL: address.baseUrl,
        ...(key ? { apiKey: key } : {}),
        includeUsage: true,
        transformRequestBody: body => adaptBody(body as Body, address.host),
        fetch,
      }).chatModel(name),
  };
}

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

export function adaptBody(body: Body, host: string): Body {
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
