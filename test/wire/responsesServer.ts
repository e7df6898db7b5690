/**
 * A local server that speaks OpenAI's Responses interface without storing anything, and is as strict as it: nothing is
 * referred to that only a store would have, reasoning comes encrypted with what followed it, calls have their results. It takes
 * encrypted reasoning only behind the conversation that it was thought in.
 */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { answerJson, listening } from "../fakes/http";
import type { WireAnswer } from "./anthropicServer";

interface Item {
  type?: string;
  id?: string;
  role?: string;
  content?: unknown;
  call_id?: string;
  encrypted_content?: string | null;
}
export interface ResponsesRequest {
  model: string;
  store?: boolean;
  include?: string[];
  instructions?: string;
  input: Item[];
  tools?: unknown[];
  reasoning?: { effort?: string; summary?: string };
  prompt_cache_key?: string;
}

export interface ResponsesAnswer extends Pick<WireAnswer, "refuse" | "breakOff"> {
  thought?: string;
  text?: string;
  calls?: { id: string; name: string; input: object }[];
}

export interface ResponsesServer {
  url: string;
  /** those that were answered, in order */
  served: ResponsesRequest[];
  refused: string[];
  close(): Promise<void>;
}

export async function startResponsesServer(
  answer: (request: ResponsesRequest, number: number) => ResponsesAnswer,
): Promise<ResponsesServer> {
  const served: ResponsesRequest[] = [];
  const refused: string[] = [];
  /** encrypted reasoning → the conversation that it was thought in */
  const bound = new Map<string, Item[]>();
  const { url, close } = await listening(async (request, response) => {
    const body = JSON.parse(await text(request)) as ResponsesRequest;
    const complaint = complaintOf(body, bound);
    if (complaint !== undefined) {
      refused.push(complaint);
      return answerJson(response, 400, { error: { message: complaint, type: "invalid_request_error" } });
    }
    const given = answer(body, served.length);
    if (given.refuse) return answerJson(response, given.refuse.status, given.refuse.body, given.refuse.headers);
    const number = served.push(body) - 1;
    stream(response, body, given, { number, bound });
  });
  return { url: `${url}/v1`, served, refused, close };
}

const ENCRYPTED = "reasoning.encrypted_content";

/** What the real one refuses; and reasoning behind a conversation that changed. */
function complaintOf({ store, input }: ResponsesRequest, bound: ReadonlyMap<string, Item[]>): string | undefined {
  if (store !== false) return "store must be false: nothing is kept here";
  const stored = input.find(({ type }) => type === "item_reference");
  if (stored) return `Item with id '${stored.id}' not found. Items are not persisted when \`store\` is set to false.`;
  const answered = new Set(input.filter(({ type }) => type === "function_call_output").map(({ call_id }) => call_id));
  const open = input.find(({ type, call_id }) => type === "function_call" && !answered.has(call_id));
  if (open) return `No tool output found for function call ${open.call_id}.`;
  for (const [at, item] of input.entries()) {
    if (item.type !== "reasoning") continue;
    const next = input[at + 1];
    const isFollowed = next?.type === "function_call" || next?.type === "reasoning" || next?.role === "assistant";
    if (!isFollowed) return `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
    const before = bound.get(item.encrypted_content ?? "");
    if (!before) return "The encrypted content could not be verified.";
    const now = input.slice(0, at).filter(each => !isTail(each));
    if (canonical(now) !== canonical(before)) return `The conversation before '${item.id}' changed.`;
  }
  return undefined;
}

const canonical = (items: readonly Item[]) => JSON.stringify(items);

/** What volatile text travels in: it stands in no other request. */
const isTail = ({ role, content }: Item) => role === "user" && JSON.stringify(content).includes("<system-reminder>");

interface Streaming {
  number: number;
  bound: Map<string, Item[]>;
}

function stream(
  response: ServerResponse,
  body: ResponsesRequest,
  { thought, text, calls = [], breakOff }: ResponsesAnswer,
  { number, bound }: Streaming,
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object) =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const head = { id: `resp_${number}`, object: "response", created_at: 1, model: body.model, output: [] };
  send("response.created", { response: { ...head, status: "in_progress" } });
  let output_index = 0;
  const item = (done: { id: string } & Record<string, unknown>, started: object, ...deltas: [string, object][]) => {
    send("response.output_item.added", { output_index, item: { ...done, ...started } });
    for (const [type, delta] of deltas) send(type, { item_id: done.id, output_index, ...delta });
    send("response.output_item.done", { output_index, item: done });
    output_index++;
  };
  if (thought !== undefined) {
    const sealed = createHash("sha256").update(`${number} ${thought}`).digest("base64");
    bound.set(
      sealed,
      body.input.filter(each => !isTail(each)),
    );
    const isSealed = body.include?.includes(ENCRYPTED);
    const summary = body.reasoning?.summary ? [{ type: "summary_text", text: thought }] : [];
    const at = { summary_index: 0 };
    const said: [string, object][] = summary.flatMap(part => [
      ["response.reasoning_summary_part.added", { ...at, part: { ...part, text: "" } }],
      ["response.reasoning_summary_text.delta", { ...at, delta: part.text }],
      ["response.reasoning_summary_part.done", { ...at, part }],
    ]);
    const whole = {
      type: "reasoning",
      id: `rs_${number}`,
      summary,
      ...(isSealed ? { encrypted_content: sealed } : {}),
    };
    item(whole, { summary: [] }, ...said);
  }
  if (text) {
    const part = { type: "output_text", text, annotations: [] };
    const done = { type: "message", id: `msg_${number}`, role: "assistant", status: "completed", content: [part] };
    item(done, { status: "in_progress", content: [] }, [
      "response.output_text.delta",
      { content_index: 0, delta: text },
    ]);
  }
  for (const { id, name, input } of calls) {
    const json = JSON.stringify(input);
    const done = { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: json, status: "completed" };
    item(done, { arguments: "" }, ["response.function_call_arguments.delta", { delta: json }]);
  }
  if (breakOff) return void response.end();
  const usage = { input_tokens: 100, output_tokens: 10, input_tokens_details: { cached_tokens: 0 } };
  const details = { output_tokens_details: { reasoning_tokens: thought === undefined ? 0 : 5 } };
  send("response.completed", { response: { ...head, status: "completed", usage: { ...usage, ...details } } });
  response.end();
}
