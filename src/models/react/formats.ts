/** Calls that a model wrote as text, in any of these forms. Read at the answer's end, where there is one meaning: a tool that there is, with an input that it takes. Pure. */
import { isObject } from "../../shared/isObject";
import { nearName } from "../../shared/nearestNames";
import { fits, type KnownTool, readInput, readJson, typed, WRAPPERS } from "./callInput";
import { ACTION, DIALECT, isFinish } from "./marks";

export type WrittenCall = { name: string; input: Record<string, unknown> };

/** `why`: it means a call that cannot be read; `isOpen`: it breaks off */
type WrittenItem =
  | ({ type: "call" } & WrittenCall)
  | { type: "said"; text: string }
  | { type: "unreadable"; name: string; why: string; isOpen: boolean; quote: string };

/** One call as it was written. `input`: JSON or words, or values by their names. */
type ReadCall = { name: string; input: string | Map<string, string> | undefined; isOpen?: boolean };

interface CallFormat {
  /** of the protocol: another may have the same beginning */
  isProtocol?: true;
  /** sticky; its first group is the tool's name, where it has one */
  begin: RegExp;
  /** what ends it; absent: the object or list that it consists of */
  end?: RegExp | ((name: string) => RegExp);
  /** @param inner the text between both */
  read(inner: string, name: string, isOpen: boolean): ReadCall[];
}

const NAME = "([A-Za-z_][\\w.:/-]*)";
/** Around calls and between them. */
const AROUND = new RegExp(
  [
    `</?${DIALECT}(?:tool_calls?|function_calls?|functioncall|tool_use|TOOLCALL|tools|action)(?:\\s[^>]*)?>`,
    "<[|｜]?/?(?:tool_call|tool▁calls?)[|｜]?>",
    "<[|｜][\\w▁/]+[|｜]>(?:commentary|json)?",
    "\\[/?TOOL_CALLS\\]|\\[CALL_ID\\][\\w-]+",
    "```\\w*|</s>|<eos>|<end_of_turn>|functools(?=\\[)",
    "[\\s,;]+",
  ].join("|"),
  "y",
);
/** A model that continues with words of a tool. */
const FOREIGN =
  /^\s*(?:<(?:tool_response|function_results?|tool_result|observation|result)\b|<[|｜](?:tool▁outputs?▁begin|tool_response|im_start|observation|start_header_id|ipython)|\[TOOL_RESULTS\]|observation:|```output|\[?tool[_ ]?result)/i;

const asIs = (inner: string, name: string, isOpen: boolean): ReadCall[] => [{ name, input: inner, isOpen }];

/** The first whose beginning fits counts. */
const formats: readonly CallFormat[] = [
  // `<invoke name="Read"><parameter name="file_path">a</parameter></invoke>`
  { begin: new RegExp(`<${DIALECT}invoke\\s+name=["']?([^"'>]+)["']?\\s*/>`, "y"), end: /(?:)/, read: parameters },
  {
    begin: new RegExp(`<${DIALECT}invoke\\s+name=["']?([^"'>]+)["']?\\s*>`, "y"),
    end: new RegExp(`</${DIALECT}invoke>`),
    read: parameters,
  },
  {
    // `<function=Read><parameter=file_path>a</parameter></function>`, and with JSON between them
    begin: /<function(?:=|\s+name=)["']?([^"'>\s]+)["']?\s*>/y,
    end: /<\/function>/,
    read: (inner, name, isOpen) =>
      inner.trim().startsWith("{")
        ? [{ ...objectAt(inner, inner.indexOf("{")), name }]
        : parameters(inner, name, isOpen),
  },
  {
    // GLM's: `Read\n<arg_key>file_path</arg_key>\n<arg_value>a</arg_value>`
    begin: new RegExp(`${NAME}\\s*(?=<arg_key>)`, "y"),
    end: /(?=<\/?tool_call>)/,
    read: (inner, name) =>
      pairs(inner, name, /\s*<arg_key>\s*([\s\S]*?)\s*<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>\s*/y),
  },
  {
    // `functions.Read:0<|tool_call_argument_begin|>{…}`, `Read[ARGS]{…}`, `function<｜tool▁sep｜>Read {…}`, `to=functions.Read <|message|>{…}`
    begin: new RegExp(
      `(?:function<[|｜]tool[▁_]sep[|｜]>|to=|call:)?${NAME}(?:\\s|<[|｜][\\w▁]+[|｜]>(?:json)?|json(?=<)|\\[ARGS\\]|\\[CALL_ID\\][\\w-]+|\`\`\`(?:json)?)*(?=\\{)`,
      "y",
    ),
    read: (inner, name, isOpen) => asIs(inner.replaceAll('<|"|>', '"'), name, isOpen),
  },
  {
    // `{"name": "Read", "arguments": {…}}`, or a list of such
    begin: /(?=[[{])/y,
    read(inner, _, isOpen) {
      const value = readJson(inner);
      const own = isObject(value) && Array.isArray(value.tool_calls) ? value.tool_calls : value;
      const calls = (Array.isArray(own) ? own : [own]).map(callIn);
      return calls.every(call => call !== undefined) ? calls.map(call => ({ ...call, isOpen })) : [];
    },
  },
  {
    // `<Read><file_path>a</file_path></Read>`
    begin: new RegExp(`<${NAME}>`, "y"),
    end: name => new RegExp(`</${name}>`),
    read: (inner, name) => pairs(inner, name, /\s*<(\w+)>([\s\S]*?)<\/\1>\s*/y),
  },
  {
    // `Read(file_path="a")`, in a block of code, between tags, or in a list
    begin: new RegExp(`\\[?(?:print\\()?${NAME}\\(`, "y"),
    end: /\)(?:\s*\))?(?:\s*\])?(?:\s*(?:```|<[|｜][\w▁/]{1,40}[|｜]>|<\/\w{1,40}>))*\s*$/,
    read: asIs,
  },
  {
    // `Action: Read[{"file_path":"a"}]`, and with `Action Input:` in the next line
    isProtocol: true,
    begin: new RegExp(
      `(?:${ACTION})?[\\s*_\`"'“]*(?:\\[\\s*)?([A-Za-z_][\\w.-]*)(?:\\s*\\])?["'”\`*_]*[ \\t]*(?:[:：]|->|=>)?(?:[ \\t]*(?=[[({（【]|\\r?$|\\r?\\n))(?:\\s*[*_]*(?:action |行动|动作)?(?:input|arguments|args|parameters|参数|输入)[ \\t]*\\d{0,3}[*_]*[ \\t]*[:：][*_]*(?=[^\\n]))?`,
      "iy",
    ),
    read: asIs,
  },
];

