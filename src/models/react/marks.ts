/** What begins a call, a thought or a step of the protocol in the text of an answer, where it may not have come whole. Pure. */

/** More of the text decides. */
export const WAIT = "wait";

/** what a model calls to end its work */
export const isFinish = (name: string): boolean => /^(?:finish|final[ _]answer)$/i.test(name);

/** Before tags, in the dialects of Claude, MiniMax, Seed and DeepSeek. */
export const DIALECT = "(?:antml:|minimax:|seed:|longcat_|[｜|]DSML[｜|])?";

/** The rest of a tag behind `<tool_call` and its kin. */
const REST = "[\\w▁]{0,24}(?:[|｜]|\\s[^>\\n]{0,80})?>";
/** What begins a call anywhere: no text has it. */
const TOKEN = `<[|｜]tool[_▁]call${REST}|<\\|function_call${REST}|<\\|(?:python_tag|action_start|START_ACTION|plugin)\\|>|<\\|channel\\|>commentary to=`;
/** A JSON object or list of such that names a tool, perhaps in a code block, or code that calls one. */
const OBJECT =
  '(?=[[{`])(?:```(?:json|tool_call|tool_code|tool|xml)?\\s*)?\\[?\\s*\\{\\s*"(?:name|tool|tool_name|function|function_call|type|action|tool_calls?|arguments|parameters|thought)"\\s*:|```tool_code\\s*\\n?\\s*(?:print\\()?[A-Za-z_][\\w.]*\\(';
const TAG = `<${DIALECT}(?:tool_call|function_call|functioncall|tool_use|TOOLCALL|invoke)${REST}|<function(?:=| name=)|\\[TOOL_CALLS\\]`;
const anywhere = new RegExp(`^(?:${TOKEN})`);
const atLine = new RegExp(`^[ \\t]{0,3}(?:${TOKEN}|${TAG}|${OBJECT})`);

/** Whether a call begins with the text, in any protocol. */
export function beginsCall(text: string, { isLine, names }: MarkPlace): boolean {
  if (!isLine) return anywhere.test(text);
  const [, name = ""] = /^[ \t]{0,3}<([^<>\s]+)>/.exec(text) ?? [];
  return names.includes(name) || atLine.test(text);
}

