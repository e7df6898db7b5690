/**
 * A chat server that answers at once and notes when: what the benchmarks time against. The offline model is not used here,
 * since its own work would be in the figures.
 */
import { createServer } from "node:http";

/**
 * @param {(step: number) => {text?: string, calls?: {name: string, input: object}[]}} script by the number of the request, from 0
 * @returns {Promise<{url: string, onRequest?: (at: number) => void, requests: {at: number, body: string, endedAt: number}[], close(): Promise<void>}>} times of performance.now(), ms
 */
export async function startModel(script) {
  const requests = [];
  const server = createServer((request, response) => {
    // What servers of one's own are asked beside: how much their model reads.
    if (request.method === "GET") return response.writeHead(404).end();
    const chunks = [];
    request.on("data", chunk => chunks.push(chunk));
    request.on("end", () => {
      const entry = { at: performance.now(), body: Buffer.concat(chunks).toString("utf8"), endedAt: 0 };
      requests.push(entry);
      started.onRequest?.(entry.at);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(stream(script(requests.length - 1), entry.body.length >> 2), () => {
        entry.endedAt = performance.now();
      });
    });
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  const started = {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    ...{ requests, onRequest: undefined },
    close: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(resolve));
    },
  };
  return started;
}

function stream({ text, calls = [] }, inputTokens) {
  const chunk = (delta, finish_reason = null, usage) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "bench", choices: [{ index: 0, delta, finish_reason }], ...(usage ? { usage } : {}) })}\n\n`;
  const tool_calls = calls.map(({ name, input }, index) => ({
    index,
    id: `call_${Math.random().toString(36).slice(2)}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const usage = { prompt_tokens: inputTokens, completion_tokens: 10, total_tokens: inputTokens + 10 };
  return [
    chunk({ role: "assistant", content: text ?? "" }),
    ...(calls.length > 0 ? [chunk({ tool_calls })] : []),
    chunk({}, calls.length > 0 ? "tool_calls" : "stop", usage),
    "data: [DONE]\n\n",
  ].join("");
}
