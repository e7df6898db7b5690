/**
 * `fetch` where an answer may be waited for longer than `fetch` itself waits: 300 s for its head, and between two pieces of it. VS Code puts
 * a dispatcher of its own in the place of one that is given, so `node:http` sends then: it has no limit, and there, as here, the
 * proxies and certificates of its surroundings. Redirections are not followed.
 */
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";

/** ms: with what is waited beyond a time that is set, this is less than fetch's own */
const OWN_LIMIT = 240_000;

/** @param waitMs how long an answer is waited for now */
export function patientFetch(waitMs: () => number): typeof fetch {
  return (input, init) => (waitMs() > OWN_LIMIT ? send(new Request(input, init)) : fetch(input, init));
}

async function send(request: Request): Promise<Response> {
  const { url, method, signal } = request;
  const { request: open } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  const body = Buffer.from(await request.arrayBuffer());
  const own = { accept: "*/*", "accept-encoding": "identity", "content-length": String(body.length) };
  const headers = { ...own, ...Object.fromEntries(request.headers) };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = open(url, { method, headers, signal }, resolve);
    asked.on("error", cause => reject(signal.aborted ? signal.reason : new TypeError("fetch failed", { cause })));
    asked.end(body);
  });
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = answer;
  const pairs = rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""]] : [],
  );
  const hasBody = method !== "HEAD" && ![204, 205, 304].includes(status);
  if (!hasBody) answer.resume();
  const response = new Response(hasBody ? read(answer, signal) : null, { status, statusText, headers: pairs });
  return Object.defineProperty(response, "url", { value: url });
}

/** Errors as `fetch` has them. */
function read(answer: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  // A proxy may compress what was not to be. The reader hears of what went wrong.
  const form = answer.headers["content-encoding"] ?? "";
  const unzip = /^(?:(?:x-)?gzip|deflate)$/i.test(form) && createUnzip();
  const decoder = /^br$/i.test(form) ? createBrotliDecompress() : unzip;
  const body = decoder ? pipeline(answer, decoder, () => undefined) : answer;
  const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          controller.error(signal.aborted ? signal.reason : new TypeError("terminated", { cause }));
        }
      },
      cancel() {
        answer.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
