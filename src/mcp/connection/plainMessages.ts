/** Mends a server's messages before the package reads them: one `null` for an absent field would lose the whole message, one odd tool the whole list. */
import { type SpecTypeName, type StandardSchemaV1Sync, specTypeSchemas } from "@modelcontextprotocol/client";
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

/** What the package refuses of an optional field is left out; undefined: it cannot do without. */
function mended(type: SpecTypeName, value: unknown): unknown {
  const problems = (given: unknown) =>
    (specTypeSchemas[type] as StandardSchemaV1Sync)["~standard"].validate(given).issues;
  const issues = problems(value);
  if (!issues || !isObject(value)) return issues ? undefined : value;
  const refused = new Set(issues.map(({ path: [field] = [] }) => (typeof field === "object" ? field.key : field)));
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !refused.has(key)));
  return problems(rest) ? undefined : rest;
}

type PartMaker = (part: unknown, at: number, odd: Set<string>) => unknown[];

/** An entry as the package reads it; one that it does not read is odd. */
const entry =
  (kind: string, type: SpecTypeName): PartMaker =>
  (given, at, odd) => {
    const usable = mended(type, type === "Tool" && isObject(given) ? plainTool(given) : given);
    if (usable === undefined) odd.add(t("{0} {1} of its list cannot be read", kind, at + 1));
    return usable === undefined ? [] : [usable];
  };

const LISTS: Readonly<Record<string, PartMaker>> = {
  tools: entry("tool", "Tool"),
  prompts: entry("prompt", "Prompt"),
  resources: entry("resource", "Resource"),
  resourceTemplates: entry("resource template", "ResourceTemplate"),
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

const plainTool = ({ outputSchema: _, inputSchema, ...tool }: JsonObject): JsonObject => ({
  ...tool,
  inputSchema: { ...(isObject(inputSchema) && present(inputSchema)), type: "object" },
});

/** A block of an unknown kind becomes its text. */
function plainBlock(block: unknown): unknown {
  const usable = mended("ContentBlock", isObject(block) ? { ...block, annotations: undefined } : block);
  if (usable !== undefined) return usable;
  const { type, mimeType } = isObject(block) ? block : {};
  const isLarge = type === "image" || type === "audio";
  const text = isLarge ? `[${type} of type ${mimeType}, left out: it did not come as base64 with its type.]` : block;
  return { type: "text", text: typeof text === "string" ? text : JSON.stringify(text ?? "") };
}

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
