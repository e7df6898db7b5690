/**
 * Programs that only read, of programs.json. A row: the names, what words are that are no options, then the options (see getopt.ts). `content`: files
 * that are shown; `names`: files of which only names and the like are; `here`: so, and the folder itself without any; `text`; `any`: so,
 * without options; `pattern`: the first is text; `none`; `one`: one file at most, since a second one is written.
 *
 * Letters mean the same to GNU, BSD and busybox, or take no more words to any of them than they take here.
 */
import { defined } from "../../../shared/defined";
import { t } from "../../../shared/l10n";
import { optionTable, type ReadWords, readOptions } from "./getopt";
import { readGit } from "./git";
import { rowsOf } from "./programKinds";
import table from "./programs.json";
import { named, type PlainFile, type Reading, type Reads, unknownOption, unknownWords } from "./reading";

const programs: ReadonlyMap<string, string> = new Map(rowsOf(table.reads));

/**
 * They tell their version and nothing more. Not here: what takes itself, its tools or its settings from the workspace even then.
 * So does npm: its `.npmrc` names where logs are written and deleted, and to older ones a file of code.
 */
const versions = new Set(
  "node bun deno tsc python python3 ruby perl php gcc g++ cc c++ clang clang++ make cmake ninja docker gh helm aws psql uv curl wget zip rsync sqlite3 gdb shellcheck zig".split(
    " ",
  ),
);
const versionWords: Record<string, string> = {
  "-v": "node tsc docker make perl php gcc g++ clang ruby",
  "-V": "python python3 curl wget make rg jq",
};

/** Options that make the first word a file too. */
const patterns = ["e", "f", "regexp", "file", "files"];

/** @param isFed its standard input is a pipe */
export function readProgram([name = "", ...rest]: readonly string[], isFed: boolean): Reading {
  const language = languages.get(name);
  const two = programs.has(`${name} ${rest[0]}`) ? `${name} ${rest[0]}` : undefined;
  const program = programs.get(two ?? name);
  const isKnown = language !== undefined || program !== undefined || name === "git" || versions.has(name);
  if (rest.length === 1 && tellsOfItself(name, rest[0] as string, isKnown)) return { files: [] };
  if (name === "git") return readGit(rest);
  if (language !== undefined) return language(rest);
  if (program === undefined) return { why: t("starts `{0}`, which is not known to only read", name) };
  const given = rest.slice(two === undefined ? 0 : 1);
  const [words = "", ...options] = program.split(" ");
  if (words === "any") return { files: [] };
  const read = readOptions(given, optionTable(options.join(" ")), name === "xxd");
  if ("unknown" in read) return unknownOption(two ?? name, read.unknown);
  return byWords(two ?? name, words, read, isFed) ?? unknownWords(two ?? name);
}

const tellsOfItself = (name: string, word: string, isKnown: boolean) =>
  (isKnown && /^--(?:version|help)$/.test(word)) || versionWords[word]?.split(" ").includes(name) === true;

function byWords(name: string, kind: string, read: ReadWords, isFed: boolean): Reads | undefined {
  const { words, late, given } = read;
  if (kind === "text") return { files: [] };
  if (kind === "none") {
    const isFormat = name === "date" && words.length === 1 && words[0]?.startsWith("+");
    return words.length === 0 || isFormat ? { files: [] } : undefined;
  }
  // Where options end at the first word, one behind it is the file that is written.
  if (kind === "one" && (words.length > 1 || late.length > 0)) return undefined;
  if (words.some(word => word.startsWith("+")) && /^(?:lsof|xxd)$/.test(name)) return undefined;
  // A host that it asks the network for may be text that leaves by that.
  if (name === "lsof" && [...words, ...given.values()].flat().some(word => word.includes("@"))) return undefined;
  // Its language knows the environment, and files of its own.
  if (name === "jq" && words.some(word => /\b(?:env|ENV|import|include|modulemeta)\b/.test(word))) return undefined;
  const finds = /^fd/.test(name);
  const tree = treeOf(name, read);
  // BSD's grep may take no value for `-C` from the next word: the word behind that is a file then.
  const hasPattern = (name === "rg" ? patterns : [...patterns, "C"]).some(each => given.has(each));
  const isPattern = kind === "pattern" && !(tree && !finds && hasPattern);
  const files = isPattern ? words.slice(1) : words;
  const looksAround = kind === "here" || finds || (tree?.looksAround === true && !(name === "rg" && isFed));
  const paths = files.length === 0 && looksAround ? ["."] : files;
  const isNames = /^(?:names|here)$/.test(kind) || finds || given.has("files");
  // These take options for options wherever they stand.
  const asFiles = /^(?:rg|fd|fdfind|jq)$/.test(name) ? [] : late;
  const shown = named([...paths, ...asFiles], isNames ? "names" : "content");
  return { files: [...named(read.files, "content"), ...shown.map(file => ({ ...file, ...tree?.marks }))] };
}

/** What searches and compares whole folders. */
function treeOf(name: string, read: ReadWords): { looksAround: boolean; marks: Partial<PlainFile> } | undefined {
  const has = (...names: string[]) => names.some(each => read.given.has(each));
  const follows = (isSo: boolean) => (isSo ? { followsLinks: true as const } : {});
  // Names of folders elsewhere are of there, too.
  if (name === "ls" && has("L") && has("R", "recursive")) return { looksAround: true, marks: follows(true) };
  if (/^(?:tree|du)$/.test(name)) return { looksAround: true, marks: follows(has(name === "du" ? "L" : "l")) };
  if (name === "diff") return { looksAround: false, marks: { shows: "tree", followsLinks: true } };
  if (/^fd/.test(name)) return { looksAround: true, marks: follows(has("L", "follow")) };
  if (/grep$/.test(name) && name !== "pgrep") {
    const isTree = has("r", "R", "recursive", "dereference-recursive");
    const endings = has("exclude", "exclude-from", "exclude-dir") ? undefined : endingsOf(read.given.get("include"));
    const marks = { shows: "tree" as const, ...follows(has("R", "dereference-recursive")), ...defined({ endings }) };
    return { looksAround: isTree, marks: isTree ? marks : {} };
  }
  if (name !== "rg") return undefined;
  const globs = ["g", "glob", "iglob"]
    .flatMap(each => read.given.get(each) ?? [])
    .filter(glob => !glob.startsWith("!"));
  // Where case does not count, `*.ENV` is `.env` too.
  const endings = has("iglob") ? undefined : endingsOf(globs);
  const isHidden = has(".", "hidden", "u", "unrestricted") || globs.length > 0;
  return {
    looksAround: true,
    marks: {
      ...(has("files") ? {} : { shows: "tree" as const }),
      ...follows(has("L", "follow")),
      ...(isHidden ? {} : { skipsHidden: true as const }),
      ...defined({ endings }),
    },
  };
}

/** `*.ts` and the like; undefined: other patterns, or none */
const endingsOf = (patterns: readonly string[] = []): string[] | undefined =>
  patterns.length > 0 && patterns.every(pattern => /^\*\.[A-Za-z\d.]+$/.test(pattern))
    ? patterns.map(pattern => pattern.slice(1))
    : undefined;

/** Programs whose words are a small language of their own: only forms of it that read, and in which nothing can be hidden. */

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

const languages: ReadonlyMap<string, (words: readonly string[]) => Reading> = new Map(
  Object.entries({ find, sed, awk, gawk: awk, mawk: awk, printf, test, "[": bracket, tar, ps, man }),
);
