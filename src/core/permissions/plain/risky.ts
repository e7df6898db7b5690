/**
 * Options that make a program write a file or start another one: it is asked about, also where a rule allows the program, but
 * not where the rule names the option itself. Short ones are found within a cluster too (`-ni` holds `-i`).
 */

import { programName } from "./programKinds";

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
export function riskyOptions([program = "", ...words]: readonly string[]): string[] {
  const name = programName(program);
  if (name === "git") return riskyInGit(words);
  const risky = tables.get(sameProgram.get(name) ?? name);
  if (risky === undefined) return [];
  const behind = name === "find" ? -1 : words.indexOf("--");
  const options = words.slice(0, behind < 0 ? undefined : behind);
  const found = options.flatMap(value => riskyIn(value, risky, wordy.has(name)));
  const commands = /^(?:less|vim)$/.test(name) ? options.filter(value => value.startsWith("+")) : [];
  return [...riskyWords(name, words), ...found, ...commands];
}

const sameProgram = new Map(
  Object.entries({ pip3: "pip", pipx: "pip", gmake: "make", vi: "vim", nvim: "vim", mariadb: "mysql" }),
);

/** Words other than options that start something. */
function riskyWords(given: string, words: readonly string[]): string[] {
  const name = sameProgram.get(given) ?? given;
  const isFile = (value: string) => value !== "-" && !value.startsWith("-");
  if (interpreters.has(name) && !words.some(value => isFile(value) || saysSomething.test(value))) return ["-"];
  // What a variable of make holds is a part of the commands that make starts.
  if (name === "make")
    return words
      .filter(value => /^[^-].*=/s.test(value) && !/^(?!SHELL|\.SHELLFLAGS|MAKE)\w+=[\w.,:@%+-]*$/.test(value))
      .map(value => value.replace(/=.*/s, "="));
  // `cargo +./x build`: another cargo.
  if (name === "cargo") return words.slice(0, 1).filter(value => /^\+.*[/\\]/.test(value));
  if (name === "curl") return words.filter(value => value.includes("%output{"));
  return databases.has(name) ? words.filter(value => ownCommands.test(value)) : [];
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

// Git's words and options that start a program or write elsewhere.

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
 * @param words what follows `git`
 */
function riskyInGit(words: readonly string[]): string[] {
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
    found.push(...(/^(?:ext|fd)::/.test(value) ? [value] : riskyIn(value, risky, false)));
  }
  return found;
}
