/**
 * OpenAI's Chat Completions: requests in, answers out, as JSON and as a stream of events.
 *
 * @typedef {import("./server.mjs").OfflineMessage} OfflineMessage
 * @typedef {import("./answer.mjs").Finished} Finished
 */
import { pieces } from "./answer.mjs";

/** @param {any} body @returns {OfflineMessage[]} */
export function readMessages(body) {
  return body.messages.map(message => ({
    role: message.role === "developer" ? "system" : message.role,
    text: textOf(message.content),
    ...(message.reasoning_content ? { reasoning: message.reasoning_content } : {}),
    ...(message.tool_calls
      ? {
          calls: message.tool_calls.map(call => ({
            id: call.id,
            name: call.function.name,
            input: parsed(call.function.arguments),
          })),
        }
      : {}),
    ...(message.tool_call_id ? { callId: message.tool_call_id } : {}),
  }));
}

/** @param {any} body */
export function toolNames(body) {
  return (body.tools ?? []).map(tool => tool.function.name);
}

/** What the prefix cache compares: tools come first in a prompt. @param {any} body */
export function promptOf(body) {
  return [body.model, body.tools ?? [], ...body.messages].map(part => JSON.stringify(part)).join("\n");
}

/** @param {any} body @returns {string | undefined} what OpenAI would refuse this request for */
export function complaintOf(body) {
  if (!Array.isArray(body.messages) || body.messages.length === 0) return "'messages' must hold at least one message.";
  const answered = new Set(body.messages.map(message => message.tool_call_id));
  const open = body.messages.flatMap(message => message.tool_calls ?? []).find(call => !answered.has(call.id));
  return open && `An assistant message with 'tool_calls' must be followed by a tool message for ${open.id}.`;
}

/** @param {Finished} answer */
export function asJson({ id, model, created, answer, calls, finishReason, usage }) {
  const message = {
    role: "assistant",
    content: answer.text ?? null,
    ...(answer.reasoning ? { reasoning_content: answer.reasoning } : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map(wireCall) } : {}),
  };
  const choice = { index: 0, message, finish_reason: finishReason };
  return {
    id: `chatcmpl-${id}`,
    object: "chat.completion",
    created,
    model,
    choices: [choice],
    usage: wireUsage(usage),
  };
}

/** @param {Finished} finished @param {any} body @returns {Generator<string>} whole events */
export function* asEvents({ id, model, created, answer, calls, finishReason, usage }, body) {
  const chunk = (choices, rest = {}) =>
    event({ id: `chatcmpl-${id}`, object: "chat.completion.chunk", created, model, choices, ...rest });
  const delta = fields => chunk([{ index: 0, delta: fields, finish_reason: null }]);
  yield delta({ role: "assistant", content: "" });
  for (const piece of pieces(answer.reasoning ?? "")) yield delta({ reasoning_content: piece });
  for (const piece of pieces(answer.text ?? "")) yield delta({ content: piece });
  for (const [index, call] of calls.entries()) {
    const { id: callId, function: made } = wireCall(call);
    yield delta({
      tool_calls: [{ index, id: callId, type: "function", function: { name: made.name, arguments: "" } }],
    });
    for (const piece of pieces(made.arguments))
      yield delta({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  yield chunk([{ index: 0, delta: {}, finish_reason: finishReason }]);
  if (body.stream_options?.include_usage) yield chunk([], { usage: wireUsage(usage) });
  yield "data: [DONE]\n\n";
}

function wireCall(call) {
  return { id: call.id, type: "function", function: { name: call.name, arguments: call.json } };
}

function wireUsage({ input, cached, output, reasoning }) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

const event = data => `data: ${JSON.stringify(data)}\n\n`;

function textOf(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map(part => part.text ?? `[${part.type}]`).join("\n");
}

/** @param {string} json */
export function parsed(json) {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return json;
  }
}
