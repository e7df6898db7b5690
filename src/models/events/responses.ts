/** Events of OpenAI's Responses interface, from OpenAI and from those who speak it too. */
import { isObject } from "../../shared/isObject";
import { errorIn, idText, inputText, isText, type JsonFields, type Mender, mendCounts, put } from "./mender";

const ITEMS = /^(?:message|reasoning|function_call|compaction)$/;
/** How calls go on that the provider runs itself. Their items say the same once more. */
const OWN_PROGRESS =
  /^response\.(?:custom_tool_call|code_interpreter|image_generation|apply_patch|mcp|web_search|x_search|file_search|computer|shell|local_shell|view_image)/;
const DELTA =
  /^response\.(?:output_text|refusal|function_call_arguments|reasoning_summary_text|reasoning_text)\.delta$/;
const END = /^response\.(?:completed|incomplete)$/;

export class ResponsesEvents implements Mender {
  private readonly open = new Set<unknown>();
  private hasItems = false;

  mend(event: JsonFields): readonly JsonFields[] {
    const { type } = event;
    if (!isText(type)) return this.untyped(event);
    if (type === "error") return asError(event, errorIn({ ...event, type: undefined }));
    if (type === "response.failed" && isObject(event.response) && isObject(event.response.error))
      return asError(event, event.response.error);
    if (DELTA.test(type)) return this.delta(event, type);
    if (type === "response.output_item.added" || type === "response.output_item.done") return this.item(event);
    if (OWN_PROGRESS.test(type)) return [];
    return END.test(type) ? this.end(event) : [event];
  }

  private whole(answer: JsonFields): readonly JsonFields[] {
    const kind = answer.status === "incomplete" ? "incomplete" : answer.status === "failed" ? "failed" : "completed";
    const { id, created_at, model } = answer;
    const created = { type: "response.created", response: { id, created_at, model } };
    const end = { type: `response.${kind}`, response: answer };
    return [created, end].flatMap(event => this.mend(event));
  }

  /** What speaks another interface is left to the SDK, which says so. */
  private untyped(event: JsonFields): readonly JsonFields[] {
    if (event.object === "response" && Array.isArray(event.output)) return this.whole(event);
    if (Array.isArray(event.choices)) return [event];
    return asError(event, errorIn(event));
  }

  private delta(event: JsonFields, type: string): readonly JsonFields[] {
    if (typeof event.delta !== "string") return [];
    if (type !== "response.output_text.delta" || this.open.has(event.item_id)) return [event];
    const id = isText(event.item_id) ? event.item_id : "message";
    const added = { type: "response.output_item.added", output_index: 0, item: { type: "message", id } };
    const mended = { ...event, item_id: id };
    const isOpen = this.open.has(id);
    this.open.add(id).add(event.item_id);
    this.hasItems = true;
    return isOpen ? [mended] : [added, mended];
  }

  private item(event: JsonFields): readonly JsonFields[] {
    const { item } = event;
    if (!isObject(item) || !isText(item.type)) return [];
    if (typeof event.output_index !== "number") put(event, "output_index", 0);
    if (item.type === "function_call") mendCall(item);
    else if (item.type.endsWith("_call")) put(event, "item", ranItself(item));
    else if (!ITEMS.test(item.type)) return [];
    else if (!isText(item.id)) put(item, "id", idText(item.id) ?? item.type);
    this.open.add(item.id);
    this.hasItems = true;
    return [event];
  }

  /** Some say all of it at the end only, some nothing of usage. */
  private end(event: JsonFields): readonly JsonFields[] {
    if (!isObject(event.response)) put(event, "response", {});
    const response = event.response as JsonFields;
    if (isObject(response.usage)) mendCounts(response.usage);
    // Its schema takes no usage that lacks one of both.
    const { input_tokens: sent, output_tokens: written } = isObject(response.usage) ? response.usage : {};
    if (typeof sent !== "number" || typeof written !== "number") put(response, "usage", undefined);
    const said =
      this.hasItems || !Array.isArray(response.output) ? [] : response.output.filter(isObject).flatMap(itemEvents);
    const before = said.flatMap(each => this.mend(each));
    return [...before, event];
  }
}

/** As its package takes it, whatever is missing. */
function asError({ sequence_number: number }: JsonFields, error: JsonFields | undefined): readonly JsonFields[] {
  const place = { type: "error", sequence_number: typeof number === "number" ? number : 0 };
  return error ? [{ ...place, error: { type: "error", code: "error", ...error } }] : [];
}

function itemEvents(item: JsonFields, index: number): JsonFields[] {
  const place = { output_index: index };
  const id = idText(item.id) ?? idText(item.call_id) ?? `item_${index}`;
  const whole = { ...item, id };
  const added = { type: "response.output_item.added", ...place, item: whole };
  const done = { type: "response.output_item.done", ...place, item: whole };
  if (item.type !== "message") return [added, done];
  const parts = (Array.isArray(item.content) ? item.content : []).filter(isObject);
  const texts = parts.map(({ text, refusal }) => text ?? refusal).filter(isText);
  const deltas = texts.map(delta => ({ type: "response.output_text.delta", item_id: id, ...place, delta }));
  return [added, ...deltas, done];
}

function mendCall(item: JsonFields): void {
  const { id, call_id, arguments: input } = item;
  if (!isText(call_id)) put(item, "call_id", idText(call_id) ?? idText(id) ?? "call");
  if (!isText(id)) put(item, "id", idText(id) ?? item.call_id);
  if (typeof input !== "string") put(item, "arguments", inputText(input));
}

/** No tool but ours was offered as one to call: whatever else is called the provider runs. The package knows such calls by this name. */
function ranItself(item: JsonFields): JsonFields {
  const { id, name, type, action, input, code, arguments: written, status } = item;
  const said = written ?? input ?? action ?? code ?? {};
  return {
    type: "mcp_call",
    id: idText(id) ?? "own_call",
    status: isText(status) ? status : "completed",
    name: isText(name) ? name : String(type).replace(/_call$/, ""),
    arguments: isObject(said) ? JSON.stringify(said) : inputText(said) || "{}",
    server_label: "provider",
    output: "",
  };
}
