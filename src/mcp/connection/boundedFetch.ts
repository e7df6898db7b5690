/** The network's answers, bounded: a server must not fill the memory. */
const MAX_ANSWER_BYTES = 32_000_000;

/** As `fetch`; an answer that goes on beyond the bound fails. Of a stream that a server keeps open for its news, one message. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.body) return response;
  const isAsked = (init?.method ?? "GET").toUpperCase() !== "GET";
  const isNews = !isAsked && /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const afterMessage = isNews ? lengthAfterMessage() : () => undefined;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes = afterMessage(chunk) ?? bytes + chunk.length;
      if (bytes <= MAX_ANSWER_BYTES) controller.enqueue(chunk);
      else controller.error(new Error(`the server's answer is larger than ${MAX_ANSWER_BYTES / 1_000_000} MB`));
    },
  });
  const { status, statusText, headers } = response;
  const bounded = new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  // Where it came from in the end, redirections followed.
  return Object.defineProperties(bounded, {
    url: { value: response.url },
    redirected: { value: response.redirected },
  });
}

/**
 * For what is done with the server at an address. The package sends the headers that are configured for it to its authorization
 * server too, wherever that is: there they are taken off.
 */
export function fetchFor({ origin }: URL, configured: Readonly<Record<string, string>>): typeof boundedFetch {
  return (url, init) => {
    if (new URL(url).origin === origin) return boundedFetch(url, init);
    const headers = new Headers(init?.headers);
    for (const [name, value] of new Headers(configured)) if (headers.get(name) === value) headers.delete(name);
    return boundedFetch(url, { ...init, headers });
  };
}

/** A message ends with an empty line. Gives how many bytes of the chunk come after the last one; undefined: none ends in it */
function lengthAfterMessage(): (chunk: Uint8Array) => number | undefined {
  let before = "";
  return chunk => {
    const text = before + Buffer.from(chunk).toString("latin1");
    before = text.slice(-3);
    const ends = Math.max(...["\n\n", "\r\r", "\r\n\r\n"].map(end => text.lastIndexOf(end)));
    return ends < 0 ? undefined : text.length - ends;
  };
}
