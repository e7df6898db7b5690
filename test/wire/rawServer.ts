/** A local server that answers with exactly what a test says: how servers that nobody wrote down speak. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

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
  const http = createServer(async (request, response) => {
    if (request.method === "GET") {
      const said = about[request.url ?? ""];
      response.writeHead(said === undefined ? 404 : 200, { "content-type": "application/json" });
      return void response.end(JSON.stringify(said ?? {}));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const got = { url: request.url ?? "", headers: request.headers, body: text === "" ? undefined : JSON.parse(text) };
    requests.push(got);
    const { body, contentType = "text/event-stream", status = 200, headers = {} } = answer(got, requests.length - 1);
    response.writeHead(status, { "content-type": contentType, ...headers });
    for (const piece of body) {
      response.write(piece);
      await new Promise(setImmediate);
    }
    response.end();
  });
  await new Promise<void>(resolve => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    async close() {
      http.closeAllConnections();
      await new Promise(resolve => http.close(resolve));
    },
  };
}

/** Each as an event of its own: JSON, or a line as it stands. */
export const events = (...pieces: readonly unknown[]): string[] =>
  pieces.map(piece => (typeof piece === "string" ? `${piece}\n\n` : `data: ${JSON.stringify(piece)}\n\n`));
