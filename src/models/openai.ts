/**
 * OpenAI's interfaces, by two packages. `@ai-sdk/openai` for OpenAI itself and for every server of the Responses
 * interface; `@ai-sdk/openai-compatible` for Chat Completions elsewhere: it reads the reasoning that vLLM, llama.cpp, Ollama
 * and others stream (`reasoning_content`, `reasoning`), keeps role `system` and `max_tokens`, and takes answers that are less
 * exact than OpenAI's.
 */

import * as z from "zod";
import { defined } from "../shared/defined";
import { ownProviders } from "../shared/modelProviders";
import { type Address, isAzure } from "./address";
import { anyIds, nineIds, shortIds } from "./callIds";
import { fetchModelList, type ListedModel } from "./modelList";
import { type LoadedModel, type LoadInput, ownRow, type Provider } from "./provider";
import { ReasoningDetails, withReasoningDetails } from "./reasoningDetails";

export const openai: Provider = {
  ...ownRow("openai", [/^gpt-\d+(?:\.\d+)?$/]),
  serves: address => address.openai,
  load: loadOpenai,
  listModels,
  capabilities: { needsKey: true },
};

/** The last row of the table: it serves every address. */
export const compatible: Provider = {
  name: "openai-compatible",
  title: "another server",
  keyVariables: ownProviders.openai.keyVariables,
  serves: () => true,
  load: input => (input.address.api === "responses" ? loadOpenai(input) : compatibleChat(input)),
  listModels,
  capabilities: { needsKey: false },
};

/** Mistral's own models, whoever serves them. */
const MISTRAL = /(?:mis|mix|minis|devs|codes|magis)tral|mathstral|pixtral/i;

/** The provider's name is the key of its options and metadata. */
const COMPATIBLE = "compatible";

/** `store: false`: nothing is kept there, so every request holds all it needs, the reasoning of steps before included. */
async function loadOpenai({ address, name, key, reasoning }: LoadInput): Promise<LoadedModel> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const isResponses = address.api === "responses";
  const hasEffort = reasoning !== "default";
  return {
    kind: "http",
    events: isResponses ? "responses" : "chat",
    takesStop: false,
    wire: {
      keys: ["openai"],
      ...(isResponses ? {} : { ids: shortIds }),
      ...defined({ ownItems: address.openai || undefined }),
    },
    options: {
      openai: {
        store: false,
        ...(hasEffort ? { reasoningEffort: reasoning } : {}),
        // OpenAI gives summaries of the reasoning to verified organisations alone: where it refuses, none is asked for.
        ...(isResponses && (address.openai || hasEffort) ? { reasoningSummary: address.openai ? "auto" : null } : {}),
        // OpenAI wants the role `developer` from some models, and the SDK knows which; other servers know it by chance only.
        ...(address.openai ? {} : { systemMessageMode: "system" }),
        // The SDK sends an effort only to models that it knows to reason.
        ...(hasEffort && !address.openai ? { forceReasoning: true } : {}),
      },
    },
    // What it thought comes back encrypted and is taken as it was: not behind a conversation that has changed since.
    ...(isResponses ? { reasoningBinding: "prefix" } : {}),
    // Requests of one session go where their beginning is cached.
    ...(address.openai ? { sessionOption: { provider: "openai", name: "promptCacheKey" } } : {}),
    model(fetch) {
      const provider = createOpenAI({
        baseURL: address.baseUrl,
        apiKey: key ?? "",
        fetch: atAddress(key ? fetch : withoutKey(fetch), address),
      });
      return isResponses ? provider.responses(name) : provider.chat(name);
    },
  };
}

async function compatibleChat({ address, name, key, reasoning, leftOut }: LoadInput): Promise<LoadedModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  // What a server refuses or wants is learnt while it is used.
  const thoughts = () => thoughtsOf(address.host, name, leftOut);
  const wire = { keys: [COMPATIBLE, "openaiCompatible"], ...idsOf(name, address.host) };
  return {
    kind: "http",
    wire,
    events: "chat",
    options: { [COMPATIBLE]: reasoning === "default" ? {} : { reasoningEffort: reasoning } },
    adaptPrompt: prompt => withReasoningDetails(prompt, { host: address.host, model: name }),
    model: fetch =>
      createOpenAICompatible({
        name: COMPATIBLE,
        baseURL: address.baseUrl,
        ...defined({ apiKey: key || undefined }),
        includeUsage: true,
        transformRequestBody: body => adaptBody(body as Body, thoughts(), leftOut),
        metadataExtractor: {
          extractMetadata: async () => undefined,
          createStreamExtractor() {
            const details = new ReasoningDetails({ host: address.host, model: name });
            return { processChunk: chunk => details.hear(chunk), buildMetadata: () => details.metadata() };
          },
        },
        fetch: atAddress(fetch, address),
      }).chatModel(name),
  };
}

