/**
 * Chat Completions, as the SDK's interface of a model has it: one adapter for every server, that takes what they really send
 * (docs/context.md, "Answers as servers send them").
 */
import { EventReader } from "../events/eventReader";
import type { SdkCallOptions, SdkModel, SdkStreamPart } from "../sdk/types";
import { ChatAnswer } from "./chatAnswer";
import { type ChatRules, COMPATIBLE, chatBody } from "./chatBody";

interface ChatServer {
  baseUrl: string;
  /** undefined: none is sent */
  key: string | undefined;
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

export function chatModel(server: ChatServer): SdkModel {
  const { name, host } = server.rules();
  return {
    specificationVersion: "v4",
    provider: COMPATIBLE,
    modelId: name,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("answers are only streamed")),
    async doStream(options) {
      const response = await ask(server, options);
      return { stream: readAnswer(response, new ChatAnswer({ host, model: name })) };
    },
  };
}

async function ask({ baseUrl, key, fetch, rules }: ChatServer, options: SdkCallOptions): Promise<Response> {
  const headers = new Headers({ "content-type": "application/json" });
  if (key) headers.set("authorization", `Bearer ${key}`);
  for (const [name, value] of Object.entries(options.headers ?? {})) if (value !== undefined) headers.set(name, value);
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify(chatBody(options, rules())),
    ...(options.abortSignal && { signal: options.abortSignal }),
  });
  if (response.ok) return response;
  throw new RefusedRequestError(response.status, Object.fromEntries(response.headers), await response.text());
}

function readAnswer(response: Response, answer: ChatAnswer): ReadableStream<SdkStreamPart> {
  const contentType = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const events = new EventReader(contentType);
  const body = response.body?.getReader();
  const decoder = new TextDecoder();
  const read = (items: ReturnType<EventReader["add"]>) =>
    items.flatMap(item => {
      if (item !== "[DONE]") return answer.read(item);
      answer.done();
      return [];
    });
  return new ReadableStream({
    start: controller => controller.enqueue({ type: "stream-start", warnings: [] }),
    async pull(controller) {
      for (;;) {
        const { done, value } = (await body?.read()) ?? { done: true };
        const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
        const parts = [...read(events.add(text)), ...(done ? [...read(events.end()), ...answer.end()] : [])];
        for (const part of parts) controller.enqueue(part);
        if (done) return controller.close();
        if (parts.length > 0) return;
      }
    },
    cancel: reason => body?.cancel(reason),
  });
}
