/**
 * Options that make a program write a file or start another one: it is asked about, also where a rule allows the program, but
 * not where the rule names the option itself. Short ones are found within a cluster too (`-ni` holds `-i`).
 */
import type { ShellWord } from "./words";

const code = "-c -e -p -r --eval --print --require --import --loader --experimental-loader -m -E -pe -ne";
const options: Record<string, string> = {
  find: "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from",
  sed: "-i -s --in-place -f --file",
  awk: "-f --file -i --include -l --load -o -E --exec -p -d",
  sort: "-o --output --compress-program -T --temporary-directory --files0-from",
  uniq: "",
  tar: "-P --checkpoint-action --to-command -I --use-compress-program -F --info-script --new-volume-script --rsh-command --rmt-command -P --absolute-names",
  rg: "--pre --hostname-bin --search-zip -z",
  less: "-o -O --log-file -k --lesskey-file --lesskey-src",
  rsync: "-e --rsh --rsync-path --log-file",
  ssh: "-o -F -E -S -J -W",
  scp: "-o -S -F -J",
  docker: "--host -H -v --volume --mount --privileged --pid --config --context",
  curl: "-o -O --output --remote-name -K --config -T --upload-file -F --form -d --data --data-binary --data-raw -D --dump-header -c --cookie-jar --trace --trace-ascii --remote-name-all --output-dir --netrc-file --unix-socket",
  wget: "-O --output-document -o --output-file -P --post-file --body-file --use-askpass --input-file -i",
  node: code,
  deno: "eval --allow-all -A",
  bun: "-e --eval -p --print -r --preload",
  python: "-c -m -i",
  python3: "-c -m -i",
  ruby: "-e -r -S",
  perl: "-e -E -n -p -i -M -m -x -S",
  php: "-r -R -B -E -F -d",
  lua: "-e -l -i",
  osascript: "-e",
  npm: "--script-shell --node-options --userconfig --globalconfig --prefix -C",
  make: "-f --file --makefile --eval -C --directory -I",
  go: "-exec -toolexec -o -overlay -modfile",
  cargo: "--config -Z --manifest-path",
  gcc: "-wrapper -fplugin -B -specs",
  javac: "-processorpath -processor -J --processor-path",
  java: "-javaagent -agentlib -agentpath",
  file: "-C -m --compile --magic-file",
  tree: "-o",
  date: "-s --set",
  man: "-P --pager -H --html",
  zip: "-T -TT --unzip-command",
  xxd: "-r",
  vim: "-c --cmd -S -s -w -W",
  env: "-S --split-string -C --chdir",
  tee: "-a",
  gpg: "--output -o",
  kubectl: "--kubeconfig",
  terraform: "-chdir",
  ip: "-b -batch",
  jq: "-f --from-file -L",
  yq: "-i --inplace",
  prettier: "--plugin --config",
  eslint: "--config -c --rulesdir --resolve-plugins-relative-to --parser --plugin -o --output-file",
  pytest: "-p -c --rootdir -o --override-ini",
  mvn: "-f --file -s",
};

const tables = new Map(Object.entries(options).map(([name, line]) => [name, new Set(line.split(" "))]));
/** Their options are whole words after one dash. */
const wordy = new Set(["find", "go", "javac", "java", "gcc", "terraform", "ip"]);

/** The first of them, as it was given; undefined: none. */
export function riskyOption(program: string, words: readonly ShellWord[]): string | undefined {
  const name = program.slice(program.lastIndexOf("/") + 1).replace(/^(python|ruby|perl|php|node|lua)\d[\d.]*$/, "$1");
  const risky = tables.get(name === "gawk" || name === "mawk" ? "awk" : name);
  if (risky === undefined) return undefined;
  for (const { value } of words) {
    if (value === "--" && name !== "find") return undefined;
    const found = value === undefined ? undefined : riskyIn(value, risky, wordy.has(name));
    if (found !== undefined) return found;
    if (name === "less" && value?.startsWith("+")) return value;
  }
  return undefined;
}

/** The one of them that a word holds. @param isWordy options are whole words after one dash */
export function riskyIn(value: string, risky: ReadonlySet<string>, isWordy: boolean): string | undefined {
  if (!value.startsWith("-") || value === "-") return risky.has(value) ? value : undefined;
  const dashed = isWordy && value.startsWith("--") ? value.slice(1) : value;
  const bare = dashed.replace(/=.*/s, "");
  if (risky.has(bare)) return bare;
  // `--out` is `--output` to many programs
  if (bare.startsWith("--")) return bare.length < 3 ? undefined : [...risky].find(each => each.startsWith(bare));
  if (isWordy)
    return [...risky].find(
      each => each === `-${bare}` || bare.startsWith(`${each}:`) || (each === "-J" && bare.startsWith(each)),
    );
  for (const letter of bare.slice(1)) if (risky.has(`-${letter}`)) return `-${letter}`;
  return undefined;
}
