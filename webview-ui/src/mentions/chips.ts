/** The chips of what the composer's text mentions, and what the host says of each. It knows no page. */

import type { MentionState } from "../../../src/shared/findProtocol";
import {
  attachmentKind,
  certain,
  type Mention,
  parseMentions,
  shorterReadings,
} from "../../../src/shared/mentions/parse";
import type { HeldPlace } from "../panel/held";

export interface Chip extends MentionPlace {
  /** undefined: not known yet */
  state: MentionState | undefined;
  /** a picture, or a pasted text, that stands in the text by a place holder; absent: a mention */
  thing?: HeldPlace["thing"];
}

export const heldChip = ({ raw, thing }: HeldPlace): Chip => ({
  raw,
  thing,
  path: thing.kind === "text" ? raw.slice(1, -1) : thing.picture.path,
  state: undefined,
});

interface ChipsDeps {
  /** The states of mentions, in their order; undefined: not known now */
  ask(mentions: string[]): Promise<readonly MentionState[] | undefined>;
  show(chips: readonly Chip[]): void;
  /** Gives back what calls it off. */
  later(callback: () => void, ms: number): () => void;
}

/** Typing goes on for less than this, ms, before the host is asked. */
const ASK_MS = 150;
/** A text that names more has been pasted; the rest is found out when it is sent. */
const MAX_CHIPS = 500;

export class Chips {
  #mentioned: readonly MentionPlace[] = [];
  readonly #states = new Map<string, MentionState>();
  #asked = 0;
  #callOff: (() => void) | undefined;

  constructor(private readonly deps: ChipsDeps) {}

