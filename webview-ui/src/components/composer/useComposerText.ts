/** The composer's text: kept over reloads, taken when sent, given back when it could not be sent. */
import { type RefObject, useEffect, useState } from "react";
import type { Draft } from "../../../../src/shared/panelSnapshot";
import { insertAtCursor } from "../../mentions/places";
import { useListener, usePanel } from "../../panel/hooks";
import type { Compose, Panel } from "../../panel/panel";

/** `caret`: where a person types letter by letter */
type OnText = (text: string, caret?: number) => void;

/** @param onText called with every change; always the same function */
export function useComposerText(box: RefObject<HTMLTextAreaElement | null>, onText: OnText) {
  const panel = usePanel();
  const [empty, setEmpty] = useState(true);
  const [text] = useState(() => {
    const onChange: OnText = (text, caret) => {
      setEmpty(text.trim() === "");
      onText(text, caret);
    };
    return new ComposerText(box, panel, onChange);
  });
  useEffect(() => text.restore(), [text]);
  useListener("pagehide", text.save);
  useListener("focus", text.arrive);
  useListener("blur", text.leave);
  useEffect(() => panel.turned.on(({ draft, keeps }) => text.turn(draft, keeps)), [text, panel]);
  useEffect(() => panel.held.onChange(() => text.heldChanged()), [text, panel]);
  useEffect(() => panel.composed.on(message => text.compose(message)), [text, panel]);
  return { empty, text };
}

/** Who has the focus again so soon never left, ms. */
const BACK_MS = 200;
/** Typing is kept this often, ms; what a reload could lose. */
const SAVE_MS = 200;

