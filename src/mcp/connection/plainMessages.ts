/**
 * What a server sends, before the package of the protocol reads it: servers write `null` for what is absent, leave out what has to
 * be there, and one odd field would lose the whole message. Tools are read one by one; what came as a result is a result.
 */
import { isObject } from "../../shared/isObject";

type JsonObject = { [key: string]: unknown };

/** What could not be used, in words: tools of the newest list. */
export class OddParts {
  private found = new Set<string>();

  add(what: string): void {
    this.found.add(what);
  }

  /** and forgets them */
  take(): string[] {
    const all = [...this.found];
    this.found = new Set();
    return all;
  }
}

/** The text of a message, as the protocol has it. What is no message, or needs nothing, stays as it is. */
export function plainMessage(text: string, odd: OddParts): string {
  if (!/^\s*\{/.test(text)) return text;
  try {
    const message: unknown = JSON.parse(text);
    if (!isObject(message) || !("result" in message || "error" in message || "method" in message)) return text;
    const plain = JSON.stringify(toPlain(message, odd));
    return plain === JSON.stringify(message) ? text : plain;
  } catch {
    // It is no JSON, or nested beyond what can be written: whoever reads it says so at once.
    return text;
  }
}

/** Without what is null, at this level. */
const present = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));

/** What else stands beside these would lose the message. */
function toPlain({ id, method, result, error, params }: JsonObject, odd: OddParts): JsonObject {
  const base = { jsonrpc: "2.0", ...(id !== undefined && { id }) };
  if (method !== undefined) return { ...base, method, ...(isObject(params) && { params: withMeta(params) }) };
  if (error !== undefined && error !== null) return { ...base, error: plainError(error) };
  return { ...base, result: plainResult(isObject(result) ? result : bareResult(result), odd) };
}

/** A result without an object around it: tools, or what one gave. */
function bareResult(result: unknown): JsonObject {
  if (result === undefined || result === null) return {};
  const areTools = Array.isArray(result) && result.some(each => isObject(each) && "name" in each && !("type" in each));
  return areTools ? { tools: result } : { content: result };
}

function plainError(error: unknown): JsonObject {
  if (!isObject(error)) return { code: -32000, message: String(error) };
  const { code, message, ...rest } = error;
  return {
    code: Number.isInteger(code) ? code : -32000,
    message: typeof message === "string" ? message : JSON.stringify(message ?? error),
    ...rest,
  };
}

function withMeta(value: JsonObject): JsonObject {
  const { _meta, ...rest } = present(value);
  return { ...rest, ...(isObject(_meta) && { _meta }) };
}

function plainResult(given: JsonObject, odd: OddParts): JsonObject {
  const result = withMeta(given);
  // As the protocol's first draft had it.
  if ("toolResult" in result) result.content ??= result.toolResult;
  // Only where the server says so itself: an empty list is an answer.
  for (const key of ["tools", "prompts", "resources", "resourceTemplates", "content"])
    if (key in given) result[key] ??= [];
  if ("nextCursor" in result && (typeof result.nextCursor !== "string" || result.nextCursor === ""))
    delete result.nextCursor;
  if ("tools" in result) result.tools = named(result.tools).flatMap((tool, at) => plainTool(tool, at, odd));
  if ("prompts" in result) result.prompts = list(result.prompts).flatMap(plainPrompt);
  for (const [key, address] of [
    ["resources", "uri"],
    ["resourceTemplates", "uriTemplate"],
  ] as const)
    if (key in result) result[key] = list(result[key]).flatMap(each => plainResource(each, address));
  if ("content" in result) result.content = list(result.content).map(plainBlock);
  if ("contents" in result)
    result.contents = list(result.contents).map(each => (isObject(each) ? withMeta(each) : each));
  if ("messages" in result) result.messages = list(result.messages).map(plainSpoken);
  if ("isError" in result) result.isError = [true, "true", 1].includes(result.isError as string);
  if ("structuredContent" in result && !isObject(result.structuredContent)) {
    const said = JSON.stringify(result.structuredContent);
    delete result.structuredContent;
    if (!Array.isArray(result.content) || result.content.length === 0) result.content = [{ type: "text", text: said }];
  }
  if ("structuredContent" in result) result.content ??= [];
  if ("protocolVersion" in result) return plainWelcome(result);
  return result;
}

/** Tools by their names are a list of them. */
const named = (tools: unknown): unknown[] =>
  isObject(tools) && !("name" in tools)
    ? Object.entries(tools).map(([name, tool]) => (isObject(tool) ? { name, ...tool } : tool))
    : list(tools);

/** One alone is a list of one. */
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === null ? [] : [value]);

function plainWelcome(result: JsonObject): JsonObject {
  const { name, version, ...info } = isObject(result.serverInfo) ? present(result.serverInfo) : {};
  const { instructions, ...rest } = result;
  const texts = list(instructions ?? []).filter(each => typeof each === "string");
  const capabilities = plainCapabilities(result.capabilities);
  return {
    ...rest,
    ...(texts.length > 0 && { instructions: texts.join("\n") }),
    capabilities: Object.fromEntries(
      Object.entries(capabilities).flatMap(([key, each]) =>
        isObject(each) ? [[key, present(each)]] : each === true ? [[key, {}]] : [],
      ),
    ),
    serverInfo: { ...info, name: String(name ?? "unknown"), version: String(version ?? "") },
  };
}

/** Who does not say what it can is asked for tools. */
function plainCapabilities(said: unknown): JsonObject {
  if (isObject(said)) return present(said);
  const names = Array.isArray(said) ? said.filter(each => typeof each === "string") : ["tools"];
  return Object.fromEntries(names.map(name => [name, {}]));
}

