/** A request and its answer in the shape that OpenTelemetry's conventions give messages. */
import type { ModelMessage } from "ai";
import type { Json, MessagePart } from "../../shared/messages";
import type { EndedRequest } from "./endedRequest";

const reasons: Record<string, string> = { "tool-calls": "tool_call", "content-filter": "content_filter" };

/** The SDK's word, as the conventions have it. */
export const finishReason = (reason: string): string => reasons[reason] ?? reason;

export function requestContent({ request, outcome }: EndedRequest): Record<string, Json> {
  const { instructions, messages, tools } = request;
  const system = typeof instructions === "string" ? [instructions] : instructions.map(({ content }) => content);
  const reason = outcome.kind === "answered" ? finishReason(outcome.finishReason) : "error";
  return {
    "gen_ai.system_instructions": system.map(content => ({ type: "text", content })),
    "gen_ai.input.messages": messages.map(message => ({ role: message.role, parts: inputParts(message) })),
    "gen_ai.output.messages": [{ role: "assistant", parts: outcome.parts.flatMap(outputPart), finish_reason: reason }],
    ...(tools.length > 0 && {
      "gen_ai.tool.definitions": tools.map(({ name, description, inputSchema: parameters }) => ({
        type: "function",
        name,
        description,
        parameters,
      })),
    }),
  };
}

function inputParts({ content }: ModelMessage): Json[] {
  if (typeof content === "string") return [{ type: "text", content }];
  return content.flatMap((part): Json[] => {
    if (part.type === "text" || part.type === "reasoning") return [{ type: part.type, content: part.text }];
    if (part.type === "tool-call") return [callPart(part.toolCallId, part.toolName, part.input as Json)];
    if (part.type === "tool-result") {
      const { output } = part;
      const response = output.type === "text" ? output.value : output.type;
      return [{ type: "tool_call_response", id: part.toolCallId, response }];
    }
    return [{ type: part.type }];
  });
}

function outputPart(part: MessagePart): Json[] {
  if (part.type === "text" || part.type === "reasoning") return [{ type: part.type, content: part.text }];
  return part.type === "dynamic-tool" ? [callPart(part.toolCallId, part.toolName, part.input)] : [];
}

const callPart = (id: string, name: string, args: Json): Json => ({ type: "tool_call", id, name, arguments: args });
