/** A local server that speaks Amazon Bedrock's Converse interface: its binary frames, its cache points, its errors. */
import { text } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { answerJson, listening } from "../fakes/http";
import type { WireAnswer } from "./anthropicServer";

type Block = Record<string, unknown>;
export interface BedrockRequest {
  system?: Block[];
  messages: { role: "user" | "assistant"; content: Block[] }[];
  toolConfig?: { tools: Block[] };
}

export interface BedrockServer {
  url: string;
  served: { body: BedrockRequest; cachePoints: number; authorization: string }[];
  refused: string[];
  close(): Promise<void>;
}

export async function startBedrockServer(
  answer: (request: BedrockRequest, number: number) => WireAnswer,
): Promise<BedrockServer> {
  const served: BedrockServer["served"] = [];
  const refused: string[] = [];
  const { url, close } = await listening(async (request, response) => {
    const sent = await text(request);
    const refuse = (status: number, type: string, message: string) => {
      refused.push(message);
      answerJson(response, status, { message }, { "x-amzn-errortype": type });
    };
    const { authorization = "" } = request.headers;
    if (!/^Bearer \S+$|^AWS4-HMAC-SHA256 Credential=\S+/.test(authorization))
      return refuse(403, "AccessDeniedException", "Authentication failed: no credentials were sent.");
    if (!/^\/model\/[^/]+\/converse-stream$/.test(request.url ?? ""))
      return refuse(400, "ValidationException", "The provided model identifier is invalid.");
    const body = JSON.parse(sent) as BedrockRequest;
    const cachePoints = [body.system ?? [], ...body.messages.map(({ content }) => content)]
      .flat()
      .filter(block => "cachePoint" in block).length;
    const wrong = complaint(body, cachePoints);
    if (wrong) return refuse(400, "ValidationException", wrong);
    const given = answer(body, served.length);
    if (given.play) return given.play(response);
    if (given.refuse) return answerJson(response, given.refuse.status, given.refuse.body, given.refuse.headers);
    served.push({ body, cachePoints, authorization });
    response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
    for (const [type, data] of events(given, Buffer.byteLength(sent))) response.write(frame(type, data));
    response.end();
  });
  return { url, served, refused, close };
}

function complaint({ messages }: BedrockRequest, cachePoints: number): string | undefined {
  if (cachePoints > 4) return "You have exceeded the maximum number of cache points.";
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== (at % 2 === 0 ? "user" : "assistant"))
      return "A conversation must alternate between user and assistant roles.";
    const calls = content.flatMap(block => (block.toolUse as { toolUseId: string } | undefined)?.toolUseId ?? []);
    const next = messages[at + 1]?.content ?? [];
    const results = next.flatMap(block => (block.toolResult as { toolUseId: string } | undefined)?.toolUseId ?? []);
    if (role === "assistant" && calls.some(id => !results.includes(id)))
      return `Expected toolResult blocks at messages.${at + 1}.content for the following Ids: ${calls}`;
  }
  return undefined;
}

type Event = [type: string, data: object];

function* events({ thinking, text, calls = [], stop, breakOff }: WireAnswer, bytes: number): Generator<Event> {
  yield ["messageStart", { role: "assistant" }];
  let contentBlockIndex = 0;
  if (thinking) {
    yield ["contentBlockDelta", { contentBlockIndex, delta: { reasoningContent: { text: thinking } } }];
    yield ["contentBlockDelta", { contentBlockIndex, delta: { reasoningContent: { signature: "c2lnbmVk" } } }];
    yield ["contentBlockStop", { contentBlockIndex: contentBlockIndex++ }];
  }
  if (text) {
    yield ["contentBlockDelta", { contentBlockIndex, delta: { text } }];
    yield ["contentBlockStop", { contentBlockIndex: contentBlockIndex++ }];
  }
  for (const { id, name, input } of calls) {
    yield ["contentBlockStart", { contentBlockIndex, start: { toolUse: { toolUseId: id, name } } }];
    yield ["contentBlockDelta", { contentBlockIndex, delta: { toolUse: { input: JSON.stringify(input) } } }];
    yield ["contentBlockStop", { contentBlockIndex: contentBlockIndex++ }];
  }
  if (breakOff === "error") yield ["exception:throttlingException", { message: "Too many requests, please wait." }];
  if (breakOff) return;
  yield ["messageStop", { stopReason: stop ?? (calls.length > 0 ? "tool_use" : "end_turn") }];
  const inputTokens = Math.ceil(bytes / 4);
  const cached = { cacheReadInputTokens: 11, cacheWriteInputTokens: 5 };
  yield ["metadata", { usage: { inputTokens, outputTokens: 7, totalTokens: inputTokens + 7, ...cached } }];
}

/** One message of AWS's event stream, an exception where its kind begins so: lengths and headers, payload, and a checksum of each. */
function frame(kind: string, data: object): Buffer {
  const [name, type] = kind.startsWith("exception:") ? ["exception", kind.slice(10)] : ["event", kind];
  const headers = Buffer.concat(
    Object.entries({
      ":message-type": name,
      [`:${name}-type`]: type,
      ":content-type": "application/json",
    }).map(([key, value = ""]) =>
      Buffer.concat([
        Buffer.from([key.length]),
        Buffer.from(key),
        Buffer.from([7, value.length >> 8, value.length & 255]),
        Buffer.from(value),
      ]),
    ),
  );
  const payload = Buffer.from(JSON.stringify(data));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + headers.length + payload.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const head = Buffer.concat([prelude, checksum(prelude), headers, payload]);
  return Buffer.concat([head, checksum(head)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes) >>> 0);
  return sum;
}
