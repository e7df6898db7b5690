/**
 * Mends a server's messages before the package of the protocol reads them: servers write `null` for what is absent, and one such
 * field would lose the whole message. Tools are read one by one, and a block of an unknown kind becomes text.
 */
import { isObject } from "../../shared/isObject";

type JsonObject = { [key: string]: unknown };

/**
 * The text of a message, as the protocol has it. What is no message stays as it is.
 * @param odd gets what could not be used, in words: tools of the newest list
 */
export function plainMessage(text: string, odd: Set<string>): string {
  if (!/^\s*\{/.test(text)) return text;
  try {
    const message: unknown = JSON.parse(text);
    const isMessage = isObject(message) && ["result", "error", "method"].some(key => key in message);
    return isMessage ? JSON.stringify(toPlain(message, odd)) : text;
  } catch {
    // It is no JSON, or nested beyond what can be written: whoever reads it says so at once.
    return text;
  }
}

/** Any other field beside these would lose the message. */
function toPlain(message: JsonObject, odd: Set<string>): JsonObject {
  const { id, method, error, params, result } = withoutNulls(message) as JsonObject;
  const base = { jsonrpc: "2.0", ...(id !== undefined && { id }) };
  if (method !== undefined) return { ...base, method, ...(isObject(params) && { params }) };
  if (error !== undefined) return { ...base, error: plainError(error) };
  // The package would drop it, and the call would wait for its time limit.
  if (!isObject(result) || !isObject(message.result)) return { ...base, error: plainError("its answer is no object") };
  return { ...base, result: plainResult(result, message.result, odd) };
}

/** In lists null stays, and what a tool gives as data stays whole. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(
    present.map(([key, each]) => [key, key === "structuredContent" ? each : withoutNulls(each)]),
  );
}

function plainError(error: unknown): JsonObject {
  const { code, message, ...rest } = isObject(error) ? error : {};
  return {
    ...rest,
    code: Number.isInteger(code) ? code : -32000,
    message: typeof message === "string" ? message : typeof error === "string" ? error : JSON.stringify(error),
  };
}

const hasTexts = (value: unknown, ...keys: string[]): boolean =>
  isObject(value) && keys.every(key => typeof value[key] === "string");

const LISTS: Readonly<Record<string, (part: unknown, at: number, odd: Set<string>) => unknown[]>> = {
  tools: plainTool,
  prompts: prompt => (hasTexts(prompt, "name") ? [prompt] : []),
  resources: resource => (hasTexts(resource, "uri", "name") ? [resource] : []),
  resourceTemplates: resource => (hasTexts(resource, "uriTemplate", "name") ? [resource] : []),
  content: block => [plainBlock(block)],
  messages: each => [isObject(each) ? { ...each, content: plainBlock(each.content) } : each],
};

function plainResult(result: JsonObject, given: JsonObject, odd: Set<string>): JsonObject {
  for (const [key, plain] of Object.entries(LISTS)) {
    // Go writes an empty list as null.
    const list = given[key] === null ? [] : result[key];
    if (Array.isArray(list)) result[key] = list.flatMap((each, at) => plain(each, at, odd));
  }
  if (result.nextCursor === "") delete result.nextCursor;
  if ("structuredContent" in result) result.content ??= [];
  if ("protocolVersion" in result)
    result.serverInfo = { name: "unknown", version: "", ...(isObject(result.serverInfo) && result.serverInfo) };
  return result;
}

function plainTool(tool: unknown, at: number, odd: Set<string>): JsonObject[] {
  if (!isObject(tool) || !hasTexts(tool, "name")) {
    odd.add(`tool ${at + 1} of its list has no name`);
    return [];
  }
  const { name, inputSchema, annotations, title, description } = tool;
  const { properties, required, ...schema } = isObject(inputSchema) ? inputSchema : {};
  const hints = Object.entries(isObject(annotations) ? annotations : {}).filter(
    ([key, hint]) => typeof hint === (key === "title" ? "string" : "boolean"),
  );
  return [
    {
      name,
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
      inputSchema: {
        ...schema,
        type: "object",
        ...(isObject(properties) && { properties: objectsIn(properties) }),
        ...(Array.isArray(required) && { required: required.filter(each => typeof each === "string") }),
      },
      ...(isObject(annotations) && { annotations: Object.fromEntries(hints) }),
    },
  ];
}

/** `true` says nothing, as `{}` does. */
const objectsIn = (properties: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, isObject(each) ? each : {}]));

/** A block of an unknown kind becomes its text. */
function plainBlock(block: unknown): JsonObject {
  const { annotations: _, ...rest } = isObject(block) ? block : {};
  const { type, resource, data, mimeType } = rest;
  if (type === "image" || type === "audio") {
    if (isBase64(data) && typeof mimeType === "string") return rest;
    const kind = typeof mimeType === "string" ? `${type} of type ${mimeType}` : type;
    return { type: "text", text: `[${kind}, left out: it did not come as base64 with its type.]` };
  }
  const isUsable =
    (type === "text" && hasTexts(rest, "text")) ||
    (type === "resource_link" && hasTexts(rest, "uri", "name")) ||
    (type === "resource" &&
      isObject(resource) &&
      hasTexts(resource, "uri") &&
      (hasTexts(resource, "text") || isBase64(resource.blob)));
  return isUsable ? rest : { type: "text", text: typeof block === "string" ? block : JSON.stringify(block ?? "") };
}

const isBase64 = (given: unknown): boolean => typeof given === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(given);

/** The same for what comes over HTTP: one message, or a stream of them. */
export async function withPlainMessages(response: Response, odd: Set<string>): Promise<Response> {
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

function plainLines(odd: Set<string>): TransformStream<string, string> {
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