interface HeldText {
  tools: readonly KnownTool[];
  isProtocol: boolean;
  /** It had reached the most tokens it may have. */
  isCut: boolean;
}

/** @param text from a mark on. @returns calls in their order; words behind them as `said` */
export function readWritten(text: string, { tools, isProtocol, isCut }: HeldText): WrittenItem[] {
  const names = tools.map(({ name }) => name);
  const items: WrittenItem[] = [];
  let at = skip(text, 0);
  let end = at;
  for (;;) {
    const found = callsAt(text, at, { names, isProtocol });
    if (!found) break;
    for (const call of found.calls) items.push(itemOf(call, { tools, isProtocol, isCut }));
    end = found.end;
    at = skip(text, end);
  }
  const rest = text.slice(at);
  if (items.length === 0) {
    const name = isProtocol ? undefined : firstName(text, names);
    if (name === undefined) return [{ type: "said", text }];
    return [
      { type: "unreadable", name, why: `a call of ${name} does not keep to any form`, isOpen: isCut, quote: text },
    ];
  }
  // Words in the same line are words about a call.
  const between = /\s*$/.exec(text.slice(end, at))?.[0] ?? "";
  if (rest.trim() !== "" && !FOREIGN.test(rest)) items.push({ type: "said", text: between + rest });
  return items;
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

type WrittenPlace = { names: readonly string[]; isProtocol: boolean };

function callsAt(text: string, at: number, place: WrittenPlace): { calls: ReadCall[]; end: number } | undefined {
  for (const format of formats) {
    if (format.isProtocol && !place.isProtocol) continue;
    const { begin, end, read } = format;
    begin.lastIndex = at;
    const [whole, name = ""] = begin.exec(text) ?? [];
    if (whole === undefined) continue;
    const from = at + whole.length;
    const isLabelled = format.isProtocol && new RegExp(`^(?:${ACTION})`, "i").test(whole);
    const isKnown = nearName(name, place.names) !== undefined || isFinish(name);
    if (format.isProtocol && !isLabelled && !(isKnown && /[[({（【]/.test(text[from] ?? ""))) continue;
    const inside = format.isProtocol ? bracketed(text, from, name) : insideOf(text, from, end, name);
    if (!inside) continue;
    const calls = read(inside.inner, name, inside.isOpen);
    // What looks like a call of a tool that there is not is text, but behind the protocol's label, or behind a call.
    if (calls.length === 0 || (!isLabelled && calls.some(call => !isCall(call, place)))) continue;
    return { calls, end: inside.end };
  }
  return undefined;
}

const isCall = ({ name }: ReadCall, { names }: WrittenPlace) => nearName(name, names) !== undefined || isFinish(name);

type InsideText = { inner: string; end: number; isOpen: boolean };

function insideOf(text: string, from: number, end: CallFormat["end"], name: string): InsideText | undefined {
  if (end === undefined) {
    const { input, end: to, isOpen } = objectAt(text, from);
    return { inner: input, end: to, isOpen };
  }
  const found = (end instanceof RegExp ? end : end(name)).exec(text.slice(from));
  if (!found) return { inner: text.slice(from), end: text.length, isOpen: true };
  return { inner: text.slice(from, from + found.index), end: from + found.index + found[0].length, isOpen: false };
}

const CLOSERS: Record<string, string> = { "[": "]", "(": ")", "【": "】", "（": "）" };
/** Beginnings of a line that no input has: the next step of the protocol. */
const NEXT_STEP =
  /\n[ \t>*_#-]*(?:\[(?:assistant|tool|user)\]|(?:thought|action|observation|final answer|思考|行动|观察)[ \t]*\d{0,3}[*_]{0,2}[ \t]*[:：])/i;
/** What may stand behind an input. */
const CLOSING = /^(?:\s*```(?=\s*[\])】）]))?(?:\s*(?:<\/\w+>|[\])】）]))?(?:[ \t`*;.,]*(?=\r?\n|$)|[`*;.]*)/;

/** The input of an action in its brackets, or without. */
function bracketed(text: string, from: number, name: string): InsideText | undefined {
  const opener = CLOSERS[text[from] ?? ""] ? (text[from] ?? "") : "";
  const lead = /^\s*(?:```\w*\s*)?/.exec(text.slice(from + opener.length))?.[0].length ?? 0;
  const start = from + opener.length + lead;
  const close = (inner: string, end: number, isOpen: boolean): InsideText => {
    return { inner, isOpen, end: end + (CLOSING.exec(text.slice(end))?.[0].length ?? 0) };
  };
  if (text[start] === "{") {
    const { input, end, isOpen } = objectAt(text, start);
    return close(isOpen ? input.replace(/\s*[\])】）]\s*[`*]*\s*$/, "") : input, end, isOpen);
  }
  const step = NEXT_STEP.exec(text.slice(from))?.index ?? text.length - from;
  const whole = text.slice(from + opener.length, from + step);
  if (opener === "") {
    // A name alone, or an input in the rest of the line.
    const [line = ""] = /^[^\n]*/.exec(whole) ?? [];
    return name === "" ? undefined : close(line, from + line.length, false);
  }
  const closer = CLOSERS[opener] ?? "";
  const ends = [...whole.matchAll(new RegExp(`\\${closer}(?=[ \\t*\`.;"']*(?:\\r?\\n|$))`, "g"))];
  const index = ends[0]?.index;
  if (index === undefined) return { inner: whole, end: from + step, isOpen: true };
  return close(whole.slice(0, index), from + opener.length + index, false);
}

/** What a call comes to. */
function itemOf(call: ReadCall, { tools, isProtocol, isCut }: HeldText): WrittenItem {
  if (isFinish(call.name)) return { type: "said", text: finishText(call.input) };
  const names = tools.map(each => each.name);
  const name = nearName(call.name, names) ?? call.name;
  const tool = tools.find(each => each.name === name);
  const isOpen = call.isOpen === true;
  const quote = typeof call.input === "string" ? call.input : "";
  const unreadable = (why: string): WrittenItem => ({ type: "unreadable", name, why, isOpen: isCut && isOpen, quote });
  if (isCut && isOpen) return unreadable("it is not complete");
  if (call.input instanceof Map) {
    const values = tool ? [...call.input].map(([key, value]) => [key, typed(value, key, tool)]) : [...call.input];
    const input = Object.fromEntries(values) as Record<string, unknown>;
    return fits(input, tool) ? { type: "call", name, input } : unreadable("the tool does not take its input");
  }
  if (call.input === undefined) return unreadable("its input cannot be read");
  if (isOpen && isInString(call.input)) return unreadable("a string in its JSON is not closed");
  const read = readInput(call.input, tool);
  if ("error" in read) return unreadable(read.error);
  if (!isProtocol && !fits(read.input, tool)) return unreadable("the tool does not take its input");
  return { type: "call", name, input: read.input };
}

function parameters(inner: string, name: string, isOpen: boolean): ReadCall[] {
  const tag = `${DIALECT}param(?:eter)?`;
  const pair = new RegExp(`\\s*<${tag}(?:=|\\s+name=)["']?([^"'>\\s]+)["']?[^>]*>([\\s\\S]*?)</${tag}>\\s*`, "y");
  return pairs(inner, name, pair).map(call => ({ ...call, isOpen }));
}

/** Values by their names; a rest of `inner` makes it unreadable. */
function pairs(inner: string, name: string, pair: RegExp): ReadCall[] {
  const input = new Map<string, string>();
  let from = 0;
  pair.lastIndex = 0;
  for (let found = pair.exec(inner); found; found = pair.exec(inner)) {
    input.set(found[1] ?? "", found[2] ?? "");
    from = pair.lastIndex;
  }
  const rest = inner.slice(from).trim();
  const isRead = rest === "" || /^<\/[^>]*>$/.test(rest);
  return [{ name, input: isRead ? input : undefined, isOpen: !isRead }];
}

/** The object or list that begins there. Brackets in strings do not count; the next step of the protocol ends a malformed one. */
function objectAt(text: string, at: number): { input: string; end: number; isOpen: boolean } {
  const open: string[] = [];
  let quote = "";
  for (let place = at; place < text.length; place++) {
    const character = text[place] ?? "";
    if (character === "\n" && NEXT_STEP.exec(text.slice(place, place + 40))?.index === 0)
      return { input: text.slice(at, place), end: place, isOpen: true };
    if (quote !== "") {
      if (character === "\\") place += 1;
      else if (character === quote) quote = "";
    } else if (
      character === '"' ||
      (character === "'" && /[[{,:]\s*$/.test(text.slice(Math.max(at, place - 9), place)))
    )
      quote = character;
    else if (character === "{" || character === "[") open.push(character);
    else if (character === "}" || character === "]") {
      const opener = open.lastIndexOf(character === "}" ? "{" : "[");
      // The bracket around the input: a brace is missing.
      if (opener < 0 && character === "]") return { input: text.slice(at, place), end: place, isOpen: false };
      if (opener >= 0) open.length = opener;
      if (open.length === 0) return { input: text.slice(at, place + 1), end: place + 1, isOpen: false };
    }
  }
  return { input: text.slice(at), end: text.length, isOpen: true };
}

/** Whether a JSON text ends within a string. */
const isInString = (json: string) => (json.match(/\\.|"/gs) ?? []).filter(each => each === '"').length % 2 === 1;

const NAME_KEYS = ["action", "tool", "tool_name", "name", "function"];
const TEXT_KEYS = ["answer", "text", "content", "message", "output", "result", "response", "final_answer", "summary"];

/** undefined: the value names no tool */
function callIn(value: unknown): ReadCall | undefined {
  if (!isObject(value)) return undefined;
  // `{"type": "function", "function": {"name": …, "arguments": …}}`
  if (isObject(value.function)) return callIn(value.function);
  if (isObject(value.function_call)) return callIn(value.function_call);
  const name = NAME_KEYS.map(key => value[key]).find(each => typeof each === "string" && each !== "");
  if (typeof name !== "string") return undefined;
  const key = WRAPPERS.find(each => each in value);
  const input = key === undefined ? {} : (value[key] ?? {});
  return { name, input: typeof input === "string" ? input : JSON.stringify(input) };
}

/** The words for the user, where they came as JSON. */
export function finishText(written: ReadCall["input"]): string {
  if (typeof written !== "string") return "";
  const value = /^\s*["{]/.test(written) ? readJson(written.trim()) : undefined;
  if (typeof value === "string") return value;
  if (!isObject(value)) return written;
  const texts = Object.values(value).filter(each => typeof each === "string");
  const named = TEXT_KEYS.map(key => value[key]).find(each => typeof each === "string");
  return typeof named === "string" ? named : texts.length === 1 ? String(texts[0]) : written;
}

/** A tool's name in the place of one. */
function firstName(text: string, names: readonly string[]): string | undefined {
  const places = text.matchAll(
    /(?:name["']?\s*[:=]\s*["']?|function=|to=|functions?[.:]|[|｜\]>]\s*|call:)([A-Za-z_][\w.]*)/g,
  );
  return [...places].map(([, written = ""]) => nearName(written, names)).find(name => name !== undefined);
}
