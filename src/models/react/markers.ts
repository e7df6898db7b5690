/**
 * The words that give an answer of the text protocol its form, as models write them: in English and Chinese, numbered, in
 * Markdown, with a role before them. A line is judged by its beginning, which may not have come whole. Pure.
 */

export type Marker =
  | { kind: "thought" | "action" | "final" | "result" | "role" | "fence" | "call" | "object"; length: number }
  /** `<tool_call>` and its kin: a JSON object follows */
  | { kind: "tag"; length: number };

/** What the line may become decides with more of it. */
export const WAIT = "wait";

const LABELS: readonly { kind: "thought" | "action" | "final" | "result"; words: readonly string[] }[] = [
  { kind: "thought", words: ["thought", "thoughts", "思考", "想法", "思路"] },
  { kind: "action", words: ["action", "actions", "行动", "动作", "操作"] },
  { kind: "final", words: ["final answer", "final response", "finish", "最终答案", "最终回答", "最终回复"] },
  {
    kind: "result",
    words: ["observation", "observations", "tool result", "tool response", "观察", "观察结果", "工具结果"],
  },
];
const TAGS = ["<tool_call>", "<function_call>", "<action>"];
const ROLES = ["[user]", "[human]", "[system]", "<|", "<tool_response>", "<observation>"];
const RESULT_ROLES = ["[tool]", "[tool_result]", "[tool result]"];
const OWN_ROLE = "[assistant]";

/** Longer beginnings are no label's. */
const MAX_LABEL = 48;

