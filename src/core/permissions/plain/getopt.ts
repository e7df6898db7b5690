/**
 * A program's options, as a line describes them: `-nrv -k: -f@ --number --key: --color? --context=`. A letter or name alone takes
 * nothing, `:` takes a value, `@` a file that it reads; `?` may have a value joined to it, never the next word, and `=` must have
 * one; `-#` is a number. Others are unknown, shortened names too.
 */

export interface OptionTable {
  short: ReadonlyMap<string, Takes>;
  long: ReadonlyMap<string, Takes>;
}

type Takes = keyof typeof marks;

const marks = { nothing: "", value: ":", file: "@", optional: "?", joined: "=" };

export function optionTable(line: string): OptionTable {
  const short = new Map<string, Takes>();
  const long = new Map<string, Takes>();
  for (const entry of line.split(" ").filter(Boolean)) {
    const takes = (Object.keys(marks) as Takes[]).find(key => marks[key] === entry.at(-1)) ?? "nothing";
    const name = takes === "nothing" ? entry : entry.slice(0, -1);
    if (name.startsWith("--")) long.set(name.slice(2), takes);
    else for (const letter of name.slice(1)) short.set(letter, takes);
  }
  return { short, long };
}

export interface ReadWords {
  /** name → its values, "" where none was given */
  given: Map<string, string[]>;
  /** files that options name */
  files: string[];
  /** words other than options */
  words: string[];
  /** those of them that stand behind `--` */
  behind: string[];
  /** options and their values that stand behind a word: not every getopt takes them for that */
  late: string[];
}

/**
 * @param single letters are not put together in one word
 * @returns the first option that the table does not have, as it was written
 */
export function readOptions(
  all: readonly string[],
  table: OptionTable,
  single = false,
): ReadWords | { unknown: string } {
  const reader = new OptionReader(table, single);
  const { read } = reader;
  for (let at = 0; at < all.length; at++) {
    const word = all[at] as string;
    const isLate = read.words.length > 0;
    if (word === "--") {
      if (isLate) read.late.push(word);
      read.behind = all.slice(at + 1);
      read.words.push(...read.behind);
      break;
    }
    if (word === "-" || !word.startsWith("-")) {
      read.words.push(word);
      continue;
    }
    const taken = reader.takenBy(word, all[at + 1]);
    if (taken === undefined) return { unknown: word };
    if (isLate) read.late.push(...all.slice(at, at + 1 + taken));
    at += taken;
  }
  return read;
}

class OptionReader {
  readonly read: ReadWords = { given: new Map(), files: [], words: [], behind: [], late: [] };

  constructor(
    private readonly table: OptionTable,
    private readonly single: boolean,
  ) {}

  /** How many of the following words the options in a word take; undefined: not known. */
  takenBy(word: string, next: string | undefined): number | undefined {
    const { short, long } = this.table;
    if (word.startsWith("--")) {
      const [, name = "", joined] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      return this.take(name, long.get(name), joined, next);
    }
    if (/^-\d+$/.test(word) && short.has("#")) return 0;
    for (let at = 1; at < word.length; at++) {
      const letter = word[at] as string;
      const takes = short.get(letter);
      const rest = word.slice(at + 1);
      if (takes !== "nothing") return this.take(letter, takes, rest === "" ? undefined : rest, next);
      if (this.single && rest !== "") return undefined;
      this.take(letter, takes, undefined, next);
    }
    return 0;
  }

  /** @param joined the value in the same word */
  private take(name: string, takes: Takes | undefined, joined: string | undefined, next: string | undefined) {
    if (takes === undefined || (takes === "nothing" && joined !== undefined)) return undefined;
    const takesNext = joined === undefined && takes !== "nothing" && takes !== "optional";
    // What looks like an option is one to some programs, value or not.
    if (takesNext && (takes === "joined" || next === undefined || /^-(?!\d+$)./.test(next))) return undefined;
    const value = joined ?? (takesNext ? (next as string) : "");
    const values = this.read.given.get(name) ?? [];
    values.push(value);
    this.read.given.set(name, values);
    if (takes === "file") this.read.files.push(value);
    return takesNext ? 1 : 0;
  }
}
