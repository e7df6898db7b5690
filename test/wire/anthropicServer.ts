/**
 * A local server that speaks Anthropic's Messages interface and is as strict as it: the order of roles and blocks, calls and their
 * results, at most four cache points, thinking that is bound to all that came before it. What it says was cached is counted
 * from the bytes it got.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { answerJson, listening } from "../fakes/http";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };
export type Block = { type: string } & Record<string, Json | undefined>;
interface Message {
  role: "user" | "assistant" | "system";
  content: string | Block[];
}
export interface AnthropicRequest {
  model: string;
  max_tokens?: number;
  system?: string | Block[];
  tools?: Record<string, Json>[];
  messages: Message[];
  thinking?: { type?: string; block_binding?: { prefix_mismatch_behavior?: string } };
}

export interface WireAnswer {
  thinking?: string;
  text?: string;
  calls?: { id: string; name: string; input: Record<string, Json> }[];
  stop?: string;
  /** status and body instead of an answer */
  refuse?: { status: number; body: string; headers?: Record<string, string> };
  /** instead of an answer: what is done with the response */
  play?(response: ServerResponse): void;
  /** what the stream ends with, before its end: an error event, or nothing at all */
  breakOff?: "error" | "cut";
}

interface Options {
  key?: string;
  answer(request: AnthropicRequest, number: number): WireAnswer;
  /** tokens; what is shorter is not cached */
  leastCacheable?: number;
}

interface Served {
  body: AnthropicRequest;
  cachePoints: number;
  cacheRead: number;
  cacheWrite: number;
  input: number;
  /** what could have been read, had a mark stood at the best place */
  couldRead: number;
  /** thinking that no longer stood behind what it was bound to */
  mismatches: number;
}

export interface AnthropicServer {
  url: string;
  /** those that were answered, in order */
  served: Served[];
  refused: { status: number; message: string }[];
  close(): Promise<void>;
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

const refuse = (condition: boolean, message: string) => {
  if (condition) throw new Refusal(400, "invalid_request_error", message);
};

export async function startAnthropicServer(options: Options): Promise<AnthropicServer> {
  const served: Served[] = [];
  const refused: AnthropicServer["refused"] = [];
  const caches = new Map<string, number>();
  const { url, close } = await listening(async (request, response) => {
    try {
      const body = await readBody(request, options.key ?? KEY);
      if (body === "models") return answerJson(response, 200, modelList);
      const seen = check(body);
      const answer = options.answer(body, served.length);
      if (answer.play) return answer.play(response);
      if (answer.refuse) return answerJson(response, answer.refuse.status, answer.refuse.body, answer.refuse.headers);
      const counted = countCached(body, caches, options.leastCacheable ?? 1024);
      served.push({ body, ...seen, ...counted });
      stream(response, body, answer, counted);
    } catch (error) {
      const { status, type } = error instanceof Refusal ? error : { status: 500, type: "api_error" };
      refused.push({ status, message: String((error as Error).message) });
      answerJson(response, status, { type: "error", error: { type, message: String((error as Error).message) } });
    }
  });
  return { url: `${url}/v1`, served, refused, close };
}

export const KEY = "sk-ant-test-0123456789abcdef";

async function readBody(request: IncomingMessage, key: string): Promise<AnthropicRequest | "models"> {
  const sent = await text(request);
  const { "x-api-key": named, "anthropic-version": version, authorization } = request.headers;
  if (named !== key || authorization) throw new Refusal(401, "authentication_error", "invalid x-api-key");
  refuse(version === undefined, "anthropic-version: header is required");
  if (request.url?.startsWith("/v1/models")) return "models";
  if (request.url !== "/v1/messages") throw new Refusal(404, "not_found_error", "Not found");
  return JSON.parse(sent) as AnthropicRequest;
}

const modelList = {
  data: [
    { type: "model", id: "claude-sonnet-5-5", display_name: "Claude Sonnet 5.5", max_input_tokens: 1_000_000 },
    { type: "model", id: "claude-opus-5-5", display_name: "Claude Opus 5.5" },
  ],
  has_more: false,
};

// What the real one refuses.

const blocks = (content: string | Block[] | undefined): Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);

function check(body: AnthropicRequest): Pick<Served, "cachePoints" | "mismatches"> {
  refuse(!((body.max_tokens ?? 0) > 0), "max_tokens: Field required");
  refuse(body.messages.length === 0, "messages: at least one message is required");
  refuse(body.messages[0]?.role !== "user", "messages: first message must use the user role");
  for (const [at, { role, content }] of body.messages.entries()) {
    const place = `messages.${at}`;
    refuse(role === body.messages[at - 1]?.role, `${place}: roles must alternate`);
    refuse(blocks(content).length === 0, `${place}: content is empty`);
    const isBlank = ({ type, text }: Block) => type === "text" && String(text).trim() === "";
    refuse(blocks(content).some(isBlank), `${place}: text content blocks must contain non-whitespace text`);
    if (role === "assistant") checkThinking(blocks(content), place);
    if (role === "user") checkResults(blocks(body.messages[at - 1]?.content), blocks(content), place);
  }
  const last = body.messages.at(-1);
  refuse(last?.role === "assistant", "This model does not support assistant message prefill.");
  const cachePoints = [...blocks(body.system), ...body.messages.flatMap(({ content }) => blocks(content))].filter(
    ({ cache_control }) => cache_control,
  ).length;
  refuse(cachePoints > 4, `A maximum of 4 blocks with cache_control may be provided. Found ${cachePoints}.`);
  return { cachePoints, mismatches: checkBinding(body) };
}

function checkThinking(content: Block[], place: string): void {
  const first = content.findIndex(({ type }) => type === "text" || type === "tool_use");
  const late = content.findLastIndex(({ type }) => type === "thinking");
  refuse(first >= 0 && late > first, `${place}: thinking blocks must come first`);
}

