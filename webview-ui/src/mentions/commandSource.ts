/** A command, a skill or a prompt whose name is being typed. It knows no page. */

import { t } from "../../../src/shared/l10n";
import { type CallableName, listCommands } from "../../../src/shared/slashCommand";
import { plain } from "./mentionSource";
import type { MenuItem, MenuSubject } from "./menu";

interface CommandSourceDeps {
  /** Never rejects. */
  callable(): Promise<readonly CallableName[]>;
  isIdle(): boolean;
}

/** Nobody scrolls through more. */
const MAX_ITEMS = 200;
/** History is not changed under a turn that runs. */
const waits: readonly string[] = ["compact", "undo", "redo"];

interface MenuCommand {
  name: string;
  /** what may follow the name; "": nothing, or it is not known */
  after: string;
  meaning: string;
  /** Strata's own: the model never sees it */
  own?: true;
  /** a server that has to be started before it can be called */
  unseen?: true;
}

const own = (): MenuCommand[] => listCommands().map(command => ({ ...command, own: true }));

export class CommandSource {
  /** the skills and prompts that can be called; asked for anew whenever a command is begun */
  names: readonly CallableName[] = [];
  #refreshed: Promise<void> | undefined;

  constructor(private readonly deps: CommandSourceDeps) {}

  /** undefined: the text is no command, or of a name that none has */
  read = (text: string): MenuSubject | undefined => {
    const [, typed] = /^\/([^\s/]*)$/.exec(text) ?? [];
    if (typed === undefined) return undefined;
    if (text === "/") this.#refreshed ??= this.#refresh();
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
}

/** What choosing one makes of the text. A blank follows where something may. */
const completed = ({ name, after, own: isOwn, unseen }: MenuCommand): string =>
  unseen ? "/mcp" : isOwn && after === "" ? `/${name}` : `/${name} `;
