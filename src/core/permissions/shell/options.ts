/**
 * A program's options, as its line in a table describes them: `-nrv -k: -f@ --number --key: --files-from@`. A letter or name
 * alone takes nothing, `:` takes a value, `@` a file that it reads, `?` may have a value joined to it (`--color=always`, never the
 * next word). What is not in the line is not known.
 */
import type { ShellWord } from "./words";

export interface OptionTable {
  short: ReadonlyMap<string, Takes>;
  long: ReadonlyMap<string, Takes>;
}

type Takes = "nothing" | "value" | "file" | "joined";

const kinds: Record<string, Takes> = { ":": "value", "@": "file", "?": "joined" };

export function optionTable(line: string): OptionTable {
  const short = new Map<string, Takes>();
  const long = new Map<string, Takes>();
  for (const entry of line.split(/\s+/)) {
    const takes = kinds[entry.at(-1) ?? ""] ?? "nothing";
    const name = takes === "nothing" ? entry : entry.slice(0, -1);
    // Given with and without a value: it is never the next word then.
    if (name.startsWith("--")) long.set(name.slice(2), long.has(name.slice(2)) ? "joined" : takes);
    else if (takes !== "nothing") short.set(name.slice(1), takes);
    else for (const letter of name.slice(1)) short.set(letter, takes);
  }
  return { short, long };
}

interface ReadOptions {
  /** name → value, the last of several; "" where it takes none */
  given: Map<string, string>;
  /** files that options name */
  files: string[];
  positionals: ShellWord[];
}

/**
 * @param harmless no option could do anything: a word that is only known when it runs is then none
 * @returns the first option that the table does not have, or a word that may be one, as it was written
 */
export function readOptions(
  words: readonly ShellWord[],
  table: OptionTable,
  harmless = false,
): ReadOptions | { unknown: string } {
  const read: ReadOptions = { given: new Map(), files: [], positionals: [] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord;
    const { value } = word;
    if (value === "--") {
      read.positionals.push(...words.slice(at + 1));
      break;
    }
    if (!harmless && (value === undefined || word.isGlob) && mayBeOption(word)) return { unknown: word.text };
    if (value === undefined || value === "-" || !value.startsWith("-")) read.positionals.push(word);
    else {
      const taken = value.startsWith("--")
        ? longOption(value, words[at + 1], table, read)
        : shortOptions(value, words[at + 1], table, read);
      if (taken === undefined) return { unknown: value };
      at += taken;
    }
  }
  return read;
}

/** A word that begins with a letter or a quoted one stays what it is, whatever follows. */
const mayBeOption = ({ text }: ShellWord) =>
  !/^["']?[\w./@:=,]/.test(text) || text.startsWith('"-') || text.startsWith("'-");

/** how many of the following words it takes; undefined: not known */
function longOption(value: string, next: ShellWord | undefined, { long }: OptionTable, read: ReadOptions) {
  const equals = value.indexOf("=");
  const name = equals < 0 ? value.slice(2) : value.slice(2, equals);
  const takes = long.get(name);
  if (takes === undefined) return undefined;
  if (takes === "nothing" || (takes === "joined" && equals < 0)) {
    read.given.set(name, "");
    return equals < 0 ? 0 : undefined;
  }
  return taken(name, takes, equals < 0 ? next?.value : value.slice(equals + 1), equals < 0 ? 1 : 0, read);
}

/** A number alone (`head -20`) is a value of its own. */
function shortOptions(value: string, next: ShellWord | undefined, { short }: OptionTable, read: ReadOptions) {
  if (/^-\d+$/.test(value) && short.has("#")) return 0;
  for (let at = 1; at < value.length; at++) {
    const letter = value[at] as string;
    const takes = short.get(letter);
    if (takes === undefined) return undefined;
    if (takes === "nothing") read.given.set(letter, "");
    else {
      const rest = value.slice(at + 1);
      if (takes === "joined") return taken(letter, takes, rest, 0, read);
      return taken(letter, takes, rest === "" ? next?.value : rest, rest === "" ? 1 : 0, read);
    }
  }
  return 0;
}

function taken(name: string, takes: Takes, value: string | undefined, words: number, read: ReadOptions) {
  if (value === undefined) return undefined;
  read.given.set(name, value);
  if (takes === "file") read.files.push(value);
  return words;
}