/** An open tag, or at a line's beginning a block of code or JSON: more text decides. */
export const isOpen = (text: string, isLine: boolean): boolean =>
  /^(?:<\/?[\w:|｜▁]{0,32}|<\|[^\n]{0,48}|◁[^▷\n]{0,12}|\[\/?[A-Z]{0,5})$/.test(text) ||
  (isLine && /^[ \t]{0,3}(?:<(?:[\w:/|｜▁][^>\n]{0,120})?|[[{`].{0,64})$/s.test(text));

export type StepMark =
  | { kind: "thought" | "action" | "result" | "role"; length: number }
  /** The words for the user follow; `closer` ends them, where it does */
  | { kind: "final"; length: number; closer: string };

const COLON = "[ \\t]*(?:step )?\\d{0,3}[ \\t]*[*_]{0,2}[ \\t]*[:：][*_]{0,2}[ \\t]*";
const label = (words: string) => `[ \\t>*_#-]*(?:\\[assistant\\][ \\t]*[:：]?[ \\t]*)?[*_]*(?:${words})${COLON}`;

/** The label of an action. */
export const ACTION = label("actions?|行动|动作|操作");
const RESULT = label("observations?|tool (?:result|response)|观察(?:结果)?|工具结果");
const steps: readonly [StepMark["kind"], RegExp][] = [
  ["action", new RegExp(`^${ACTION}`, "i")],
  ["thought", new RegExp(`^${label("thoughts?|思考|想法|思路")}`, "i")],
  ["final", new RegExp(`^${label("final (?:answer|response)|最终(?:答案|回答|回复)")}`, "i")],
  ["result", new RegExp(`^(?:${RESULT}|\\s*\\[tool[_ \\]])`, "i")],
  ["role", /^[ \t]*(?:\[(?:user|human|system)\]|<\||<(?:tool_response|observation)>)/i],
  ["thought", /^[ \t]*\[assistant\][ \t]*[:：]?[ \t]*(?=\S)/i],
];
const ACTIONS = ["action", "行动", "动作", "操作"];
const LABELS = [
  ...[...ACTIONS, "thought", "思考", "想法", "思路"],
  ...["final answer", "final response", "最终答案", "最终回答", "最终回复", "finish"],
  ...["observation", "观察", "工具结果", "tool result", "tool response", "[assistant]", "[tool", "[user]", "[human]"],
  ...["[system]", "<|", "<tool_response>", "<observation>"],
];
/** characters of a line that decide */
const MAX_LABEL = 40;
const FINAL =
  /^[\s*_`"'“]*(?:finish|final[ _]answer)(?!\w)["'”`*_]*\s*(?:([[({（【])|[*_]*(?:action )?input[ \t]*[:：][ \t]*)?/i;
const CLOSERS: Record<string, string> = { "[": "]", "(": ")", "（": "）", "【": "】" };

interface MarkPlace {
  /** at a line's beginning; else behind a sentence or in one */
  isLine: boolean;
  ended: boolean;
  names: readonly string[];
}

/** The step of the protocol that begins with the text; undefined: none, it is text. Behind a sentence only an action may stand. */
export function beginsStep(text: string, { isLine, ended, names }: MarkPlace): StepMark | typeof WAIT | undefined {
  const [kind, sign] = (isLine ? steps : steps.slice(0, 1)).find(([, each]) => each.test(text)) ?? [];
  if (kind === undefined || sign === undefined) {
    const bare = isLine ? bareCall(text, ended, names) : undefined;
    return bare ?? openLabel(text, ended, isLine ? [...LABELS, ...names] : ACTIONS);
  }
  const length = sign.exec(text)?.[0].length ?? 0;
  const rest = text.slice(length);
  // Marks of Markdown may follow the colon.
  if (!ended && /^[ \t*_]*$/.test(rest)) return WAIT;
  if (kind === "final") return { kind, length, closer: "" };
  return kind === "action" ? action(rest, length, ended) : { kind, length };
}

function action(rest: string, length: number, ended: boolean): StepMark | typeof WAIT {
  if (!ended && /^[\s*_`"'“]*(?:[a-z_][\w.-]*["'”`*_]*\s*)?$/i.test(rest)) return WAIT;
  const [whole, opener = ""] = FINAL.exec(rest) ?? [];
  if (whole === undefined) return { kind: "action", length };
  const behind = rest.slice(whole.length);
  if (!ended && opener === "" && !/[:：]\s*$/.test(whole) && /^[*_]*[a-z ]{0,13}$/i.test(behind)) return WAIT;
  return { kind: "final", length: length + whole.length, closer: CLOSERS[opener] ?? "" };
}

/** `Read[{…`: a call without its label. */
function bareCall(text: string, ended: boolean, names: readonly string[]): StepMark | typeof WAIT | undefined {
  const [whole, name = "", opener = "", first = ""] =
    /^[\s>*_#`"'-]*([A-Za-z_]\w*)\s?([[(（【])\s*(\S?)/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (isFinish(name)) return { kind: "final", length: whole.length - first.length, closer: CLOSERS[opener] ?? "" };
  if (!names.some(each => each.toLowerCase() === name.toLowerCase())) return undefined;
  if (first === "") return ended ? undefined : WAIT;
  return /[{"'“\]】]/.test(first) ? { kind: "action", length: 0 } : undefined;
}

function openLabel(text: string, ended: boolean, labels: readonly string[]): typeof WAIT | undefined {
  if (ended || text === "" || text.length > 4 * MAX_LABEL || text.includes("\n")) return undefined;
  const line = text.replace(/^[\s>*_#`"'“-]*/, "").toLowerCase();
  if (line.length > MAX_LABEL) return undefined;
  return labels.some(each => each.toLowerCase().startsWith(line) || line.startsWith(each.toLowerCase()))
    ? WAIT
    : undefined;
}

export type ThinkingTags = { open: string; close: string };

const NAMES = ["think", "Think", "THINK", "thinking", "thought", "thoughts", "reasoning", "seed:think", "mm:think"];
const TAGS: readonly ThinkingTags[] = [
  ...NAMES.map(tag => ({ open: `<${tag}>`, close: `</${tag}>` })),
  { open: "[THINK]", close: "[/THINK]" },
  { open: "◁think▷", close: "◁/think▷" },
  { open: "<|begin_of_thought|>", close: "<|end_of_thought|>" },
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>" },
  { open: "<|channel>thought", close: "<channel|>" },
  // gpt-oss's, where its server does not read them
  { open: "<|channel|>analysis<|message|>", close: "<|end|>" },
];
/** What leads from a thought to the words. */
const LEADS = ["<|start|>assistant<|channel|>final<|message|>", "<|channel|>final<|message|>"];
const MARKS = [
  ...TAGS.map(tags => ({ mark: tags.open, kind: "begin", tags }) as const),
  ...TAGS.map(tags => ({ mark: tags.close, kind: "end", tags }) as const),
  ...LEADS.map(mark => ({ mark, kind: "lead", tags: { open: "", close: "" } }) as const),
];
const SENTENCE_END = /[.!?…。！？]["'”’)）]?[ \t]*$/;

/**
 * Whether a thought begins or ends with the text. A tag is one at a line's beginning, and where no word could be: people who write of
 * tags put spaces around them, or quotes. An end without a beginning ends all that was said: the template had it. `line`: so far.
 */
export function thoughtMark(
  text: string,
  ended: boolean,
  { line, said, hasThought }: { line: string; said: string; hasThought: boolean },
): { kind: "begin" | "end" | "lead"; length: number; tags: ThinkingTags } | typeof WAIT | undefined {
  const found = MARKS.find(({ mark }) => text.startsWith(mark));
  if (!found) return undefined;
  const { mark, kind, tags } = found;
  const behind = text.slice(mark.length);
  const isDue = line.trim() === "";
  if (kind === "lead") return hasThought && isDue ? { kind, length: mark.length, tags } : undefined;
  if (kind === "end" && hasThought && isDue) return { kind: "lead", length: mark.length, tags };
  const isMark =
    kind === "begin"
      ? said.trim() === "" || ((isDue || SENTENCE_END.test(line)) && stands(behind, ended, /^[^ \t]/))
      : !hasThought &&
        !said.includes(tags.open) &&
        (isDue || stands(behind, ended, /\s$/.test(line) ? /^\s*\n/ : /^(?:\S|\s*\n)/));
  if (isMark === WAIT) return WAIT;
  return isMark ? { kind, length: mark.length, tags } : undefined;
}

/** Whether what follows a tag is as it must be; blanks alone do not tell. */
const stands = (behind: string, ended: boolean, wanted: RegExp): boolean | typeof WAIT =>
  wanted.test(behind) || (behind.trim() === "" ? ended || WAIT : false);

/** @returns the certain part of a thought, and the length in `buffer` that is done with */
export function readThinking(buffer: string, ended: boolean, { close }: ThinkingTags) {
  const end = buffer.indexOf(close);
  if (end >= 0) return { text: buffer.slice(0, end), length: end + close.length, isEnd: true };
  let length = buffer.length;
  for (let part = close.length - 1; part > 0 && !ended && length === buffer.length; part--)
    if (buffer.endsWith(close.slice(0, part))) length -= part;
  return { text: buffer.slice(0, length), length, isEnd: false };
}
