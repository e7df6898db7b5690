/**
 * The table of providers: adding one is a row above the last, which serves every address, and, where it has a package, its
 * import in `load`. Rows of today are the
 * two packages that speak OpenAI's interfaces. `@ai-sdk/openai` for OpenAI itself and for every server of the Responses
 * interface; `@ai-sdk/openai-compatible` for Chat Completions elsewhere: it reads the reasoning that vLLM, llama.cpp, Ollama
 * and others stream (`reasoning_content`, `reasoning`), keeps role `system` and `max_tokens`, and takes answers that are less
 * exact than OpenAI's. Each is loaded when it is needed: together they take longer than a start may.
 */
import type { LanguageModel } from "ai";
import * as z from "zod";
import type { ModelConnection } from "../core/ports";
import type { Settings } from "../shared/settings";
import type { Address } from "./address";
import { contextSigns } from "./failureSigns";
import { beginningText } from "./modelFetch";

type Model = Exclude<LanguageModel, string>;

/** A model that was loaded. Without HTTP below it (`direct`) a request is accounted for by the hash of its canonical form alone. */
export type LoadedModel = { options: ModelConnection["providerOptions"] } & (
  | { kind: "http"; model(fetch: typeof globalThis.fetch): Model }
  | { kind: "direct"; model: Model }
);

interface LoadInput {
  address: Address;
  name: string;
  /** undefined: none is sent */
  key: string | undefined;
  reasoning: Settings["model.reasoning"];
}

export interface Provider {
  /** its name in settings and logs */
  name: string;
  /** the environment variable that has its key in a terminal */
  keyVariable: string;
  /** Whether it serves this address; the first row that does is taken. */
  serves(address: Address): boolean;
  load(input: LoadInput): Promise<LoadedModel>;
  /** Its models. Never rejects. */
  listModels(baseUrl: string, key: string | undefined, signal: AbortSignal): Promise<ModelList>;
  /** how its servers say that a request is longer than the model can read */
  contextSigns: readonly RegExp[];
  capabilities: {
    /** false: it answers without a key, too */
    needsKey: boolean;
  };
}

export const providers: readonly Provider[] = [
  {
    name: "openai",
    keyVariable: "OPENAI_API_KEY",
    serves: address => address.openai,
    load: openai,
    listModels,
    contextSigns: contextSigns.OpenAI,
    capabilities: { needsKey: true },
  },
  {
    name: "openai-compatible",
    keyVariable: "OPENAI_API_KEY",
    serves: () => true,
    load: input => (input.address.api === "responses" ? openai(input) : compatibleChat(input)),
    listModels,
    contextSigns: Object.values(contextSigns).flat(),
    capabilities: { needsKey: false },
  },
];

/** The provider's name is the key of its options and metadata. */
const COMPATIBLE = "compatible";

/** `store: false`: nothing is kept there, so every request holds all it needs, the reasoning of steps before included. */
async function openai({ address, name, key, reasoning }: LoadInput): Promise<LoadedModel> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const isResponses = address.api === "responses";
  const hasEffort = reasoning !== "default";
  return {
    kind: "http",
    options: {
      openai: {
        store: false,
        ...(hasEffort ? { reasoningEffort: reasoning } : {}),
        // A summary of the reasoning is for verified organisations only; for others it would be an error.
        ...(hasEffort && isResponses ? { reasoningSummary: null } : {}),
        // OpenAI wants the role `developer` from some models, and the SDK knows which; other servers know it by chance only.
        ...(address.openai ? {} : { systemMessageMode: "system" }),
        // The SDK sends an effort only to models that it knows to reason.
        ...(hasEffort && !address.openai ? { forceReasoning: true } : {}),
      },
    },
    model(fetch) {
      const provider = createOpenAI({ baseURL: address.baseUrl, apiKey: key ?? "", fetch });
      return isResponses ? provider.responses(name) : provider.chat(name);
    },
  };
}

async function compatibleChat({ address, name, key, reasoning }: LoadInput): Promise<LoadedModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return {
    kind: "http",
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

// What servers other than OpenAI's refuse in a Chat Completions body. Found in their own error messages.

interface Message {
  role: string;
  reasoning_content?: string;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

type Body = { messages: Message[]; tools?: { function: { strict?: boolean } }[] } & Record<string, unknown>;

/**
 * These refuse unknown fields, and reasoning is one when it comes back: Groq 400 "property 'reasoning_content' is
 * unsupported", Mistral 422 `extra_forbidden`, Cerebras 400 `wrong_api_format`. Others (DeepSeek, Kimi) refuse a step that
 * lost it.
 */
const WITHOUT_REASONING = new Set(["api.groq.com", "api.mistral.ai", "api.cerebras.ai"]);

function adaptBody(body: Body, host: string): Body {
  const reasoning = !WITHOUT_REASONING.has(host);
  return {
    ...body,
    messages: body.messages.map(message => (message.role === "assistant" ? plain(message, reasoning) : message)),
    // OpenAI's own field: without it Responses makes every optional parameter a required one.
    ...(body.tools && {
      tools: body.tools.map(({ function: { strict: _, ...rest }, ...tool }) => ({ ...tool, function: rest })),
    }),
  };
}

function plain({ reasoning_content, tool_calls, ...rest }: Message, reasoning: boolean): Message {
  return {
    ...rest,
    ...(reasoning_content && reasoning ? { reasoning_content } : {}),
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
const listSchema = z.object({ data: z.array(listedSchema) });
const LIST_TIMEOUT_MS = 5_000;
/** OpenRouter, with the longest list of all, takes a tenth of it. */
const MAX_LIST_BYTES = 10_000_000;

export interface ListedModel {
  id: string;
  /** tokens that it reads, where the server says so */
  contextWindow?: number;
}

/** Sorted by name; `denied`: the server wants a key, or another one; `none`: it gives no such list, or not in time. */
export type ModelList = ListedModel[] | "denied" | "none";

/** `GET /models`, as OpenAI and the servers like it have it. Without a `key`, none is sent. A redirection to another server goes without it (the Fetch standard). */
async function listModels(baseUrl: string, key: string | undefined, signal: AbortSignal): Promise<ModelList> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      headers: key ? { authorization: `Bearer ${key}` } : {},
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT_MS)]),
    });
    if (response.status === 401 || response.status === 403) return "denied";
    const list = listSchema.safeParse(
      response.ok ? JSON.parse(await beginningText(response, MAX_LIST_BYTES)) : undefined,
    );
    return list.success ? list.data.data.sort((one, other) => (one.id < other.id ? -1 : 1)) : "none";
  } catch {
    // Whatever it was, the name can still be typed; the connection check says what is wrong.
    return "none";
  }
}
