/** What a server proposes for the argument of its prompt that is being typed: `/docs:page name=in`. It knows no page. */
import { type TypedArgument, typedArgument, withArgument } from "../../../src/shared/callWords";
import { type CallableName, parseCall } from "../../../src/shared/slashCommand";

export interface Proposals {
  /** the argument */
  name: string;
  /** each with the whole text that choosing it makes */
  items: readonly { value: string; text: string }[];
  /** index into `items`; undefined: the person chose none, and Enter sends what they typed */
  selected?: number;
}

export interface ArgumentQuestion {
  prompt: string;
  argument: string;
  value: string;
  given: Record<string, string>;
}

interface ProposalsDeps {
  /** Never rejects. */
  ask(question: ArgumentQuestion): Promise<readonly string[]>;
  callable(): readonly CallableName[];
  show(proposals: Proposals | undefined): void;
  /** Gives back what calls it off. */
  later(callback: () => void, ms: number): () => void;
}

/** Typing goes on for less than this, ms, before the server is asked. */
const ASK_MS = 150;

interface Typed extends TypedArgument {
  prompt: string;
  takes: readonly string[];
  /** the text up to the words, and these */
  head: string;
  words: string;
}

export class ArgumentProposals {
  #typed: Typed | undefined;
  #values: readonly string[] = [];
  #shown: Proposals | undefined;
  #asked = 0;
  #callOff: (() => void) | undefined;

  constructor(private readonly deps: ProposalsDeps) {}

  /** @param atEnd that is where the person types */
  textChanged(text: string, atEnd: boolean): void {
    const before = this.#typed;
    const typed = atEnd ? typedIn(text, this.deps.callable()) : undefined;
    // What was proposed for the same argument a moment ago may do still, until the answer is there.
    if (!typed || !before || !isSame(before, typed)) this.#values = [];
    this.#typed = typed;
    this.#asked += 1;
    this.#callOff?.();
    if (typed) {
      const number = this.#asked;
      this.#callOff = this.deps.later(() => void this.#ask(typed, number), ASK_MS);
    }
    this.#show();
  }

  /** The keys of the list. @returns the text to write; true: the key was the list's; false: it was not */
  key(pressed: string): string | boolean {
    const shown = this.#shown;
    if (shown === undefined) return false;
    const { items, selected } = shown;
    if (pressed === "ArrowDown" || pressed === "ArrowUp") {
      const down = pressed === "ArrowDown";
      const from = selected ?? (down ? -1 : 0);
      this.#tell({ ...shown, selected: (from + (down ? 1 : items.length - 1)) % items.length });
      return true;
    }
    if (pressed === "Escape") {
      this.close();
      return true;
    }
    const at = pressed === "Tab" ? (selected ?? 0) : pressed === "Enter" ? selected : undefined;
    return at === undefined ? false : (items[at]?.text ?? false);
  }

  close(): void {
    this.#callOff?.();
    this.#asked += 1;
    this.#values = [];
    this.#typed = undefined;
    this.#show();
  }

  async #ask({ prompt, name, value, given }: Typed, number: number): Promise<void> {
    const values = await this.deps.ask({ prompt, argument: name, value, given });
    if (number !== this.#asked) return;
    this.#values = values;
    this.#show();
  }

  #show(): void {
    const typed = this.#typed;
    const items = typed === undefined ? [] : itemsOf(typed, this.#values);
    if (items.length === 0 || !typed) this.#tell(undefined);
    else this.#tell({ name: typed.name, items });
  }

  #tell(shown: Proposals | undefined): void {
    if (shown === undefined && this.#shown === undefined) return;
    this.#shown = shown;
    this.deps.show(shown);
  }
}

/** undefined: no argument of a server's prompt is being typed */
function typedIn(text: string, callable: readonly CallableName[]): Typed | undefined {
  const name = text.includes("\n") || !text.startsWith("/") ? undefined : parseCall(text)?.name;
  const head = `/${name} `;
  if (name === undefined || !text.startsWith(head)) return undefined;
  const takes = callable.find(each => each.name === name)?.takes ?? [];
  const words = text.slice(head.length);
  const typed = typedArgument(words, takes);
  return typed && { ...typed, prompt: name, takes, head, words };
}

const isSame = (a: Typed, b: Typed) =>
  a.prompt === b.prompt &&
  a.name === b.name &&
  a.start === b.start &&
  JSON.stringify(a.given) === JSON.stringify(b.given);

/** What fits what is typed first; what stands there already is no proposal. */
function itemsOf(typed: Typed, values: readonly string[]): Proposals["items"] {
  const wanted = typed.value.toLowerCase();
  const fits = values.filter(value => value.toLowerCase().startsWith(wanted));
  const all = [...fits, ...values.filter(value => !fits.includes(value))];
  return all.flatMap(value => {
    const words = value === typed.value ? undefined : withArgument(typed.words, typed, typed.takes, value);
    return words === undefined ? [] : [{ value, text: `${typed.head}${words}` }];
  });
}
