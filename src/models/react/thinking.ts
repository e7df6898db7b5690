/** Servers that do not tell a model's thinking from its words leave its tags in them, at the head of an answer. Pure. */
import { WAIT } from "./markers";

export interface ThinkingTags {
  open: string;
  close: string;
}

const TAGS: readonly ThinkingTags[] = [
  ...["think", "Think", "THINK", "thinking", "thought", "thoughts", "reasoning", "seed:think", "mm:think"].map(tag => ({
    open: `<${tag}>`,
    close: `</${tag}>`,
  })),
  { open: "[THINK]", close: "[/THINK]" },
  { open: "◁think▷", close: "◁/think▷" },
  { open: "<|begin_of_thought|>", close: "<|end_of_thought|>" },
  { open: "<|START_THINKING|>", close: "<|END_THINKING|>" },
  { open: "<|channel>thought", close: "<channel|>" },
];
/** gpt-oss's, where its server does not read them. */
const HARMONY: ThinkingTags = { open: "<|channel|>analysis<|message|>", close: "<|end|>" };
/** What may stand between a thought and the words. */
const LEADS = [
  ...TAGS.map(({ close }) => close),
  ...["<|start|>assistant<|channel|>final<|message|>", "<|channel|>final<|message|>"],
];
/** So much blank space before a thought, and no more. */
const MAX_WAIT = 1_000;
const CLOSES = TAGS.map(({ close }) => close);

/** @returns so many characters begin it; undefined: the answer begins without */
export function beginsThinking(
  text: string,
  ended: boolean,
): { thinking: ThinkingTags; length: number } | typeof WAIT | undefined {
  const begun = text.trimStart();
  const thinking = [...TAGS, HARMONY].find(({ open }) => begun.startsWith(open));
  if (thinking) return { thinking, length: text.length - begun.length + thinking.open.length };
  return !ended && text.length < MAX_WAIT && [...TAGS, HARMONY].some(({ open }) => open.startsWith(begun))
    ? WAIT
    : undefined;
}

/** @returns how much of the beginning behind a thought only leads to the words */
export function leadLength(text: string, ended: boolean): number | typeof WAIT {
  const begun = text.trimStart();
  const lead = LEADS.find(each => begun.startsWith(each));
  if (lead !== undefined) return text.length - begun.length + lead.length;
  return !ended && text.length < MAX_WAIT && LEADS.some(each => each.startsWith(begun)) ? WAIT : 0;
}

/** @returns what is certain of it, and how much of `buffer` is done with */
export function readThinking(
  buffer: string,
  ended: boolean,
  { close }: ThinkingTags = { open: "<think>", close: "</think>" },
): { text: string; length: number; isEnd: boolean } {
  const end = buffer.indexOf(close);
  if (end >= 0) return { text: buffer.slice(0, end), length: end + close.length, isEnd: true };
  let length = buffer.length;
  for (let part = close.length - 1; part > 0 && !ended && length === buffer.length; part--)
    if (buffer.endsWith(close.slice(0, part))) length -= part;
  return { text: buffer.slice(0, length), length, isEnd: false };
}

/**
 * The end of a thought whose beginning is not in the answer: the model's template has it.
 * @param line what stands before `text` in its line; @returns the end of the thought, and how much of `text` is done with
 */
export function thoughtBefore(text: string, line: string): { text: string; length: number } | undefined {
  for (const close of CLOSES) {
    const at = text.indexOf(close);
    if (at < 0 || /["'`]$/.test(text.slice(0, at) || line)) continue;
    const isAlone = (line + text.slice(0, at)).trim() === "" || /^\s*(?:\n|$)/.test(text.slice(at + close.length));
    if (isAlone) return { text: text.slice(0, at), length: at + close.length };
  }
  return undefined;
}