function plainTool(tool: unknown, at: number, odd: OddParts): JsonObject[] {
  if (!isObject(tool) || typeof tool.name !== "string") {
    odd.add(`tool ${at + 1} of its list has no name`);
    return [];
  }
  const { inputSchema, annotations, title, description, _meta } = tool;
  const input = isObject(inputSchema) ? inputSchema : isObject(tool.input_schema) ? tool.input_schema : {};
  const hints = isObject(annotations)
    ? Object.entries(annotations).filter(([key, hint]) => typeof hint === (key === "title" ? "string" : "boolean"))
    : [];
  return [
    {
      name: tool.name,
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
      inputSchema: plainSchema(input),
      ...(isObject(annotations) && { annotations: Object.fromEntries(hints) }),
      ...(isObject(_meta) && { _meta }),
    },
  ];
}

/** An object's. What stands in it is made to fit where it goes out. */
function plainSchema(given: JsonObject): JsonObject {
  const { properties, required, ...schema } = present(given);
  return {
    ...schema,
    type: "object",
    ...(isObject(properties) && { properties: objectsIn(properties) }),
    ...(Array.isArray(required) && { required: required.filter(name => typeof name === "string") }),
  };
}

/** `true` says nothing, as `{}` does. */
const objectsIn = (properties: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, isObject(each) ? each : {}]));

function plainPrompt(prompt: unknown): JsonObject[] {
  if (!isObject(prompt) || typeof prompt.name !== "string") return [];
  const { arguments: given, ...rest } = withMeta(prompt);
  const named = list(given ?? []).flatMap(each => {
    if (!isObject(each) || typeof each.name !== "string") return [];
    const { required, ...argument } = present(each);
    return [{ ...argument, ...(typeof required === "boolean" && { required }) }];
  });
  return [{ ...rest, ...(given !== undefined && { arguments: named }) }];
}

function plainResource(resource: unknown, address: "uri" | "uriTemplate"): JsonObject[] {
  if (!isObject(resource) || typeof resource[address] !== "string") return [];
  const { annotations: _, size, name, ...rest } = withMeta(resource);
  return [
    {
      ...rest,
      name: typeof name === "string" ? name : resource[address],
      ...(typeof size === "number" && { size }),
    },
  ];
}

const plainSpoken = (message: unknown): unknown => {
  if (!isObject(message)) return { role: "user", content: plainBlock(message) };
  const { role, content } = message;
  const one = Array.isArray(content) && content.length === 1 ? content[0] : content;
  return { role: role === "assistant" ? "assistant" : "user", content: plainBlock(one) };
};

/** A block of a kind that nobody knows is its text. */
function plainBlock(block: unknown): JsonObject {
  if (!isObject(block)) return { type: "text", text: typeof block === "string" ? block : JSON.stringify(block) };
  const { annotations: _, ...rest } = withMeta(block);
  const { type, text, resource } = rest;
  if (type === "text" || (type === undefined && text !== undefined))
    return { ...rest, type: "text", text: typeof text === "string" ? text : JSON.stringify(text ?? "") };
  if (type === "resource_link") return { ...rest, name: String(rest.name ?? rest.uri), uri: String(rest.uri) };
  if (type === "resource" && isObject(resource)) return plainResourceBlock(rest, withMeta(resource));
  if (type !== "image" && type !== "audio") return { type: "text", text: JSON.stringify(block) };
  const bytes = plainBytes(rest.data);
  const mimeType = rest.mimeType ?? bytes?.mimeType;
  if (!bytes || typeof mimeType !== "string") return notSent(type, mimeType);
  return { ...rest, data: bytes.data, mimeType };
}

function plainResourceBlock(block: JsonObject, resource: JsonObject): JsonObject {
  const { uri = "", text, blob } = resource;
  const place = { ...resource, uri: String(uri) };
  if (typeof text === "string") return { ...block, resource: place };
  const bytes = plainBytes(blob);
  if (!bytes) return { type: "text", text: JSON.stringify(place) };
  return { ...block, resource: { ...place, blob: bytes.data } };
}

const notSent = (type: string, mimeType: unknown): JsonObject => ({
  type: "text",
  text: `[${type === "image" ? "Picture" : "Sound"}${typeof mimeType === "string" ? ` of type ${mimeType}` : ""}, left out: it did not come as base64 with its type.]`,
});

/** Base64 as the protocol has it, from what pages and other languages write; undefined: it is none. */
function plainBytes(given: unknown): { data: string; mimeType?: string | undefined } | undefined {
  if (typeof given !== "string") return undefined;
  const [head = "", mimeType] = /^data:([\w.+/-]*)[^,]{0,100},/.exec(given.slice(0, 300)) ?? [];
  const data = given.slice(head.length).replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  return /^[A-Za-z0-9+/]*={0,2}$/.test(data) ? { data, mimeType } : undefined;
}

/** The same for what comes over HTTP: one message, or a stream of them. */
export async function withPlainMessages(response: Response, odd: OddParts): Promise<Response> {
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || !response.body) return response;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  if (/^application\/json\b/i.test(type))
    return new Response(plainMessage(await response.text(), odd), { status, statusText, headers });
  if (!/^text\/event-stream\b/i.test(type)) return response;
  const lines = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(plainLines(odd))
    .pipeThrough(new TextEncoderStream());
  return new Response(lines, { status, statusText, headers });
}

function plainLines(odd: OddParts): TransformStream<string, string> {
  let rest = "";
  const plain = (line: string): string => {
    const [, head = "", data] = /^(data: ?)(.*)$/s.exec(line) ?? [];
    return data === undefined ? line : head + plainMessage(data, odd);
  };
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) controller.enqueue(`${plain(line.replace(/\r$/, ""))}\n`);
    },
    flush(controller) {
      if (rest !== "") controller.enqueue(plain(rest));
    },
  });
}
