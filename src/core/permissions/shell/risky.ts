/**
 * Options that make a program write a file or start another one: it is asked about, also where a rule allows the program, but
 * not where the rule names the option itself. Short ones are found within a cluster too (`-ni` holds `-i`).
 * Why: C-75.
 */

import { programName } from "../plain/programKinds";
import { riskyInGit } from "./riskyGit";
import { riskyIn } from "./riskyIn";
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
