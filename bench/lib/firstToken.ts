/** How long the first words of an answer take from the server's write to the event that shows them: one process, one clock. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { modelStep } from "../../src/core/context/requests/modelStep";
import { createModels } from "../../src/models";
import { nodeClock, nodeHash } from "../../src/node/system";
import { settingsSchema } from "../../src/shared/settings";

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null) =>
  data({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "bench",
    choices: [{ index: 0, delta, finish_reason }],
  });

/** ms, one for each request; the first ones load what is needed and are left out. */
export async function firstTokens(requests: number): Promise<number[]> {
  let writtenAt = 0;
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    // The model thinks: the connection is there and waits.
    await sleep(20);
    writtenAt = performance.now();
    response.write(chunk({ role: "assistant", content: "Hello" }));
    await sleep(5);
    response.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const settings = settingsSchema.parse({
    "model.baseUrl": baseUrl,
    "model.name": "bench",
    "model.provider": "server",
  });
  const models = createModels({
    settings: { get: () => settings },
    apiKey: async () => undefined,
    hash: nodeHash,
    clock: nodeClock,
  });
  const times: number[] = [];
  for (let at = 0; at < requests + 5; at++) {
    let shownAt = 0;
    await modelStep({
      connection: await models.connect(),
      request: { instructions: "Be brief.", messages: [{ role: "user", content: "Hi" }], tools: [] },
      clock: nodeClock,
      signal: new AbortController().signal,
      beforeSend: async () => undefined,
      onDelta: () => {
        shownAt ||= performance.now();
      },
    });
    times.push(shownAt - writtenAt);
  }
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  return times.slice(5);
}
