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

/** Where a thought begins or ends among words. */
export interface ThoughtMark {
  at: number;
  /** "open": what stands there may become one with more of it */
  kind: "begin" | "end" | "open";
  length: number;
  tags: ThinkingTags;
}

const MARKS = TAGS.flatMap(tags => [
  { mark: tags.open, kind: "begin", tags } as const,
  { mark: tags.close, kind: "end", tags } as const,
]);
const SENTENCE_END = /[.!?…。！？]["'”’)）]?[ \t]*$/;

/**
 * The first of them in a text. A tag is one where it stands at a line's beginning, and where no word could: people who write of tags put
 * spaces around them, or quotes. An end without a beginning ends all that was said: the model's template had the beginning.
 * @param before what stands before `text`, as far as it matters: its line, and whether a thought's beginning was spoken of
 */
export function thoughtMark(
  text: string,
  ended: boolean,
  { line, hasThought, said }: { line: string; hasThought: boolean; said: string },
): ThoughtMark | undefined {
  for (let at = text.search(FIRST); at >= 0; at = next(text, at)) {
    const rest = text.slice(at);
    const found = MARKS.find(({ mark }) => rest.startsWith(mark));
    if (!found) {
      const partial = ended ? undefined : MARKS.find(({ mark }) => mark.startsWith(rest));
      if (partial) return { at, kind: "open", length: rest.length, tags: partial.tags };
      continue;
    }
    const { mark, kind, tags } = found;
    const [lead, behind] = [line + text.slice(0, at), rest.slice(mark.length)];
    const isDue = lead.slice(lead.lastIndexOf("\n") + 1).trim() === "";
    const isMark =
      kind === "begin"
        ? (isDue || SENTENCE_END.test(lead)) && stands(behind, ended, /^[^ \t]/)
        : !hasThought &&
          !(said + lead).includes(tags.open) &&
          (isDue || stands(behind, ended, /\s$/.test(lead) ? /^\s*\n/ : /^(?:\S|\s*\n)/));
    if (isMark === WAIT) return { at, kind: "open", length: rest.length, tags };
    if (isMark) return { at, kind, length: mark.length, tags };
  }
  return undefined;
}

const FIRST = /[<[◁]/;
const next = (text: string, at: number): number => {
  const found = text.slice(at + 1).search(FIRST);
  return found < 0 ? -1 : at + 1 + found;
};

/** Whether what follows a tag is as it must be; blanks alone do not tell. */
const stands = (behind: string, ended: boolean, wanted: RegExp): boolean | typeof WAIT =>
  wanted.test(behind) || (behind.trim() === "" ? ended || WAIT : false);
