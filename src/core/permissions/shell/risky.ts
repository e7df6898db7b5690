/**
 * Options that make a program write a file or start another one: it is asked about, also where a rule allows the program, but
 * not where the rule names the option itself. Short ones are found within a cluster too (`-ni` holds `-i`).
 * Why: C-75.
 */

import { t } from "../../../shared/l10n";
import { optionTable, readOptions } from "../plain/getopt";
import { plainName, programName } from "../plain/programKinds";
import type { ShellWord } from "./words";

const code = "-c -e -p -r --eval --print --require --import --loader --experimental-loader -m -E -pe -ne";
const options: Record<string, string> = {
  less: "-o -O --log-file --LOG-FILE -k --lesskey-file --lesskey-src --lesskey-content",
  rsync: "-e --rsh --rsync-path --log-file",
  ssh: "-o -F -E -S -J -W",
  scp: "-o -S -F -J",
  docker:
    "--host -H -v --volume --mount --privileged --pid --config --context --device --cap-add --security-opt --volumes-from --userns --ipc --uts --cgroup-parent",
  curl: "-o -O --output --remote-name -K --config -T --upload-file -F --form -d --data --data-binary --data-raw -D --dump-header -c --cookie-jar --trace --trace-ascii --remote-name-all --output-dir --netrc-file --unix-socket --libcurl --stderr --etag-save --hsts --alt-svc --engine",
  split: "--filter",
  psql: "-f --file -o --output -L --log-file",
  mysql: "--pager --tee --defaults-file --defaults-extra-file --plugin-dir",
  sqlite3: "-cmd -init -interactive",
  helm: "--post-renderer --kubeconfig --kube-apiserver",
  openssl: "-config -engine -provider -provider-path",
  pip: "config --python --index-url -i --extra-index-url --trusted-host --find-links --global-option --config-settings",
  wget: "-O --output-document -o --output-file -P --post-file --body-file --use-askpass --input-file -i",
  node: code,
  deno: "eval --allow-all -A",
  bun: "-e --eval -p --print -r --preload",
  python: "-c -m -i",
  ruby: "-e -r -S",
  perl: "-e -E -n -p -i -M -m -x -S",
  php: "-r -R -B -E -F -d",
  lua: "-e -l -i",
  osascript: "-e",
  npm: "--script-shell --node-options --userconfig --globalconfig --prefix -C config set explore edit",
  make: "-f --file --makefile --eval -E -C --directory -I",
  go: "-exec -toolexec -o -overlay -modfile",
  cargo: "--config -Z --manifest-path",
  gcc: "-wrapper -fplugin -B -specs",
  javac: "-processorpath -processor -J --processor-path",
  java: "-javaagent -agentlib -agentpath",
  zip: "-T -TT --unzip-command",
  vim: "-c --cmd -S -s -w -W",
  env: "-S --split-string -C --chdir",
  tee: "-a",
  gpg: "--output -o",
  kubectl: "--kubeconfig --server --token --exec-command",
  terraform: "-chdir -plugin-dir",
  ip: "-b -batch",
  yq: "-i --inplace",
  prettier: "--plugin --config",
  eslint: "--config -c --rulesdir --resolve-plugins-relative-to --parser --plugin -o --output-file",
  pytest: "-p -c --rootdir -o --override-ini",
  mvn: "-f --file -s",
};

