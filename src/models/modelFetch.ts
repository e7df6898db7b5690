/** Between the SDK and the network: hashes the body before it leaves, waits until that is written down, and bounds the answer's bytes, decompressed, which share the process's memory. */
import { AnswerError, type Hash } from "../core/ground/ports";
import { defined } from "../shared/defined";
import { mediaType, NotAnAnswerError } from "./events/eventReader";

/** `fetch`, or another that rejects and breaks off like it. No redirection is followed. */
export type HttpSend = (
  url: string | URL,
  request: {
    method?: string;
    headers: Record<string, string>;
    body?: Uint8Array<ArrayBuffer>;
    signal?: AbortSignal;
    redirect: "manual";
  },
) => Promise<HttpAnswer>;

interface HttpAnswer {
  status: number;
  statusText: string;
  /** names in lower case */
  headers: Iterable<[string, string]>;
  /** Who leaves it in the middle ends the connection. */
  body: AsyncIterable<Uint8Array> | null;
}

export interface SendOptions {
  fetch: HttpSend;
  hash: Hash;
  /** of a model's answer, over the wire and decompressed; more is an AnswerError */
  maxAnswerBytes: number;
  /** true: its answers are no text, and a text is no answer */
  isBinary?: boolean;
  /** makes one for each answer, by its media type; absent: they go on as they come */
  filter?: ((contentType: string) => AnswerFilter) | undefined;
}

/** Between an answer and the SDK. Throws NotAnAnswerError. */
type AnswerFilter = { add(bytes: Uint8Array): Uint8Array; end(): Uint8Array };

/** Of an error, or of a text that is no answer: its sentence is at the beginning. */
const MAX_ERROR_BYTES = 65_536;

/** What one request wants to know of its way over the network. */
type HttpCall = { beforeSend(bodySha256: string | null): Promise<void>; onBytes?: (() => void) | undefined };

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

/** As Node has it; the types of browsers do not know it yet. */
const Streams = ReadableStream as unknown as { from<T>(pieces: AsyncIterable<T>): ReadableStream<T> };

/** Of a `Response` what the SDK's packages read: the real one takes longer to load than a request takes to be made. */
class PlainResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly ok: boolean;
  readonly body: ReadableStream<Uint8Array> | null;

  constructor({ status, statusText, headers }: HttpAnswer, body: AsyncIterable<Uint8Array> | null) {
    [this.status, this.statusText, this.headers] = [status, statusText, new Map(headers)];
    this.ok = status >= 200 && status < 300;
    this.body = body && Streams.from(body);
  }

  text = async () => textOf(this.body ?? []);
}

async function textOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}

/** The person sets the address that is meant. */
async function refuseRedirect({ status, headers, body }: HttpAnswer, from: string): Promise<void> {
  // VS Code's `fetch` has no status for it.
  if (![0, 301, 302, 303, 307, 308].includes(status)) return;
  await body?.[Symbol.asyncIterator]().return?.();
  const location = new Map(headers).get("location");
  const target = location !== undefined && URL.canParse(location, from) ? new URL(location, from) : undefined;
  throw new RedirectError(target?.origin === new URL(from).origin ? target.href : target?.origin);
}

/** A `fetch` for one request of a model. */
export function createFetch(options: SendOptions, { beforeSend, onBytes = () => undefined }: HttpCall): typeof fetch {
  const send = async (url: string | URL, init: RequestInit = {}): Promise<PlainResponse> => {
    // Encoded once: the hashed bytes are those that leave.
    const body = typeof init.body === "string" ? new TextEncoder().encode(init.body) : undefined;
    await beforeSend(body ? options.hash.sha256(body) : null);
    const { method, signal, headers = {} } = init;
    const answer = await options.fetch(url, {
      ...defined({ method, body, signal: signal ?? undefined }),
      headers: Symbol.iterator in headers ? Object.fromEntries(headers) : headers,
      redirect: "manual",
    });
    await refuseRedirect(answer, String(url));
    onBytes();
    const head = new PlainResponse(answer, null);
    if (!answer.body) return head;
    if (!head.ok) return new PlainResponse(answer, watched(answer.body, { onBytes, maxBytes: MAX_ERROR_BYTES }));
    const filter = options.filter?.(mediaType(head));
    if (options.isBinary) await refuseOther(mediaType(head), answer);
    const { maxAnswerBytes: maxBytes } = options;
    const beyond = () => new AnswerError("too-long", `the answer has more than ${maxBytes} bytes`);
    return new PlainResponse(answer, watched(answer.body, { onBytes, maxBytes, beyond, filter }));
  };
  return send as (url: unknown, init?: RequestInit) => Promise<unknown> as typeof fetch;
}

/** Web pages and JSON objects come from wrong addresses and proxies; as a stream they would look like an empty answer. */
async function refuseOther(contentType: string, answer: HttpAnswer): Promise<void> {
  if (contentType !== "text/html" && contentType !== "application/json") return;
  throw new NotAnAnswerError(contentType, await beginningText(answer, MAX_ERROR_BYTES));
}

/** At most so many bytes of a body, as text. Rejects as reading does. */
export const beginningText = ({ body }: HttpAnswer, maxBytes: number): Promise<string> =>
  textOf(watched(body ?? [], { maxBytes }));

interface AnswerLimit {
  onBytes?(): void;
  maxBytes: number;
  /** absent: more is passed over */
  beyond?(): Error;
  filter?: AnswerFilter | undefined;
}

/** Leaves an answer that is longer than its bound. */
async function* watched(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { onBytes = () => undefined, maxBytes, beyond, filter }: AnswerLimit,
): AsyncGenerator<Uint8Array, void> {
  let left = maxBytes;
  for await (const bytes of body) {
    onBytes();
    const taken = bytes.subarray(0, left);
    left -= bytes.length;
    const passed = filter ? filter.add(taken) : taken;
    if (passed.length > 0) yield passed;
    if (left >= 0) continue;
    if (beyond) throw beyond();
    return;
  }
  onBytes();
  const last = filter?.end();
  if (last?.length) yield last;
}
