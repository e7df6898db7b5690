/** find, sed and awk have small languages of their own, in which they write and start programs. */
import type { Judgement } from "./judgement";
import { optionTable, readOptions } from "./options";
import type { ShellWord } from "./words";

const acts = (why: string): Judgement => ({ effect: "acts", why });
/** It asks also where a rule allows the program, but not where one is the very command. */
const mayStart = (name: string): Judgement => ({
  effect: "acts",
  risky: `${name}'s script`,
  why: `${name}'s script may write files or start programs`,
});

const findTests = new Set(
  "-a -o -and -or -not ! ( ) , -true -false -print -print0 -ls -prune -quit -empty -follow -depth -d -mount -xdev -daystart -nouser -nogroup -readable -writable -executable -noleaf -warn -nowarn".split(
    " ",
  ),
);
const findTestsWithValue = new Set(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -anewer -cnewer -newermt -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -samefile -lname -ilname -printf -used -fstype".split(
    " ",
  ),
);

export function findOnlyReads(words: readonly ShellWord[]): Judgement {
  const files: ShellWord[] = [];
  let at = 0;
  while (/^-[HLP-]$/.test(words[at]?.value ?? "")) at += 1;
  for (; at < words.length && !/^[-(!,]/.test(words[at]?.value ?? "-"); at++) files.push(words[at] as ShellWord);
  // A pattern may stand for files that are named like one of its commands, unless it says how they begin or end.
  const wide = words.find(({ isGlob, value = "" }) => isGlob && !/^[\w./]|\.\w/.test(value));
  if (wide) return acts(`\`find ${wide.text}\` may find files that are named like its options`);
  for (; at < words.length; at++) {
    const { value, text } = words[at] as ShellWord;
    if (value !== undefined && findTestsWithValue.has(value)) {
      const given = words[at + 1];
      if (/newer$|samefile/.test(value) && given) files.push(given);
      at += 1;
    } else if (value === undefined || !findTests.has(value)) return acts(`\`find ${text}\` is not known to only read`);
  }
  return { effect: "reads", files };
}

const sedOptions = optionTable(
  "-nErsuz -e: --quiet --silent --regexp-extended --expression: --posix --unbuffered --null-data",
);

export function sedOnlyReads(words: readonly ShellWord[]): Judgement {
  const scripts = words.flatMap(({ value }, at) =>
    value === "-e" || value === "--expression" ? [words[at + 1]?.value] : [],
  );
  const read = readOptions(words, sedOptions);
  if ("unknown" in read) return acts(`\`sed ${read.unknown}\` is not known to only read`);
  const joinedOption = [...read.given.keys()].some(key => key === "e" || key === "expression");
  if (joinedOption && scripts.length === 0) return acts("sed's script is not read");
  const [first, ...rest] = read.positionals;
  const all = scripts.length > 0 ? scripts : [first?.value];
  if (!all.every(script => script !== undefined && sedScript(script))) return mayStart("sed");
  return { effect: "reads", files: scripts.length > 0 ? read.positionals : rest };
}

/** Addresses, and the commands p, d, q, =, n, s and the like: none of `e`, `w`, `r` and of those that read on to the line's end. */
function sedScript(script: string): boolean {
  let rest = script.trim();
  while (rest !== "") {
    const address = /^(?:\d+|\$|\/(?:[^/\\\n]|\\.)*\/I?)(?:[,~]\+?(?:\d+|\$|\/(?:[^/\\\n]|\\.)*\/I?))?\s*!?\s*/.exec(
      rest,
    );
    // What stands in brackets does not end an expression.
    if (address?.[0].includes("[")) return false;
    rest = rest.slice(address?.[0].length ?? 0);
    const substitute = /^s([/|#,:!@%])((?:[^\\\n]|\\.)*)$/s.exec(rest);
    const taken = substitute
      ? substitution(rest, substitute[1] as string)
      : /^[pdqQ=nNgGhHxPDl{}](?=[\s;}]|$)/.exec(rest)?.[0].length;
    if (taken === undefined) return false;
    rest = rest.slice(taken).replace(/^[\s;]+/, "");
  }
  return true;
}

/** its length; undefined: its flags may run or write what comes out */
function substitution(text: string, mark: string): number | undefined {
  let marks = 0;
  let at = 1;
  for (; at < text.length && marks < 3; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === mark) marks += 1;
  }
  if (marks < 3 || hasOpenBracket(text.slice(2, at), mark)) return undefined;
  const flags = /^[gpiIMm\d]*(?=[\s;}]|$)/.exec(text.slice(at))?.[0];
  return flags === undefined ? undefined : at + flags.length;
}

/** In `s/[/]/x/` the mark in brackets is none: how sed counts them then is not looked into. */
const hasOpenBracket = (text: string, mark: string) => {
  const pattern = text.slice(0, text.indexOf(mark));
  return pattern.lastIndexOf("[") > pattern.lastIndexOf("]");
};

const awkOptions = optionTable("-F: -v: --field-separator: --assign:");

export function awkOnlyReads(words: readonly ShellWord[]): Judgement {
  const read = readOptions(words, awkOptions);
  if ("unknown" in read) return acts(`\`awk ${read.unknown}\` is not known to only read`);
  const [program, ...files] = read.positionals;
  if (program?.value === undefined || awkMayAct(program.value)) return mayStart("awk");
  return { effect: "reads", files };
}

function awkMayAct(program: string): boolean {
  const script = program.replaceAll("||", "");
  if (/[|@]|system|getline|ENVIRON|close|ARGV|SYMTAB|FUNCTAB/.test(script)) return true;
  if (!script.includes(">")) return false;
  // `>` compares, but after `print` it writes. Where a regular expression may hold a quote, that is not told apart.
  if (script.includes("/")) return true;
  const parts = script.replace(/"(?:[^"\\]|\\.)*"/gs, "").split(/[{};]/);
  return parts.some(part => part.includes(">") && part.includes("print"));
}
