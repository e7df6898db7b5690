/** A local server that answers with exactly what a test says: how servers that nobody wrote down speak. */
import { text } from "node:stream/consumers";
import { answerJson, listening } from "../fakes/http";

export interface RawAnswer {
  /** the body, in the pieces in which it comes */
  body: readonly (string | Uint8Array)[];
  /** absent: a stream of events */
  contentType?: string;
  status?: number;
  headers?: Record<string, string>;
}

export interface RawRequest {
  url: string;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any interface
  body: any;
}

export interface RawServer {
  /** without a path */
  url: string;
  requests: RawRequest[];
  close(): Promise<void>;
}

/** @param about what it says of itself, by the path that is asked; absent: nothing */
export async function startRawServer(
  answer: (request: RawRequest, number: number) => RawAnswer,
  about: Record<string, unknown> = {},
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const { url, close } = await listening(async (request, response) => {
    if (request.method === "GET") {
      const said = about[request.url ?? ""];
      return answerJson(response, said === undefined ? 404 : 200, said ?? {});
    }
    const sent = await text(request);
    const got = { url: request.url ?? "", headers: request.headers, body: sent === "" ? undefined : JSON.parse(sent) };
    requests.push(got);
    const { body, contentType = "text/event-stream", status = 200, headers = {} } = answer(got, requests.length - 1);
    response.writeHead(status, { "content-type": contentType, ...headers });
    for (const piece of body) {
      response.write(piece);
      await new Promise(setImmediate);
    }
    response.end();
  });
  return { url, requests, close };
}

/** Each as an event of its own: JSON, or a line as it stands. */
export const events = (...pieces: readonly unknown[]): string[] =>
  pieces.map(piece => (typeof piece === "string" ? `${piece}\n\n` : `data: ${JSON.stringify(piece)}\n\n`));
