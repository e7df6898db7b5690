/**
 * Turns, requests and tool calls as spans, by OpenTelemetry's conventions for generative AI (docs/logs.md). They have no
 * content.
 */
import { defined } from "../../../shared/defined";
import type { Json, ToolCallPart } from "../../../shared/messages";
import { isOwnProvider, ownProviders } from "../../../shared/modelProviders";
import type { ToolResult } from "../../../shared/toolResult";
import type { Clock, Ids, ModelConnection, ModelIdentity, Span, Telemetry } from "../../ground/ports";
import type { ModelRequest, StepOutcome } from "./modelStep";

interface SpansDeps {
  telemetry: Telemetry;
  /** absent: it belongs to no session */
  sessionId?: string;
  clock: Clock;
  ids: Ids;
}

type Attributes = Span["attributes"];
type SpanModel = ModelIdentity;

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
    if (!this.deps.telemetry.isOn) return;
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
      },
      ...defined({ error }),
    });
  }

  /** @param call of a tool that there is; @param ms how long it ran, not counting the time a person took to answer */
  call(call: ToolCallPart, result: ToolResult, ms: number): void {
    const { telemetry, clock, ids } = this.deps;
    const { turn } = this;
    if (!turn || !telemetry.isOn) return;
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
      },
      ...defined({ error: result.error?.code }),
    });
  }

  private record(span: Span): void {
    const { telemetry, sessionId } = this.deps;
    if (!telemetry.isOn) return;
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

const reasons: Record<string, string> = { "tool-calls": "tool_call", "content-filter": "content_filter" };

/** The SDK's word, as the conventions have it. */
const finishReason = (reason: string): string => reasons[reason] ?? reason;

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
