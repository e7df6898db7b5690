/** The menu of what is being typed: a mention or a command. It knows no page. */

export interface Piece {
  text: string;
  /** what was typed */
  matched: boolean;
}

/** What choosing an item makes of the text. */
export interface MenuReplacement {
  start: number;
  end: number;
  text: string;
  /** where the cursor stands then: UTF-16 offset in the whole text */
  caret: number;
  /** what is typed next has a menu, too: a folder was opened, a command may take words */
  open: boolean;
  /** a blank was put behind it, which punctuation takes the place of */
  blank?: true;
}

export interface MenuItem {
  /** as it stands in the text; no two items have the same */
  text: string;
  icon?: string;
  name: readonly Piece[];
  /** what may follow it */
  after?: string;
  hint: readonly Piece[];
  title: string;
  /** More may be meant than what stands there: Enter chooses it all the same. */
  opens?: boolean;
  choose(text: string, subject: MenuSubject): MenuReplacement;
}

export interface MenuAnswer {
  /** best first */
  items: readonly MenuItem[];
  /** asked again, there may be more */
  indexing: boolean;
}

/** What is being typed, as a source reads it. */
export interface MenuSubject {
  of: "mention" | "command";
  /** UTF-16 offsets of what a choice replaces */
  start: number;
  end: number;
  query: string;
  /** The menu goes on while this stays the same. */
  place: string;
  /** there at once; absent: what was found a moment ago stays in sight until the answer comes */
  known?: readonly MenuItem[];
  /** undefined: refused */
  ask?(): Promise<MenuAnswer | undefined>;
}

export interface Menu extends MenuAnswer {
  subject: MenuSubject;
  /** `items` are those of what is typed now */
  current: boolean;
  /** index into `items` */
  selected: number;
}

/** How far PageUp and PageDown go. */
const PAGE = 8;

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

/**
 * Whether punctuation was typed behind the blank that choosing put there: a sentence has none between them.
 * @param before the text up to that blank, and with it
 */
function punctuatedBehind(before: string, text: string, caret: number | undefined): boolean {
  if (caret !== before.length + 1 || !text.startsWith(before)) return false;
  return "),.;:!?]}，。；：！？）」、".includes(text.charAt(before.length));
}

interface MenuDeps {
  /** undefined: nothing that has a menu. @param caret undefined: something is selected */
  read(text: string, caret: number | undefined): MenuSubject | undefined;
  text(): { text: string; caret: number | undefined };
  replace(replacement: MenuReplacement): void;
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

  constructor(private readonly deps: MenuDeps) {}

  /** @param opens somebody typed: a mention that was there before, was pasted or put there opens nothing */
  textChanged(opens: boolean): void {
    if (this.#choosing) return;
    this.#release();
    if (opens) this.#dropBlank();
    const { text, caret } = this.deps.text();
    this.#caret = caret;
    if (this.#dismissed !== undefined && !text.startsWith(`${this.#dismissed}@`)) this.#dismissed = undefined;
    const subject = this.deps.read(text, caret);
    const mayOpen = opens || subject?.of !== "mention" || this.#menu?.subject.place === subject.place;
    if (subject === undefined || !mayOpen || text.slice(0, subject.start) === this.#dismissed) this.close();
    else this.#follow(subject);
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

  choose(item: MenuItem): void {
    const menu = this.#menu;
    if (menu === undefined) return;
    const replacement = item.choose(this.deps.text().text, menu.subject);
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

  #replace(replacement: MenuReplacement): void {
    this.#choosing = true;
    this.deps.replace(replacement);
    this.#choosing = false;
  }

  /** What is typed goes on, or something else began: what was found stays in sight until the answer to the new question is there. */
  #follow(subject: MenuSubject) {
    const before = this.#menu?.subject.place === subject.place ? this.#menu : undefined;
    if (before?.subject.query === subject.query) return this.#show({ ...before, subject });
    const { items = [], indexing = false, selected = 0 } = before ?? {};
    const { known } = subject;
    if (known) this.#show({ subject, items: known, indexing: false, current: true, selected: 0 });
    else this.#show({ subject, items, indexing, current: false, selected });
    this.#ask(subject);
  }

  #ask(subject: MenuSubject): void {
    this.#asked += 1;
    const number = this.#asked;
    this.#callOff?.();
    const { ask } = subject;
    const asking = async () => {
      const answer = await ask?.();
      if (number !== this.#asked || this.#menu === undefined) return;
      if (answer === undefined) this.#giveUp();
      else this.#answered(this.#menu, answer);
    };
    if (ask) void asking();
  }

  /** Asked again while files are still found, the choice stays on what was chosen. */
  #answered(before: Menu, { items, indexing }: MenuAnswer): void {
    const chosen = before.current ? before.items[before.selected]?.text : undefined;
    const at = items.findIndex(({ text }) => text === chosen);
    const menu = { subject: before.subject, items, indexing, current: true, selected: Math.max(0, at) };
    this.#show(menu);
    if (indexing) this.#callOff = this.deps.later(() => this.#ask(menu.subject), AGAIN_MS);
    const waits = this.#held !== undefined;
    const otherwise = this.#release();
    if (waits) this.#takeNow(menu, menu.items[0], otherwise);
  }

  /** What cannot be chosen from is not in the way. */
  #dismiss({ subject, items }: Menu): boolean {
    if (subject.of !== "mention" && items.length === 0) return false;
    // A command has its menu again with the next letter: the text may become a mention then.
    if (subject.of === "mention") this.#dismissed = this.deps.text().text.slice(0, subject.start);
    this.close();
    return true;
  }

  /** What is chosen has to be of what is typed: the key waits for that. */
  #take(menu: Menu, otherwise: (() => void) | undefined): boolean {
    if (menu.current) {
      const item = menu.items[menu.selected];
      return item !== undefined && this.#takeNow(menu, item, otherwise);
    }
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

  /** Where nothing is found, or the whole stands there already, Enter is Enter. */
  #takeNow({ subject }: Menu, item: MenuItem | undefined, otherwise: (() => void) | undefined): true {
    const written = this.deps.text().text.slice(subject.start, subject.end);
    if (item !== undefined && !(otherwise && !item.opens && item.text === written)) this.choose(item);
    else {
      this.close();
      otherwise?.();
    }
    return true;
  }

  #show(menu: Menu | undefined): void {
    this.#menu = menu;
    this.deps.show(menu);
  }
}
