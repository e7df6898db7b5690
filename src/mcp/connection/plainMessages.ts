/** Mends a server's messages before the package reads them: one `null` for an absent field would lose the whole message, one odd tool the whole list. */
import { isObject } from "../../shared/isObject";
import { t } from "../../shared/l10n";

type JsonObject = { [key: string]: unknown };

/** A message as the protocol has it; other text is unchanged. @param odd gets what could not be used, in words: entries of the newest lists */
export function plainMessage(text: string, odd: Set<string>): string {
  if (!/^\s*\{/.test(text)) return text;
  try {
    const message: unknown = JSON.parse(text);
    const isMessage = isObject(message) && ["result", "error", "method"].some(key => key in message);
    return isMessage ? JSON.stringify(toPlain(message, odd)) : text;
  } catch {
    // No JSON, or nested too deeply: the package refuses it.
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

/** A schema, and what a tool gives as data: null says something there. */
const WHOLE = ["structuredContent", "inputSchema"];

const present = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).filter(([key, each]) => each !== null && (key !== "_meta" || isObject(each))),
  );

/** In lists null stays. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(present(value));
  return Object.fromEntries(entries.map(([key, each]) => [key, WHOLE.includes(key) ? each : withoutNulls(each)]));
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

type PartMaker = (part: unknown, at: number, odd: Set<string>) => unknown[];
type FieldMaker = (entry: JsonObject, at: number, odd: Set<string>) => JsonObject;

/** Texts of an entry that are read; others are left out. */
const TEXTS = ["uri", "uriTemplate", "name", "title", "description", "mimeType"];

/** An entry with its texts, and `more`. One without a text that it needs is odd. */
const named =
  (kind: string, needed: string[], more: FieldMaker = () => ({})): PartMaker =>
  (entry, at, odd) => {
    const missing = needed.find(key => !hasTexts(entry, key));
    if (!isObject(entry) || missing !== undefined) {
      odd.add(t("{0} {1} of its list has no {2}", kind, at + 1, missing ?? "name"));
      return [];
    }
    const texts = Object.entries(entry).filter(([key, each]) => TEXTS.includes(key) && typeof each === "string");
    return [{ ...Object.fromEntries(texts), ...more(entry, at, odd) }];
  };

const LISTS: Readonly<Record<string, PartMaker>> = {
  tools: named("tool", ["name"], plainTool),
  prompts: named("prompt", ["name"], plainArguments),
  resources: named("resource", ["name", "uri"]),
  resourceTemplates: named("resource template", ["name", "uriTemplate"]),
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

function plainArguments(prompt: JsonObject, at: number, odd: Set<string>): JsonObject {
  const given = Array.isArray(prompt.arguments) ? prompt.arguments : [];
  const isRequired: FieldMaker = ({ required }) => (typeof required === "boolean" ? { required } : {});
  const plain = named(`prompt ${at + 1}, argument`, ["name"], isRequired);
  return { arguments: given.flatMap((each, which) => plain(each, which, odd)) };
}

function plainTool({ inputSchema, annotations }: JsonObject): JsonObject {
  const { properties, required, ...schema } = isObject(inputSchema) ? present(inputSchema) : {};
  const hints = Object.entries(isObject(annotations) ? annotations : {}).filter(
    ([key, hint]) => typeof hint === (key === "title" ? "string" : "boolean"),
  );
  return {
    inputSchema: {
      ...schema,
      type: "object",
      ...(isObject(properties) && { properties: objectsIn(properties) }),
      ...(Array.isArray(required) && { required: required.filter(each => typeof each === "string") }),
    },
    ...(isObject(annotations) && { annotations: Object.fromEntries(hints) }),
  };
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
