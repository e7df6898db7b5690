/**
 * A local server that speaks both of OpenAI's interfaces: the offline model, behind a door that can answer anything else
 * instead.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type OfflineAnswer, type RecordedRequest, startOfflineModel } from "../../scripts/offline-model/server.mjs";
import type { WireAnswer } from "./anthropicServer";

export interface OpenaiServer {
  url: string;
  /** bodies of the requests that were answered */
  served: RecordedRequest["body"][];
  refused: unknown[];
  close(): Promise<void>;
}

export async function startOpenaiServer(
  answer: (request: RecordedRequest["body"], number: number) => WireAnswer,
): Promise<OpenaiServer> {
  let next: OfflineAnswer = {};
  const served: OpenaiServer["served"] = [];
  const offline = await startOfflineModel({ script: () => next });
  const http = createServer(async (request, response) => {
    // It says nothing of itself.
    if (request.method === "GET") return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const given = answer(body, served.length);
    if (given.play) return given.play(response);
    if (given.refuse) {
      response.writeHead(given.refuse.status, { "content-type": "application/json", ...given.refuse.headers });
      return void response.end(given.refuse.body);
    }
    served.push(body);
    next = toOffline(given);
    const passed = await fetch(new URL((request.url ?? "").replace(/^\/v1\//, ""), `${offline.url}/`), {
      method: "POST",
      body: Buffer.concat(chunks),
      headers: { "content-type": "application/json", authorization: request.headers.authorization ?? "" },
    });
    response.writeHead(passed.status, { "content-type": passed.headers.get("content-type") ?? "" });
    if (passed.body) Readable.fromWeb(passed.body as ReadableStream).pipe(response);
  });
  await new Promise<void>(resolve => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    ...{ served, refused: [] },
    async close() {
      http.closeAllConnections();
      await new Promise(resolve => http.close(resolve));
      await offline.close();
    },
  };
}

function toOffline({ thinking, text, calls, stop, breakOff }: WireAnswer): OfflineAnswer {
  return {
    ...(thinking === undefined ? {} : { reasoning: thinking }),
    ...(text === undefined ? {} : { text }),
    ...(calls ? { calls } : {}),
    ...(stop ? { finishReason: stop } : {}),
    ...(breakOff ? { fault: "cut-clean" } : {}),
  };
}
