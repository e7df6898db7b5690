/**
 * Pictures and long texts of the message that is written: each has a place holder in its text as it is kept and sent. Those of pictures
 * are at its end, and not in the box.
 */
import type { HeldThing, HeldThings, KeptPicture, MessageWords } from "../../../src/shared/attachProtocol";
import { pictureHolder, picturesIn, withoutPictures, withPictures } from "../../../src/shared/attachProtocol";
import { fenced } from "../../../src/shared/fences";
import { plural } from "../../../src/shared/l10n";
import { createListeners } from "../bridge/host";

/** A name is cut there. */
const MAX_NAME = 60;

export interface HeldPlace {
  /** the place holder */
  raw: string;
  thing: HeldThing;
}

export class HeldByComposer {
  /** By place holder. What left the text stays: an undo brings it back. */
  #things: Map<string, HeldThing>;
  /** Of pictures, in their order. */
  #attached: readonly string[] = [];
  readonly #changed = createListeners<void>();
  /** Pictures came or went, or the content of place holders came. */
  readonly onChange = this.#changed.on;
  #count: number;

  /** @param kept over a reload of the window */
  constructor(kept: HeldThings | undefined) {
    this.#things = new Map(Object.entries(kept ?? {}));
    this.#count = this.#things.size;
  }

  /** What the draft of the session that opens first holds. */
  take(kept: HeldThings | undefined): void {
    for (const [raw, thing] of Object.entries(kept ?? {})) this.#things.set(raw, thing);
    this.#changed.tell();
  }

  /** Behind the others. */
  attach(picture: HeldThing): void {
    this.#attached = [...this.#attached, this.hold(picture)];
    this.#changed.tell();
  }

  detach(holder?: string): void {
    this.#attached = holder === undefined ? [] : this.#attached.filter(each => each !== holder);
    this.#changed.tell();
  }

  get pictures(): number {
    return this.#attached.length;
  }

  /** What the box shows of a text: its pictures are attached. @param sent messages that it may be one of, the newest first */
  split(text: string, sent: readonly MessageWords[] = []): string {
    for (const { text: words, pictures = [] } of sent)
      for (const [holder, picture] of picturesIn(words, pictures))
        if (!this.#things.has(holder)) this.#things.set(holder, { kind: "picture", picture, thumb: "" });
    const { words, holders } = withoutPictures(text, holder => this.#things.get(holder)?.kind === "picture");
    this.#attached = [...new Set([...this.#attached, ...holders])];
    return words;
  }

  /** What the box shows, and its pictures. */
  join = (words: string) => withPictures(words, this.#attached);

  /** Another session comes with its draft. Pictures belong to the session in whose files they are. @param keeps long texts stay */
  turn(kept: HeldThings | undefined, keeps: boolean): void {
    const texts = keeps ? [...this.#things].filter(([, { kind }]) => kind === "text") : [];
    this.#things = new Map([...texts, ...Object.entries(kept ?? {})]);
    this.#attached = [];
  }

  /** @returns its place holder */
  hold(thing: HeldThing): string {
    let raw: string;
    do {
      this.#count += 1;
      raw = placeHolder(thing, this.#count);
    } while (this.#things.has(raw));
    this.#things.set(raw, thing);
    return raw;
  }

  /** Those that stand in the text, in its order. */
  in(text: string): HeldPlace[] {
    if (!text.includes("[")) return [];
    const found = [...this.#things].flatMap(([raw, thing]) => {
      const at = text.indexOf(raw);
      return at < 0 ? [] : [{ raw, thing, at }];
    });
    return found.sort((a, b) => a.at - b.at).map(({ raw, thing }) => ({ raw, thing }));
  }

  /** The message as it is sent: with long texts, fenced, since they may be anyone's words; pictures go along. */
  resolve(text: string): { text: string; pictures: KeptPicture[] } {
    const places = this.in(text);
    let whole = text;
    for (const { raw, thing } of places) if (thing.kind === "text") whole = withPasted(whole, raw, thing.text);
    return { text: whole, pictures: places.flatMap(({ thing }) => (thing.kind === "picture" ? [thing.picture] : [])) };
  }

  /** Characters of the long texts that stand in a text. */
  sizeIn(text: string): number {
    return this.in(text).reduce((sum, { thing }) => sum + (thing.kind === "text" ? thing.text.length : 0), 0);
  }

  /** Place holders without their content: another window's, or what a reload did not keep. */
  unknown(text: string): string[] {
    const found = [...text.matchAll(placeHolders())].map(([raw]) => raw);
    return found.filter(raw => !this.#things.has(raw));
  }

  /** What these texts need after a reload. */
  kept(texts: readonly string[]): HeldThings {
    return Object.fromEntries(texts.flatMap(text => this.in(text)).map(({ raw, thing }) => [raw, thing]));
  }
}

/** Lines of its own for what was pasted. */
function withPasted(text: string, raw: string, pasted: string): string {
  const block = fenced(pasted.trimEnd(), "", "`");
  return text.replaceAll(raw, (_, at: number) => {
    const [before, behind] = [text.slice(0, at), text.slice(at + raw.length)];
    return `${/(?:^|\n)[^\S\n]*$/.test(before) ? "" : "\n"}${block}${/^[^\S\n]*(?:\n|$)/.test(behind) ? "" : "\n"}`;
  });
}

/** That of a picture goes to the model too; names have no brackets in them and nothing that hides. */
const placeHolder = (thing: HeldThing, number: number) =>
  thing.kind === "text"
    ? `[${pastedWords(thing.text.trimEnd().split("\n").length)} #${number}]`
    : pictureHolder(number, thing.picture.path);

const pastedWords = (lines: number) => plural(lines, "Pasted text, 1 line", "Pasted text, {0} lines");

/** Any text that looks like one. */
function placeHolders(): RegExp {
  const pasted = [1, 2].map(lines => pastedWords(lines).replace(/\d/, "[\\d.,\\s]+"));
  return new RegExp(`\\[(?:Picture \\d+: [^[\\]\\n]{1,${MAX_NAME}}|(?:${pasted.join("|")}) #\\d+)\\]`, "g");
}

/** A file's name as it may stand in a place holder. */
export const pictureName = (name: string) =>
  name
    .replace(/[\p{Cc}\p{Cf}[\]]/gu, "")
    .trim()
    .slice(-MAX_NAME) || "picture";