/** Ids of calls that their chat templates and checks want. */
function idsOf(name: string, host: string): LoadedModel["wire"] {
  if (host === "api.mistral.ai" || MISTRAL.test(name)) return { ids: nineIds };
  return /kimi|moonshot/i.test(`${name} ${host}`) ? { ids: anyIds } : {};
}

// What servers other than OpenAI's refuse in a Chat Completions body. Found in their own error messages.

interface OpenAiMessage {
  role: string;
  reasoning_content?: string;
  reasoning_details?: unknown;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

type Body = { messages: OpenAiMessage[]; tools?: { function: { strict?: boolean } }[] } & Record<string, unknown>;

/**
 * These refuse unknown fields, and reasoning is one when it comes back: Groq 400 "property 'reasoning_content' is
 * unsupported", Mistral 422 `extra_forbidden`, Cerebras 400 `wrong_api_format`.
 */
const WITHOUT_REASONING = new Set(["api.groq.com", "api.mistral.ai", "api.cerebras.ai"]);
/**
 * These refuse a step with calls that lost what was thought: Kimi 400 "thinking is enabled but reasoning_content is missing in assistant
 * tool call message", DeepSeek and MiMo 400 "The `reasoning_content` in the thinking mode must be passed back". Of a step that had no
 * thoughts, as one of another model, they want it empty.
 */
const WANTS_REASONING = /deepseek|kimi|moonshot|mimo/i;

/** Whether thoughts come back: as they were, never, with each call, or with each step. */
type Thoughts = "kept" | "never" | "with calls" | "always";

function thoughtsOf(host: string, name: string, { has }: LoadInput["leftOut"]): Thoughts {
  if (has("bare-steps")) return "always";
  if (WITHOUT_REASONING.has(host)) return "never";
  return WANTS_REASONING.test(host) || WANTS_REASONING.test(name) ? "with calls" : "kept";
}

function adaptBody({ stream_options, ...body }: Body, thoughts: Thoughts, leftOut: LoadInput["leftOut"]): Body {
  return {
    ...body,
    ...(stream_options && !leftOut.has("usage") ? { stream_options } : {}),
    messages: body.messages.map(message => (message.role === "assistant" ? plain(message, thoughts) : message)),
    // OpenAI's own field: without it Responses makes every optional parameter a required one.
    ...(body.tools && {
      tools: body.tools.map(({ function: { strict: _, ...rest }, ...tool }) => ({ ...tool, function: rest })),
    }),
  };
}

function plain({ reasoning_content = "", tool_calls, ...rest }: OpenAiMessage, thoughts: Thoughts): OpenAiMessage {
  const isWanted = thoughts === "always" || (thoughts === "with calls" && tool_calls !== undefined);
  const isSent = thoughts !== "never" && rest.reasoning_details === undefined && (reasoning_content !== "" || isWanted);
  return {
    ...rest,
    ...(isSent ? { reasoning_content } : {}),
    // Chat templates iterate over the input as an object; one call whose JSON was broken must not break every later request.
    ...(tool_calls && {
      tool_calls: tool_calls.map(call =>
        call.function.arguments.startsWith("{") ? call : { ...call, function: { ...call.function, arguments: "{}" } },
      ),
    }),
  };
}

/** What a model reads is no part of OpenAI's list; servers that say it have these names for it. */
const tokens = z.int().positive().optional().catch(undefined);
const listedSchema = z
  .object({ id: z.string(), max_model_len: tokens, context_length: tokens, context_window: tokens })
  .transform(({ id, max_model_len, context_length, context_window }): ListedModel => {
    const contextWindow = max_model_len ?? context_length ?? context_window;
    return contextWindow === undefined ? { id } : { id, contextWindow };
  });
const listSchema = z.object({ data: z.array(listedSchema) }).transform(({ data }) => data);
/** `GET /models`, as OpenAI and the servers like it have it. Without a `key`, none is sent. */
function listModels(baseUrl: string, key: string | undefined, signal: AbortSignal) {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  return fetchModelList({ url: `${baseUrl}/models`, headers, schema: listSchema, signal });
}

/** The SDK sends a header even without a key. */
function withoutKey(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete("authorization");
    return fetch(input, { ...init, headers });
  };
}

/** What Azure has of its own: a part behind the address, and a header for the key. */
function atAddress(fetch: typeof globalThis.fetch, address: Address): typeof globalThis.fetch {
  const { query } = address;
  if (!query && !isAzure(address)) return fetch;
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const headers = new Headers(init?.headers);
    const [, key] = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "") ?? [];
    if (key !== undefined && isAzure(address)) {
      headers.set("api-key", key);
      headers.delete("authorization");
    }
    return fetch(url, { ...init, headers });
  };
}
