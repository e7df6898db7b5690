/** Does a simple command only read, and what? By tables: what is not known there may do anything. */
import { judgeGit } from "./git";
import type { Judgement } from "./judgement";
import { readOptions } from "./options";
import { readers } from "./readers";
import { riskyOption } from "./risky";
import { says } from "./says";
import { awkOnlyReads, findOnlyReads, sedOnlyReads } from "./scripts";
import { jqOnlyReads, tarOnlyLists, testOnlyTests } from "./special";
import { asksVersion } from "./versions";
import type { ShellWord } from "./words";

/** @param words the program first, wrappers taken off */
export function judge(words: readonly ShellWord[]): Judgement {
  const [program, ...rest] = words;
  const name = program?.value;
  if (program === undefined || name === undefined)
    return { effect: "acts", why: "what runs is only known when it runs" };
  if (name === "git") return judgeGit(rest);
  const risky = riskyOption(name, rest);
  if (risky) return { effect: "acts", why: `\`${name} ${risky}\` may write or start something`, risky };
  if (rest.length === 1 && asksVersion(name, rest[0]?.value)) return { effect: "reads", files: [] };
  if (name === "find") return findOnlyReads(rest);
  if (name === "sed") return sedOnlyReads(rest);
  if (name === "awk" || name === "gawk" || name === "mawk") return awkOnlyReads(rest);
  if (name === "printf") return printf(rest);
  if (name === "test" || name === "[") return testOnlyTests(rest);
  if (name === "tar") return tarOnlyLists(rest);
  if (name === "jq" && !jqOnlyReads(rest))
    return { effect: "acts", why: "jq's script shows the environment or is not known" };
  return byTable(name, rest);
}

/** `printf -v` sets a variable. */
function printf([format]: readonly ShellWord[]): Judgement {
  const isText = format?.value !== undefined && !format.value.startsWith("-") && !format.isGlob;
  return isText ? { effect: "reads", files: [] } : { effect: "acts", why: "`printf` may set a variable" };
}

function byTable(name: string, rest: readonly ShellWord[]): Judgement {
  const two = readers.get(`${name}+${rest[0]?.value ?? ""}`);
  const reader = two ?? readers.get(name);
  if (reader === undefined) return { effect: "acts", why: says(name, rest) };
  if (reader.words === "any") return { effect: "reads", files: [], anyWords: true };
  const read = readOptions(two ? rest.slice(1) : rest, reader.options, reader.harmless);
  if ("unknown" in read) return { effect: "acts", why: `Strata does not know what \`${name} ${read.unknown}\` does` };
  const { given, positionals } = read;
  if (name === "diff" && (given.has("r") || given.has("recursive")))
    return { effect: "acts", why: "`diff -r` follows links, wherever they lead" };
  const files = read.files.map(value => ({ text: value, value }));
  const anyWords = reader.harmless && (reader.words === "text" || reader.words === "names");
  if (reader.words === "text") return { effect: "reads", files, anyWords };
  const isOneTooMany =
    (reader.words === "none" && positionals.some(({ value }) => !value?.startsWith("+") && !isOldStyle(name, value))) ||
    (reader.words === "one" && (positionals.length > 1 || positionals.some(({ value, isGlob }) => !value || isGlob)));
  if (isOneTooMany) {
    const risky = reader.words === "one" ? positionals.at(-1)?.text : undefined;
    const why = two
      ? says(name, rest)
      : `\`${name}\` with these words may ${risky ? "write a file" : "change something"}`;
    return { effect: "acts", why, ...(risky && { risky }) };
  }
  const hasPattern = ["e", "f", "regexp", "file", "files"].some(option => given.has(option));
  const skipped = reader.words === "pattern" && !hasPattern ? 1 : 0;
  const pattern = positionals[0];
  if (skipped && pattern?.value === undefined && pattern !== undefined && !pattern.text.startsWith('"'))
    return { effect: "acts", why: `what \`${name}\` looks for is only known when it runs, and may be several words` };
  const named = [...files, ...(reader.words === "none" ? [] : positionals.slice(skipped))];
  const isList =
    name === "grep" && ["l", "L", "c", "q", "files-with-matches", "count", "quiet"].some(each => given.has(each));
  return {
    effect: "reads",
    files: named,
    namesOnly: reader.words === "names",
    recurses: recurses(name, given),
    plainOnly: name === "rg" ? passesOverHidden(given, rest) : looksIntoSome(rest),
    anyWords: anyWords || (isList && pattern?.value !== undefined),
  };
}

const recurses = (name: string, given: ReadonlyMap<string, string>): boolean =>
  /^(?:rg|ag)$/.test(name) ||
  (/^[ef]?grep$/.test(name) &&
    (["r", "R", "recursive"].some(option => given.has(option)) || given.get("d") === "recurse"));

/** ripgrep looks into files that begin with a dot where an option says so, or a pattern for names means them. */
function passesOverHidden(given: ReadonlyMap<string, string>, words: readonly ShellWord[]): boolean {
  if ([".", "hidden", "u", "unrestricted"].some(option => given.has(option))) return false;
  const patterns = words.flatMap(({ value = "" }, at) => {
    if (/^(?:-[A-Za-z]*g|--i?glob)$/.test(value)) return [words[at + 1]?.value];
    const joined = /^(?:-[A-Za-z]*?g|--i?glob=)(.+)$/s.exec(value)?.[1];
    return joined === undefined ? [] : [joined];
  });
  return patterns.every(pattern => pattern !== undefined && /^!|\.(?!env)[\w{},]+$/i.test(pattern));
}

/** `grep -r x --include=*.ts .`: files of these endings alone. */
function looksIntoSome(words: readonly ShellWord[]): boolean {
  const patterns = words.flatMap(({ value = "" }) => /^--include=(.+)$/s.exec(value)?.[1] ?? []);
  return patterns.length > 0 && patterns.every(pattern => /\.(?!env)\w+$/i.test(pattern));
}

/** `ps aux`; an `e` in it shows the environment. */
const isOldStyle = (name: string, value: string | undefined) => name === "ps" && /^-?[aufxwlj]+$/.test(value ?? "");
