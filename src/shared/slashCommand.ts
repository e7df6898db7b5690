/** Messages that are commands, typed where a message is: in the composer, or after `--prompt`. */
import { inARow } from "./format";
import { plural, t } from "./l10n";
import { nearestNames } from "./nearestNames";

/** @param after what may follow the name; "": nothing may */
const command = (meaning: () => string, after = () => "") => ({ meaning, after });

/** Strata's own, which the model never sees. "/" alone offers the first. */
export const ownCommands = {
  compact: command(
    () => t("Summarise older turns to make room in the context"),
    () => t("what to keep, or undo, redo"),
  ),
  context: command(() => t("Show what is in the context, and its cost")),
  cost: command(() => t("Show the cost of this session and of today, and the limits")),
  new: command(() => t("Start a new session")),
  model: command(() => t("Choose the model")),
  mode: command(
    () => t("Set what runs without asking"),
    () => t("plan, ask, edits or auto"),
  ),
  permissions: command(() => t("Show what runs, asks or is denied, and why")),
  lift: command(
    () => t("Lift a denial of this session"),
    () => t("which, or all"),
  ),
  skills: command(() => t("Show skills, prompts and agents, and their problems")),
  hooks: command(() => t("Show and approve hooks")),
  mcp: command(() => t("Show MCP servers, their tools and problems")),
  export: command(() => t("Export this session to a file")),
  undo: command(() => t("Put the files of the last turn back")),
  redo: command(() => t("Undo going back")),
  help: command(() => t("Show commands and keys")),
};

export type SlashCommandName = keyof typeof ownCommands;

/** In the words of now. */
export const listCommands = () =>
  Object.entries(ownCommands).map(([name, { after, meaning }]) => ({ name, after: after(), meaning: meaning() }));

export interface SlashCommand {
  name: SlashCommandName;
  /** the text after the name, trimmed */
  words: string;
}

/** A skill or a prompt that can be called by its name. */
export interface CallableName {
  name: string;
  /** one line */
  description: string;
  /** what may follow the name; "": unknown */
  hint: string;
  /** of a server's prompt: its arguments, and those that it cannot do without */
  takes?: string[] | undefined;
  needs?: string[] | undefined;
  /** a server, `name:`, of which nothing is known yet: it has to be started first */
  unseen?: true | undefined;
}

/** `/name` and what follows it, trimmed; undefined: the text begins with no name. A path (`/usr/bin`) is none. */
export function parseCall(text: string): { name: string; words: string } | undefined {
  const found = /^\/([\p{L}\p{N}][\p{L}\p{M}\p{N}_.:-]{0,159})(?:\s+([\s\S]*)|$)/u.exec(text.trim());
  return found ? { name: (found[1] ?? "").normalize("NFC"), words: found[2]?.trim() ?? "" } : undefined;
}

const isOwn = (name: string): name is SlashCommandName => Object.hasOwn(ownCommands, name);

/** undefined: a message for the model, also where it begins with a slash. What nothing may follow is a command as a bare word only. */
export function parseSlashCommand(text: string): SlashCommand | undefined {
  const call = parseCall(text);
  if (call === undefined || !isOwn(call.name)) return undefined;
  const { name, words } = call;
  return ownCommands[name].after() === "" && words !== "" ? undefined : { name, words };
}

/** Of `/compact`: not what to keep, but the newest compaction itself is meant. */
export const compactionWay = (words: string) => (words === "undo" || words === "redo" ? words : undefined);

function listed(callable: number): string {
  const own = Object.keys(ownCommands)
    .map(name => `/${name}`)
    .join(", ");
  return callable > 0 ? plural(callable, "{1}, and 1 skill or prompt", "{1}, and {0} skills and prompts", own) : own;
}

/** Why a message that begins like a command is none, and is not for the model either; undefined: it can be sent. */
export function unknownCommand(text: string, callable: readonly CallableName[]): string | undefined {
  const { name, words = "" } = parseCall(text) ?? {};
  const prompt = callable.find(each => each.name === name);
  if (prompt?.unseen)
    return t("The prompts of {0} are not known yet. Start the server with /mcp first.", prompt.name.slice(0, -1));
  const given = prompt?.needs ? fillArguments(words, prompt.takes ?? []) : {};
  const missing = prompt?.needs?.filter(each => !Object.hasOwn(given, each)) ?? [];
  if (missing.length > 0) return t("/{0} needs {1}: type it after the name.", name ?? "", inARow(missing));
  if (name === undefined || !/^[a-z][\w-]*(?::[\w.-]+)*$/i.test(name) || isOwn(name)) return undefined;
  // What a server has that was not started yet is looked up once the message is sent.
  if (callable.some(each => each.name === name || (each.unseen && name.startsWith(each.name)))) return undefined;
  const names = callable.flatMap(each => (each.unseen ? [] : each.name));
  const [nearest] = nearestNames(name, [...Object.keys(ownCommands), ...names]);
  if (nearest !== undefined)
    return t(
      "There is no command /{0}. Did you mean /{1}? To send this as a message, start it with another word.",
      name,
      nearest,
    );
  return t(
    "There is no command /{0}. Commands: {1}. To send this as a message, start it with another word.",
    name,
    listed(callable.length),
  );
}

// Words behind a name: `/deploy staging tag="next one"`.

/** A word: in quotes, `name="in quotes"`, or what stands without a blank. A quote within a word (`don't`) is a letter. */
const WORD = /(?:([^\s"'=]+)=)?(?:"([^"]*)"|'([^']*)')|(\S+)/g;

interface Word {
  /** without its quotes */
  text: string;
  /** what it goes to; absent: to the next that nobody named */
  to?: { name: string; value: string };
}

const wordsOf = (words: string, inputs: readonly string[]): Word[] =>
  [...words.matchAll(WORD)].map(found => {
    const [whole, before, ...forms] = found;
    const isKnown = before !== undefined && inputs.includes(before);
    const quoted = forms.slice(0, 2).find(form => form !== undefined);
    const plain = quoted ?? whole;
    // Behind a name that is no input's, quotes are the person's own.
    const text = before === undefined ? plain : isKnown ? `${before}=${plain}` : whole;
    const at = text.indexOf("=");
    const name = text.slice(0, Math.max(0, at));
    return name !== "" && inputs.includes(name) ? { text, to: { name, value: text.slice(at + 1) } } : { text };
  });

/** As a shell would: blanks part words, quotes hold them together. `name=value` goes to the input of that name. */
export function sortWords(words: string, inputs: readonly string[]) {
  const all = wordsOf(words, inputs);
  const named = new Map(all.flatMap(({ to }): [string, string][] => (to ? [[to.name, to.value]] : [])));
  return {
    typed: all.map(({ text }) => text),
    named,
    free: all.flatMap(({ text, to }) => (to ? [] : [text])),
  };
}

/** By name: what `name=value` says, the rest in order; the last one takes all that is left. What nothing is said for is absent. */
export function fillArguments(words: string, names: readonly string[]): Record<string, string> {
  const { named, free } = sortWords(words, names);
  const unnamed = names.filter(name => !named.has(name));
  const filled = names.flatMap((name): [string, string][] => {
    const said = named.get(name);
    if (said !== undefined) return [[name, said]];
    const at = unnamed.indexOf(name);
    const value = at === unnamed.length - 1 ? free.slice(at).join(" ") : free[at];
    return value === undefined || value === "" ? [] : [[name, value]];
  });
  return Object.fromEntries(filled);
}
