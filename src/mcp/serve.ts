/**
 * The other side of the protocol: tools of ours, offered to another agent over standard streams. By hand, since it is little:
 * lists that never change, calls, cancellation. Clients of the newest revision fall back to these, as they do with any older server.
 */
import type { Tool } from "../core/toolkit/tool";
import { errorMessage } from "../shared/errorMessage";
import type { Json } from "../shared/messages";
import { LineReader } from "./connection/lineReader";

export interface ServedTools {
  tools: readonly Tool[];
  /** What the other agent is told of them all. */
  instructions: string;
  version: string;
  /** Never rejects but where the process is at fault. */
  call(name: string, input: Json, signal: AbortSignal): Promise<ServedResult>;
}

interface ServedResult {
  text: string;
  isError: boolean;
  images: readonly { mediaType: string; bytes: Uint8Array }[];
}

/** Oldest first; who asks for another one gets the last. */
const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/** bytes; who sends more is not talked to any more */
const MAX_LINE = 4_000_000;
/** calls under way; who sends more at once has to wait for answers */
const MAX_CALLS = 32;

const [PARSE, REQUEST, METHOD, PARAMS, INTERNAL] = [-32700, -32600, -32601, -32602, -32603];

type Id = string | number;
interface RpcMessage {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

/** Resolves when the other side is gone. @param write one message, a line */
export async function serve(
  input: AsyncIterable<Buffer>,
  write: (line: string) => void,
  served: ServedTools,
): Promise<void> {
  const calls = new Map<Id, AbortController>();
  const under = new Set<Promise<void>>();
  const send = (message: object) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const fail = (id: unknown, code: number, message: string) => send({ id: id ?? null, error: { code, message } });
  const call = async (id: Id, params: Record<string, Json>) => {
    if (typeof params.name !== "string") return fail(id, PARAMS, "A call names its tool.");
    if (calls.has(id)) return fail(id, REQUEST, "A call of this id is under way.");
    if (calls.size >= MAX_CALLS) return fail(id, REQUEST, `${MAX_CALLS} calls are under way: wait for an answer.`);
    const controller = new AbortController();
    calls.set(id, controller);
    try {
      const result = await served.call(params.name, params.arguments ?? {}, controller.signal);
      if (!controller.signal.aborted) send({ id, result: toResult(result) });
    } catch (error) {
      if (!controller.signal.aborted) fail(id, INTERNAL, errorMessage(error));
    } finally {
      calls.delete(id);
    }
  };
  const take = (line: string) => {
    const message = parsed(line);
    if (message === undefined) return fail(null, PARSE, "This line is no JSON-RPC message.");
    const { id, method } = message;
    const params = isRecord(message.params) ? message.params : {};
    if (method === "notifications/cancelled") calls.get(params.requestId as Id)?.abort();
    // Other notifications, and answers: nothing was asked.
    if (typeof method !== "string" || id === undefined) return;
    if (typeof id !== "string" && typeof id !== "number") return fail(null, REQUEST, "An id is a text or a number.");
    if (method !== "tools/call") return answer(id, method, params);
    const done = call(id, params).finally(() => under.delete(done));
    under.add(done);
  };
  const answer = (id: Id, method: string, params: Record<string, Json>) => {
    if (method === "initialize") send({ id, result: introduction(params.protocolVersion, served) });
    else if (method === "ping") send({ id, result: {} });
    else if (method === "tools/list") send({ id, result: { tools: served.tools.map(listed) } });
    else fail(id, METHOD, `There is no ${method.slice(0, 100)}.`);
  };
  const lines = new LineReader(MAX_LINE);
  for await (const bytes of input) {
    const whole = lines.push(bytes);
    if (whole === undefined) break;
    for (const line of whole) if (line.trim() !== "") take(line);
  }
  for (const controller of calls.values()) controller.abort();
  await Promise.allSettled([...under]);
}

function introduction(asked: Json | undefined, { version, instructions }: ServedTools) {
  const protocolVersion = REVISIONS.find(revision => revision === asked) ?? REVISIONS.at(-1);
  const serverInfo = { name: "strata", title: "Strata", version };
  return { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions };
}

const listed = ({ name, description, input }: ServedTools["tools"][number]) => ({
  name,
  description,
  inputSchema: input.jsonSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
});

const toResult = ({ text, isError, images }: ServedResult) => ({
  content: [
    { type: "text", text },
    ...images.map(({ mediaType, bytes }) => {
      return { type: "image", mimeType: mediaType, data: Buffer.from(bytes).toString("base64") };
    }),
  ],
  ...(isError && { isError }),
});

const isRecord = (value: unknown): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(line: string): RpcMessage | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isRecord(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