  /** Shows nothing anew where the same is mentioned. @param caret where somebody types */
  textChanged(text: string, caret?: number): void {
    const mentioned = mentionedIn(text, caret).slice(0, MAX_CHIPS);
    if (sameNames(mentioned, this.#mentioned)) return;
    this.#mentioned = mentioned;
    this.#show();
    if (mentioned.length === 0) this.#callOff?.();
    else if (mentioned.some(({ raw }) => !this.#states.has(raw))) this.#askSoon();
  }

  /** What they name may have changed. */
  filesChanged(): void {
    if (this.#mentioned.length > 0) this.#askSoon();
    else this.#states.clear();
  }

  dispose(): void {
    this.#callOff?.();
  }

  #askSoon(): void {
    this.#callOff?.();
    this.#callOff = this.deps.later(() => void this.#ask(), ASK_MS);
  }

  async #ask(): Promise<void> {
    this.#asked += 1;
    const number = this.#asked;
    const names = [
      ...new Set(this.#mentioned.flatMap(({ raw, shorter = [] }) => [raw, ...shorter.map(one => one.raw)])),
    ];
    const states = await this.deps.ask(names);
    if (states === undefined || number !== this.#asked) return;
    this.#states.clear();
    for (const [index, name] of names.entries()) {
      const state = states[index];
      if (state !== undefined) this.#states.set(name, state);
    }
    this.#show();
  }

  #show(): void {
    const chips = this.#mentioned.map(mentioned => this.#chipOf(mentioned));
    const shown = chips.filter(({ state, otherwise }) => !otherwise || isThere(state));
    // Two mentions may be readings of the same.
    this.deps.show(shown.filter(({ raw }, at) => shown.findIndex(other => other.raw === raw) === at));
  }

  #chipOf({ shorter = [], ...mentioned }: MentionPlace): Chip {
    const state = this.#states.get(mentioned.raw);
    if (isThere(state)) return { ...mentioned, state };
    const there = shorter.find(({ raw }) => isThere(this.#states.get(raw)));
    return there ? { ...there, state: this.#states.get(there.raw) } : { ...mentioned, state };
  }
}

const isThere = (state: MentionState | undefined) => state !== undefined && state !== "missing";

const sameNames = (some: readonly MentionPlace[], others: readonly MentionPlace[]): boolean =>
  some.length === others.length && some.every(({ raw }, index) => raw === others[index]?.raw);

/** What is named, once, however often the text names it. */
interface MentionPlace extends Pick<Mention, "raw" | "path" | "range"> {
  /** it may be something else (`@param`, `@Get(`, `@angular/core`, `@joe`), so that it is no mistake where it names nothing */
  otherwise?: true;
  /** what it names where the whole is not there, longest first: see `shorterReadings` */
  shorter?: readonly Pick<Mention, "raw" | "path">[];
}

/**
 * In the order of the text, without repeats.
 * @param caret the mention that is being typed there is no mention yet; undefined: all are
 */
export function mentionedIn(text: string, caret?: number): MentionPlace[] {
  if (!text.includes("@")) return [];
  const found = new Map<string, MentionPlace>();
  for (const mention of parseMentions(text)) {
    const { raw, path, range, start, end } = mention;
    if (caret !== undefined && start < caret && caret <= end) continue;
    const isCertain = certain(text, mention, "prompt");
    // Of several places where it stands the surest counts.
    if (found.get(raw)?.otherwise === undefined ? found.has(raw) : !isCertain) continue;
    const shorter = shorterReadings(mention).map(({ raw, path }) => ({ raw, path }));
    found.set(raw, {
      ...{ raw, path, ...(range && { range }), ...(!isCertain && { otherwise: true }) },
      ...(shorter.length > 0 && { shorter }),
    });
  }
  return [...found.values()];
}

/**
 * The mentions of a message that was sent, in order: what was found then, and what can be nothing else. `@param` is a word.
 * @param found as the message's reminder names them: it has five
 */
export function sentMentions(text: string, found: readonly string[]): Mention[] {
  if (!text.includes("@")) return [];
  const names = new Set(found.map(withoutSlash));
  const wasFound = ({ raw }: Mention) => names.has(withoutSlash(raw.slice(1)));
  return parseMentions(text).flatMap(mention => {
    const there = [mention, ...shorterReadings(mention)].find(wasFound);
    if (there) return [there];
    return attachmentKind(mention.raw.slice(1)) || certain(text, mention, "prompt") ? [mention] : [];
  });
}

/** A folder's name gets its `/` in the reminder. */
const withoutSlash = (name: string) => name.replace(/\/("?)$/, "$1");

/** What takes a mention out of a text, all places where it stands, in one step. undefined: it does not stand there */
export function withoutMention(text: string, raw: string): { start: number; end: number; text: string } | undefined {
  const readings = parseMentions(text).map(mention => [mention, ...shorterReadings(mention)]);
  const places = readings.flatMap(all => all.find(mention => mention.raw === raw) ?? []);
  const cuts = places.map(({ start, end }) => {
    const blankBehind = text.charAt(end) === " " && (start === 0 || /\s/.test(text.charAt(start - 1)));
    const blankBefore = !blankBehind && end === text.length && text.charAt(start - 1) === " ";
    return { start: blankBefore ? start - 1 : start, end: blankBehind ? end + 1 : end };
  });
  const [first, last] = [cuts[0], cuts.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const kept = cuts.slice(1).map(({ start }, index) => text.slice(cuts[index]?.end ?? start, start));
  return { start: first.start, end: last.end, text: kept.join("") };
}

/** A name for each: that of the file, with its folder where another one is called the same. */
export function shortNames(mentioned: readonly MentionPlace[]): string[] {
  const names = mentioned.map(nameOf);
  const isShared = (at: number) =>
    names.some((name, other) => name === names[at] && mentioned[other]?.path !== mentioned[at]?.path);
  return mentioned.map(({ path }, at) => (isShared(at) ? path : (names[at] ?? path)));
}

/** `src/a.ts` → `a.ts`, `src/` → `src/`; of an attachment `@problems`, which is no file of that name */
function nameOf({ raw, path }: MentionPlace): string {
  if (attachmentKind(raw.slice(1))) return raw;
  const at = path.replace(/\/+$/, "").lastIndexOf("/");
  return path.slice(at + 1);
}

/** `:10–40`, `:10`, "" */
export function rangeWords({ range }: { range?: Mention["range"] }): string {
  if (!range) return "";
  return range.first === range.last ? `:${range.first}` : `:${range.first}–${range.last}`;
}