class ComposerText {
  /** taken, and neither arrived nor given back: not lost on the way */
  #inFlight: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** what stood here stands in another composer of the session: an empty box says nothing about what is kept of it */
  #isElsewhere = false;
  /** what was put in last, and the whole text before and after it */
  #inserted = { text: "", before: "", after: "" };
  /** where the caret stood as the person came: what is typed since stands behind it */
  #arrival = 0;
  #leftAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly box: RefObject<HTMLTextAreaElement | null>,
    private readonly panel: Panel,
    private readonly onChange: OnText,
  ) {}

  /** Puts back what a reload kept, before what was typed until the script was there. */
  restore(): void {
    const { draft, inFlight } = this.panel.draft;
    this.#putBefore(paragraphs([...inFlight, draft]));
  }

  /**
   * Another session comes, with what was typed for it: what stands here is kept for the one that goes. What is on its way stays
   * here: where it cannot be sent, it is given back to whoever sent it.
   * @param keeps what stands here goes along
   */
  turn({ draft, inFlight, held }: Draft, keeps: boolean): void {
    clearTimeout(this.#timer);
    if (!this.#isElsewhere) this.panel.keepDraft({ draft: this.#value, inFlight: [] });
    this.#isElsewhere = false;
    // After it: place holders of two sessions may be alike.
    this.panel.held.turn(held, keeps);
    if (!keeps) this.put(paragraphs([...inFlight, draft]));
    else this.changed();
  }

  changed(caret?: number): void {
    if (this.#value !== "") this.#isElsewhere = false;
    else this.#arrival = 0;
    this.onChange(this.#value, caret);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.save, SAVE_MS);
  }

  /** @param typed letter by letter */
  input(typed: boolean): void {
    this.changed(typed ? this.box.current?.selectionEnd : undefined);
  }

  /** The whole text becomes this, cursor at its end; pictures stay, and those of the text come. */
  put(text: string): void {
    if (this.box.current === null) return;
    const words = this.#split(text);
    this.box.current.value = words;
    this.box.current.setSelectionRange(words.length, words.length);
    this.#arrival = words.length;
    this.changed();
  }

  heldChanged(): void {
    const { current } = this.box;
    const words = this.#split(current?.value ?? "");
    if (current !== null && current.value !== words) current.value = words;
    this.changed();
  }

  /** Takes pictures out, also those of a message that was sent. */
  #split(text: string): string {
    const sent = text.includes("[") ? this.panel.store.get().session.items.toReversed() : [];
    const messages = sent.filter(item => item.kind === "user");
    return this.panel.held.split(text, messages);
  }

  leave = (): void => {
    this.#leftAt = performance.now();
  };

  /** A command focuses the view once more, maybe while a person types in it. */
  arrive = (): void => {
    if (performance.now() - this.#leftAt < BACK_MS) return;
    this.#arrival = this.box.current?.selectionStart ?? 0;
  };

  compose({ op, text, focus }: Compose) {
    if (op === "moved") return this.#moveAway(text);
    if (op === "remove") {
      const { before, after } = this.#inserted;
      if (this.#value === text) this.#clear();
      else if (this.#inserted.text === text && this.#value === after) this.put(before);
      return;
    }
    if (op === "send") {
      if (this.#value.trim() === "") this.put(text);
      return;
    }
    if (op === "restore") this.#giveBack(text);
    else if (this.box.current !== null) {
      const before = this.#value;
      if (op === "insert") insertAtCursor(this.box.current, text);
      else this.#mention(this.box.current, text);
      this.#inserted = { text, before, after: this.#value };
    }
    this.heldChanged();
    if (focus) this.box.current?.focus();
  }

  /** Empties the box. The text stays remembered until `arrived` or `returned`. */
  take(): string {
    const text = this.panel.held.join(this.box.current?.value.trim() ?? "").trim();
    if (text === "") return "";
    this.#clear();
    this.#inFlight = [...this.#inFlight, text];
    this.save();
    return text;
  }

  arrived(text: string): void {
    const at = this.#inFlight.indexOf(text);
    this.#inFlight = this.#inFlight.filter((_, index) => index !== at);
    this.save();
  }

  returned(text: string): void {
    this.#giveBack(text);
    this.arrived(text);
  }

  /** As it is kept and sent, with place holders for its pictures. */
  get #value(): string {
    return this.panel.held.join(this.box.current?.value ?? "");
  }

  #clear(): void {
    if (this.box.current !== null) this.box.current.value = "";
    this.panel.held.detach();
  }

  /** The caret stays at what is being typed. */
  #mention(box: HTMLTextAreaElement, text: string): void {
    const { selectionStart, selectionEnd, value } = box;
    if (text.startsWith("@") && ` ${value} `.replace(/\s/g, " ").includes(` ${text.trim().replace(/\s/g, " ")} `))
      return;
    const at = Math.min(this.#arrival, selectionStart);
    box.setSelectionRange(at, at);
    insertAtCursor(box, text);
    const added = this.#value.length - value.length;
    box.setSelectionRange(selectionStart + added, selectionEnd + added);
    this.#arrival = at + added;
  }

  /** Without saving: what is kept is the other composer's. A text counts as it stands here and as it is sent. */
  #moveAway(text: string): void {
    const value = this.#value;
    if (value !== text && this.panel.held.resolve(value.trim()).text !== text) return;
    this.#clear();
    clearTimeout(this.#timer);
    this.#isElsewhere = true;
  }

  /** The caret stays at what is being typed; without a text the box is left alone: an input method may be composing in it. */
  #putBefore(text: string): void {
    const typed = this.#value;
    if (text === "") this.changed();
    else if (typed === "") this.put(text);
    else {
      const { selectionStart = typed.length, selectionEnd = typed.length } = this.box.current ?? {};
      const whole = paragraphs([text, typed]);
      const before = whole.length - typed.length;
      this.put(whole);
      this.#arrival = before;
      this.box.current?.setSelectionRange(before + selectionStart, before + selectionEnd);
    }
  }

  /** What could not be sent comes first, what was typed meanwhile stays behind it. */
  #giveBack(text: string): void {
    this.put(paragraphs([text, this.#value]));
  }

  save = (): void => {
    clearTimeout(this.#timer);
    if (!this.#isElsewhere) this.panel.keepDraft({ draft: this.#value, inFlight: [...this.#inFlight] });
  };
}

const paragraphs = (texts: readonly string[]) => texts.filter(text => text !== "").join("\n\n");
