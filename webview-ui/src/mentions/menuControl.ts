/** What the menu of mentions does with keys, text and answers. It knows no page: whoever shows it hands those in. */
import { mentionUnderCursor } from "../../../src/core/mentions/composerMention";
import type { MentionCompletion, MentionItem } from "../../../src/shared/panelMentions";
import { answered, chosen, isBeforeLines, type Menu, moved, punctuatedBehind, type Replacement, typedOn } from "./menu";

export interface MenuDeps {
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
  #held: { otherwise: () => void; callOff: () => void } | undefined;
  #choosing = false;
  /** the text up to the blank that the last choice put behind a mention that begins there, and with it */
  #blank: { before: string; start: number } | undefined;
  /** of the change that was told last */
  #caret: number | undefined;
  #callOff: (() => void) | undefined;

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
    const typed = found && isBeforeLines(found, this.deps.folders()) ? undefined : found;
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
    if (key === "Enter" || key === "Tab") return this.#take(menu, key === "Enter" ? otherwise : () => undefined);
    const next = moved(menu, key);
    if (next === undefined) return false;
    this.#show(next);
    return true;
  }

  choose(item: MentionItem): void {
    const menu = this.#menu;
    if (menu === undefined) return;
    const replacement = chosen(this.deps.text().text, menu.typed, item);
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
    const held = this.#release();
    if (held !== undefined) this.#takeNow(menu, held);
  }

  #dismiss(menu: Menu): true {
    this.#dismissed = this.deps.text().text.slice(0, menu.typed.start);
    this.close();
    return true;
  }

  /** What is chosen has to be of what is typed: the key waits for that. */
  #take(menu: Menu, otherwise: () => void): boolean {
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

  #takeNow(menu: Menu, otherwise: () => void): true {
    const item = menu.items[menu.selected];
    if (item !== undefined) this.choose(item);
    else {
      this.close();
      otherwise();
    }
    return true;
  }

  #show(menu: Menu | undefined): void {
    this.#menu = menu;
    this.deps.show(menu);
  }
}
