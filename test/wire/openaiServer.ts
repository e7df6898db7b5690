/**
 * A local server that speaks both of OpenAI's interfaces: the offline model, behind a door that can answer anything else
 * instead.
 */
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ReadableStream } from "node:stream/web";
import { type OfflineAnswer, type RecordedRequest, startOfflineModel } from "../../scripts/offline-model/server.mjs";
import { answerJson, listening } from "../fakes/http";
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
  const http = await listening(async (request, response) => {
    // It says nothing of itself.
    if (request.method === "GET") return void response.writeHead(404).end();
    const sent = await text(request);
    const body = JSON.parse(sent);
    const given = answer(body, served.length);
    if (given.play) return given.play(response);
    if (given.refuse) return answerJson(response, given.refuse.status, given.refuse.body, given.refuse.headers);
    served.push(body);
    next = toOffline(given);
    const passed = await fetch(new URL((request.url ?? "").replace(/^\/v1\//, ""), `${offline.url}/`), {
      method: "POST",
      body: sent,
      headers: { "content-type": "application/json", authorization: request.headers.authorization ?? "" },
    });
    response.writeHead(passed.status, { "content-type": passed.headers.get("content-type") ?? "" });
    if (passed.body) Readable.fromWeb(passed.body as ReadableStream).pipe(response);
  });
  return {
    url: `${http.url}/v1`,
    ...{ served, refused: [] },
    async close() {
      await http.close();
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
