/** What programs are, by their names, and their risky options: both are tables of programs.json. Programs that only read are in programs.ts. */
import table from "./programs.json";

/** `shell`: runs command lines of POSIX. `wraps`: does nothing but start another program. `starts`: starts another one. `elsewhere`: what that does, it does not do here. */
type ProgramTrait =
  | "shell"
  | "wraps"
  | "starts"
  | "elsewhere"
  | "changes"
  | "runs"
  | "fetches"
  | "narrow"
  | "verbs"
  | "unsettles";

/**
 * `changes`: some of its words are files that are not the same afterwards. `runs`: a file that it is given. `fetches`: it prints foreign text. `narrow`: what
 * it does is said by all of its words, so no rule with a star is offered. `verbs`: what it does is said by a later word (`npm --silent test`).
 * `unsettles`: the shell's own; what runs afterwards may be something else.
 */
const traits = new Map<string, ReadonlySet<string>>(
  Object.entries(table.traits).flatMap(([of, names]) => {
    const all = new Set(of.split(" "));
    return names.split(" ").map(name => [name, all] as const);
  }),
);

/** `a,b c` is a row for `a` and one for `b c`. */
export const rowsOf = (rows: Readonly<Record<string, string>>): [name: string, row: string][] =>
  Object.entries(rows).flatMap(([names, row]) => names.split(",").map((name): [string, string] => [name, row]));

/** @param name see `programName`, or as written where only the exact name counts */
export const isProgram = (trait: ProgramTrait, name: string): boolean => traits.get(name)?.has(trait) ?? false;

/** Where case does not count on the disk, `/bin/RM` is rm as well. */
export const plainName = (program: string): string =>
  program
    .slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, "");

/** `/usr/bin/python3.11` is python. */
export const programName = (program: string): string =>
  plainName(program).replace(/^(python|pypy|ruby|perl|php|lua|node)[\d.]+$/, "$1");

/**
 * Options that make a program write a file or start another one: it is asked about, also where a rule allows the program, but not where
 * the rule names the option itself. Short ones are found within a cluster too (`-ni` holds `-i`). A command of git without a row is one
 * itself.
 */
const riskyOf = new Map(rowsOf(table.risky).map(([name, row]) => [name, new Set(row.split(" ").filter(Boolean))]));
/** Their options are whole words after one dash. */
const wordy = new Set("go javac java gcc terraform ip sqlite3 openssl".split(" "));
const saysSomething = /^(?:--version|--help|--test|--run|--check|--v8-options|-[vVh]|-version)$/;
/** In words to a database's program: commands of its own, which start programs and write files. */
const ownCommands =
  /^\s*[.|]\s*\w|\\(?:!|o|w|g|i|ir|copy|cd|setenv)(?![A-Za-z])|load_extension|\bsystem\b|\bprogram\s{0,9}['"$]/i;
const harmlessInGit = /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/;

/** All of them, as they were given: a rule that names one does not mean the next. @param all the program first */
export function riskyOptions([program = "", ...words]: readonly string[]): string[] {
  const name = programName(program);
  if (name !== "git") return [...riskyWords(name, words), ...riskyAmong(name, words)];
  const found: string[] = [];
  let at = 0;
  for (; words[at]?.startsWith("-"); at++) {
    const value = words[at] as string;
    if (harmlessInGit.test(value) || (/^--(?:version|help)$/.test(value) && at === words.length - 1)) continue;
    if (value === "-C") at += 1;
    // Of a setting (`-c core.pager=x`) its value counts too.
    else found.push(...(value === "-c" ? [value, words[++at] ?? ""] : [value.replace(/=.*/s, "")]));
  }
  const [command, ...rest] = words.slice(at);
  if (command === undefined || (command === "help" && rest.length === 0)) return found;
  return [...found, ...(riskyOf.has(`git ${command}`) ? riskyAmong(`git ${command}`, rest) : [command])];
}

/** Words other than options that start something, or are commands of an editor. */
function riskyWords(name: string, words: readonly string[]): string[] {
  if (/^(?:node|python|ruby|perl|php|lua)$/.test(name))
    // They run what comes in where they are given no file.
    return words.some(value => /^[^-]|^$/.test(value) || saysSomething.test(value)) ? [] : ["-"];
  // What a variable of make holds is a part of the commands that make starts.
  if (/^g?make$/.test(name))
    return words
      .filter(value => /^[^-].*=/s.test(value) && !/^(?!SHELL|\.SHELLFLAGS|MAKE)\w+=[\w.,:@%+-]*$/.test(value))
      .map(value => value.replace(/=.*/s, "="));
  // `cargo +./x build`: another cargo.
  if (name === "cargo") return words.slice(0, 1).filter(value => /^\+.*[/\\]/.test(value));
  if (name === "curl") return words.filter(value => value.includes("%output{"));
  if (/^(?:less|n?vim|vi)$/.test(name)) return words.filter(value => value.startsWith("+"));
  return /^(?:psql|mysql|mariadb|sqlite3)$/.test(name) ? words.filter(value => ownCommands.test(value)) : [];
}

function riskyAmong(name: string, words: readonly string[]): string[] {
  const end = words.indexOf("--");
  const before = words.slice(0, end < 0 ? undefined : end);
  return before.flatMap(value => riskyIn(value, riskyOf.get(name) ?? new Set(), wordy.has(name)));
}

/** Those of them that a word holds. @param isWordy options are whole words after one dash */
function riskyIn(value: string, risky: ReadonlySet<string>, isWordy: boolean): string[] {
  // What git gives to a program.
  if (/^(?:ext|fd)::/.test(value)) return [value];
  if (!value.startsWith("-") || value === "-") return risky.has(value) ? [value] : [];
  const dashed = isWordy && value.startsWith("--") ? value.slice(1) : value;
  const bare = dashed.replace(/=.*/s, "");
  if (risky.has(bare)) return [bare];
  // `--out` is `--output` to many programs
  if (bare.startsWith("--")) return bare.length < 3 ? [] : [...risky].filter(each => each.startsWith(bare)).slice(0, 1);
  if (isWordy)
    return [...risky]
      .filter(each => each === `-${bare}` || bare.startsWith(`${each}:`) || (each === "-J" && bare.startsWith(each)))
      .slice(0, 1);
  return [...bare.slice(1)].map(letter => `-${letter}`).filter(each => risky.has(each));
}
