/** Servers that never end: no answer of theirs takes more than a bound of the memory that all sessions share. Over real HTTP. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { createGzip, gzipSync } from "node:zlib";
import type { StepOutcome } from "../../src/core/context/requests/modelStep";
import type { ModelConnection } from "../../src/core/ground/ports";
import type { Settings } from "../../src/shared/settings";
import { listening } from "../fakes/http";
import { models, step } from "./connect";

const MEGABYTE = 1_000_000;
const chunk = (text: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`;

/** Sends the same again and again until whoever reads has left; then says how much left the server. */
function forever(response: ServerResponse, text: string): Promise<number> {
  const bytes = Buffer.from(text);
  let sent = 0;
  const more = () => {
    while (!response.destroyed) {
      sent += bytes.length;
      if (!response.write(bytes)) return;
    }
  };
  response.on("drain", more);
  return new Promise(resolve => {
    response.on("close", () => resolve(sent));
    more();
  });
}

async function served<T>(
  answer: (response: ServerResponse) => void,
  use: (connection: ModelConnection) => Promise<T>,
  settings: Partial<Settings> = {},
): Promise<T> {
  const { url, close } = await listening((request, response) => {
    request.resume();
    request.on("end", () => answer(response));
  });
  try {
    return await use(await models({ "model.baseUrl": `${url}/v1`, "model.api": "chat", ...settings }).connect());
  } finally {
    await close();
  }
}

const failure = (connection: ModelConnection, outcome: StepOutcome) => {
  assert.ok(outcome.kind === "failed", outcome.kind);
  return connection.explain(outcome.error);
};

describe("answers are bounded", () => {
  for (const [what, status, type, code] of [
    ["a body of an error", 500, "application/json", "server"],
    ["a web page", 200, "text/html", "bad-answer"],
    ["JSON", 200, "application/json", "bad-answer"],
  ] as const) {
    it(`${what} without end is read at its beginning`, async () => {
      let sent: Promise<number> | undefined;
      const begin = (response: ServerResponse) => {
        response.writeHead(status, { "content-type": type });
        sent = forever(response, "<p>no end </p>".repeat(5_000));
      };
      await served(begin, async connection => {
        const { outcome } = await step(connection);
        assert.equal(failure(connection, outcome).code, code);
        assert.ok((await sent) !== undefined);
      });
      assert.ok(((await sent) ?? 0) < 30 * MEGABYTE, `${await sent} bytes left the server`);
    });
  }

  it("a stream without end is cut off at the setting, and says so", async () => {
    let sent: Promise<number> | undefined;
    const begin = (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      sent = forever(response, chunk("word ".repeat(4_000)));
    };
    await served(
      begin,
      async connection => {
        const { outcome } = await step(connection);
        const { code, remedy, retryable } = failure(connection, outcome);
        assert.deepEqual([code, remedy, retryable], ["bad-answer", "set-largest", false]);
      },
      { "model.maxAnswerMegabytes": 1 },
    );
    assert.ok(((await sent) ?? 0) < 30 * MEGABYTE);
  });

  it("so is one that only grows when it is unpacked", async () => {
    const packed = gzipSync(chunk("a".repeat(10 * MEGABYTE)).repeat(3));
    assert.ok(packed.length < MEGABYTE);
    const begin = (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      response.end(packed);
    };
    await served(
      begin,
      async connection => {
        const { outcome } = await step(connection);
        assert.equal(failure(connection, outcome).remedy, "set-largest");
      },
      { "model.maxAnswerMegabytes": 2 },
    );
  });

  it("an error's body that only grows when it is unpacked is read at its beginning", async () => {
    const begin = (response: ServerResponse) => {
      response.writeHead(500, { "content-type": "text/plain", "content-encoding": "gzip" });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.end(Buffer.alloc(50 * MEGABYTE, "x"));
    };
    await served(begin, async connection => {
      const { outcome } = await step(connection);
      const { code, message } = failure(connection, outcome);
      assert.equal(code, "server");
      assert.ok(message.length < 1_000);
    });
  });

  for (const [what, line] of [
    ["comments", ": still there\n\n"],
    ["thoughts", `data: ${JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: "Hm. " } }] })}\n\n`],
  ] as const) {
    it(`a stream of nothing but ${what} is given up`, async () => {
      let timer: NodeJS.Timeout | undefined;
      const begin = (response: ServerResponse) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        timer = setInterval(() => response.write(line), 5);
      };
      await served(begin, async connection => {
        const { outcome } = await step({ ...connection, timeoutMs: 60 });
        const { code, message } = failure(connection, outcome);
        assert.equal(code, "timeout");
        assert.match(message, /No reply from/);
      }).finally(() => clearInterval(timer));
    });
  }
});
