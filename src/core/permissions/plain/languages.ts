/** Programs whose words are a small language of their own: only forms of it that read, and in which nothing can be hidden. */
import { optionTable, readOptions } from "./getopt";
import { named, type Reading, unknownOption, unknownWords } from "./reading";

const findTests = new Set(
  "-a -o -and -or -not ! ( ) -true -false -print -print0 -ls -prune -quit -empty -depth -mount -xdev -daystart -nouser -nogroup -readable -writable -executable".split(
    " ",
  ),
);
const findTestsWithValue = new Set(
  "-name -iname -path -ipath -wholename -regex -iregex -regextype -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -newer -newermt -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -samefile -lname -ilname -printf".split(
    " ",
  ),
);

function find(words: readonly string[]): Reading {
  const options = words.findIndex(word => !/^-[HLP]$/.test(word));
  const start = options < 0 ? words.length : options;
  const isTest = (word: string, at: number) => at >= start && /^[-(),!]/.test(word);
  const tests = words.findIndex(isTest);
  const paths = words.slice(start, tests < 0 ? words.length : tests);
  const files = named(paths.length === 0 ? ["."] : paths, "names");
  for (let at = start + paths.length; at < words.length; at++) {
    const word = words[at] as string;
    if (findTestsWithValue.has(word) && at + 1 < words.length) {
      at += 1;
      if (/^-(?:newer|samefile)$/.test(word)) files.push(...named([words[at] as string], "names"));
    } else if (!findTests.has(word)) return unknownOption("find", word);
  }
  return { files: words.slice(0, start).includes("-L") ? files.map(file => ({ ...file, followsLinks: true })) : files };
}

/** Without brackets and line breaks each `/` ends it but one behind a `\`, to every sed and awk. */
const expression = String.raw`\/(?:[^/\\[\]]|\\.)*\/`;
const address = String.raw`(?:\d{1,9}|\$|${expression})`;
const sedCommand = String.raw`(?:${address}(?:,(?:${address}|\+\d{1,9}))?!?)?(?:[pdq=]|s${expression}(?:[^/\\]|\\.)*\/[gpI\d]{0,4})`;
const sedScript = new RegExp(`^${sedCommand}(?:; ?${sedCommand})*$`);
const sedOptions = optionTable("-nEr -e: --quiet --silent --regexp-extended --expression:");

function sed(words: readonly string[]): Reading {
  const read = readOptions(words, sedOptions);
  if ("unknown" in read) return unknownOption("sed", read.unknown);
  const given = ["e", "expression"].flatMap(name => read.given.get(name) ?? []);
  const scripts = given.length > 0 ? given : read.words.slice(0, 1);
  // Where options end at the first word, a script in one behind it is a file, and the word a script.
  if (read.late.length > 0 || scripts.length === 0 || !scripts.every(script => sedScript.test(script)))
    return unknownWords("sed");
  return { files: named(read.words.slice(given.length > 0 ? 0 : 1), "content") };
}

const field = String.raw`(?:\$(?:\d{1,9}|NF)|NR|NF)`;
const text = String.raw`"(?:[^"\\]|\\[nt])*"`;
const condition = String.raw`(?:${expression}|${field} ?(?:[<>]=?|[=!]=) ?(?:\d{1,9}|${text})|${field} ?!?~ ?${expression}|length ?[<>]=? ?\d{1,9})`;
/** of which it is certain that awk has no word of its own that is so called */
const variable = "(?:sum|total|count|cnt|max|min|tot|acc|[a-z])(?![\\w(])";
const item = `(?:${field}|${text}|${variable}|length(?![\\w(]))`;
const added = String.raw`${variable} ?(?:\+=|=) ?(?:${field}|\d{1,9})|${variable}\+\+`;
const print = String.raw`\{ ?(?:print(?: ${item}(?:,? ?${item})*)?|${added}) ?\}`;
const conditions = `${condition}(?: ?(?:&&|\\|\\|) ?${condition})*`;
const rule = `(?:(?:${conditions}|BEGIN|END)(?: ?${print})?|${print})`;
const awkScript = new RegExp(`^${rule}(?: ?;? ?${rule}){0,3}$`);
const awkOptions = optionTable("-F:");

function awk(words: readonly string[]): Reading {
  const read = readOptions(words, awkOptions);
  if ("unknown" in read) return unknownOption("awk", read.unknown);
  const [script = "", ...files] = read.words;
  return read.late.length > 0 || !awkScript.test(script) ? unknownWords("awk") : { files: named(files, "content") };
}

/** Its numbers are arithmetic to zsh, in which an index may start a program, and `%n` sets a variable. */
const printf = ([format = "-"]: readonly string[]): Reading =>
  /^(?!-)(?:[^%]|%%|%-?\d{0,3}(?:\.\d{1,3})?[sbc])*$/.test(format) ? { files: [] } : unknownWords("printf");

function test(words: readonly string[]): Reading {
  const [first = "", second = "", third = ""] = words;
  if (words.length === 2 && /^-[nz]$/.test(first)) return { files: [] };
  if (words.length === 2 && /^-[defhLrswx]$/.test(first)) return { files: named([second], "names") };
  if (words.length !== 3 || /^[-!(]/.test(first)) return unknownWords("test");
  if (/^!?=$/.test(second)) return { files: [] };
  if (/^-(?:nt|ot|ef)$/.test(second)) return { files: named([first, third], "names") };
  const isNumbers = /^-(?:eq|ne|lt|le|gt|ge)$/.test(second) && [first, third].every(word => /^\d{1,9}$/.test(word));
  return isNumbers ? { files: [] } : unknownWords("test");
}

const bracket = (words: readonly string[]): Reading =>
  words.length > 0 && words.indexOf("]") === words.length - 1 ? test(words.slice(0, -1)) : unknownWords("[");

/** A colon makes a file another machine's. */
const tar = ([options = "", file = "", ...names]: readonly string[]): Reading =>
  /^-?(?:[vzjJ]*t[vzjJ]*)f$/.test(options) && /^[^:-][^:]*$/.test(file) && names.every(name => !name.startsWith("-"))
    ? { files: named([file], "names") }
    : unknownWords("tar");

const psOptions = optionTable("-eAfFlLjHTw -o: -p: --no-headers --sort:");
const psValue =
  /^[-+]?(?:pid|ppid|pgid|user|uid|comm|cmd|args|command|etime|time|%?[cp]pu|%?mem|rss|vsz|stat|tty|nice|lstart|start|\d{1,9})$/;

/** Its `e` shows the environment in one style of options; where it takes one word for that style, it takes all. */
function ps(words: readonly string[]): Reading {
  const [style = "", ...sorts] = words;
  const isStyle = /^-?[auxwfjl]{1,6}$/.test(style) && sorts.every(word => word.startsWith("--sort="));
  const read = readOptions(isStyle ? sorts : words, psOptions);
  if ("unknown" in read) return unknownOption("ps", read.unknown);
  const values = ["o", "p", "sort"].flatMap(name => read.given.get(name) ?? []).flatMap(value => value.split(","));
  return read.words.length > 0 || !values.every(value => psValue.test(value)) ? unknownWords("ps") : { files: [] };
}

const man = (words: readonly string[]): Reading =>
  words.length > 0 && words.every(word => /^[A-Za-z\d][\w.:+-]*$/.test(word)) ? { files: [] } : unknownWords("man");

export const languages: ReadonlyMap<string, (words: readonly string[]) => Reading> = new Map(
  Object.entries({ find, sed, awk, gawk: awk, mawk: awk, printf, test, "[": bracket, tar, ps, man }),
);
