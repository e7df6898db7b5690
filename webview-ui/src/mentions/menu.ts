/** The menu of a mention that is being typed: what it shows, and what choosing does to the text. Pure. */
import type { MentionCompletion, MentionItem } from "../../../src/shared/mentions/panelProtocol";
import { mentionUnderCursor, type TypedMention } from "../../../src/shared/mentions/typed";

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
function typedOn(menu: Menu | undefined, typed: TypedMention): Menu {
  if (menu === undefined || menu.typed.start !== typed.start) {
    return { typed, items: [], current: false, indexing: false, selected: 0 };
  }
  const isSame = menu.typed.query === typed.query;
  return { ...menu, typed, current: menu.current && isSame };
}

/** The answer to what is typed now. Asked again while files are still found, the choice stays on what was chosen. */
function answered(menu: Menu, { items, indexing }: MentionCompletion): Menu {
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
function moved(menu: Menu, key: string): Menu | undefined {
  const { length } = menu.items;
  if (length === 0 || !Object.hasOwn(steps, key)) return undefined;
  const { by, wraps } = steps[key as keyof typeof steps];
  const to = menu.selected + by;
  return { ...menu, selected: wraps ? (to + length) % length : Math.min(length - 1, Math.max(0, to)) };
}

interface Replacement {
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
export function chosen(
  text: string,
  { start, end }: TypedMention,
  { kind, mention, here, open }: MentionItem,
): Replacement {
  if (open || (kind === "folder" && !here)) {
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
function punctuatedBehind(before: string, text: string, caret: number | undefined): boolean {
  if (caret !== before.length + 1 || !text.startsWith(before)) return false;
  return "),.;:!?]}，。；：！？）」、".includes(text.charAt(before.length));
}

/** Whether lines follow (`src/a.ts:`, `Makefile:1`) and no path: only names of folders and servers have one behind their colon. */
function isBeforeLines({ query, quoted }: TypedMention, folders: readonly string[]): boolean {
  const colon = quoted ? -1 : query.indexOf(":");
  if (colon < 0 || folders.includes(query.slice(0, colon))) return false;
  return /[./]/.test(query.slice(0, colon)) || !/^\D(?:.*[^:])?$/.test(query.slice(colon + 1));
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

interface MenuDeps {
  /** undefined: refused */
  ask(query: string): Promise<MentionCompletion | undefined>;
  /** `caret` undefined: something is selected */
  text(): { text: string; caret: number | undefined };
  replace(replacement: Replacement): void;
  /** names of the workspace's folders */
  folders(): readonly string[];
  /** undefined: there is no menu */
  show(menu: Menu | undefined): void;
  /** Gives back what calls it off. */
  later(callback: () => void, ms: number): () => void;
}

/** While files are still found, it is asked again after this, ms. */
const AGAIN_MS = 400;
/** A key waits no longer than this for an answer, ms. */
const HELD_MS = 2_000;

export class MenuControl {
  #menu: Menu | undefined;
  /** number of the newest question: what is answered to older ones comes too late */
  #asked = 0;
  /** what stood before the mention that Esc closed the menu of */
  #dismissed: string | undefined;
  /** Enter or Tab came before the answer: what the key does where nothing is found, and what ends its wait */
  #held: { otherwise: (() => void) | undefined; callOff: () => void } | undefined;
  #choosing = false;
  /** the text up to the blank that the last choice put behind a mention that begins there, and with it */
  #blank: { before: string; start: number } | undefined;
  /** of the change that was told last */
  #caret: number | undefined;
  #callOff: (() => void) | undefined;
  /** names of servers that were chosen: what stands behind their colon is no line */
  readonly #servers = new Set<string>();

  constructor(private readonly deps: MenuDeps) {}

  /** @param opens somebody typed: what was there before, was pasted or put there opens nothing */
  textChanged(opens: boolean): void {
    if (this.#choosing) return;
    this.#release();
    if (opens) this.#dropBlank();
    const { text, caret } = this.deps.text();
    this.#caret = caret;
    if (this.#dismissed !== undefined && !text.startsWith(`${this.#dismissed}@`)) this.#dismissed = undefined;
    const found = caret === undefined ? undefined : mentionUnderCursor(text, caret);
    const names = [...this.deps.folders(), ...this.#servers];
    const typed = found && isBeforeLines(found, names) ? undefined : found;
    const goesOn = typed !== undefined && this.#menu?.typed.start === typed.start;
    if (typed === undefined || !(goesOn || opens) || text.slice(0, typed.start) === this.#dismissed) this.close();
    else this.#follow(typedOn(this.#menu, typed));
  }

  /** Told with keys too that moved nothing: what waits for an answer goes on waiting. */
  caretMoved(): void {
    if (this.#menu !== undefined && this.deps.text().caret !== this.#caret) this.textChanged(false);
  }

  /**
   * @param key a key without Ctrl, Shift, Alt
   * @param otherwise what the key does where nothing is found, once that is known
   * @returns whether the key is the menu's
   */
  key(key: string, otherwise: () => void): boolean {
    const menu = this.#menu;
    if (menu === undefined) return false;
    if (key === "Escape") return this.#dismiss(menu);
    if (key === "Enter" || key === "Tab") return this.#take(menu, key === "Enter" ? otherwise : undefined);
    const next = moved(menu, key);
    if (next === undefined) return false;
    this.#show(next);
    return true;
  }

  choose(item: MentionItem): void {
    const menu = this.#menu;
    if (menu === undefined) return;
    const replacement = chosen(this.deps.text().text, menu.typed, item);
    if (item.open) this.#servers.add(item.label.slice(0, item.label.indexOf(":")));
    this.#replace(replacement);
    this.close();
    if (replacement.open) this.textChanged(true);
    else if (replacement.blank) {
      this.#blank = { before: this.deps.text().text.slice(0, replacement.caret), start: replacement.start };
    }
  }

  close(): void {
    this.#asked += 1;
    this.#release();
    this.#callOff?.();
    if (this.#menu !== undefined) this.#show(undefined);
  }

  /** Punctuation that is typed next takes the blank's place, and opens nothing: the mention is over. */
  #dropBlank(): void {
    const blank = this.#blank;
    this.#blank = undefined;
    const { text, caret } = this.deps.text();
    if (blank === undefined || !punctuatedBehind(blank.before, text, caret)) return;
    const { length } = blank.before;
    this.#replace({ start: length - 1, end: length + 1, text: text.charAt(length), caret: length, open: false });
    this.#dismissed = text.slice(0, blank.start);
  }

  #replace(replacement: Replacement): void {
    this.#choosing = true;
    this.deps.replace(replacement);
    this.#choosing = false;
  }

  #follow(menu: Menu): void {
    const isAsked = this.#menu?.typed.start === menu.typed.start && this.#menu.typed.query === menu.typed.query;
    this.#show(menu);
    if (!isAsked) void this.#ask(menu.typed.query);
  }

  async #ask(query: string): Promise<void> {
    this.#asked += 1;
    const number = this.#asked;
    this.#callOff?.();
    const answer = await this.deps.ask(query);
    if (number !== this.#asked || this.#menu === undefined) return;
    if (answer === undefined) {
      this.#giveUp();
      return;
    }
    const menu = answered(this.#menu, answer);
    this.#show(menu);
    if (answer.indexing) this.#callOff = this.deps.later(() => void this.#ask(query), AGAIN_MS);
    const waits = this.#held !== undefined;
    const held = this.#release();
    if (waits) this.#takeNow(menu, held);
  }

  #dismiss(menu: Menu): true {
    this.#dismissed = this.deps.text().text.slice(0, menu.typed.start);
    this.close();
    return true;
  }

  /** What is chosen has to be of what is typed: the key waits for that. */
  #take(menu: Menu, otherwise: (() => void) | undefined): boolean {
    if (menu.current) return menu.items.length > 0 && this.#takeNow(menu, otherwise);
    if (this.#held) this.#held.otherwise = otherwise;
    else this.#held = { otherwise, callOff: this.deps.later(() => this.#giveUp(), HELD_MS) };
    return true;
  }

  /** There is no answer: the key that waits for one does what it does without a menu. */
  #giveUp(): void {
    const otherwise = this.#release();
    this.close();
    otherwise?.();
  }

  /** No key waits any more. @returns what the one that did does where nothing is found */
  #release(): (() => void) | undefined {
    const held = this.#held;
    this.#held = undefined;
    held?.callOff();
    return held?.otherwise;
  }

  /** Where nothing is found, or the whole mention stands there already, Enter is Enter. */
  #takeNow(menu: Menu, otherwise: (() => void) | undefined): true {
    const item = menu.items[menu.selected];
    if (item !== undefined && !(otherwise && this.#isWritten(menu, item))) this.choose(item);
    else {
      this.close();
      otherwise?.();
    }
    return true;
  }

  /** Of a folder, more may be meant: its files. */
  #isWritten({ typed: { start, end } }: Menu, { kind, mention, open }: MentionItem): boolean {
    return kind !== "folder" && !open && this.deps.text().text.slice(start, end) === mention;
  }

  #show(menu: Menu | undefined): void {
    this.#menu = menu;
    this.deps.show(menu);
  }
}
