/** Servers that do not tell a model's thinking from its words leave its tags in them, at the head of an answer. Pure. */
import { WAIT } from "./markers";

const OPEN = "<think>";
const CLOSE = "</think>";

/** @returns so many characters begin it; 0: the answer begins without */
export function beginsThinking(text: string, ended: boolean): number | typeof WAIT {
  const begun = text.trimStart();
  if (!ended && begun.length < OPEN.length && OPEN.startsWith(begun)) return WAIT;
  return begun.startsWith(OPEN) ? text.length - begun.length + OPEN.length : 0;
}

/** @returns what is certain of it, and how much of `buffer` is done with */
export function readThinking(buffer: string, ended: boolean): { text: string; length: number; isEnd: boolean } {
  const end = buffer.indexOf(CLOSE);
  if (end >= 0) return { text: buffer.slice(0, end), length: end + CLOSE.length, isEnd: true };
  let length = buffer.length;
  for (let part = CLOSE.length - 1; part > 0 && !ended && length === buffer.length; part--)
    if (buffer.endsWith(CLOSE.slice(0, part))) length -= part;
  return { text: buffer.slice(0, length), length, isEnd: false };
}
