/**
 * Turns, requests and tool calls as spans, by OpenTelemetry's conventions for generative AI (docs/logs.md). What they say
 * has no content unless the person switched that on, and then no secret.
 */

import { defined } from "../../shared/defined";
import type { Json, ToolCallPart } from "../../shared/messages";
import { isOwnProvider, ownProviders } from "../../shared/modelProviders";
import type { Redact } from "../../shared/redacted";
import type { ToolResult } from "../../shared/toolResult";
import type { Clock, Ids, ModelConnection, Span, Telemetry } from "../ports";
import { mapStrings } from "../secrets/redact";
import type { EndedRequest } from "./endedRequest";
import { finishReason, requestContent } from "./spanContent";

interface SpansDeps {
  telemetry: Telemetry;
  /** absent: it belongs to no session */
  sessionId?: string;
  clock: Pick<Clock, "now">;
  ids: Ids;
  redact: Redact;
}

type Attributes = Span["attributes"];
type Connection = Pick<ModelConnection, "name" | "address" | "provider">;

/** Characters of one attribute; collectors refuse what is much longer. */
const MAX_CONTENT = 100_000;

/** Of one session: it runs one turn at a time. */
export class Spans {
  private turn: { trace: string; id: string; start: number; connection?: Connection } | undefined;

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
      ...(error && { error }),
    });
  }

  request(ended: EndedRequest): void {
    if (this.deps.telemetry.wants === "nothing") return;
    const { requestId, runId, purpose, connection, outcome, start, end } = ended;
    // What is asked behind the turns belongs to none of them.
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
        ...(purpose && { "strata.request.purpose": purpose }),
        ...modelAttributes(connection),
        ...serverAttributes(connection.address),
        ...(connection.maxOutputTokens && { "gen_ai.request.max_tokens": connection.maxOutputTokens }),
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
        ...this.content(() => ({
          "gen_ai.tool.call.arguments": call.input,
          "gen_ai.tool.call.result": result.text,
        })),
      },
      ...defined({ error: result.error?.code }),
    });
  }

  /** Redacted as it is, before it is JSON, which writes a secret with quotes in it another way. */
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
        ...(sessionId && { "gen_ai.conversation.id": sessionId }),
        ...(error && { "error.type": error }),
      },
    });
  }
}

function modelAttributes({ name, provider }: Connection): Attributes {
  return {
    "gen_ai.request.model": name,
    ...(provider && { "gen_ai.provider.name": isOwnProvider(provider) ? ownProviders[provider].telemetry : provider }),
  };
}

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
    ...(responseModel && { "gen_ai.response.model": responseModel }),
    ...defined({
      "gen_ai.usage.input_tokens": usage?.input,
      "gen_ai.usage.output_tokens": usage?.output,
      "gen_ai.usage.cache_read.input_tokens": usage?.cachedInput,
      "gen_ai.usage.reasoning.output_tokens": usage?.reasoning,
    }),
  };
}
