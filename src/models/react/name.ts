/** The name of an action, and what stands between it and its input. Pure. */
import { WAIT } from "./markers";

type NameStart = { skip: number } & ({ kind: "name"; name: string } | { kind: "object" | "none" });

/** What follows the label of an action. `skip`: so many characters, the name included */
export function readName(text: string, ended: boolean): NameStart | typeof WAIT {
  const [lead = ""] = /^[\s*_`"'“]*(?:json\s+)?/.exec(text) ?? [];
  const rest = text.slice(lead.length);
  if (rest === "" && !ended) return WAIT;
  if (rest.startsWith("{")) return { kind: "object", skip: lead.length };
  const [bracketed, inner] = /^\[\s*([A-Za-z_][\w.-]*)\s*\]/.exec(rest) ?? [];
  if (bracketed !== undefined && inner !== undefined)
    return { kind: "name", name: inner, skip: lead.length + bracketed.length };
  if (!ended && /^\[\s*[\w.-]*\s*$/.test(rest)) return WAIT;
  const [name] = /^[A-Za-z_][\w.-]*/.exec(rest) ?? [];
  if (name === undefined) return { kind: "none", skip: 0 };
  if (name.length === rest.length && !ended) return WAIT;
  return { kind: "name", name, skip: lead.length + name.length };
}

/** `length`: so many characters up to the input. `closer`: what ends it, "" an object alone, "\n" the line */
export type NameEnd = { length: number } & (
  | { kind: "input"; opener: string; closer: string }
  | { kind: "nothing" | "prose" }
);

const CLOSERS: Record<string, string> = { "[": "]", "(": ")", "【": "】", "（": "）", "［": "］" };
const INPUT_LABELS = [
  "action input",
  "input",
  "arguments",
  "args",
  "parameters",
  "参数",
  "输入",
  "行动输入",
  "动作输入",
];
const MAX_LABEL = 32;

/** What follows the name of an action. */
export function afterName(text: string, ended: boolean): NameEnd | typeof WAIT {
  const [between = ""] = /^["'”`*_]*[ \t]*(?:[:：]|->|=>|with input|with)?[ \t]*/.exec(text) ?? [];
  const rest = text.slice(between.length);
  if (rest === "" && !ended) return WAIT;
  const first = rest[0] ?? "";
  if (first === "{") return { kind: "input", opener: "", closer: "", length: between.length };
  const closer = CLOSERS[first];
  if (closer !== undefined) return { kind: "input", opener: first, closer, length: between.length + 1 };
  if (first !== "" && first !== "\n" && first !== "\r") return { kind: "prose", length: 0 };
  return onNextLine(text, between.length, ended);
}

/** `Action: Read`, and in the next line `Action Input: {…}`, or the object alone, in a code block perhaps. */
function onNextLine(text: string, from: number, ended: boolean): NameEnd | typeof WAIT {
  const rest = text.slice(from);
  const lower = rest
    .trimStart()
    .slice(0, MAX_LABEL)
    .replace(/^[*_]+/, "")
    .toLowerCase();
  if (lower === "" && !ended) return WAIT;
  const [labelled] =
    /^\s*[*_]*(?:action input|input|arguments|args|parameters|参数|输入|行动输入|动作输入)[ \t]*\d{0,3}[*_]*[ \t]*[:：][*_]*\s*(?:```\w*\s*)?/i.exec(
      rest,
    ) ?? [];
  if (labelled !== undefined) {
    const after = rest.slice(labelled.length);
    if (!ended && (after === "" || /^`{1,2}$/.test(after))) return WAIT;
    const isObject = after.startsWith("{");
    return { kind: "input", opener: "", closer: isObject ? "" : "\n", length: from + labelled.length };
  }
  const [block] = /^\s*(?:```\w*\s*)?(?=\{)/.exec(rest) ?? [];
  if (block !== undefined) return { kind: "input", opener: "", closer: "", length: from + block.length };
  const mayBeLabel = INPUT_LABELS.some(label => label.startsWith(lower) || /^\s*\d*[*_]*$/.test(without(lower, label)));
  if (!ended && (mayBeLabel || /^`{1,3}\w*\s*$/.test(lower))) return WAIT;
  return { kind: "nothing", length: from };
}

const without = (text: string, beginning: string): string =>
  text.startsWith(beginning) ? text.slice(beginning.length) : "-";
