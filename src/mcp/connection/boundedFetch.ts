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
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}

/** For one server. The package sends its headers to its authorization server too: there they are taken off. Redirections are the package's: it follows none to another server. None leads from the web to near here. */
export const fetchFor =
  (server: URL, configured: Readonly<Record<string, string>>, fetch?: typeof globalThis.fetch): typeof boundedFetch =>
  async (address, init = {}) => {
    const url = new URL(address);
    if (leadsNear(url.hostname) && !leadsNear(server.hostname) && !isNear(server.hostname))
      throw new McpError(
        `${server.origin} leads to ${url.origin}, an address of this machine or its network, and nothing was sent there`,
      );
    const headers = new Headers(init.headers);
    if (!isSame(server, url))
      for (const [name, value] of new Headers(configured)) if (headers.get(name) === value) headers.delete(name);
    return boundedFetch(url, { ...init, headers, redirect: "manual" }, fetch);
  };

/** The same server, or it again with encryption. */
const isSame = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.protocol === "http:" && to.protocol === "https:" && from.hostname === to.hostname && from.port === to.port);
