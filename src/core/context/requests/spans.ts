/**
 * Turns, requests and tool calls as spans, by OpenTelemetry's conventions for generative AI (docs/logs.md). What they say
 * has no content unless the person switched that on, and then no secret.
 */
import type { ModelMessage } from "ai";
import { defined } from "../../../shared/defined";
import type { Json, MessagePart, ToolCallPart } from "../../../shared/messages";
import { isOwnProvider, ownProviders } from "../../../shared/modelProviders";
import { mapStrings, type Redact } from "../../../shared/redacted";
import type { ToolResult } from "../../../shared/toolResult";
import type { Clock, Ids, ModelConnection, ModelIdentity, Span, Telemetry } from "../../ground/ports";
import type { ModelRequest, StepOutcome } from "./modelStep";

interface SpansDeps {
  telemetry: Telemetry;
  /** absent: it belongs to no session */
  sessionId?: string;
  clock: Clock;
  ids: Ids;
  redact: Redact;
}

type Attributes = Span["attributes"];
type SpanModel = ModelIdentity;

/** Characters of one attribute; collectors refuse much longer ones. */
const MAX_CONTENT = 100_000;

/** Of one session: it runs one turn at a time. */
export class Spans {
  private turn: { trace: string; id: string; start: number; connection?: SpanModel } | undefined;

  constructor(private readonly deps: SpansDeps) {}

  beginTurn(runId: string): void {
    const { ids, clock } = this.deps;
    this.turn = { trace: runId, id: ids.next("span"), start: clock.now() };
  }

  /** @param error why it failed, in a word; absent: it did not */
  endTurn(reason: string, error?: string): void {
    const { turn } = this;
    this.turn = undefined;
    if (!turn) return;
    const { trace, id, start, connection } = turn;
    this.record({
      trace,
      id,
      start,
      end: this.deps.clock.now(),
      name: "invoke_agent Strata",
      kind: "internal",
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "Strata",
        "strata.turn.end": reason,
        ...(connection && modelAttributes(connection)),
      },
      ...defined({ error: error || undefined }),
    });
  }

  request(ended: EndedRequest): void {
    if (this.deps.telemetry.wants === "nothing") return;
    const { requestId, runId, purpose, connection, outcome, start, end } = ended;
    // Requests behind the turns belong to none of them.
    const parent = this.turn?.trace === runId ? this.turn : undefined;
    if (parent && !purpose) parent.connection = connection;
    const error = outcome.kind === "failed" ? connection.explain(outcome.error).code : undefined;
    this.record({
      ...(parent ? { trace: parent.trace, parent: parent.id } : { trace: requestId }),
      id: requestId,
      name: `chat ${connection.name}`,
      kind: "client",
      start,
      end,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.type": "text",
        "strata.request.id": requestId,
        ...defined({ "strata.request.purpose": purpose }),
        ...modelAttributes(connection),
        ...serverAttributes(connection.address),
        ...defined({ "gen_ai.request.max_tokens": connection.maxOutputTokens || undefined }),
        ...answerAttributes(ended),
        ...this.content(() => requestContent(ended)),
      },
      ...defined({ error }),
    });
  }

  /** @param call of a tool that there is; @param ms how long it ran, not counting the time a person took to answer */
  call(call: ToolCallPart, result: ToolResult, ms: number): void {
    const { telemetry, clock, ids } = this.deps;
    const { turn } = this;
    if (!turn || telemetry.wants === "nothing") return;
    const end = clock.now();
    this.record({
      trace: turn.trace,
      parent: turn.id,
      id: ids.next("span"),
      start: end - ms,
      end,
      name: `execute_tool ${call.toolName}`,
      kind: "internal",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.name": call.toolName,
        "gen_ai.tool.call.id": call.toolCallId,
        ...this.content(() => ({ "gen_ai.tool.call.arguments": call.input, "gen_ai.tool.call.result": result.text })),
      },
      ...defined({ error: result.error?.code }),
    });
  }

  /** Redacted before it is JSON, which writes a secret with quotes in it another way. */
  private content(read: () => Record<string, Json>): Attributes {
    if (this.deps.telemetry.wants !== "content") return {};
    const entries = Object.entries(mapStrings(read(), this.deps.redact));
    return Object.fromEntries(
      entries.map(([name, value]) => {
        const text = typeof value === "string" ? value : JSON.stringify(value);
        return [name, text.length > MAX_CONTENT ? `${text.slice(0, MAX_CONTENT)}…` : text];
      }),
    );
  }

  private record(span: Span): void {
    const { telemetry, sessionId } = this.deps;
    if (telemetry.wants === "nothing") return;
    const { attributes, error } = span;
    telemetry.record({
      ...span,
      attributes: {
        ...attributes,
        ...defined({ "gen_ai.conversation.id": sessionId, "error.type": error || undefined }),
      },
    });
  }
}

const modelAttributes = ({ name, provider }: SpanModel): Attributes => ({
  "gen_ai.request.model": name,
  ...(provider && { "gen_ai.provider.name": isOwnProvider(provider) ? ownProviders[provider].telemetry : provider }),
});

/** None for a model that is asked without HTTP. */
function serverAttributes(address: string): Attributes {
  if (!URL.canParse(address)) return {};
  const { hostname, port, protocol } = new URL(address);
  return { "server.address": hostname, "server.port": Number(port) || (protocol === "http:" ? 80 : 443) };
}

function answerAttributes({ outcome }: EndedRequest): Attributes {
  if (outcome.kind !== "answered") return {};
  const { usage, responseModel } = outcome;
  return {
    "gen_ai.response.finish_reasons": [finishReason(outcome.finishReason)],
    ...defined({
      "gen_ai.response.model": responseModel || undefined,
      "gen_ai.usage.input_tokens": usage?.input,
      "gen_ai.usage.output_tokens": usage?.output,
      "gen_ai.usage.cache_read.input_tokens": usage?.cachedInput,
      "gen_ai.usage.reasoning.output_tokens": usage?.reasoning,
    }),
  };
}

/** A request and its answer in the shape that OpenTelemetry's conventions give messages. */
const reasons: Record<string, string> = { "tool-calls": "tool_call", "content-filter": "content_filter" };

/** The SDK's word, as the conventions have it. */
const finishReason = (reason: string): string => reasons[reason] ?? reason;

function requestContent({ request, outcome }: EndedRequest): Record<string, Json> {
  const { instructions, messages, tools } = request;
  const reason = outcome.kind === "answered" ? finishReason(outcome.finishReason) : "error";
  return {
    "gen_ai.system_instructions": [{ type: "text", content: instructions }],
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

export interface EndedRequest {
  requestId: string;
  /** the turn it was sent for; absent: it was for none */
  runId?: string;
  /** what it was for, where it is no step of a turn */
  purpose?: string;
  connection: Pick<ModelConnection, "name" | "address" | "provider" | "maxOutputTokens" | "explain">;
  request: ModelRequest;
  outcome: StepOutcome;
  /** ms since the epoch */
  start: number;
  end: number;
  /** more of the line without content */
  facts: Record<string, Json>;
}
