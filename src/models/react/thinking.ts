/** Servers that do not tell a model's thinking from its words leave its tags in them. Pure. */
import { WAIT } from "./marks";

export interface ThinkingTags {
  open: string;
  close: string;
}

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
  ...TAGS.flatMap(tags => [
    { mark: tags.open, kind: "begin", tags } as const,
    { mark: tags.close, kind: "end", tags } as const,
  ]),
  ...LEADS.map(mark => ({ mark, kind: "lead", tags: { open: "", close: "" } }) as const),
];
const SENTENCE_END = /[.!?…。！？]["'”’)）]?[ \t]*$/;

interface ThoughtMark {
  kind: "begin" | "end" | "lead";
  length: number;
  tags: ThinkingTags;
}

interface SpokenText {
  /** of the line so far */
  line: string;
  said: string;
  hasThought: boolean;
}

/**
 * Whether a thought begins or ends with the text. A tag is one at a line's beginning, and where no word could be: people who write of
 * tags put spaces around them, or quotes. An end without a beginning ends all that was said: the template had the beginning.
 */
export function thoughtMark(
  text: string,
  ended: boolean,
  { line, said, hasThought }: SpokenText,
): ThoughtMark | typeof WAIT | undefined {
  const found = MARKS.find(({ mark }) => text.startsWith(mark));
  if (!found) return !ended && text !== "" && MARKS.some(({ mark }) => mark.startsWith(text)) ? WAIT : undefined;
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

/** @returns what is certain of a thought, and how much of `buffer` is done with */
export function readThinking(
  buffer: string,
  ended: boolean,
  { close }: ThinkingTags,
): { text: string; length: number; isEnd: boolean } {
  const end = buffer.indexOf(close);
  if (end >= 0) return { text: buffer.slice(0, end), length: end + close.length, isEnd: true };
  let length = buffer.length;
  for (let part = close.length - 1; part > 0 && !ended && length === buffer.length; part--)
    if (buffer.endsWith(close.slice(0, part))) length -= part;
  return { text: buffer.slice(0, length), length, isEnd: false };
}
