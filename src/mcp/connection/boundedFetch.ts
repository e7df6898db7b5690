/** The network's answers, bounded: a server must not fill the memory. */
const MAX_ANSWER_BYTES = 32_000_000;

/** As `fetch`; an answer that goes on beyond the bound fails. A stream that a server keeps open for its news has no end, and none. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.body || (init?.method ?? "GET").toUpperCase() === "GET") return response;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
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
