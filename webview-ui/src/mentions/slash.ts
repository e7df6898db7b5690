/** The menu of a command, a skill or a prompt that is being typed: `/rev`. Pure. */
import { type CallableName, ownCommands } from "../../../src/shared/slashCommand";

export interface SlashItem {
  name: string;
  /** what may follow the name; "": nothing, or nobody says */
  after: string;
  meaning: string;
  /** Strata's own: the model never sees it */
  own: boolean;
  /** a server that has to be started before it can be called */
  unseen?: true;
}

interface SlashMenu {
  /** best first */
  items: readonly SlashItem[];
  /** The name stands there, and what follows it is being typed: there is nothing to choose. */
  written: boolean;
}

/** Nobody scrolls through more. */
const MAX_ITEMS = 200;

const own: readonly SlashItem[] = Object.entries(ownCommands).map(([name, words]) => ({ name, ...words, own: true }));

/** undefined: the text is no command, or of a name that none has */
export function slashMenu(text: string, callable: readonly CallableName[]): SlashMenu | undefined {
  const found = /^\/([^\s/]*)([^\S\n][^\n]*)?$/.exec(text);
  if (found === null) return undefined;
  const [, typed = "", rest] = found;
  const called = callable.map(({ name, description, hint, unseen }) => ({
    ...(unseen && { unseen }),
    name,
    after: hint,
    meaning: description,
    own: false,
  }));
  const all = [...own, ...called];
  if (rest !== undefined) {
    const item = all.find(({ name }) => name === typed);
    const isMessage = item?.own === true && item.after === "" && rest.trim() !== "";
    return item === undefined || isMessage ? undefined : { items: [item], written: true };
  }
  const wanted = typed.toLowerCase();
  const begins = all.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const holds = all.filter(({ name }) => name.toLowerCase().indexOf(wanted) > 0);
  const items = wanted === "" ? begins : [...begins, ...holds];
  return items.length === 0 ? undefined : { items: items.slice(0, MAX_ITEMS), written: false };
}

/** What choosing one makes of the text. A blank follows where something may. */
export const completed = ({ name, after, own: isOwn, unseen }: SlashItem): string =>
  unseen ? "/mcp" : isOwn && after === "" ? `/${name}` : `/${name} `;
