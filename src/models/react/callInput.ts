/** The written input of a call → the input of its tool. Malformed JSON is repaired where its meaning is clear, and has to fit the schema then: a wrong guess is worse than a question. */
import { jsonrepair } from "jsonrepair";
import { isObject } from "../../shared/isObject";

export interface KnownTool {
  name: string;
  /** a JSON Schema of an object */
  inputSchema: object;
}

type CallInput = Record<string, unknown>;
/** @param text between the brackets; @param tool undefined: unknown */
export function readInput(text: string, tool: KnownTool | undefined): { input: CallInput } | { error: string } {
  const written = text
    .trim()
    .replace(/^```\w*\s*|\s*```$/g, "")
    .trim();
  if (written === "") return { input: {} };
  const strict = parse(written);
  const value = "value" in strict ? strict.value : undefined;
  if (isObject(value)) return { input: unwrapped(value, tool) };
  const inner = typeof value === "string" ? value.trim() : undefined;
  if (inner?.startsWith("{")) return readInput(inner, tool);
  const repaired = written.startsWith("{")
    ? repair(written, tool)
    : (named(written, tool) ?? single(inner ?? written, tool));
  if (repaired) return { input: repaired };
  return { error: "error" in strict && written.startsWith("{") ? strict.error : "the input has to be one JSON object" };
}

/** A JSON object or list in what a model wrote; undefined: none can be read. */
export function readJson(text: string): unknown {
  const value = repairedValue(text);
  return isObject(value) || Array.isArray(value) || typeof value === "string" ? value : undefined;
}

function parse(text: string): { value: unknown } | { error: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { error: error.message };
  }
}

function repair(text: string, tool: KnownTool | undefined): CallInput | undefined {
  const value = repairedValue(text);
  if (!isObject(value)) return undefined;
  const input = unwrapped(value, tool);
  return fits(input, tool) ? input : undefined;
}

function repairedValue(text: string): unknown {
  // A lone backslash is one that was meant: the repair would drop it, and a regular expression with it.
  const escaped = text.replace(/\\(?:["\\/bfnrt']|u[0-9a-fA-F]{4})|\\/g, found => (found === "\\" ? "\\\\" : found));
  const punctuated = escaped
    .replace(/(["”'’])\s*：\s*/g, "$1: ")
    .replace(/(["”'’\d}\]]|true|false|null)\s*，\s*(?=["“'])/g, "$1, ");
  return mended(escaped) ?? mended(punctuated);
}

function mended(text: string): unknown {
  const exact = parse(text);
  if ("value" in exact) return exact.value;
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    // It says no more than that it did not succeed: the strict parser's words are the ones that are told.
    return undefined;
  }
}

/** Models put the input below a word of its own: `{"input": {…}}`. */
export const WRAPPERS = ["action_input", "input", "arguments", "args", "parameters", "params"];

function unwrapped(input: CallInput, tool: KnownTool | undefined): CallInput {
  const [key, ...more] = Object.keys(input);
  if (key === undefined || more.length > 0 || !WRAPPERS.includes(key) || !tool) return input;
  const inner = input[key];
  return key in shapeOf(tool).properties || !isObject(inner) ? input : inner;
}

type InputShape = { properties: Record<string, { type?: unknown }>; required: readonly string[] };

function shapeOf({ inputSchema }: KnownTool): InputShape {
  const { properties, required } = inputSchema as Partial<InputShape>;
  return { properties: properties ?? {}, required: required ?? [] };
}

/** A value between tags, as what the tool takes there. Line breaks around it belong to the form. */
export function typed(text: string, key: string, tool: KnownTool): unknown {
  const type = shapeOf(tool).properties[key]?.type;
  if (type === "string") return text.replace(/^\r?\n/, "").replace(/\r?\n[ \t]*$/, "");
  return mended(text.trim()) ?? text.trim();
}

export function fits(input: CallInput, tool: KnownTool | undefined): boolean {
  if (!tool) return true;
  const { properties, required } = shapeOf(tool);
  return (
    Object.entries(input).every(([key, value]) => key in properties && isOfType(value, properties[key]?.type)) &&
    required.every(key => key in input)
  );
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "integer") return typeof value === "number";
  return type === "string" || type === "number" || type === "boolean" ? typeof value === type : true;
}

/** `file_path="src/a.ts", offset=10`, or an object without its braces. */
function named(text: string, tool: KnownTool | undefined): CallInput | undefined {
  if (!tool || !/^["“']?\w+["”']?\s*[:：=]/.test(text)) return undefined;
  const pair =
    /\s*["“']?(\w+)["”']?\s*[:：=]\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]|[^,，]+?)\s*(?:[,，]|$)/y;
  const input: CallInput = {};
  while (pair.lastIndex < text.length) {
    const [, key, written] = pair.exec(text) ?? [];
    if (key === undefined || written === undefined) return repair(`{${text}}`, tool);
    const value = mended(written);
    input[key] = typeof value === "object" && !/^[[{]/.test(written) ? written : (value ?? written);
  }
  return fits(input, tool) ? input : repair(`{${text}}`, tool);
}

/** `src/a.ts` alone: a tool that needs one text, or takes no other. */
function single(text: string, tool: KnownTool | undefined): CallInput | undefined {
  if (!tool || text === "" || /^[[{]/.test(text)) return undefined;
  const { properties, required } = shapeOf(tool);
  const names = Object.keys(properties);
  const key = required.length === 1 ? required[0] : names.length === 1 ? names[0] : undefined;
  if (key === undefined || properties[key]?.type !== "string") return undefined;
  return { [key]: /^(["'`]).*\1$/s.test(text) ? text.slice(1, -1) : text };
}
