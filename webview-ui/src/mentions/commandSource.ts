/** A command, a skill or a prompt that is being typed, and the words behind its name: `/docs:page name=in`. It knows no page. */

import { type TypedArgument, typedArgument, withArgument } from "../../../src/shared/callWords";
import { t } from "../../../src/shared/l10n";
import { type CallableName, ownCommands, parseCall } from "../../../src/shared/slashCommand";
import { plain } from "./mentionSource";
import type { MenuItem, MenuSubject } from "./menu";

export interface ArgumentQuestion {
  prompt: string;
  argument: string;
  value: string;
  given: Record<string, string>;
}

interface CommandSourceDeps {
  /** Never rejects. */
  callable(): Promise<readonly CallableName[]>;
  /** What a server proposes. Never rejects. */
  ask(question: ArgumentQuestion): Promise<readonly string[]>;
  isIdle(): boolean;
}

/** Nobody scrolls through more. */
const MAX_ITEMS = 200;
/** Typing goes on for less than this, ms, before a server is asked. */
const ASK_MS = 150;
/** History is not changed under a turn that runs. */
const waits: readonly string[] = ["compact", "undo", "redo"];

interface MenuCommand {
  name: string;
  /** what may follow the name; "": nothing, or nobody says */
  after: string;
  meaning: string;
  /** Strata's own: the model never sees it */
  own?: true;
  /** a server that has to be started before it can be called */
  unseen?: true;
}

const own = (): MenuCommand[] =>
  Object.entries(ownCommands).map(([name, { after, meaning }]) => ({ name, after, meaning, own: true }));

export class CommandSource {
  /** the skills and prompts that can be called; asked for anew whenever a command is begun */
  names: readonly CallableName[] = [];
  #refreshed: Promise<void> | undefined;
  /** what was proposed last, and for which argument */
  #proposed: { place: string; values: readonly string[] } = { place: "", values: [] };

  constructor(private readonly deps: CommandSourceDeps) {}

  /** undefined: the text is no command, or of a name that none has */
  read = (text: string, caret: number | undefined): MenuSubject | undefined => {
    const [, typed, rest] = /^\/([^\s/]*)([^\S\n][^\n]*)?$/.exec(text) ?? [];
    if (typed === undefined) return undefined;
    if (text === "/") this.#refreshed ??= this.#refresh();
    if (rest !== undefined) return this.#words(text, typed, rest, caret === text.length);
    const known = this.#begun(typed);
    if (known.length === 0 && !this.#refreshed) return undefined;
    return {
      ...{ of: "command", start: 0, end: text.length, query: typed, place: "/", known },
      ask: async () => {
        await this.#refreshed;
        return { items: this.#begun(typed), indexing: false };
      },
    };
  };

  async #refresh(): Promise<void> {
    this.names = await this.deps.callable();
    this.#refreshed = undefined;
  }

  get #all(): readonly MenuCommand[] {
    const called = this.names.map(({ name, description, hint, unseen }) => {
      return { name, after: hint, meaning: description, ...(unseen && { unseen }) };
    });
    return [...own(), ...called];
  }

  /** What begins with the letters, then what has them. */
  #begun(typed: string): MenuItem[] {
    const wanted = typed.toLowerCase();
    const at = ({ name }: MenuCommand) => name.toLowerCase().indexOf(wanted);
    const all = this.#all;
    const found = wanted === "" ? all : [...all.filter(each => at(each) === 0), ...all.filter(each => at(each) > 0)];
    return found.slice(0, MAX_ITEMS).map(each => this.#itemOf(each));
  }

  #itemOf(command: MenuCommand): MenuItem {
    const { name, after, meaning } = command;
    const isLate = command.own && waits.includes(name) && !this.deps.isIdle();
    const written = completed(command);
    return {
      ...{ text: `/${name}`, name: plain(`/${name}`), after, title: meaning },
      hint: plain(isLate ? t("After the agent finishes or stops") : meaning),
      choose: (_, { start, end }) => ({ start, end, text: written, caret: written.length, open: true }),
    };
  }

  /** The name stands there, and what follows it is being typed. */
  #words(text: string, name: string, rest: string, atEnd: boolean): MenuSubject | undefined {
    const command = this.#all.find(each => each.name === name);
    if (command === undefined || (command.own && command.after === "" && rest.trim() !== "")) return undefined;
    const heading = this.#itemOf(command);
    const typed = atEnd ? typedIn(text, this.names) : undefined;
    const none: MenuSubject = {
      of: "words",
      start: 0,
      end: text.length,
      query: text,
      place: `/${name}`,
      known: [],
      heading,
    };
    if (typed === undefined) return none;
    const { value, given } = typed;
    const place = JSON.stringify([name, typed.name, typed.start, given]);
    // What was proposed for the same argument a moment ago may do still, until the answer is there.
    const known = place === this.#proposed.place ? itemsOf(typed, this.#proposed.values) : [];
    const ask = async () => {
      const values = await this.deps.ask({ prompt: name, argument: typed.name, value, given });
      this.#proposed = { place, values };
      return { items: itemsOf(typed, values), indexing: false };
    };
    return { ...none, query: value, place, known, ask, pause: ASK_MS };
  }
}

/** What choosing one makes of the text. A blank follows where something may. */
const completed = ({ name, after, own: isOwn, unseen }: MenuCommand): string =>
  unseen ? "/mcp" : isOwn && after === "" ? `/${name}` : `/${name} `;

interface Words extends TypedArgument {
  takes: readonly string[];
  /** the text up to the words, and these */
  head: string;
  words: string;
}

/** undefined: no argument of a server's prompt is being typed */
function typedIn(text: string, names: readonly CallableName[]): Words | undefined {
  const name = parseCall(text)?.name;
  const head = `/${name} `;
  if (name === undefined || !text.startsWith(head)) return undefined;
  const takes = names.find(each => each.name === name)?.takes ?? [];
  const words = text.slice(head.length);
  const typed = typedArgument(words, takes);
  return typed && { ...typed, takes, head, words };
}

/** What fits what is typed first; what stands there already is no proposal. */
function itemsOf(typed: Words, values: readonly string[]): MenuItem[] {
  const wanted = typed.value.toLowerCase();
  const fits = values.filter(value => value.toLowerCase().startsWith(wanted));
  // A server may propose the same twice.
  const all = [...new Set([...fits, ...values])].filter(value => value !== typed.value);
  const { head, name } = typed;
  const items = all.flatMap((value): MenuItem[] => {
    const words = withArgument(typed.words, typed, typed.takes, value);
    if (words === undefined) return [];
    const caret = head.length + words.length;
    const choose: MenuItem["choose"] = (_, { end }) => ({ start: head.length, end, text: words, caret, open: true });
    return [{ text: value, name: plain(value), hint: [], title: value, choose }];
  });
  // What they are values of is said once.
  return items.map((item, index) => (index === 0 ? { ...item, hint: plain(name) } : item));
}