function checkResults(before: Block[], content: Block[], place: string): void {
  const calls = before.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  const results = content.filter(({ type }) => type === "tool_result").map(({ tool_use_id: id }) => id);
  const missing = calls.filter(id => !results.includes(id));
  refuse(missing.length > 0, `${place}: \`tool_use\` ids were found without \`tool_result\` blocks: ${missing}`);
  refuse(
    results.some(id => !calls.includes(id)),
    `${place}: unexpected tool_use_id in tool_result`,
  );
  const last = content.findLastIndex(({ type }) => type === "tool_result");
  refuse(last >= results.length, `${place}: tool_result blocks must come first`);
}

/** A block's signature is the hash of all that stood before its message; older models do not look. @returns how many blocks were not as they were bound */
function checkBinding(body: AnthropicRequest): number {
  if (/-4-\d/.test(body.model)) return 0;
  const drops = body.thinking?.block_binding?.prefix_mismatch_behavior === "drop_block";
  let mismatches = 0;
  for (const [at, { role, content }] of body.messages.entries()) {
    if (role !== "assistant") continue;
    const bound = signatureOf(body, at);
    const foreign = blocks(content).filter(({ type, signature }) => type === "thinking" && signature !== bound);
    mismatches += foreign.length;
    refuse(foreign.length > 0 && !drops, `messages.${at}: The block is bound to a different conversation`);
  }
  return mismatches;
}

/** Without what only steers the cache. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (key, part) => (key === "cache_control" ? undefined : part));

function signatureOf({ system, tools, messages }: AnthropicRequest, before: number): string {
  const said = messages.slice(0, before).map(({ role, content }) => ({ role, content: blocks(content) }));
  // A block that was dropped is as one that was never sent.
  const text = canonical([
    blocks(system)
      .map(({ text }) => text)
      .join("\n\n"),
    tools ?? [],
    said,
  ]);
  return createHash("sha256").update(text).digest("base64");
}

// What was cached.

const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);
const LOOK_BACK = 20;

function countCached({ system, tools, messages }: AnthropicRequest, caches: Map<string, number>, least: number) {
  const parts: { text: string; marked: boolean }[] = [
    { text: canonical(tools ?? []), marked: false },
    ...[
      ...blocks(system),
      ...messages.flatMap(({ role, content }) => blocks(content).map(block => ({ role, block }))),
    ].map(part => ({
      text: canonical(part),
      marked: JSON.stringify(part).includes('"cache_control":{"type":"ephemeral"}'),
    })),
  ];
  const hash = createHash("sha256");
  const prefixes = parts.map(({ text, marked }) => {
    hash.update(text);
    return { key: hash.copy().digest("hex"), tokens: tokensOf(text), marked };
  });
  const sizes: number[] = [];
  for (const { tokens } of prefixes) sizes.push((sizes.at(-1) ?? 0) + tokens);
  const points = prefixes.flatMap(({ marked }, at) => (marked && (sizes[at] ?? 0) >= least ? [at] : []));
  let cacheRead = 0;
  for (const point of points) {
    for (let at = point; at >= Math.max(0, point - LOOK_BACK); at--) {
      const size = caches.get(prefixes[at]?.key ?? "");
      if (size === undefined) continue;
      cacheRead = Math.max(cacheRead, size);
      break;
    }
  }
  const couldRead = prefixes.reduce((most, { key }) => Math.max(most, caches.get(key) ?? 0), 0);
  for (const point of points) caches.set(prefixes[point]?.key ?? "", sizes[point] ?? 0);
  const cached = Math.max(cacheRead, sizes[points.at(-1) ?? -1] ?? 0);
  const whole = sizes.at(-1) ?? 0;
  return { cacheRead, cacheWrite: cached - cacheRead, input: whole - cached, couldRead };
}

// What it answers.

function stream(
  response: ServerResponse,
  body: AnthropicRequest,
  { thinking, text, calls = [], stop, breakOff }: WireAnswer,
  { input, cacheRead, cacheWrite }: Pick<Served, "input" | "cacheRead" | "cacheWrite">,
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: 1,
  };
  const message = { id: "msg_1", type: "message", role: "assistant", model: body.model, content: [], usage };
  send("message_start", { message: { ...message, stop_reason: null } });
  let index = 0;
  const block = (start: object, ...deltas: object[]) => {
    send("content_block_start", { index, content_block: start });
    for (const delta of deltas) send("content_block_delta", { index, delta });
    send("content_block_stop", { index: index++ });
  };
  if (thinking !== undefined) {
    const signature = signatureOf(body, body.messages.length);
    const said = { type: "thinking_delta", thinking };
    block({ type: "thinking", thinking: "", signature: "" }, said, { type: "signature_delta", signature });
  }
  if (text) block({ type: "text", text: "" }, { type: "text_delta", text });
  for (const [at, { id, name, input: given }] of calls.entries()) {
    const json = JSON.stringify(given);
    const pieces = [json.slice(0, 5), json.slice(5)].map(partial_json => ({ type: "input_json_delta", partial_json }));
    const isCut = breakOff === "cut" && at === calls.length - 1;
    if (isCut) {
      send("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } });
      send("content_block_delta", { index, delta: pieces[0] });
    } else block({ type: "tool_use", id, name, input: {} }, ...pieces);
  }
  if (breakOff === "error") send("error", { error: { type: "overloaded_error", message: "Overloaded" } });
  if (breakOff) return void response.end();
  const reason = stop ?? (calls.length > 0 ? "tool_use" : "end_turn");
  send("message_delta", { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 7 } });
  send("message_stop", {});
  response.end();
}