const tables = new Map(Object.entries(options).map(([name, line]) => [name, new Set(line.split(" "))]));
/** Their options are whole words after one dash. */
const wordy = new Set(["find", "go", "javac", "java", "gcc", "terraform", "ip", "sqlite3", "openssl"]);
/** They run what comes in where they are given no file. */
const interpreters = new Set(["node", "python", "ruby", "perl", "php", "lua"]);
const saysSomething = /^(?:--version|--help|--test|--run|--check|--v8-options|-[vVh]|-version)$/;
/** In words to a database's program: commands of its own, which start programs and write files. */
const ownCommands =
  /^\s*[.|]\s*\w|\\(?:!|o|w|g|i|ir|copy|cd|setenv)(?![A-Za-z])|load_extension|\bsystem\b|\bprogram\s{0,9}['"$]/i;
const databases = new Set(["psql", "mysql", "sqlite3"]);

/** All of them, as they were given: a rule that names one does not mean the next. @param all the program first */
export function riskyOptions([first, ...words]: readonly ShellWord[]): string[] {
  const program = first?.value ?? "";
  const name = programName(program);
  if (name === "git") return riskyInGit(words.map(({ value }) => value));
  const risky = tables.get(sameProgram.get(name) ?? name);
  if (risky === undefined) return [];
  const found = riskyWords(name, words);
  for (const { value } of words) {
    if (value === "--" && name !== "find") break;
    if (value === undefined) continue;
    found.push(...riskyIn(value, risky, wordy.has(name)));
    if ((name === "less" || name === "vim") && value.startsWith("+")) found.push(value);
  }
  return found;
}

const sameProgram = new Map(
  Object.entries({ pip3: "pip", pipx: "pip", gmake: "make", vi: "vim", nvim: "vim", mariadb: "mysql" }),
);

/** What is no option and starts something all the same. */
function riskyWords(given: string, words: readonly ShellWord[]): string[] {
  const name = sameProgram.get(given) ?? given;
  const texts = words.map(({ value = "" }) => value);
  if (interpreters.has(name)) {
    const isScript = ({ value }: ShellWord) => value === undefined || (value !== "-" && !value.startsWith("-"));
    const asks = words.some(word => isScript(word) || saysSomething.test(word.value ?? ""));
    if (!asks) return ["-"];
  }
  // What a variable of make holds is a part of the commands that make starts.
  if (name === "make")
    return texts
      .filter(value => /^[^-].*=/s.test(value) && !/^(?!SHELL|\.SHELLFLAGS|MAKE)\w+=[\w.,:@%+-]*$/.test(value))
      .map(value => value.replace(/=.*/s, "="));
  // `cargo +./x build`: another cargo.
  if (name === "cargo") return texts.slice(0, 1).filter(value => /^\+.*[/\\]/.test(value));
  if (name === "curl") return texts.filter(value => value.includes("%output{"));
  return databases.has(name) ? texts.filter(value => ownCommands.test(value)) : [];
}

/** Those of them that a word holds. @param isWordy options are whole words after one dash */
function riskyIn(value: string, risky: ReadonlySet<string>, isWordy: boolean): string[] {
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

/** They only read, unless one of their words is an option that starts another program. */
const lets = new Set("find rg fd fdfind sort tar man sed awk gawk mawk node".split(" "));
/** Its own words take each what stands behind them for a value. */
const findValue = /^-(?:i?name|i?path|i?regex|wholename|type|newer|mtime|mmin|size|maxdepth|mindepth)$/;

/**
 * Why what it is given may start something though it seems to read; undefined: it does not. Of the shell's own programs, some
 * compute with what is in a name's brackets, and `a[$(…)]` runs.
 * @param reads as far as its words are known @param openEnded more words come that are not here
 */
export function startsByWord(
  { words: [first, ...words], openEnded = false }: { words: readonly ShellWord[]; openEnded?: boolean },
  reads: boolean,
): string | undefined {
  const name = plainName(first?.value ?? "");
  const has = (option: RegExp) => words.some(({ value = "" }) => option.test(value));
  if (/^(?:test|\[)$/.test(name) && has(/^-[vR]$/)) return t("computes an index");
  if ((name === "printf" && /^-v/.test(words[0]?.value ?? "")) || (name === "wait" && has(/^-\w*p/)))
    return t("`{0}` may change what runs", name);
  if (!reads || !(lets.has(name) || (name === "git" && has(/^grep$/)))) return undefined;
  const end = name === "find" ? -1 : words.findIndex(({ value }) => value === "--");
  const open = words.slice(0, end < 0 ? undefined : end).find(({ text, value, isGlob, isPath }, at) => {
    if (isPath || (name === "find" && findValue.test(words[at - 1]?.value ?? ""))) return false;
    // In quotes it is one word: what `find` would start ends in a further one.
    if (name === "find" && /^"[^@*]*"$/.test(text) && !has(/^[;+]$/)) return false;
    return value === undefined || (isGlob && /^[-*?[]/.test(value));
  });
  if (open === undefined && !(openEnded && end < 0)) return undefined;
  return t("gives `{0}` words that are only known when it runs, and may start something", name);
}

// Of Git's commands: words and options that start a program or write elsewhere, whatever rules allow.

/** Command → options with which it starts a program, takes settings from elsewhere or writes there. */
const gitCommands: Record<string, string> = {
  ...Object.fromEntries(
    "add checkout cherry clean describe fsck gc mv prune pack-refs reflog repack reset restore range-diff rm sparse-checkout stash switch symbolic-ref tag worktree notes status rev-parse rev-list ls-files ls-tree blame name-rev merge-base for-each-ref show-ref check-ignore check-attr count-objects version commit"
      .split(" ")
      .map(name => [name, ""]),
  ),
  ...Object.fromEntries(
    "log diff show whatchanged shortlog diff-tree diff-index diff-files"
      .split(" ")
      .map(name => [name, "--output --ext-diff --textconv -O"]),
  ),
  am: "--exec",
  apply: "--unsafe-paths --directory",
  archive: "-o --output --remote --exec",
  branch: "--edit-description",
  bundle: "create",
  "cat-file": "--textconv --filters",
  "cherry-pick": "-s --strategy -e --edit",
  clone: "-c --config -u --upload-pack --template --separate-git-dir --recurse-submodules --recursive",
  fetch: "--upload-pack --recurse-submodules",
  "format-patch": "-o --output-directory --output",
  grep: "-O --open-files-in-pager --textconv --ext-grep",
  init: "--template --separate-git-dir",
  "ls-remote": "--upload-pack --exec",
  merge: "-s --strategy",
  pull: "--upload-pack -s --strategy --recurse-submodules",
  push: "--receive-pack --exec",
  rebase: "-x --exec -i --interactive -s --strategy",
  revert: "-s --strategy -e --edit",
};

const gitTables = new Map(
  Object.entries(gitCommands).map(([name, line]) => [name, new Set(line.split(" ").filter(Boolean))]),
);
const harmlessInGit = /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/;

/**
 * Of a setting (`-c core.pager=x`) its value counts too.
 * @param words what follows `git`; undefined: only known when it runs
 */
function riskyInGit(words: readonly (string | undefined)[]): string[] {
  const found: string[] = [];
  let at = 0;
  for (; words[at]?.startsWith("-"); at++) {
    const value = words[at] as string;
    if (harmlessInGit.test(value) || (/^--(?:version|help)$/.test(value) && at === words.length - 1)) continue;
    if (value === "-C") at += 1;
    else found.push(...(value === "-c" ? [value, words[++at] ?? ""] : [value.replace(/=.*/s, "")]));
  }
  const [name, ...rest] = words.slice(at);
  if (name === undefined || (name === "help" && rest.length === 0)) return found;
  const risky = gitTables.get(name);
  if (risky === undefined) return [...found, name];
  for (const value of rest) {
    if (value === "--") break;
    if (value === undefined) continue;
    found.push(...(/^(?:ext|fd)::/.test(value) ? [value] : riskyIn(value, risky, false)));
  }
  return found;
}

// What `sed` is given: a script of it may start programs (`e`), write files (`w`) and read any (`r`).

const sedOptions = optionTable(
  "-nErsuz -e: -l: --quiet --silent --regexp-extended --expression: --null-data --separate --line-length:",
);

/** Between delimiters; in brackets none of them, since not every sed takes one there for text. */
const sedText = String.raw`(?:\\.|\[\^?\]?(?:(?!\2)[^\]\n])*\]|(?!\2)[^\\\[\n])*`;
const substitution = new RegExp(
  String.raw`^(?:(s)|y)([/|#,@:!%_+])${sedText}\2(?:\\.|(?!\2)[^\\\n])*\2[gpiI\d]*(?=[\s;}]|$)`,
);
const sedAddress = /^(?:\d+(?:~\d+)?|\$|\/(?:\\.|\[\^?\]?[^\]\n/]*\]|[^\\[\n/])*\/I?|[,\s!]|\+\d+)+/;
const sedCommand = /^(?:[{}]|[pdqDgGhHlnNPx=](?=[\s;}\dpdqDgGhHlnNPx=]|$)\d*|[aic]\\?(?:[^\n\\]|\\.)*|[;\s]+)/;

/** Its script has no command but those that change what is printed. @param words `sed` first */
export function isHarmlessSed([program, ...words]: readonly string[]): boolean {
  if (program !== "sed") return false;
  const read = readOptions(words, sedOptions);
  if ("unknown" in read) return false;
  const given = ["e", "expression"].flatMap(name => read.given.get(name) ?? []);
  const scripts = given.length > 0 ? given : read.words.slice(0, 1);
  return scripts.length > 0 && read.late.length === 0 && scripts.every(isHarmless);
}

function isHarmless(script: string): boolean {
  if (script.length > 2000) return false;
  for (let left = script; left !== ""; ) {
    const found = substitution.exec(left) ?? sedAddress.exec(left) ?? sedCommand.exec(left);
    if (found === null || found[0] === "") return false;
    left = left.slice(found[0].length);
  }
  return true;
}
