/**
 * Calls that a model wrote as text: Hermes' and Qwen's tags, `<invoke>`, DeepSeek's, Kimi's, Mistral's and Llama's marks, GLM's keys and
 * values, bare JSON. Read where there is one meaning: a tool that there is, with an input that it takes. Pure.
 */
import { isObject } from "../../shared/isObject";
import { nearName } from "../../shared/nearName";
import { DIALECT } from "./callMarks";
import { ObjectEnd } from "./objectEnd";
import { callIn } from "./otherFormats";
import { fits, type KnownTool, readInput, readJson, typed } from "./toolInput";

export interface WrittenCall {
  name: string;
  input: Record<string, unknown>;
}

type WrittenText =
  | { calls: WrittenCall[]; rest: string }
  /** It means a call that cannot be read; `name`: of the tool, where that is plain */
  | { unclear: string; name?: string | undefined }
  | "text";

/** What stands around calls and between them. */
const AROUND = new RegExp(
  [
    `</?${DIALECT}(?:tool_calls?|function_calls?|functioncall|tool_use|TOOLCALL|tools)(?:\\s[^>]*)?>`,
    "<[|｜]?/?(?:tool_call|tool▁calls?)[|｜]?>",
    "<[|｜][\\w▁/]+[|｜]>(?:commentary|json)?",
    "\\[/?TOOL_CALLS\\]|\\[CALL_ID\\][\\w-]+",
    "```\\w*|</s>|<eos>|<end_of_turn>|functools(?=\\[)",
    "[\\s,;]+",
  ].join("|"),
  "y",
);
/** A model that goes on with what only a tool can say. */
const FOREIGN =
  /^\s*(?:<(?:tool_response|function_results?|tool_result|observation|result)\b|<[|｜](?:tool▁outputs?▁begin|tool_response|im_start|observation|start_header_id|ipython)|\[TOOL_RESULTS\]|observation:|```output|\[?tool[_ ]?result)/i;
const NAME = "[A-Za-z_][\\w.:/-]*";

/** `isOpen`: its JSON does not end */
type ParsedCall = { name: string; input: unknown; end: number; isOpen?: boolean } | undefined;
type CallReader = (text: string, at: number) => ParsedCall | ParsedCall[];

/** @param text from the mark on; @param isCut it had reached the most tokens it may have */
export function readWritten(text: string, tools: readonly KnownTool[], isCut: boolean): WrittenText {
  const names = tools.map(({ name }) => name);
  const calls: WrittenCall[] = [];
  let unclear: string | undefined;
  let meant: string | undefined;
  let at = skip(text, 0);
  let end = at;
  for (;;) {
    const found = readers(names)
      .map(read => read(text, at))
      .find(each => each !== undefined && (!Array.isArray(each) || each.length > 0));
    if (found === undefined) break;
    const all = (Array.isArray(found) ? found : [found]).filter(each => each !== undefined);
    for (const { name: written, input, isOpen } of all) {
      const name = nearName(written, names);
      const tool = tools.find(each => each.name === name);
      if (!tool || name === undefined) return calls.length > 0 ? { unclear: `there is no tool "${written}"` } : "text";
      meant = name;
      const read = isCut && isOpen ? undefined : inputFor(tool, input);
      if (read === undefined) unclear ??= `the input of ${name} cannot be read`;
      else calls.push({ name, input: read });
    }
    end = all.at(-1)?.end ?? text.length;
    at = skip(text, end);
  }
  if (unclear !== undefined) return { unclear, name: meant };
  // Whether it goes on in the same line tells words about a call from others.
  const between = text.slice(end, at);
  const rest = between.slice(between.trimEnd().length) + text.slice(at);
  if (calls.length === 0) {
    const name = firstName(text, names);
    return name === undefined ? "text" : { unclear: `a call of ${name} does not keep to any form`, name };
  }
  return { calls, rest: FOREIGN.test(text.slice(at)) ? "" : rest };
}

function skip(text: string, from: number): number {
  let at = from;
  for (;;) {
    AROUND.lastIndex = at;
    const length = AROUND.exec(text)?.[0].length ?? 0;
    if (length === 0) return at;
    at += length;
  }
}

const readers = (names: readonly string[]): readonly CallReader[] => [
  invoked,
  functionTag,
  keysAndValues,
  named,
  object,
  byTag(names),
  code,
];

/** `<invoke name="Read"><parameter name="file_path">a</parameter></invoke>` */
function invoked(text: string, at: number): ParsedCall {
  const open = new RegExp(`<${DIALECT}invoke\\s+name=["']?([^"'>]+)["']?\\s*(/?)>`, "y");
  open.lastIndex = at;
  const [whole, name, isClosed] = open.exec(text) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const from = at + whole.length;
  if (isClosed) return { name, input: {}, end: from };
  return parameters(text, from, name, new RegExp(`\\s*</${DIALECT}invoke>`, "y"));
}

/** `<function=Read><parameter=file_path>a</parameter></function>`, and with JSON between them */
function functionTag(text: string, at: number): ParsedCall {
  const open = /<function(?:=|\s+name=)["']?([^"'>\s]+)["']?\s*>/y;
  open.lastIndex = at;
  const [whole, name] = open.exec(text) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const from = at + whole.length;
  const close = /\s*<\/function>/y;
  const lead = /^\s*/.exec(text.slice(from))?.[0].length ?? 0;
  if (text[from + lead] !== "{") return parameters(text, from, name, close);
  const json = objectAt(text, from + lead);
  close.lastIndex = json.end;
  return { name, input: json.input, end: json.end + (close.exec(text)?.[0].length ?? 0), isOpen: json.isOpen };
}

function parameters(text: string, from: number, name: string, close: RegExp): ParsedCall {
  const open = new RegExp(`\\s*<${DIALECT}param(?:eter)?(?:=|\\s+name=)["']?([^"'>\\s]+)["']?([^>]*)>`, "y");
  const end = new RegExp(`</${DIALECT}param(?:eter)?>`, "g");
  const input: Record<string, unknown> = {};
  let at = from;
  for (;;) {
    open.lastIndex = at;
    const [whole, key, more = ""] = open.exec(text) ?? [];
    if (whole === undefined || key === undefined) break;
    end.lastIndex = at + whole.length;
    const found = end.exec(text);
    if (!found) return { name, input: undefined, end: text.length };
    const value = text.slice(at + whole.length, found.index);
    input[key] = /string=["']true/.test(more) ? value : new LooseText(value);
    at = end.lastIndex;
  }
  close.lastIndex = at;
  const closed = close.exec(text)?.[0].length;
  if (closed === undefined && text.slice(at).trim() !== "" && !/^\s*<\//.test(text.slice(at)))
    return { name, input: undefined, end: text.length };
  return { name, input, end: at + (closed ?? 0) };
}

/** GLM's: `Read\n<arg_key>file_path</arg_key>\n<arg_value>a</arg_value>` */
function keysAndValues(text: string, at: number): ParsedCall {
  const head = new RegExp(`(${NAME})\\s*(?=<arg_key>)`, "y");
  head.lastIndex = at;
  const [whole, name] = head.exec(text) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const pair = /\s*<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/y;
  const input: Record<string, unknown> = {};
  pair.lastIndex = at + whole.length;
  let end = pair.lastIndex;
  for (let found = pair.exec(text); found; found = pair.exec(text)) {
    input[(found[1] ?? "").trim()] = new LooseText(found[2] ?? "");
    end = pair.lastIndex;
  }
  return { name, input: /^\s*<arg_/.test(text.slice(end)) ? undefined : input, end };
}

/** `functions.Read:0<|tool_call_argument_begin|>{…}`, `Read[ARGS]{…}`, `function<｜tool▁sep｜>Read {…}`, `to=functions.Read <|message|>{…}` */
function named(text: string, at: number): ParsedCall {
  const head = new RegExp(
    `(?:function<[|｜]tool[▁_]sep[|｜]>|to=|call:)?(${NAME})(?:\\s|<[|｜][\\w▁]+[|｜]>(?:json)?|json(?=<)|\\[ARGS\\]|\\[CALL_ID\\][\\w-]+|\`\`\`(?:json)?)*(?=\\{)`,
    "y",
  );
  head.lastIndex = at;
  const [whole, name] = head.exec(text) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const { input, end, isOpen } = objectAt(text, at + whole.length);
  return { name, input: input?.replaceAll('<|"|>', '"'), end, isOpen };
}

