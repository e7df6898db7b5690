/**
 * Between the SDK and the network: hashes the body before it leaves, waits for the caller to write that down, reports every
 * byte of the answer, and bounds them: one endless answer would take the memory of every session in the process. Bytes are
 * counted behind decompression.
 */
import { AnswerError, type Hash } from "../core/ground/ports";
import { mediaType, NotAnAnswerError } from "./events/eventReader";

export interface SendOptions {
  fetch: typeof fetch;
  hash: Hash;
  /** of a model's answer, over the wire and decompressed; more is an AnswerError */
  maxAnswerBytes: number;
  /** true: its answers are no text, and a text is no answer */
  isBinary?: boolean;
  /** makes one for each answer, by its media type; absent: they go on as they come */
  filter?: ((contentType: string) => AnswerFilter) | undefined;
}

/** Between an answer and the SDK. Throws NotAnAnswerError. */
interface AnswerFilter {
  add(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

/** Of an error, or of a text that is no answer: its sentence is at the beginning. */
const MAX_ERROR_BYTES = 65_536;

/** What one request wants to know of its way over the network. */
interface HttpCall {
  beforeSend(bodySha256: string | null): Promise<void>;
  onBytes?: (() => void) | undefined;
}

/** The server sends the request on to another one, which would get the conversation, and whose answer would be the model's. */
export class RedirectError extends Error {
  constructor(
    /** undefined: the answer does not say it */
    readonly target: string | undefined,
  ) {
    super(`redirected to ${target ?? "another address"}`);
    this.name = "RedirectError";
  }
}

/** No redirection is followed: the person sets the address that is meant. */
async function fetchFromServer(
  fetch: SendOptions["fetch"],
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit,
): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: "manual" });
  const isRedirect = response.type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(response.status);
  if (!isRedirect) return response;
  await response.body?.cancel();
  const from = new URL(input instanceof Request ? input.url : input);
  const location = response.headers.get("location");
  const target = location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
  throw new RedirectError(target?.origin === from.origin ? target.href : target?.origin);
}

/** A `fetch` for one request of a model. */
export function createFetch(options: SendOptions, { beforeSend, onBytes = () => undefined }: HttpCall): typeof fetch {
  return async (input, init) => {
    // Encoded once: the hashed bytes are those that leave.
    const body = typeof init?.body === "string" ? new TextEncoder().encode(init.body) : init?.body;
    await beforeSend(body instanceof Uint8Array ? options.hash.sha256(body) : null);
    const response = await fetchFromServer(options.fetch, input, { ...init, ...(body ? { body } : {}) });
    onBytes();
    if (!response.body) return response;
    if (!response.ok) return watched(response, response.body, { onBytes, ...cutOff });
    const filter = options.filter?.(mediaType(response));
    if (options.isBinary) await refuseOther(response);
    return watched(response, response.body, { onBytes, ...refused(options.maxAnswerBytes), filter });
  };
}

/** Web pages and JSON objects come from wrong addresses and proxies; as a stream they would look like an empty answer. */
async function refuseOther(response: Response): Promise<void> {
  const contentType = mediaType(response);
  if (contentType !== "text/html" && contentType !== "application/json") return;
  throw new NotAnAnswerError(contentType, await beginningText(response));
}

/** At most so many bytes of a body, as text. Rejects as reading does. */
export async function beginningText(response: Response, maxBytes = MAX_ERROR_BYTES): Promise<string> {
  if (!response.body) return "";
  return watched(response, response.body, { onBytes: () => undefined, maxBytes, beyond: undefined }).text();
}

interface AnswerLimit {
  onBytes(): void;
  maxBytes: number;
  /** undefined: more is passed over */
  beyond: (() => Error) | undefined;
  filter?: AnswerFilter | undefined;
}
const cutOff = { maxBytes: MAX_ERROR_BYTES, beyond: undefined };
const refused = (maxBytes: number) => ({
  maxBytes,
  beyond: () => new AnswerError("too-long", `the answer has more than ${maxBytes} bytes`),
});

function watched(response: Response, body: ReadableStream<Uint8Array>, bound: AnswerLimit): Response {
  const { onBytes, maxBytes, beyond, filter } = bound;
  const reader = body.getReader();
  let left = maxBytes;
  // A server that sends without end would continue.
  const leave = () => void reader.cancel().catch(() => undefined);
  const filtered = (read: () => Uint8Array): Uint8Array => {
    try {
      return read();
    } catch (error) {
      leave();
      throw error;
    }
  };
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        onBytes();
        if (done) {
          const last = filter && filtered(() => filter.end());
          if (last?.length) controller.enqueue(last);
          return controller.close();
        }
        const taken = value.subarray(0, left);
        left -= value.length;
        const passed = filter ? filtered(() => filter.add(taken)) : taken;
        if (passed.length > 0) controller.enqueue(passed);
        if (left < 0) {
          leave();
          return beyond ? controller.error(beyond()) : controller.close();
        }
        if (passed.length > 0) return;
      }
    },
    cancel: reason => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(stream, { status, statusText, headers });
}
