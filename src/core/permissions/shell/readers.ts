/**
 * Programs that only read, with the options that leave it at that. A line: the name, what the words are that are no options
 * (`files`; `names`: their content is not shown; `text`; `pattern`: the first is text; `none`; `one`: one file, a second one would be
 * written; `any`: all of them are text), then the options (see options.ts; `-#`
 * is a number). `npm+ls` is `npm ls`. A `!` before the name: no option of it does anything else, so that a word that is only known when it runs does
 * no harm.
 */
import { type OptionTable, optionTable } from "./options";

interface Reader {
  words: "files" | "names" | "text" | "pattern" | "none" | "one" | "any";
  options: OptionTable;
  /** no option writes or runs anything */
  harmless: boolean;
}

const lines = `
!cat files -AbeEnstTuv --show-all --number --number-nonblank --show-ends --show-tabs --squeeze-blank
!tac files -b -r -s:
!head files -#qvz -n: -c: --lines: --bytes: --quiet --verbose
!tail files -#qvz -n: -c: --lines: --bytes: --quiet --verbose
!wc names -clmwL --lines --words --bytes --chars --max-line-length
!ls names -1aAbBcCdfFgGhHiklLmnNopqQrRsStTuUvwxXZ --all --almost-all --color --color: --human-readable --recursive --reverse --sort: --time: --time-style: --full-time --group-directories-first --directory --classify --inode --size --si
!stat names -Lftx -c: --format: --printf: --terse --dereference --file-system
!du names -0abchHklLmsSx -d: -t: --max-depth: --human-readable --summarize --all --total --apparent-size --exclude: --bytes
!df names -ahHiklPT --human-readable --all --inodes --type: --total
file names -bhiLNnprsz0 --brief --mime --mime-type --mime-encoding --dereference
!readlink names -femnqsvz --canonicalize --canonicalize-existing --no-newline
!realpath names -emPLsqz --relative-to@ --relative-base@ --canonicalize-missing --no-symlinks
!basename text -az -s: --suffix: --multiple
!dirname text -z
!cmp files -bls -i: -n: --silent --quiet --verbose --bytes:
!diff files -#abBcdeEilNnpqrstTuwyZ -U: -C: -x: -I: -W: --brief --unified? --context? --recursive --side-by-side --ignore-all-space --ignore-space-change --ignore-blank-lines --color --color: --exclude: --suppress-common-lines --strip-trailing-cr --stat --new-file --text --width:
!comm files -123z --check-order --nocheck-order --output-delimiter:
!cut files -snz -b: -c: -d: -f: --delimiter: --fields: --characters: --only-delimited --complement --output-delimiter:
!paste files -sz -d: --delimiters: --serial
!join files -ai -t: -1: -2: -o: -e: -v:
!tr text -cCdst --complement --delete --squeeze-repeats
!nl files -p -b: -n: -s: -v: -w: -h: -f: -i:
!fold files -bs -w: --width: --spaces
!fmt files -cstu -w: --width:
!column files -texn -s: -o: -c: -N: -R: -H: --table --separator:
!expand files -i -t:
!unexpand files -a -t:
!rev files -0
!od files -abcdfiloxsv -A: -t: -N: -j: -w? --format: --address-radix:
!hexdump files -bcdoxvC -n: -s: -e:
!strings files -afow -n: -t: -e: --bytes:
!md5sum names -bct --check --quiet --status
!sha1sum names -bct --check --quiet --status
!sha256sum names -bct --check --quiet --status
!sha512sum names -bct --check --quiet --status
!shasum names -bct -a: --algorithm:
!cksum names -a:
!grep pattern -#abcEFGhHiIlLnoPqrsTuUvVwxyzZ -A: -B: -C: -d: -D: -e: -f@ -m: --after-context: --before-context: --context: --color? --colour? --count --exclude: --exclude-dir: --exclude-from@ --extended-regexp --file@ --files-with-matches --files-without-match --fixed-strings --ignore-case --include: --invert-match --line-number --line-regexp --max-count: --no-filename --no-messages --null --only-matching --perl-regexp --quiet --recursive --regexp: --silent --text --with-filename --word-regexp --binary-files: --line-buffered --basic-regexp --initial-tab
!egrep pattern -#abchHiIlLnoqrsvwx -A: -B: -C: -e: -m: --include: --exclude: --exclude-dir: --color?
!fgrep pattern -#abchHiIlLnoqrsvwx -A: -B: -C: -e: -m: --include: --exclude: --exclude-dir: --color?
rg pattern -#abcFHhiIlNnoPpqSsUuVvwx0. -A: -B: -C: -e: -f@ -g: -j: -m: -M: -r: -t: -T: -d: --after-context: --before-context: --context: --case-sensitive --color: --column --count --count-matches --crlf --debug --encoding: --file@ --files --files-with-matches --files-without-match --fixed-strings --glob: --heading --hidden --iglob: --ignore-case --invert-match --json --line-number --line-regexp --max-columns: --max-count: --max-depth: --max-filesize: --multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-vcs --no-line-number --no-messages --null --only-matching --passthru --pcre2 --quiet --regexp: --replace: --smart-case --sort: --sortr: --stats --text --trim --type: --type-list --type-not: --unrestricted --vimgrep --with-filename --word-regexp
ag pattern -acfFgGiIlLnQrsSuUvw0 --hidden --nocolor
sort files -bcCdfghiMmnrRsuVz -k: -t: --key: --field-separator: --numeric-sort --reverse --unique --version-sort --human-numeric-sort --check --stable --ignore-case --general-numeric-sort --zero-terminated --parallel:
jq pattern -acCehjMnrRsS --raw-output --compact-output --slurp --null-input --exit-status --tab --indent: --sort-keys --raw-input --join-output --color-output --monochrome-output
tree names -aAcCdDfFghilNnpqQrsStuUvxX -L: -I: -P: --dirsfirst --du --filelimit: --gitignore --noreport --prune --sort: --charset:
!echo any
!true any
!false any
!sleep any
!seq any
!expr text -
date none -uR -I? -d: --iso-8601 --iso-8601: --utc --rfc-3339: --rfc-email --date:
!pwd none -LP
!whoami none -
!id text -gGnruz
!groups text -
!uname none -amnoprsv --all --machine --kernel-name --kernel-release
!arch none -
!nproc none - --all
!uptime none -ps
!free none -bghklmtw --human
!tty none -s
!locale none -a
!which text -a
!type text -afpPt
!cd names -PL
!: any
!ps none -aAdefFHjlLMNTuvwxZ -o: -p: -C: -u: --pid: --no-headers --sort: --forest
!getconf text -a
!tput text -
uniq one -cdDiuz -f: -s: -w: --count --repeated --unique --ignore-case --skip-fields: --skip-chars:
xxd one -abeEipu -c: -g: -l: -s: -len: -cols:
!base64 files -dDi -w: --decode --wrap:
less files -eEfFiIMnNqQrRsSuUwWX
more files -dfpsu
zcat files -f
bat files -Ap -l: -r: --plain --style: --color: --paging: --language: --line-range: --number
fd pattern -HIastgFpuL -e: -E: -d: -t: --hidden --no-ignore --extension: --exclude: --max-depth: --type: --glob
zipinfo names -12slmvhtz
nm files -aCDgulnpSrAP --demangle --undefined-only --defined-only --extern-only --dynamic
size files -ABdx
readelf files -ahlSsWdnre --all --headers --symbols --sections --segments --dynamic --wide
objdump files -adDfhprtTxCS --disassemble --syms --headers --demangle
gofmt files -delsd
hostname none -fsdiI --fqdn --short
lscpu none -e
vmstat text -
pgrep text -aflnvx -u:
ss none -tulnpas
exit text -
break text -
continue text -
return text -
jobs none -lprs
wait text -
times none -
dirs none -lpv
clear none -
node+--check one -
docker+ps none -aqns --all --quiet --no-trunc --format: --filter: --last: --latest
docker+images text -aq --all --quiet --no-trunc --format: --filter: --digests
unzip+-l one -
unzip+-Z1 one -
`;

function readLine(line: string): [string, Reader] {
  const [first = "", words = "", ...options] = line.split(" ");
  const harmless = first.startsWith("!");
  const reader = { words: words as Reader["words"], options: optionTable(options.join(" ")), harmless };
  return [harmless ? first.slice(1) : first, reader];
}

/** By name. */
export const readers: ReadonlyMap<string, Reader> = new Map(lines.trim().split("\n").map(readLine));