/** `{"name": "Read", "arguments": {…}}`, or a list of such */
function object(text: string, at: number): ParsedCall | ParsedCall[] {
  if (text[at] !== "{" && text[at] !== "[") return undefined;
  const { text: json, input: whole, end, isOpen } = objectAt(text, at);
  const value = readJson(json);
  const inner = isObject(value) && Array.isArray(value.tool_calls) ? value.tool_calls : value;
  const all = Array.isArray(inner) ? inner : [inner];
  const calls = all.map(each => callIn(each));
  if (calls.length === 0 || calls.some(call => call === undefined)) return undefined;
  return calls.flatMap(call =>
    call ? [{ name: call.name, input: whole === undefined ? undefined : call.input, end, isOpen }] : [],
  );
}

/** `<Read><file_path>a</file_path></Read>` */
const byTag =
  (names: readonly string[]): CallReader =>
  (text, at) => {
    const name = names.find(each => text.startsWith(`<${each}>`, at));
    const end = name === undefined ? -1 : text.indexOf(`</${name}>`, at);
    if (name === undefined || end < 0) return undefined;
    const input: Record<string, unknown> = {};
    const pair = /\s*<(\w+)>([\s\S]*?)<\/\1>\s*/y;
    const inner = text.slice(at + name.length + 2, end);
    let from = 0;
    for (let found = pair.exec(inner); found; found = pair.exec(inner)) {
      input[found[1] ?? ""] = new LooseText(found[2] ?? "");
      from = pair.lastIndex;
    }
    const isRead = inner.slice(from).trim() === "";
    return { name, input: isRead ? input : undefined, end: end + name.length + 3 };
  };

