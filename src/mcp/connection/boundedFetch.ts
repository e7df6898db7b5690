/** The network's answers, bounded: a server must not fill the memory. None leads to another server: `fetch` would send it the configured headers. */
import { isNear, leadsNear } from "../../shared/nearAddress";
import { McpError } from "../config/variables";

const MAX_ANSWER_BYTES = 32_000_000;

/** As `fetch`; an answer beyond the bound fails. In an open stream of notifications the bound is per message. */
export async function boundedFetch(url: string | URL, init?: RequestInit, fetch = globalThis.fetch): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.body) return response;
  const isAsked = (init?.method ?? "GET").toUpperCase() !== "GET";
  const isNews = !isAsked && /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  let before = "";
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      // With an empty line a message ends, also with one that chunks share.
      const text = isNews ? before + Buffer.from(chunk).toString("latin1") : "";
      before = text.slice(-3);
      const isEnd = /\n\r?\n|\r\r/.test(text);
      bytes = isEnd ? chunk.length : bytes + chunk.length;
      if (bytes <= MAX_ANSWER_BYTES) controller.enqueue(chunk);
      else controller.error(new Error(`the server's answer is larger than ${MAX_ANSWER_BYTES / 1_000_000} MB`));
    },
  });
  const { status, statusText, headers } = response;
  const bounded = new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  // Where it came from in the end, redirections followed.
  return Object.defineProperties(bounded, { url: { value: response.url }, redirected: { value: response.redirected } });
}

/** times that a request is sent on by its own server */
const MAX_REDIRECTS = 3;

/** For one server. The package sends its headers to its authorization server too: there they are taken off. Nothing is sent on elsewhere but a plain look at what is public, and none from the web to near here. */
export function fetchFor(
  server: URL,
  configured: Readonly<Record<string, string>>,
  fetch?: typeof globalThis.fetch,
): typeof boundedFetch {
  const send = async (address: string | URL, init: RequestInit = {}, hops = 0): Promise<Response> => {
    const url = new URL(address);
    if (leadsNear(url.hostname) && !leadsNear(server.hostname) && !isNear(server.hostname))
      throw new McpError(
        `${server.origin} leads to ${url.origin}, an address of this machine or its network, and nothing was sent there`,
      );
    const headers = new Headers(init.headers);
    if (!isSame(server, url))
      for (const [name, value] of new Headers(configured)) if (headers.get(name) === value) headers.delete(name);
    const response = await boundedFetch(url, { ...init, headers, redirect: "manual" }, fetch);
    const location = response.headers.get("location");
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    const isLook = (init.method ?? "GET").toUpperCase() === "GET";
    // Another method or another server: what was meant for this one would be seen elsewhere.
    const stays = next && isSame(url, next) && (isLook || response.status > 303);
    const isPublic = next && isLook && !isSame(server, url) && !headers.has("authorization");
    if (next && hops < MAX_REDIRECTS && (stays || isPublic)) return send(next, init, hops + 1);
    throw new McpError(
      `${url.origin} sends requests on to ${next?.origin ?? "nowhere"}, and nothing was sent there. If that is right, configure that address`,
    );
  };
  return (url, init) => send(url, init);
}

/** The same server, or it again with encryption. */
const isSame = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.protocol === "http:" && to.protocol === "https:" && from.hostname === to.hostname && from.port === to.port);
