/** Chat Completions: one adapter for every server, that takes what they really send (docs/context.md, "Answers as servers send them"). */
import type { AnswerPart, StreamedModel } from "../../core/ground/ports";
import { defined } from "../../shared/defined";
import { parseJson } from "../../shared/isObject";
import type { Json } from "../../shared/messages";
import { EventReader, mediaType } from "../events/eventReader";
import type { SdkAssistantPart, SdkCallOptions, SdkMessage, SdkUserPart } from "../sdk/prompt";
import { resultText, unseen } from "../sdk/prompt";
import { ChatAnswer, COMPATIBLE } from "./chatAnswer";

interface ChatServer {
  baseUrl: string;
  /** the key's; undefined ones are not sent */
  headers: Readonly<Record<string, string | undefined>>;
  fetch: typeof globalThis.fetch;
  /** What a server refuses or wants is learnt while it is used. */
  rules(): ChatRules;
}

/** The server refused the request. Read by its shape, as the errors of the SDK's packages are. */
class RefusedRequestError extends Error {
  override readonly name = "RefusedRequestError";
  constructor(
    readonly statusCode: number,
    readonly responseHeaders: Record<string, string>,
    readonly responseBody: string,
  ) {
    super(`the server answered ${statusCode}`);
  }
}

export const chatModel = (server: ChatServer): StreamedModel => ({
  async doStream(call) {
    const { name: model, host } = server.rules();
    return { stream: readAnswer(await ask(server, call), new ChatAnswer({ host, model })) };
  },
});

async function ask({ baseUrl, headers, fetch, rules }: ChatServer, options: SdkCallOptions): Promise<Response> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: defined({ "content-type": "application/json", ...headers, ...options.headers }),
    body: JSON.stringify(chatBody(options, rules())),
    ...(options.abortSignal && { signal: options.abortSignal }),
  });
  if (response.ok) return response;
  throw new RefusedRequestError(response.status, Object.fromEntries(response.headers), await response.text());
}

async function* readAnswer(response: Response, answer: ChatAnswer): AsyncGenerator<AnswerPart, void> {
  const events = new EventReader(mediaType(response));
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? [])
    for (const event of events.add(decoder.decode(bytes, { stream: true }))) yield* answer.read(event);
  for (const event of events.add(decoder.decode())) yield* answer.read(event);
  for (const event of events.end()) yield* answer.read(event);
  yield* answer.end();
}

/** Whether thoughts come back: as they were, never, with each call, or with each step. */
export type ThoughtRule = "kept" | "never" | "with calls" | "always";

interface ChatRules {
  host: string;
  name: string;
  /** OpenAI's own models that reason: they want the role `developer`, and `max_completion_tokens` */
  isReasoner: boolean;
  thoughts: ThoughtRule;
  /** false: it refuses to be asked for it */
  hasUsage: boolean;
}

function chatBody(options: SdkCallOptions, rules: ChatRules): Record<string, unknown> {
  const { prompt, maxOutputTokens, stopSequences, tools = [], toolChoice, providerOptions } = options;
  const { reasoningEffort, promptCacheKey, store } = providerOptions?.[COMPATIBLE] ?? {};
  const functions = tools.filter(tool => tool.type === "function");
  return {
    model: rules.name,
    ...defined({
      [rules.isReasoner ? "max_completion_tokens" : "max_tokens"]: maxOutputTokens,
      stop: stopSequences,
      reasoning_effort: reasoningEffort,
      prompt_cache_key: promptCacheKey,
      store,
    }),
    messages: prompt.flatMap(message => chatMessage(message, rules)),
    ...(functions.length > 0 && {
      tools: functions.map(({ type, name, description, inputSchema: parameters }) => ({
        type,
        function: { name, description, parameters },
      })),
      ...(toolChoice && toolChoice.type !== "tool" && { tool_choice: toolChoice.type }),
    }),
    stream: true,
    ...(rules.hasUsage && { stream_options: { include_usage: true } }),
  };
}

function chatMessage(message: SdkMessage, rules: ChatRules): object[] {
  const { role, content } = message;
  if (role === "system") return [{ role: rules.isReasoner ? "developer" : role, content }];
  if (role === "user") return [{ role, content: userContent(content) }];
  if (role === "assistant") return [assistantMessage(content, rules)];
  const results = content.filter(part => part.type === "tool-result");
  return results.map(({ toolCallId, output }) => ({ role, tool_call_id: toolCallId, content: resultText(output) }));
}

/** One text is a text: servers that know no parts of content understand it too. */
function userContent(content: readonly SdkUserPart[]): unknown {
  const [only, ...more] = content;
  if (only?.type === "text" && more.length === 0) return only.text;
  return content.map(part => {
    if (part.type === "text") return { type: "text", text: part.text };
    const { data, mediaType } = part;
    if (data.type !== "data" || !mediaType.startsWith("image/")) return unseen(part);
    const base64 = typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64");
    return { type: "image_url", image_url: { url: `data:${mediaType};base64,${base64}` } };
  });
}

function assistantMessage(content: readonly SdkAssistantPart[], rules: ChatRules): object {
  const textOf = (type: "text" | "reasoning") => content.map(part => (part.type === type ? part.text : "")).join("");
  const calls = content.filter(part => part.type === "tool-call");
  const text = textOf("text");
  const thought = textOf("reasoning");
  const details = content.flatMap(part => detailsOf(part, rules));
  const { thoughts } = rules;
  const isWanted = thoughts === "always" || (thoughts === "with calls" && calls.length > 0);
  const isSent = thoughts !== "never" && details.length === 0 && (thought !== "" || isWanted);
  return {
    role: "assistant",
    content: calls.length > 0 ? text || null : text,
    ...(details.length > 0 && { reasoning_details: details }),
    ...(isSent && { reasoning_content: thought }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
  };
}

type CallPart = Extract<SdkAssistantPart, { type: "tool-call" }>;

function toolCall({ toolCallId: id, toolName: name, input, providerOptions }: CallPart): object {
  const written = typeof input === "string" ? input : JSON.stringify(input ?? {});
  const isObject = written.startsWith("{") && (typeof input !== "string" || parseJson(input) !== undefined);
  const signature = providerOptions?.[COMPATIBLE]?.thoughtSignature;
  return {
    id,
    type: "function",
    // Chat templates iterate over the input as an object; one call whose JSON was broken must not break every later request.
    function: { name, arguments: isObject ? written : "{}" },
    ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
  };
}

/** What OpenRouter and servers like it sent of the thinking goes back to the model and server that it came from, as it came. */
function detailsOf(part: Extract<SdkMessage, { role: "assistant" }>["content"][number], rules: ChatRules): Json[] {
  const own = part.type === "reasoning" ? part.providerOptions?.[COMPATIBLE] : undefined;
  const isOwn = own?.host === rules.host && own.model === rules.name && Array.isArray(own.reasoningDetails);
  return isOwn ? (own.reasoningDetails as Json[]) : [];
}
