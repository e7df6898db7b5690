/**
 * Programs that only read. A line: the names, what words are that are no options, then the options (see getopt.ts). `content`: files
 * that are shown; `names`: files of which only names and the like are; `here`: so, and the folder itself without any; `text`; `any`: so,
 * without options; `pattern`: the first is text; `none`; `one`: one file at most, since a second one is written. `docker+ps` is `docker ps`.
 *
 * Letters mean the same to GNU, BSD and busybox, or take no more words to any of them than they take here.
 */
import { defined } from "../../../shared/defined";
import { t } from "../../../shared/l10n";
import { type OptionTable, optionTable, type ReadWords, readOptions } from "./getopt";
import { readGit } from "./git";
import { languages } from "./languages";
import { rowsOf } from "./programKinds";
import { named, type PlainFile, type Reading, type Reads, unknownOption, unknownWords } from "./reading";

const grep =
  "pattern -#abcEFGHhiIlLnoPqrRsUvwxyZz -A: -B: -C: -e: -f@ -m: --after-context: --before-context: --context= --color? --colour? --count --exclude: --exclude-dir: --exclude-from@ --extended-regexp --file@ --files-with-matches --files-without-match --fixed-strings --ignore-case --include: --invert-match --line-number --line-regexp --max-count: --no-filename --no-messages --null --only-matching --perl-regexp --quiet --recursive --dereference-recursive --regexp: --silent --text --with-filename --word-regexp --binary-files= --line-buffered --basic-regexp";
const sum = "names -bt --binary --text --tag";

const lines = `
cat content -AbeEnstTuv --show-all --number --number-nonblank --show-ends --show-tabs --squeeze-blank
tac content -br -s: --separator:
head content -#qvz -n: -c: --lines: --bytes: --quiet --silent --verbose
tail content -#fFqvz -n: -c: --lines: --bytes: --quiet --silent --verbose --retry
wc names -clmwL --lines --words --bytes --chars --max-line-length
ls here -1aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ --all --almost-all --color? --human-readable --recursive --reverse --sort= --time= --time-style= --full-time --group-directories-first --directory --classify? --inode --size --si
stat names -LFlrsxf -c: --format= --printf= --terse --dereference --file-system
du here -0abchHklLmsSx -d: --max-depth: --human-readable --summarize --all --total --apparent-size --exclude: --bytes
df names -ahHiklP --human-readable --all --inodes --total
tree here -aACdDfFghilNnpqQrsStuUvx -L: -I: -P: --dirsfirst --du --gitignore --noreport --prune --sort= --charset= --filelimit=
file names -bhiLN0 --brief --mime --mime-type --mime-encoding --dereference
readlink names -femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline
realpath names -emLPsqz --relative-to= --relative-base= --canonicalize-missing --no-symlinks
basename text -az -s: --suffix= --multiple
dirname text -z
cmp content -bls -n: --silent --quiet --verbose --bytes:
diff content -abBcdeEinNpqrstTuwyZ -U: -C: -x: -I: -W: --brief --unified? --context? --recursive --side-by-side --ignore-all-space --ignore-space-change --ignore-blank-lines --color? --exclude: --suppress-common-lines --strip-trailing-cr --new-file --text --width:
comm content -123z --check-order --nocheck-order --output-delimiter=
cut content -snz -b: -c: -d: -f: --delimiter: --fields: --characters: --only-delimited --complement --output-delimiter=
paste content -sz -d: --delimiters: --serial
join content -i -a: -e: -j: -o: -t: -v: -1: -2:
tr text -cCdst --complement --delete --squeeze-repeats
nl content -p -b: -d: -f: -h: -i: -l: -n: -s: -v: -w:
fold content -bs -w: --width: --spaces
fmt content -cs -w: --width:
column content -tx -c: -s: -o: -N: -R: -H: --table --separator: --output-separator:
expand content -i -t: --initial --tabs:
unexpand content -a -t: --all --tabs:
rev content
strings content -an:
zcat content
od content -abcdfhiloxv -A: -j: -N: -t: --format= --address-radix=
hexdump content -bcdoxvC -e: -n: -s:
md5sum,sha1sum,sha256sum,sha512sum ${sum}
shasum ${sum} -a: --algorithm:
cksum names
base64 content -dDi -w: --decode --wrap:
grep,egrep,fgrep ${grep}
rg pattern -#abcFHhiIlLnNoPpqSsUuvwx0. -A: -B: -C: -d: -e: -f@ -g: -j: -m: -M: -r: -t: -T: --after-context: --before-context: --context: --case-sensitive --color: --column --count --count-matches --crlf --encoding: --file@ --files --files-with-matches --files-without-match --fixed-strings --follow --glob: --heading --hidden --iglob: --ignore-case --invert-match --json --line-number --line-regexp --max-columns: --max-count: --max-depth: --max-filesize: --multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-vcs --no-line-number --no-messages --null --only-matching --passthru --pcre2 --quiet --regexp: --replace: --smart-case --sort: --sortr: --stats --text --trim --type: --type-list --type-not: --unrestricted --vimgrep --with-filename --word-regexp
fd,fdfind pattern -HIasgFpuL0 -e: -E: -d: -t: --hidden --no-ignore --extension: --exclude: --max-depth: --type: --glob --follow --absolute-path
sort content -bcCdfghiMmnrRsuVz -k: -t: --key: --field-separator: --numeric-sort --reverse --unique --version-sort --human-numeric-sort --check? --stable --ignore-case --general-numeric-sort --zero-terminated --parallel:
uniq one -cdDiuz -f: -s: -w: --count --repeated --unique --ignore-case --skip-fields: --skip-chars:
xxd one -abeEipu -c: -g: -l: -s:
jq pattern -acCehjMnrRsS --raw-output --compact-output --slurp --null-input --exit-status --tab --indent: --sort-keys --raw-input --join-output --color-output --monochrome-output
true,false,echo,expr any
sleep,yes,getconf text
seq text -#ws -f: -s:
date none -uR -I? --date: --iso-8601? --utc --rfc-3339= --rfc-email
pwd none -LP
whoami,arch none
id text -gGnruz
groups text
uname none -amnoprsv --all --machine --kernel-name --kernel-release
nproc none --all
lscpu none
lsblk none -afpS
locale none -a
uptime none -ps
free none -bghkmtw --human
tty none -s
hostname none -fsI
which text -a
type text -afpPt
command+-v text
command+-V text
pgrep text -aflnovx -u:
ss none -46tulnpasx
lsof names -nPtalw -i? -s? -p: -u: -c:
node+--check one
unzip+-l names
unzip+-Z1 names
zipinfo names -1
gzip+-l names -v
docker+ps none -aqs -n: --all --quiet --no-trunc --size --format: --filter: --last: --latest
docker+images text -aq --all --quiet --no-trunc --digests --format: --filter:
docker+logs text -t -n: --tail: --since: --until: --timestamps --details
docker+inspect text -s -f: --format: --type: --size
`;

const programs: ReadonlyMap<string, { words: string; table: OptionTable }> = new Map(
  rowsOf(lines).map(([name, row]) => {
    const [words = "", ...options] = row.split(" ");
    return [name, { words, table: optionTable(options.join(" ")) }];
  }),
);

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
  if (program.words === "any") return { files: [] };
  const read = readOptions(given, program.table, name === "xxd");
  if ("unknown" in read) return unknownOption(two ?? name, read.unknown);
  return byWords(two ?? name, program.words, read, isFed) ?? unknownWords(two ?? name);
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
