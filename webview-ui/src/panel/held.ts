/** Pictures and long texts of the message that is written: each has a place holder in its text, so that order, undo and drafts are the text's. */
import type { HeldThing, HeldThings, KeptPicture } from "../../../src/shared/attachProtocol";
import { fenced } from "../../../src/shared/fences";
import { plural } from "../../../src/shared/l10n";
import { pictureHolder } from "../../../src/shared/pictureHolders";
import { createListeners } from "../bridge/host";

/** characters of pasted texts that a reload keeps; pictures are small here, and few */
const MAX_KEPT = 2_000_000;
/** A name is cut there. */
const MAX_NAME = 60;

/** A picture on its way to the host: its place is there from the beginning. */
interface ReadingPicture {
  kind: "reading";
  path: string;
  /** it is a picture now, or was no good */
  done: Promise<void>;
}

export interface HeldPlace {
  /** the place holder */
  raw: string;
  thing: HeldThing | ReadingPicture;
}

type HeldPicture = Extract<HeldThing, { kind: "picture" }>;

export class HeldByComposer {
  /** By place holder. What left the text stays: an undo brings it back. */
  #things: Map<string, HeldPlace["thing"]>;
  /** place holders of what turned out to be no picture */
  readonly #failed = new Set<string>();
  readonly #taken = createListeners<void>();
  /** What place holders stand for came from elsewhere. */
  readonly onTaken = this.#taken.on;
  #count: number;

  /** @param kept over a reload of the window */
  constructor(kept: HeldThings | undefined) {
    this.#things = new Map<string, HeldPlace["thing"]>(Object.entries(kept ?? {}));
    this.#count = this.#things.size;
  }

  /** What the draft of the session that opens first holds. */
  take(kept: HeldThings | undefined): void {
    for (const [raw, thing] of Object.entries(kept ?? {})) {
      this.#things.set(raw, thing);
      this.#failed.delete(raw);
    }
    this.#taken.tell();
  }

  /** Another session comes with its draft. Pictures belong to the session in whose files they are. @param keeps long texts stay */
  turn(kept: HeldThings | undefined, keeps: boolean): void {
    const texts = keeps ? [...this.#things].filter(([, { kind }]) => kind === "text") : [];
    this.#things = new Map<string, HeldPlace["thing"]>([...texts, ...Object.entries(kept ?? {})]);
    this.#failed.clear();
  }

  /** @returns its place holder */
  hold(thing: HeldPlace["thing"]): string {
    let raw: string;
    do {
      this.#count += 1;
      raw = placeHolder(thing, this.#count);
    } while (this.#things.has(raw));
    this.#things.set(raw, thing);
    return raw;
  }

  /** Nothing where the person went to another session meanwhile. */
  wasRead(raw: string, picture: HeldPicture): void {
    if (this.#things.get(raw)?.kind === "reading") this.#things.set(raw, picture);
  }

  /** What was to be a picture is none: nothing of it is left. */
  wasNone(raw: string): void {
    this.#things.delete(raw);
    this.#failed.add(raw);
  }

  /** @returns the text once all of its pictures were read, without those that are none */
  async read(text: string): Promise<string> {
    for (const { thing } of this.in(text)) if (thing.kind === "reading") await thing.done;
    let left = text;
    for (const raw of this.#failed) left = left.replace(`${raw} `, "").replace(raw, "");
    return left.trim();
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

  /** The message as it is sent: long texts stand in it, fenced, since they may be anybody's words; pictures go along. */
  resolve(text: string): { text: string; pictures: KeptPicture[] } {
    const places = this.in(text);
    let whole = text;
    for (const { raw, thing } of places) if (thing.kind === "text") whole = withPasted(whole, raw, thing.text);
    return { text: whole, pictures: places.flatMap(({ thing }) => (thing.kind === "picture" ? [thing.picture] : [])) };
  }

  /** Characters of the long texts that stand in a text, where another one makes them too many for a reload to keep them all; else 0. */
  tooLongWith(text: string, added: string): number {
    let size = added.length;
    for (const { thing } of this.in(text)) if (thing.kind === "text") size += thing.text.length;
    return size > MAX_KEPT ? size : 0;
  }

  /** Place holders of what is not here: another window's, or what a reload did not keep. */
  unknown(text: string): string[] {
    const found = [...text.matchAll(placeHolders())].map(([raw]) => raw);
    return found.filter(raw => !this.#things.has(raw));
  }

  /** What these texts need after a reload; those that fit. */
  kept(texts: readonly string[]): HeldThings {
    const kept: HeldThings = {};
    let size = 0;
    for (const { raw, thing } of texts.flatMap(text => this.in(text))) {
      if (thing.kind === "reading") continue;
      const chars = thing.kind === "text" ? thing.text.length : 0;
      if (size + chars > MAX_KEPT) continue;
      size += chars;
      kept[raw] = thing;
    }
    return kept;
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
function placeHolder(thing: HeldPlace["thing"], number: number): string {
  if (thing.kind === "text") return `[${pastedWords(thing.text.trimEnd().split("\n").length)} #${number}]`;
  return pictureHolder(number, heldName(thing));
}

export const heldName = (picture: Exclude<HeldPlace["thing"], { kind: "text" }>) =>
  picture.kind === "picture" ? picture.picture.path : picture.path;

const pastedWords = (lines: number) => plural(lines, "Pasted text, 1 line", "Pasted text, {0} lines");

/** What looks like one, whatever it stands for. */
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