/** What Markdown puts before a word at the beginning of a line. */
const DECORATION = /^[ \t>*_#-]*/;

/**
 * What a line begins with; undefined: with text.
 * @param text from the beginning of the line; @param ended nothing more comes; @param names of tools, lower case
 */
export function lineMarker(text: string, ended: boolean, names: ReadonlySet<string>): Marker | typeof WAIT | undefined {
  const end = text.indexOf("\n");
  const isWhole = end >= 0 || ended;
  const line = end >= 0 ? text.slice(0, end) : text;
  const fence = fenceMarker(line, isWhole);
  if (fence) return fence;
  const object = objectMarker(text, ended);
  if (object) return object;
  const [role, own] = afterOwnRole(line, isWhole);
  if (role === WAIT) return WAIT;
  const indent = own + (DECORATION.exec(line.slice(own))?.[0].length ?? 0);
  const rest = line.slice(indent);
  if (rest === "") return isWhole ? (own > 0 ? { kind: "thought", length: own } : undefined) : WAIT;
  const found =
    labelMarker(rest, isWhole) ??
    wordMarker(rest, isWhole, TAGS, "tag") ??
    wordMarker(rest, isWhole, RESULT_ROLES, "result") ??
    wordMarker(rest, isWhole, ROLES, "role") ??
    callMarker(rest, isWhole, names);
  if (found === undefined) return own > 0 ? { kind: "thought", length: own } : undefined;
  return found === WAIT ? WAIT : { ...found, length: found.length + indent };
}

/** `[assistant]`, as the conversation has it before the model's own words. */
function afterOwnRole(line: string, isWhole: boolean): [typeof WAIT | undefined, number] {
  const lower = line.trimStart().slice(0, OWN_ROLE.length).toLowerCase();
  if (lower === OWN_ROLE) return [undefined, (/^\s*\[assistant\][ \t]*[:：]?[ \t]*/i.exec(line)?.[0] ?? "").length];
  return [!isWhole && lower !== "" && OWN_ROLE.startsWith(lower) ? WAIT : undefined, 0];
}

function fenceMarker(line: string, isWhole: boolean): Marker | typeof WAIT | undefined {
  if (isWhole)
    return /^[ \t]*(?:```|~~~)[ \t]*[\w-]*[ \t]*\r?$/.test(line) ? { kind: "fence", length: line.length } : undefined;
  return /^[ \t]*(?:`{1,2}|~{1,2}|(?:```|~~~)[ \t]*[\w-]*[ \t]*\r?)$/.test(line) ? WAIT : undefined;
}

const OBJECT_KEYS = ["action", "tool", "tool_name", "name", "function", "type", "thought"];
const MAX_OBJECT_KEY = 40;

/** `{"action": …`: the JSON that other agents have their models write. */
function objectMarker(text: string, ended: boolean): Marker | typeof WAIT | undefined {
  if (!/^[ \t]*\{/.test(text)) return undefined;
  const begin = text.slice(0, MAX_OBJECT_KEY);
  const [, key] = /^[ \t]*\{\s*["'](\w+)["']\s*:/.exec(begin) ?? [];
  if (key !== undefined) return OBJECT_KEYS.includes(key) ? { kind: "object", length: 0 } : undefined;
  const [, part] = /^[ \t]*\{\s*(?:["'](\w*)["']?\s*)?$/.exec(begin) ?? [undefined, undefined];
  const isPartial = /^[ \t]*\{\s*(?:["']\w*["']?\s*)?$/.test(begin) && text.length < MAX_OBJECT_KEY && !ended;
  return isPartial && OBJECT_KEYS.some(word => word.startsWith(part ?? "")) ? WAIT : undefined;
}

function labelMarker(rest: string, isWhole: boolean): Marker | typeof WAIT | undefined {
  const lower = rest.slice(0, MAX_LABEL).toLowerCase();
  let waits = false;
  for (const { kind, words } of LABELS) {
    for (const word of words) {
      if (!lower.startsWith(word)) {
        waits ||= word.startsWith(lower);
        continue;
      }
      const after = rest.slice(word.length, MAX_LABEL);
      const [colon] = /^[ \t]*(?:step )?\d{0,3}[ \t]*[*_]{0,2}[ \t]*[:：][*_]{0,2}[ \t]*/i.exec(after) ?? [];
      const length = word.length + (colon ?? "").length;
      // Marks of Markdown may follow the colon.
      if (colon !== undefined) return length < rest.length || isWhole ? { kind, length } : WAIT;
      waits ||= /^[ \t]*\d{0,3}[ \t]*[*_]{0,2}[ \t]*$/.test(after);
    }
  }
  return waits && !isWhole ? WAIT : undefined;
}

function wordMarker(
  rest: string,
  isWhole: boolean,
  words: readonly string[],
  kind: "tag" | "result" | "role",
): Marker | typeof WAIT | undefined {
  const lower = rest.slice(0, MAX_LABEL).toLowerCase();
  const found = words.find(word => lower.startsWith(word));
  if (found !== undefined) return { kind, length: found.length };
  return !isWhole && words.some(word => word.startsWith(lower)) ? WAIT : undefined;
}

/** `Read[{…`: a call without its label. */
function callMarker(rest: string, isWhole: boolean, names: ReadonlySet<string>): Marker | typeof WAIT | undefined {
  const [, name = "", after = ""] = /^([A-Za-z_]\w*)(.{0,3})/.exec(rest) ?? [];
  if (name === "") return undefined;
  const lower = name.toLowerCase();
  if (after === "") return !isWhole && [...names].some(known => known.startsWith(lower)) ? WAIT : undefined;
  if (!names.has(lower) || !/^[[(（【]/.test(after)) return undefined;
  const first = after.slice(1).trimStart();
  if (first === "") return isWhole ? undefined : WAIT;
  return /^[{"'“\]】]/.test(first) || lower === FINISH ? { kind: "call", length: 0 } : undefined;
}

/** what a model calls to end its work */
export const FINISH = "finish";

const CALL_WORDS = "(?:actions?|行动|动作|操作)";
const BEFORE_NAME = `[ \\t]*\\d{0,3}[ \\t]*[*_]{0,2}[ \\t]*[:：]`;
const inline = new RegExp(
  `(?<![A-Za-z])${CALL_WORDS}${BEFORE_NAME}[ \\t*_\`"']*([A-Za-z_][\\w.-]*)[*_\`"']*[ \\t]*([[({【（])[ \\t]*(\\{?)`,
  "gi",
);
const partial = new RegExp(
  `(?<![A-Za-z])(?:a|ac|act|acti|actio|行|动|操|${CALL_WORDS}(?:[ \\t]*\\d{0,3}[ \\t]*[*_]{0,2}[ \\t]*|${BEFORE_NAME}[ \\t*_\`"']*[\\w.-]{0,64}[*_\`"']*[ \\t]*[[({【（]?[ \\t]*))$`,
  "i",
);
const MAX_PARTIAL = 120;

/** An action in the middle of a line; its place, and how long its label is. */
export function inlineAction(line: string, names: ReadonlySet<string>): { at: number; length: number } | undefined {
  for (const found of line.matchAll(inline)) {
    const [whole, name = "", , brace] = found;
    if (!names.has(name.toLowerCase()) && !brace) continue;
    return { at: found.index, length: whole.search(/[:：]/) + 1 };
  }
  return undefined;
}

/** How much of the end of a line that has not come whole may be the beginning of an action. */
export function heldBack(line: string): number {
  const found = partial.exec(line.slice(-MAX_PARTIAL));
  return found ? found[0].length : 0;
}
