/** The menu of a mention that is being typed: what it shows, and what choosing does to the text. Pure. */
import type { TypedMention } from "../../../src/core/mentions/composerMention";
import type { MentionCompletion, MentionItem } from "../../../src/shared/panelMentions";

export interface Menu {
  typed: TypedMention;
  items: readonly MentionItem[];
  /** `items` are those of what is typed now; else they are of what was typed a moment ago */
  current: boolean;
  indexing: boolean;
  /** index into `items` */
  selected: number;
}

/** How far PageUp and PageDown go. */
const PAGE = 8;

/** The mention goes on, or another one began: what was found stays in sight until the answer to the new question is there. */
export function typedOn(menu: Menu | undefined, typed: TypedMention): Menu {
  if (menu === undefined || menu.typed.start !== typed.start) {
    return { typed, items: [], current: false, indexing: false, selected: 0 };
  }
  const isSame = menu.typed.query === typed.query;
  return { ...menu, typed, current: menu.current && isSame };
}

/** The answer to what is typed now. Asked again while files are still found, the choice stays on what was chosen. */
export function answered(menu: Menu, { items, indexing }: MentionCompletion): Menu {
  const chosen = menu.current ? menu.items[menu.selected]?.mention : undefined;
  const at = items.findIndex(({ mention }) => mention === chosen);
  return { ...menu, items, indexing, current: true, selected: Math.max(0, at) };
}

const steps = {
  ArrowDown: { by: 1, wraps: true },
  ArrowUp: { by: -1, wraps: true },
  PageDown: { by: PAGE, wraps: false },
  PageUp: { by: -PAGE, wraps: false },
};

/** undefined: the key does not move the choice */
export function moved(menu: Menu, key: string): Menu | undefined {
  const { length } = menu.items;
  if (length === 0 || !Object.hasOwn(steps, key)) return undefined;
  const { by, wraps } = steps[key as keyof typeof steps];
  const to = menu.selected + by;
  return { ...menu, selected: wraps ? (to + length) % length : Math.min(length - 1, Math.max(0, to)) };
}

export interface Replacement {
  start: number;
  end: number;
  text: string;
  /** where the cursor stands then: UTF-16 offset in the whole text */
  caret: number;
  /** the mention goes on: a folder was opened */
  open: boolean;
  /** a blank was put behind it, which punctuation takes the place of */
  blank?: true;
}

/** What choosing an item makes of the text. A blank follows a whole mention, unless one is there or the text goes on. */
export function chosen(text: string, { start, end }: TypedMention, { kind, mention, here }: MentionItem): Replacement {
  if (kind === "folder" && !here) {
    const caret = start + mention.length - (mention.endsWith('"') ? 1 : 0);
    return { start, end, text: mention, caret, open: true };
  }
  const next = text.charAt(end);
  const takesBlank = next === "" || next === " " || next === "\n";
  const written = takesBlank ? `${mention} ` : mention;
  const caret = start + written.length;
  if (next === " ") return { start, end: end + 1, text: written, caret, open: false };
  return { start, end, text: written, caret, open: false, ...(takesBlank ? { blank: true } : {}) };
}

/**
 * Whether punctuation was typed behind the blank that choosing put there: a sentence has none between them.
 * @param before the text up to that blank, and with it
 */
export function punctuatedBehind(before: string, text: string, caret: number | undefined): boolean {
  if (caret !== before.length + 1 || !text.startsWith(before)) return false;
  return "),.;:!?]}，。；：！？）」、".includes(text.charAt(before.length));
}

/** Whether lines follow (`src/a.ts:`) and no path: only a folder's name has one behind its colon. */
export function isBeforeLines({ query, quoted }: TypedMention, folders: readonly string[]): boolean {
  const colon = quoted ? -1 : query.indexOf(":");
  return colon >= 0 && !folders.includes(query.slice(0, colon));
}

export interface Piece {
  text: string;
  matched: boolean;
}

/** A path as its name and the folder around it (`hint`: "" where there is none), each in pieces of what was typed or not. */
export function pathPieces(label: string, positions: readonly number[]): { name: Piece[]; hint: Piece[] } {
  const whole = label.replace(/\/$/, "");
  const cut = Math.max(whole.lastIndexOf("/"), whole.indexOf(":")) + 1;
  const matched = new Set(positions);
  return { name: pieces(whole, cut, whole.length, matched), hint: pieces(whole, 0, Math.max(0, cut - 1), matched) };
}

function pieces(text: string, from: number, to: number, matched: ReadonlySet<number>): Piece[] {
  const found: Piece[] = [];
  for (let at = from; at < to; ) {
    const isMatch = matched.has(at);
    let end = at + 1;
    while (end < to && matched.has(end) === isMatch) end++;
    found.push({ text: text.slice(at, end), matched: isMatch });
    at = end;
  }
  return found;
}
