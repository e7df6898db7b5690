/** Pictures and long texts of the message that is written: each has a place holder in its text, so that order, undo and drafts are the text's. */
import type { HeldThing, HeldThings, KeptPicture } from "../../../src/shared/attachProtocol";
import { plural } from "../../../src/shared/l10n";

/** characters of what a reload keeps */
const MAX_KEPT = 2_000_000;
/** A name is cut there. */
const MAX_NAME = 60;

export interface HeldPlace {
  /** the place holder */
  raw: string;
  thing: HeldThing;
}

export class HeldByComposer {
  /** By place holder. What left the text stays: an undo brings it back. */
  readonly #things: Map<string, HeldThing>;
  #count: number;

  /** @param kept over a reload of the window */
  constructor(kept: HeldThings | undefined) {
    this.#things = new Map(Object.entries(kept ?? {}));
    this.#count = this.#things.size;
  }

  /** What a session's draft holds, which comes back. */
  take(kept: HeldThings | undefined): void {
    for (const [raw, thing] of Object.entries(kept ?? {})) this.#things.set(raw, thing);
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

  /** The message as it is sent: long texts stand in it, pictures go along. */
  resolve(text: string): { text: string; pictures: KeptPicture[] } {
    const places = this.in(text);
    let whole = text;
    for (const { raw, thing } of places) if (thing.kind === "text") whole = whole.replaceAll(raw, () => thing.text);
    return { text: whole, pictures: places.flatMap(({ thing }) => (thing.kind === "picture" ? [thing.picture] : [])) };
  }

  /** What these texts need after a reload; the first that fit. */
  kept(texts: readonly string[]): HeldThings {
    const kept: HeldThings = {};
    let size = 0;
    for (const { raw, thing } of texts.flatMap(text => this.in(text))) {
      size += thing.kind === "text" ? thing.text.length : thing.thumb.length;
      if (size <= MAX_KEPT) kept[raw] = thing;
    }
    return kept;
  }
}

/** That of a picture goes to the model too; names have no brackets in them and nothing that hides. */
function placeHolder(thing: HeldThing, number: number): string {
  if (thing.kind === "picture") return `[Picture ${number}: ${thing.picture.path}]`;
  return `[${pastedWords(thing.text)} #${number}]`;
}

function pastedWords(text: string): string {
  const lines = text.trimEnd().split("\n").length;
  return plural(lines, "Pasted text, 1 line", "Pasted text, {0} lines");
}

/** A file's name as it may stand in a place holder. */
export const pictureName = (name: string) =>
  name
    .replace(/[\p{Cc}\p{Cf}[\]]/gu, "")
    .trim()
    .slice(-MAX_NAME) || "picture";