/** `Read(file_path="a")`, in a block of code, between tags, or in a list */
function code(text: string, at: number): ParsedCall {
  const head = new RegExp(`\\[?(?:print\\()?(${NAME})\\(`, "y");
  head.lastIndex = at;
  const [whole, name] = head.exec(text) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  const close = /\)(?:\s*\))?(?:\s*\])?(?:\s*(?:```|<[|｜][\w▁/]{1,40}[|｜]>|<\/\w{1,40}>))*$/.exec(text.trimEnd());
  return close ? { name, input: text.slice(at + whole.length, close.index), end: text.length } : undefined;
}

/** A value that was written without its type. */
class LooseText {
  constructor(readonly text: string) {}
}

/** undefined: it is none that the tool takes */
function inputFor(tool: KnownTool, input: unknown): Record<string, unknown> | undefined {
  if (typeof input === "string") {
    const read = readInput(input, tool);
    return "input" in read && fits(read.input, tool) ? read.input : undefined;
  }
  if (input === undefined) return undefined;
  if (!isObject(input)) return input === null ? inputFor(tool, {}) : undefined;
  const values = Object.entries(input).map(([key, value]) => [
    key,
    value instanceof LooseText ? typed(value.text, key, tool) : value,
  ]);
  const read = Object.fromEntries(values) as Record<string, unknown>;
  return fits(read, tool) ? read : undefined;
}

/** `input`: undefined where a text in it does not end: what it was to become nobody knows */
function objectAt(text: string, at: number): { text: string; input: string | undefined; end: number; isOpen: boolean } {
  if (text[at] === "[") {
    const end = text.lastIndexOf("]") + 1 || text.length;
    const json = text.slice(at, end);
    return { text: json, input: json, end, isOpen: !json.endsWith("]") };
  }
  const reader = new ObjectEnd();
  const { length, isEnd } = reader.find(text.slice(at), true);
  const json = text.slice(at, at + length);
  return { text: json, input: reader.isInString ? undefined : json, end: at + length, isOpen: !isEnd };
}

/** A tool's name in the place of one. */
function firstName(text: string, names: readonly string[]): string | undefined {
  const places = text.matchAll(
    /(?:name["']?\s*[:=]\s*["']?|function=|to=|functions?[.:]|[|｜\]>]\s*|call:)([A-Za-z_][\w.]*)/g,
  );
  for (const [, written = ""] of places) {
    const name = nearName(written, names);
    if (name !== undefined) return name;
  }
  return undefined;
}
