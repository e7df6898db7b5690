/** How models begin a call that they write as text, each in the manner of its family. Pure. */

/** Before tags, in the dialects of Claude, MiniMax, Seed and DeepSeek. */
export const DIALECT = "(?:antml:|minimax:|seed:|longcat_|[｜|]DSML[｜|])?";

const TAG = `<${DIALECT}(?:tool_calls?|function_calls?|functioncall|tool_use|TOOLCALL|invoke)\\b[^>\\n]{0,80}>`;
const FUNCTION = "<function(?:=| name=)";
const TOKEN =
  "<[|｜](?:tool[_▁]calls?(?:[_▁]section)?(?:[_▁]begin)?|python_tag|action_start|START_ACTION|tool_call_start|plugin|function_calls?)[|｜]>|<\\|tool_call>|<\\|channel\\|>commentary to=|\\[TOOL_CALLS\\]";
const begins = new RegExp(`${TAG}|${FUNCTION}|${TOKEN}`, "g");

/** Beginnings that stand in front of a call for sure, as far as they are text. */
const WORDS = [
  ...["", "antml:", "minimax:", "seed:", "longcat_", "｜DSML｜", "|DSML|"].flatMap(dialect =>
    ["tool_call", "function_call", "functioncall", "tool_use", "TOOLCALL", "invoke"].map(tag => `<${dialect}${tag}`),
  ),
  ...["<function=", "<function name=", "<|tool_call", "<｜tool▁call", "<|tool▁call", "<｜tool_call", "<|python_tag|>"],
  ...["<|action_start|>", "<|START_ACTION|>", "<|plugin|>", "<|function_call", "<|channel|>commentary to="],
  "[TOOL_CALLS]",
];

const BEGINNINGS: ReadonlySet<string> = new Set(
  WORDS.flatMap(word => Array.from(word, (_, length) => word.slice(0, length + 1))),
);
/** A tag that has not come to its end. */
const OPEN_TAG = new RegExp(
  `^(?:<${DIALECT}(?:tool_calls?|function_calls?|functioncall|tool_use|TOOLCALL|invoke)\\b[^>\\n]*|<function(?:=| name=)[^>\\n]*|<[|｜]tool[^<>\\n]*)$`,
);

/** A JSON object or list of such that names a tool, perhaps in a code block, from the beginning of a line. */
const OBJECT =
  /^(?:```(?:json|tool_call|tool_code|tool|xml)?\s*)?\[?\s*\{\s*"(?:name|tool|tool_name|function|function_call|type|action|tool_calls?|arguments|parameters)"\s*:/;
const MAY_BE_OBJECT =
  /^(?:```tool_code\s*(?:print\(?)?[A-Za-z_.]*|`{1,3}|```[a-z_]{0,9}\s*\[?\s*(?:\{\s*(?:"\w{0,14}"?\s*)?)?|\[?\s*\{\s*(?:"\w{0,14}"?\s*)?|\[\s*)$/;
const MAX_OBJECT = 64;
const CODE = /^```tool_code\s*\n?\s*(?:print\()?[A-Za-z_][\w.]*\(/;

/**
 * Where a call may begin in a line outside blocks of code; what follows the line belongs to the text.
 * @returns undefined: nowhere; `isOpen`: what stands at its end may become one with more of it
 */
export function callMark(
  text: string,
  isLineStart: boolean,
  tools: readonly string[],
  /** whoever reads the text protocol knows an object that is a call */
  isProtocol: boolean,
): { at: number; isOpen: boolean } | undefined {
  begins.lastIndex = 0;
  const mark = begins.exec(text)?.index;
  const object = objectMark(text, isLineStart, isProtocol);
  const named = nameMark(text, isLineStart, tools);
  const found = [mark, object?.isOpen === false ? object.at : undefined, named]
    .filter(at => at !== undefined)
    .sort((a, b) => a - b)[0];
  if (found !== undefined) return { at: found, isOpen: false };
  const open = openWord(text, isLineStart, tools);
  const first = [object?.at, open].filter(at => at !== undefined).sort((a, b) => a - b)[0];
  return first === undefined ? undefined : { at: first, isOpen: true };
}

function objectMark(
  text: string,
  isLineStart: boolean,
  isProtocol: boolean,
): { at: number; isOpen: boolean } | undefined {
  const at = isLineStart ? text.search(/[^ \t]/) : -1;
  const first = text[at];
  if (first !== "{" && first !== "[" && first !== "`") return undefined;
  const rest = text.slice(at, at + 2 * MAX_OBJECT);
  if (isProtocol && /^(?:```\w*\s*)?\{\s*"(?!(?:tool_calls?|function_call)")\w+"/.test(rest)) return undefined;
  if (OBJECT.test(rest) || CODE.test(rest)) return { at, isOpen: false };
  return text.length - at < MAX_OBJECT && MAY_BE_OBJECT.test(rest) ? { at, isOpen: true } : undefined;
}

/** `<Read>` at the beginning of a line: a tag by a tool's name. */
const nameMark = (text: string, isLineStart: boolean, tools: readonly string[]): number | undefined =>
  isLineStart && text.startsWith("<") && tools.some(name => text.startsWith(`<${name}>`)) ? 0 : undefined;

/** The beginning of a mark at the end of the text. */
function openWord(text: string, isLineStart: boolean, tools: readonly string[]): number | undefined {
  const from = Math.max(text.lastIndexOf("<"), text.lastIndexOf("["));
  if (from < 0 || text.length - from > MAX_OBJECT) return undefined;
  const end = text.slice(from);
  if (BEGINNINGS.has(end) || OPEN_TAG.test(end)) return from;
  const isStart = from === 0 ? isLineStart : text[from - 1] === "\n";
  return isStart && tools.some(name => `<${name}>`.startsWith(end)) ? from : undefined;
}
