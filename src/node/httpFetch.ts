/**
 * A request over `node:http`. The terminal's all go so: `fetch` takes longer to load than a request of a model takes to be made. In the
 * editor `fetch` sends, unless an answer may take longer than it waits: 300 s for the head, and between two pieces. VS Code puts a
 * dispatcher of its own in the place of one that is given; `node:http` has no limit, and there, as here, the proxies and certificates of
 * its surroundings. Redirections are not followed.
 */
import type { IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import { pipeline } from "node:stream";

/** ms: a time that is set may be passed by a quarter, and is then still less than fetch's own */
const OWN_LIMIT = 240_000;
/** ms until there is a connection, as `fetch` has it: where nothing answers, the system waits for two minutes */
const TO_CONNECT = 10_000;

interface HttpRequest {
  method?: string;
  headers: Record<string, string>;
  body?: Uint8Array;
  signal?: AbortSignal;
}

/** Rejects as `fetch` does: with the signal's reason, or "fetch failed" and the cause. */
export async function httpSend(url: string | URL, { method = "GET", headers, body, signal }: HttpRequest) {
  const own = { accept: "*/*", "accept-encoding": "gzip", "user-agent": "node", ...headers };
  const sized = body ? { ...own, "content-length": String(body.length) } : own;
  const answer = await open(new URL(url), { method, headers: sized, ...(signal && { signal }) }, body).catch(cause => {
    throw signal?.aborted ? signal.reason : new TypeError("fetch failed", { cause });
  });
  const { statusCode: status = 0, statusMessage: statusText = "", headersDistinct } = answer;
  const pairs = Object.entries(headersDistinct).flatMap(([name, all = []]) =>
    all.map((value): [string, string] => [name, value]),
  );
  const hasBody = method !== "HEAD" && ![101, 204, 205, 304].includes(status);
  if (!hasBody) answer.resume();
  return { status, statusText, headers: pairs, body: hasBody ? bodyOf(answer, signal) : null };
}

async function open(url: URL, options: RequestOptions, body: Uint8Array | undefined): Promise<IncomingMessage> {
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const asked = request(url, options, resolve);
    // Not sent again, also where a kept connection was left: the server may have read it, and it may have to be paid for.
    asked.on("error", reject);
    asked.on("upgrade", (answer, socket) => {
      socket.destroy();
      resolve(answer);
    });
    AbortSignal.timeout(TO_CONNECT).addEventListener("abort", () => {
      const socket = asked.socket as { connecting: boolean; secureConnecting?: boolean } | null;
      if (!socket || socket.connecting || socket.secureConnecting)
        asked.destroy(Object.assign(new Error("no connection in time"), { code: "ETIMEDOUT" }));
    });
    asked.end(body);
  });
}

/** Left, it ends at once: a generator would wait for its next piece, and one that never began would end nothing. */
function bodyOf(answer: IncomingMessage, signal: AbortSignal | undefined): AsyncIterableIterator<Uint8Array> {
  const pieces = unpacked(answer).then(body => body[Symbol.asyncIterator]());
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      return (await pieces).next().catch((cause: unknown) => {
        throw signal?.aborted ? signal.reason : new TypeError("terminated", { cause });
      });
    },
    async return() {
      answer.destroy();
      return { done: true, value: undefined };
    },
  };
}

/** A proxy may compress what was not to be. The reader hears of what went wrong. */
async function unpacked(answer: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  const form = answer.headers["content-encoding"] ?? "";
  if (!/^(?:(?:x-)?gzip|deflate|br)$/i.test(form)) return answer;
  const { constants, createBrotliDecompress, createUnzip } = await import("node:zlib");
  const cut = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  return pipeline(answer, /^br$/i.test(form) ? createBrotliDecompress() : createUnzip(cut), () => undefined);
}

/** @param waitMs how long an answer is waited for now */
export function patientFetch(waitMs = () => 0): typeof fetch {
  return async (input, init) => {
    if (waitMs() <= OWN_LIMIT) return fetch(input, init);
    const request = new Request(input, init);
    const { url, method, signal } = request;
    const bytes = request.body && new Uint8Array(await request.arrayBuffer());
    const headers = Object.fromEntries(request.headers);
    const answer = await httpSend(url, { method, signal, headers, ...(bytes && { body: bytes }) });
    // Node's takes what can be iterated.
    const body = answer.body as BodyInit | null;
    const response = new Response(body, { ...answer, headers: [...answer.headers] });
    return Object.defineProperty(response, "url", { value: url });
  };
}
