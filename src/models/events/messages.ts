/** Events of Anthropic's Messages interface, from Anthropic and from those who speak it too. */
import { isObject } from "../../shared/isObject";
import { errorIn, idText, inputText, isText, type JsonFields, type Mender, mendCounts, put } from "./mender";

/** Blocks and deltas that the package reads; any other fails its schema, and the answer with it. */
const BLOCKS =
  /^(?:text|thinking|redacted_thinking|tool_use|server_tool_use|mcp_tool_use|mcp_tool_result|compaction|(?:web_search|web_fetch|code_execution|bash_code_execution|text_editor_code_execution|tool_search|advisor)_tool_result)$/;
const DELTAS: Readonly<Record<string, string | undefined>> = {
  text_delta: "text",
  input_json_delta: "partial_json",
  thinking_delta: "thinking",
  signature_delta: "signature",
};
const OTHER_DELTAS = /^(?:citations_delta|compaction_delta)$/;
const EVENTS =
  /^(?:message_start|content_block_start|content_block_delta|content_block_stop|message_delta|message_stop|ping|error)$/;

export class MessagesEvents implements Mender {
  /** indexes of blocks that are passed over */
  private readonly skipped = new Set<unknown>();
  private readonly open = new Set<unknown>();

  mend(event: JsonFields): readonly JsonFields[] {
    const { type } = event;
    if (type === "content_block_delta") return this.delta(event);
    if (type === "message" && Array.isArray(event.content)) return this.whole(event);
    if (!isText(type) || !EVENTS.test(type)) {
      const error = errorIn({ ...event, type: undefined });
      return error ? [asError(error)] : [];
    }
    if (type === "error") {
      const error = errorIn(event);
      return error && event.error === error && isText(error.type) && isText(error.message)
        ? [event]
        : error
          ? [asError(error)]
          : [];
    }
    if (type === "message_start") return mendStart(event);
    if (type === "content_block_start") return this.start(event);
    if (type === "content_block_stop") return this.stop(event);
    return type === "message_delta" ? mendEnd(event) : [event];
  }

  private whole({ content, stop_reason, usage, ...message }: JsonFields): readonly JsonFields[] {
    const blocks = (Array.isArray(content) ? content : []).filter(isObject);
    const all = [
      { type: "message_start", message: { ...message, content: [], usage } },
      ...blocks.flatMap((block, index) => [
        { type: "content_block_start", index, content_block: block },
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason: stop_reason ?? "end_turn" }, usage },
      { type: "message_stop" },
    ];
    return all.flatMap(event => this.mend(event));
  }

  private start(event: JsonFields): readonly JsonFields[] {
    const { index, content_block: block } = event;
    if (!isObject(block) || !isText(block.type) || !BLOCKS.test(block.type)) {
      this.skipped.add(index);
      return [];
    }
    this.open.add(index);
    const more: JsonFields[] = [];
    const later = (delta: JsonFields) => more.push({ type: "content_block_delta", index, delta });
    if (block.type === "text") {
      if (isText(block.text)) later({ type: "text_delta", text: block.text });
      if (block.text !== "") put(block, "text", "");
    } else if (block.type === "thinking") {
      if (isText(block.thinking)) later({ type: "thinking_delta", thinking: block.thinking });
      if (isText(block.signature)) later({ type: "signature_delta", signature: block.signature });
      if (block.thinking !== "") put(block, "thinking", "");
    } else if (block.type === "tool_use") {
      const input = inputText(block.input);
      if (input !== "") later({ type: "input_json_delta", partial_json: input });
      if (input !== "" || !isObject(block.input)) put(block, "input", {});
      if (!isText(block.id)) put(block, "id", idText(block.id) ?? `toolu_${String(index)}`);
    }
    return [event, ...more];
  }

  private delta(event: JsonFields): readonly JsonFields[] {
    const { index, delta } = event;
    if (this.skipped.has(index) || !isObject(delta) || !isText(delta.type)) return [];
    if (OTHER_DELTAS.test(delta.type)) return [event];
    const key = DELTAS[delta.type];
    if (key === undefined) return [];
    const value = delta[key];
    const written = delta.type === "input_json_delta" ? inputText(value) : value;
    if (typeof written !== "string") return [];
    if (this.open.has(index) && written === value) return [event];
    const mended = { ...event, delta: { ...delta, [key]: written } };
    return this.open.has(index) ? [mended] : [...this.opened(index, delta.type), mended];
  }

  /** Its beginning was not sent. A call's cannot be guessed. */
  private opened(index: unknown, delta: string): JsonFields[] {
    if (delta !== "text_delta" && delta !== "thinking_delta") return [];
    this.open.add(index);
    const block = delta === "text_delta" ? { type: "text", text: "" } : { type: "thinking", thinking: "" };
    return [{ type: "content_block_start", index, content_block: block }];
  }

  private stop(event: JsonFields): readonly JsonFields[] {
    const { index } = event;
    if (this.skipped.delete(index)) return [];
    return this.open.delete(index) ? [event] : [];
  }
}

const asError = (error: JsonFields): JsonFields => ({
  type: "error",
  error: {
    ...error,
    type: isText(error.type) ? error.type : "api_error",
    message: isText(error.message) ? error.message : JSON.stringify(error),
  },
});

function mendStart(event: JsonFields): readonly JsonFields[] {
  if (!isObject(event.message)) put(event, "message", {});
  const message = event.message as JsonFields;
  if (!isObject(message.usage)) put(message, "usage", {});
  const usage = message.usage as JsonFields;
  mendCounts(usage);
  if (typeof usage.input_tokens !== "number") put(usage, "input_tokens", 0);
  if (message.id !== undefined && message.id !== null && !isText(message.id)) put(message, "id", idText(message.id));
  if (Array.isArray(message.content) && message.content.length > 0) put(message, "content", []);
  if (message.container !== undefined && !isObject(message.container)) put(message, "container", undefined);
  return [event];
}

function mendEnd(event: JsonFields): readonly JsonFields[] {
  if (!isObject(event.delta)) put(event, "delta", {});
  if (!isObject(event.usage)) put(event, "usage", {});
  const usage = event.usage as JsonFields;
  mendCounts(usage);
  if (typeof usage.output_tokens !== "number") put(usage, "output_tokens", 0);
  const delta = event.delta as JsonFields;
  if (delta.stop_reason !== undefined && delta.stop_reason !== null && !isText(delta.stop_reason))
    put(delta, "stop_reason", null);
  return [event];
}
