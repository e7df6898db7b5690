/** Which files a text may start or load, by its words alone: for scripts of any language, where no grammar reads them. Pure. */
import type { NamedScript } from "../../ground/ports";
import { INTERPRETER_NAMES } from "./interpreters";
import { isTaskFile } from "./tasks";

/** Different names that are looked for, of one script. */
const MAX_NAMES = 300;
/** characters of a line that are read: minified code is no script that somebody wrote for a hook */
const MAX_LINE = 4_000;
const MAX_NAME = 500;

/** Behind one of these stands what runs, options passed over. A recipe's signs may stand before it: `@bash x.sh`. */
const STARTS = new RegExp(
  `^[@+-]{0,3}(?:\\.|source|exec|run|call|cmd|(?:.*[\\\\/])?(?:${INTERPRETER_NAMES.join("|")})[\\d.]*(?:\\.exe)?)$`,
  "i",
);
const LOADS = /^(?:import|require|require_relative|from|load|-?s?include)$/;
/** Where one says its own folder, or the project's: `"$(dirname "$0")"/`, `${BASH_SOURCE%/*}/`, `$CLAUDE_PROJECT_DIR/`. */
const OWN_PLACE =
  /["']?(?:\$\([^()\n]{0,200}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|\$\{[^}\n]{1,200}\}|\$\w{1,100}|`pwd`)["']?[\\/]+/g;
/** What runs keep in them: a hook's own log or state must not ask about the hook again. */
const STATE = /\.(?:json[cl5]?|txt|csv|tsv|log|lock|pid|tmp|db|sqlite3?)$/i;
/** They are data to whatever reads them. */
const DATA = /\.(?:md|mdx|rst|ya?ml|toml|ini|cfg|css|s[ac]ss|html?|svg|xml)$/i;
const isData = (name: string) => isState(name) || (DATA.test(name) && !isTaskFile(name));
export const isState = (name: string): boolean => STATE.test(name);

/** Shells end a comment's line alone; a pattern of theirs may begin as a comment's line elsewhere does: `*) ./run.sh ;;`. */
const COMMENT = /^\s*(?:#|\/\/|\*(?:\s(?!\s*\))|\/?$))/;
/** Where it only writes to: a log that it adds to is none of its scripts. */
const WRITTEN = /(?:(^|[^=>-])>{1,2}\|?|\btee\s(?:\s*-[\w-]+\s)*)\s*["']?([^\s"';|&<>()]+)/g;
/** What moves a shell's own streams and starts nothing: `exec >> log`, `2>&1`. */
const STREAMS = /\bexec\s(?=\s*(?:\d*[<>]|&>|\{))|(?<!\d)\d*[<>]&[\d-]+/g;
/** Other files are a shell's, for all that is known. */
const OTHER_LANGUAGE = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua)$/i;

/** Every word of a command that may be a file. */
export function wordsOf(command: string): NamedScript[] {
  const { plain } = withoutWritten(command.replace(OWN_PLACE, " ./"));
  return wordsIn(plain).flatMap(({ word, way }) => (isState(word) ? [] : [{ path: word, runs: way !== undefined }]));
}

/** What is named as a path, and what stands behind the name of an interpreter. Comments and data name nothing. */
export function scriptsIn(text: string, path: string): NamedScript[] {
  if (isData(path)) return [];
  const isPython = /\.py$/i.test(path) || /^#![^\n]*python/.test(text);
  const all = isPython ? text.replace(/\bimport\s*\([^()]{0,2000}\)/g, list => list.replaceAll("\n", " ")) : text;
  const found: NamedScript[] = [];
  const written = new Set<string>();
  for (const line of all.split("\n")) {
    if (line.length > MAX_LINE || COMMENT.test(line)) continue;
    const own = line.replace(OWN_PLACE, " ./");
    const shell = isPython || OTHER_LANGUAGE.test(path) ? { plain: own, written: [] } : withoutWritten(own);
    for (const name of shell.written) written.add(plainly(name));
    found.push(...(isPython ? modulesIn(line) : []), ...namesIn(shell.plain, isPython ? undefined : path));
    // A name may come often, but not every one of them.
    if (found.length > 10 * MAX_NAMES) break;
  }
  return toList(found.filter(({ path: name }) => !isData(name) && !written.has(plainly(name)))).slice(0, MAX_NAMES);
}

/** Names that a shell's text only writes to. */
export const writtenIn = (text: string): ReadonlySet<string> =>
  new Set(text.split("\n").flatMap(line => withoutWritten(line.replace(OWN_PLACE, " ./")).written.map(plainly)));

const plainly = (name: string) => name.replace(/^\.\//, "");

function withoutWritten(text: string): { plain: string; written: string[] } {
  const still = text.replace(STREAMS, " ");
  const written = [...still.matchAll(WRITTEN)].map(([, , name = ""]) => name);
  return { plain: still.replace(WRITTEN, "$1 "), written };
}

type WordUse = "starts" | "loads" | undefined;

/** With how each is used, by the word before it. */
export function wordsIn(plain: string): { word: string; way: WordUse }[] {
  const found: { word: string; way: WordUse }[] = [];
  let before: WordUse;
  let afterOption = false;
  for (const word of plain.split(/[\s"'`;|&()<>=,{}[\]]+/)) {
    if (word === "" || word.length > MAX_NAME || /^\d+$/.test(word)) continue;
    const isOption = before !== undefined && /^(?:-|\/\w$)/.test(word);
    const now = STARTS.test(word) ? "starts" : LOADS.test(word) ? "loads" : undefined;
    const passes = isOption || isData(word);
    found.push({ word: word.replace(/^-\w(?=[./])/, ""), way: now || passes ? undefined : before });
    // An option's value may stand between: `deno run --config deno.json hook.ts`, `uv run --with requests hook.py`.
    const mayBeValue = afterOption && !/\.[a-z]\w*$/i.test(word);
    before = now ?? (passes || mayBeValue ? before : undefined);
    afterOption = isOption;
  }
  return found;
}

/** A name with blanks in it: quoted as a whole, or with a backslash before each. It may as well be what is said to somebody. */
const BLANKED =
  /"([^"`$\n]{0,250}[ \t][^"`$\n]{0,250})"|'([^'\n]{0,250}[ \t][^'\n]{0,250})'|((?:[^\s"'`;|&()<>\\]|\\.){1,500})/g;

function blankedIn(plain: string): { word: string; way: WordUse }[] {
  return [...plain.matchAll(BLANKED)].flatMap(([, double, single, bare = ""]) => {
    const word = double ?? single ?? (/\\[ \t]/.test(bare) ? bare.replace(/\\(.)/g, "$1") : "");
    return word.trim() === "" ? [] : [{ word, way: "starts" as const }];
  });
}

/** @param path of the script; undefined: what it loads is found otherwise */
const namesIn = (plain: string, path: string | undefined): NamedScript[] =>
  [...wordsIn(plain), ...blankedIn(plain).filter(({ word }) => isPath(word))].flatMap(({ word, way }) => {
    const names =
      way === "loads" && path !== undefined ? loaded(word, path) : way === "starts" || isPath(word) ? [word] : [];
    return names.map(name => ({ path: name, runs: way !== undefined }));
  });

const isPath = (word: string) => /[\\/]/.test(word) && !word.includes("://");

/** Languages leave the ending out, or name what it will be compiled to. */
function loaded(word: string, path: string): string[] {
  const place = word.replace(/[\\/]$/, "");
  if (isTaskFile(path)) return [place];
  if (/\.rb$/i.test(path)) return [place, `${place}.rb`];
  if (!place.startsWith(".")) return isPath(place) ? [place] : [];
  if (/\.[cm]?jsx?$/.test(place)) return [place, place.replace(/js(x?)$/, "ts$1")];
  return /\.[cm]?tsx?$/.test(place) ? [place] : ENDINGS.map(end => place + end);
}
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", "/index.js", "/index.ts"];

/** Of a line of Python: `import a.b as c, d`, `from ..lib import check`. */
function modulesIn(line: string): NamedScript[] {
  const statements = line.replace(/#.*/, "").replace(/\s+/g, " ").split(";");
  return statements.flatMap(statement => {
    const from = /(?:^|:) ?from (\.{0,9})([\w.]{0,300}) ?import (.+)/.exec(statement);
    const [, dots = "", module = "", names] = from ?? /(?:^|:) ?import()() (.+)/.exec(statement) ?? [];
    if (names === undefined) return [];
    const base = `${"../".repeat(Math.max(0, dots.length - 1))}${module.replaceAll(".", "/")}`.replace(/\/$/, "");
    const each = names.replace(/ as \w+/g, "").split(/[^\w.]+/);
    const places = each.map(name => [base, name.replaceAll(".", "/")].filter(part => part !== "").join("/"));
    const modules = [...new Set([module === "" ? "" : base, ...places])].filter(place => place !== "");
    return modules.flatMap(place => [`${place}.py`, `${place}/__init__.py`].map(path => ({ path, runs: true })));
  });
}

/** Each once; a file of tasks once for each task. */
export function toList(found: readonly NamedScript[]): NamedScript[] {
  const names = new Map<string, NamedScript>();
  for (const named of found) {
    const key = `${named.path}\0${named.task ?? "\0"}`;
    const known = names.get(key);
    const whole = (known?.whole || named.whole) && { whole: true as const };
    names.set(key, { ...named, runs: named.runs || (known?.runs ?? false), ...whole });
  }
  return [...names.values()];
}
