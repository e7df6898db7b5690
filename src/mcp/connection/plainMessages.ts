/**
 * Mends a server's messages before the package of the protocol reads them: servers write `null` for what is absent, and one such
 * field would lose the whole message. Tools are read one by one, and a block of an unknown kind becomes text.
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

/** Any other field beside these would lose the message. */
function toPlain({ id, method, result, error, params }: JsonObject, odd: OddParts): JsonObject {
  const base = { jsonrpc: "2.0", ...(id !== undefined && { id }) };
  if (method !== undefined) return { ...base, method, ...(isObject(params) && { params: withMeta(params) }) };
  if (error !== undefined && error !== null) return { ...base, error: plainError(error) };
  // The package would drop it, and the call would wait for its time limit.
  if (!isObject(result)) return { ...base, error: plainError("its answer is no object") };
  return { ...base, result: plainResult(result, odd) };
}

function plainError(error: unknown): JsonObject {
  if (!isObject(error)) return { code: -32000, message: String(error) };
  const { code, message, ...rest } = error;
  return {
    ...rest,
    code: Number.isInteger(code) ? code : -32000,
    message: typeof message === "string" ? message : JSON.stringify(error),
  };
}

function withMeta(value: JsonObject): JsonObject {
  const { _meta, ...rest } = present(value);
  return { ...rest, ...(isObject(_meta) && { _meta }) };
}

const LISTS: Readonly<Record<string, (part: unknown, at: number, odd: OddParts) => unknown[]>> = {
  tools: plainTool,
  prompts: plainPrompt,
  resources: resource => plainResource(resource, "uri"),
  resourceTemplates: resource => plainResource(resource, "uriTemplate"),
  content: block => [plainBlock(block)],
  contents: each => [isObject(each) ? withMeta(each) : each],
  messages: each => [isObject(each) ? { ...present(each), content: plainBlock(each.content) } : each],
};

function plainResult(given: JsonObject, odd: OddParts): JsonObject {
  const result = withMeta(given);
  for (const [key, plain] of Object.entries(LISTS)) {
    // Go writes an empty list as null.
    const list = given[key] === null ? [] : given[key];
    if (Array.isArray(list)) result[key] = list.flatMap((each, at) => plain(each, at, odd));
  }
  if (result.nextCursor === "") delete result.nextCursor;
  if ("structuredContent" in result) result.content ??= [];
  if (!("protocolVersion" in result)) return result;
  const { capabilities } = result;
  return {
    ...result,
    ...(isObject(capabilities) && { capabilities: plainCapabilities(capabilities) }),
    serverInfo: { name: "unknown", version: "", ...(isObject(result.serverInfo) && present(result.serverInfo)) },
  };
}

const plainCapabilities = (said: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(present(said)).map(([key, each]) => [key, isObject(each) ? present(each) : each]));

function plainTool(tool: unknown, at: number, odd: OddParts): JsonObject[] {
  if (!isObject(tool) || typeof tool.name !== "string") {
    odd.add(`tool ${at + 1} of its list has no name`);
    return [];
  }
  const { name, inputSchema, annotations, title, description, _meta } = tool;
  const hints = Object.entries(isObject(annotations) ? annotations : {}).filter(
    ([key, hint]) => typeof hint === (key === "title" ? "string" : "boolean"),
  );
  return [
    {
      name,
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
      inputSchema: plainSchema(isObject(inputSchema) ? inputSchema : {}),
      ...(isObject(annotations) && { annotations: Object.fromEntries(hints) }),
      ...(isObject(_meta) && { _meta }),
    },
  ];
}

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
  const named = Array.isArray(given) ? given.filter(each => isObject(each) && typeof each.name === "string") : [];
  return [{ ...rest, ...(given !== undefined && { arguments: named.map(present) }) }];
}

function plainResource(resource: unknown, address: "uri" | "uriTemplate"): JsonObject[] {
  if (!isObject(resource) || typeof resource[address] !== "string" || typeof resource.name !== "string") return [];
  const { annotations: _, ...rest } = withMeta(resource);
  return [rest];
}

/** A block of an unknown kind becomes its text. */
function plainBlock(block: unknown): JsonObject {
  const asText = { type: "text", text: typeof block === "string" ? block : JSON.stringify(block ?? "") };
  if (!isObject(block)) return asText;
  const { annotations: _, ...rest } = withMeta(block);
  const { type, text, resource, data, mimeType, uri, name } = rest;
  if (type === "text") return typeof text === "string" ? rest : asText;
  if (type === "resource_link") return typeof uri === "string" && typeof name === "string" ? rest : asText;
  if (type === "image" || type === "audio")
    return isBase64(data) && typeof mimeType === "string" ? rest : notSent(type, mimeType);
  if (type !== "resource" || !isObject(resource) || typeof resource.uri !== "string") return asText;
  const isUsable = typeof resource.text === "string" || isBase64(resource.blob);
  return isUsable ? { ...rest, resource: withMeta(resource) } : asText;
}

const notSent = (type: string, mimeType: unknown): JsonObject => ({
  type: "text",
  text: `[${type === "image" ? "Picture" : "Sound"}${typeof mimeType === "string" ? ` of type ${mimeType}` : ""}, left out: it did not come as base64 with its type.]`,
});

const isBase64 = (given: unknown): boolean => typeof given === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(given);

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
