/** The chips of what the composer's text mentions, and what the host says of each. It knows no page. */
import type { MentionState } from "../../../src/shared/panelMentions";
import { type Mentioned, mentionedIn } from "./mentioned";

export interface Chip extends Mentioned {
  /** undefined: not known yet */
  state: MentionState | undefined;
}

export interface ChipsDeps {
  /** The states of mentions, in their order; undefined: not known now */
  ask(mentions: readonly string[]): Promise<readonly MentionState[] | undefined>;
  show(chips: readonly Chip[]): void;
  /** Gives back what calls it off. */
  later(callback: () => void, ms: number): () => void;
}

/** Typing goes on for less than this, ms, before the host is asked. */
const ASK_MS = 150;
/** A text that names more has been pasted; the rest is found out when it is sent. */
const MOST = 500;

export class Chips {
  #mentioned: readonly Mentioned[] = [];
  readonly #states = new Map<string, MentionState>();
  #asked = 0;
  #callOff: (() => void) | undefined;

  constructor(private readonly deps: ChipsDeps) {}

  /** Shows nothing anew where the same is mentioned. @param caret where somebody types */
  textChanged(text: string, caret?: number): void {
    const mentioned = mentionedIn(text, caret).slice(0, MOST);
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

  #chipOf({ shorter = [], ...mentioned }: Mentioned): Chip {
    const state = this.#states.get(mentioned.raw);
    if (isThere(state)) return { ...mentioned, state };
    const there = shorter.find(({ raw }) => isThere(this.#states.get(raw)));
    return there ? { ...there, state: this.#states.get(there.raw) } : { ...mentioned, state };
  }
}

const isThere = (state: MentionState | undefined) => state !== undefined && state !== "missing";

function sameNames(some: readonly Mentioned[], others: readonly Mentioned[]): boolean {
  return some.length === others.length && some.every(({ raw }, index) => raw === others[index]?.raw);
}
