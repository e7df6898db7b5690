/**
 * OpenAI's Responses: requests in, answers out, as JSON and as a stream of events. Nothing is stored: a request that
 * refers to something stored is refused, as OpenAI refuses it with `store: false`.
 *
 * @typedef {import("./server.mjs").OfflineMessage} OfflineMessage
 * @typedef {import("./answer.mjs").Finished} Finished
 */
import { pieces } from "./answer.mjs";
import { parsed } from "./chatWire.mjs";

/** @param {any} body @returns {OfflineMessage[]} */
export function readMessages(body) {
  const first = body.instructions ? [{ role: "system", text: body.instructions }] : [];
  const items = typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input;
  return [...first, ...items.map(readItem)];
}

function readItem(item) {
  switch (item.type) {
    case "function_call":
      return {
        role: "assistant",
        text: "",
        calls: [{ id: item.call_id, name: item.name, input: parsed(item.arguments) }],
      };
    case "function_call_output":
      return { role: "tool", text: textOf(item.output), callId: item.call_id };
    case "reasoning":
      return { role: "assistant", text: "", reasoning: unseal(item.encrypted_content) };
    default:
      return { role: item.role === "developer" ? "system" : item.role, text: textOf(item.content) };
  }
}

/** @param {any} body */
export function toolNames(body) {
  return (body.tools ?? []).map(tool => tool.name);
}

/** What the prefix cache compares: tools come first in a prompt. @param {any} body */
export function promptOf(body) {
  const input = typeof body.input === "string" ? [body.input] : body.input;
  return [body.model, body.tools ?? [], body.instructions ?? "", ...input].map(part => JSON.stringify(part)).join("\n");
}

/** @param {any} body @returns {string | undefined} what OpenAI would refuse this request for */
export function complaintOf(body) {
  if (body.previous_response_id) return `Previous response with id '${body.previous_response_id}' not found.`;
  if (typeof body.input === "string") return undefined;
  if (!Array.isArray(body.input) || body.input.length === 0) return "'input' must hold at least one item.";
  const stored = body.input.find(item => item.type === "item_reference");
  if (stored) return `Item with id '${stored.id}' not found. Items are not persisted when \`store\` is set to false.`;
  const answered = new Set(body.input.filter(item => item.type === "function_call_output").map(item => item.call_id));
  const open = body.input.find(item => item.type === "function_call" && !answered.has(item.call_id));
  return open && `No tool output found for function call ${open.call_id}.`;
}

/** @param {Finished} finished @param {any} body */
export function asJson(finished, body) {
  const output = items(finished, body);
  return { ...head(finished), status: "completed", output, usage: wireUsage(finished.usage) };
}

/** @param {Finished} finished @param {any} body @returns {Generator<string>} whole events */
export function* asEvents(finished, body) {
  let number = 0;
  const event = (type, fields) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...fields })}\n\n`;
  const response = head(finished);
  yield event("response.created", { response: { ...response, status: "in_progress", output: [] } });
  yield event("response.in_progress", { response: { ...response, status: "in_progress", output: [] } });
  const output = items(finished, body);
  for (const [index, item] of output.entries()) yield* itemEvents(item, index, event);
  const incomplete = finished.finishReason === "length";
  const end = {
    ...response,
    output,
    usage: wireUsage(finished.usage),
    status: incomplete ? "incomplete" : "completed",
    ...(incomplete ? { incomplete_details: { reason: "max_output_tokens" } } : {}),
  };
  yield event(incomplete ? "response.incomplete" : "response.completed", { response: end });
}

function* itemEvents(item, index, event) {
  const place = { item_id: item.id, output_index: index };
  if (item.type === "reasoning") {
    yield event("response.output_item.added", { output_index: index, item: { ...item, summary: [] } });
    for (const [summary_index, part] of item.summary.entries()) {
      yield event("response.reasoning_summary_part.added", { ...place, summary_index, part: { ...part, text: "" } });
      for (const delta of pieces(part.text)) {
        yield event("response.reasoning_summary_text.delta", { ...place, summary_index, delta });
      }
      yield event("response.reasoning_summary_part.done", { ...place, summary_index, part });
    }
  } else if (item.type === "message") {
    const [content] = item.content;
    const part = { ...place, content_index: 0 };
    yield event("response.output_item.added", {
      output_index: index,
      item: { ...item, status: "in_progress", content: [] },
    });
    yield event("response.content_part.added", { ...part, part: { ...content, text: "" } });
    for (const delta of pieces(content.text)) yield event("response.output_text.delta", { ...part, delta });
    yield event("response.output_text.done", { ...part, text: content.text });
    yield event("response.content_part.done", { ...part, part: content });
  } else {
    const started = { ...item, status: "in_progress", arguments: "" };
    yield event("response.output_item.added", { output_index: index, item: started });
    for (const delta of pieces(item.arguments))
      yield event("response.function_call_arguments.delta", { ...place, delta });
    yield event("response.function_call_arguments.done", { ...place, arguments: item.arguments });
  }
  yield event("response.output_item.done", { output_index: index, item });
}

function items({ id, answer, calls }, body) {
  const sealed = body.include?.includes("reasoning.encrypted_content")
    ? { encrypted_content: seal(answer.reasoning) }
    : {};
  const summary = [{ type: "summary_text", text: answer.reasoning }];
  const content = [{ type: "output_text", text: answer.text, annotations: [] }];
  return [
    ...(answer.reasoning ? [{ type: "reasoning", id: `rs_${id}`, summary, ...sealed }] : []),
    ...(answer.text ? [{ type: "message", id: `msg_${id}`, status: "completed", role: "assistant", content }] : []),
    ...calls.map((call, index) => ({
      type: "function_call",
      id: `fc_${id}_${index}`,
      status: "completed",
      call_id: call.id,
      name: call.name,
      arguments: call.json,
    })),
  ];
}

function head({ id, model, created }) {
  return { id: `resp_${id}`, object: "response", created_at: created, model };
}

function wireUsage({ input, cached, output, reasoning }) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

function textOf(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map(part => part.text ?? `[${part.type}]`).join("\n");
}

/** Stands for OpenAI's encryption: whoever sends it back proves that they kept it. */
const seal = text => `sealed:${Buffer.from(text ?? "").toString("base64")}`;
const unseal = sealed => Buffer.from((sealed ?? "").replace(/^sealed:/, ""), "base64").toString();
