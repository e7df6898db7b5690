/** What programs are, by their names, and their risky options. Programs that only read are in programs.ts. */

/** `shell`: runs command lines of POSIX. `wraps`: does nothing but start another program. `starts`: starts another one. `elsewhere`: what that does, it does not do here. */
type ProgramTrait =
  | "shell"
  | "wraps"
  | "starts"
  | "elsewhere"
  | "changes"
  | "runs"
  | "fetches"
  | "narrow"
  | "verbs"
  | "unsettles";

/**
 * `changes`: some of its words are files that are not the same afterwards. `runs`: a file that it is given. `fetches`: it prints foreign text. `narrow`: what
 * it does is said by all of its words, so no rule with a star is offered. `verbs`: what it does is said by a later word (`npm --silent test`).
 * `unsettles`: the shell's own; what runs afterwards may be something else.
 */
const lines = `
shell runs narrow: sh bash dash zsh ksh ash rbash mksh
starts: pkexec runuser chroot unshare nsenter strace ltrace gdb valgrind perf firejail bwrap script screen tmux batch parallel entr direnv dotenv cross-env concurrently make just task busybox toybox start-stop-daemon systemd-run expect unbuffer rlwrap setarch taskset numactl flock
starts narrow: sudo doas su at npx pnpx bunx uvx
starts runs narrow: bun
wraps: exec setsid stdbuf ionice gtimeout timeout time nohup nice builtin watch
wraps narrow: env eval xargs
wraps runs: source .
runs: tcsh csh nodejs tsx ts-node vite-node pypy julia java tclsh
starts verbs: npm pnpm yarn uv poetry pipenv bundle pipx
starts elsewhere: mosh vagrant
starts elsewhere narrow: docker podman kubectl
starts elsewhere narrow fetches: ssh
elsewhere: nerdctl
changes: touch install unlink patch mkdir chgrp sponge ed ex vi vim nvim nano emacs tar unzip 7z cpio split csplit sort ditto rename prettier gofmt xcopy robocopy copy move del
changes narrow: rm rmdir mv cp dd chmod chown ln tee truncate shred sed rsync scp
changes runs narrow: perl
fetches: http https xh httpie lynx w3m links elinks telnet sftp ftp dig nslookup whois
fetches narrow: curl wget nc ncat gh aws gcloud az
fetches verbs: glab
runs narrow: fish ruby php lua node deno python osascript pwsh
narrow: find awk kill pkill killall mkfs mount crontab socat open xdg-open terraform
unsettles: coproc trap wait command set export declare typeset local pushd popd hash alias unalias shopt enable bind complete readonly unset read mapfile readarray getopts let
verbs: git cargo go pip pip3 conda dotnet mvn gradle gem composer brew apt apt-get dnf apk pacman rustup helm systemctl mix rake bazel cmake firebase vercel heroku fly flyctl nix
`;

const traits = new Map<string, ReadonlySet<string>>(
  lines
    .trim()
    .split("\n")
    .flatMap(line => {
      const [of = "", names = ""] = line.split(": ");
      const all = new Set(of.split(" "));
      return names.split(" ").map(name => [name, all] as const);
    }),
);

/** A table whose lines begin with names: `a,b+c options` is a row for `a` and one for `b c`. */
export const rowsOf = (table: string): [name: string, row: string][] =>
  table
    .trim()
    .split("\n")
    .flatMap(line => {
      const [names = "", ...row] = line.split(" ");
      return names.split(",").map((name): [string, string] => [name.replace("+", " "), row.join(" ")]);
    });

/** @param name see `programName`, or as written where only the exact name counts */
export const isProgram = (trait: ProgramTrait, name: string): boolean => traits.get(name)?.has(trait) ?? false;

/** Where case does not count on the disk, `/bin/RM` is rm as well. */
export const plainName = (program: string): string =>
  program
    .slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, "");

/** `/usr/bin/python3.11` is python. */
export const programName = (program: string): string =>
  plainName(program).replace(/^(python|pypy|ruby|perl|php|lua|node)[\d.]+$/, "$1");

/**
 * Options that make a program write a file or start another one: it is asked about, also where a rule allows the program, but not where
 * the rule names the option itself. Short ones are found within a cluster too (`-ni` holds `-i`). A command of git without a row is one
 * itself.
 */
const options = `
less -o -O --log-file --LOG-FILE -k --lesskey-file --lesskey-src --lesskey-content
rsync -e --rsh --rsync-path --log-file
ssh -o -F -E -S -J -W
scp -o -S -F -J
docker --host -H -v --volume --mount --privileged --pid --config --context --device --cap-add --security-opt --volumes-from --userns --ipc --uts --cgroup-parent
curl -o -O --output --remote-name -K --config -T --upload-file -F --form -d --data --data-binary --data-raw -D --dump-header -c --cookie-jar --trace --trace-ascii --remote-name-all --output-dir --netrc-file --unix-socket --libcurl --stderr --etag-save --hsts --alt-svc --engine
split --filter
psql -f --file -o --output -L --log-file
mysql,mariadb --pager --tee --defaults-file --defaults-extra-file --plugin-dir
sqlite3 -cmd -init -interactive
helm --post-renderer --kubeconfig --kube-apiserver
openssl -config -engine -provider -provider-path
pip,pip3,pipx config --python --index-url -i --extra-index-url --trusted-host --find-links --global-option --config-settings
wget -O --output-document -o --output-file -P --post-file --body-file --use-askpass --input-file -i
node -c -e -p -r --eval --print --require --import --loader --experimental-loader -m -E -pe -ne
deno eval --allow-all -A
bun -e --eval -p --print -r --preload
python -c -m -i
ruby -e -r -S
perl -e -E -n -p -i -M -m -x -S
php -r -R -B -E -F -d
lua -e -l -i
osascript -e
npm --script-shell --node-options --userconfig --globalconfig --prefix -C config set explore edit
make,gmake -f --file --makefile --eval -E -C --directory -I
go -exec -toolexec -o -overlay -modfile
cargo --config -Z --manifest-path
gcc -wrapper -fplugin -B -specs
javac -processorpath -processor -J --processor-path
java -javaagent -agentlib -agentpath
zip -T -TT --unzip-command
vim,vi,nvim -c --cmd -S -s -w -W
env -S --split-string -C --chdir
tee -a
gpg --output -o
kubectl --kubeconfig --server --token --exec-command
terraform -chdir -plugin-dir
ip -b -batch
yq -i --inplace
prettier --plugin --config
eslint --config -c --rulesdir --resolve-plugins-relative-to --parser --plugin -o --output-file
pytest -p -c --rootdir -o --override-ini
mvn -f --file -s
git+add,git+checkout,git+cherry,git+clean,git+describe,git+fsck,git+gc,git+mv,git+prune,git+pack-refs,git+reflog,git+repack,git+reset,git+restore
git+range-diff,git+rm,git+sparse-checkout,git+stash,git+switch,git+symbolic-ref,git+tag,git+worktree,git+notes,git+status,git+rev-parse,git+rev-list
git+ls-files,git+ls-tree,git+blame,git+name-rev,git+merge-base,git+for-each-ref,git+show-ref,git+check-ignore,git+check-attr,git+count-objects
git+version,git+commit
git+log,git+diff,git+show,git+whatchanged,git+shortlog,git+diff-tree,git+diff-index,git+diff-files --output --ext-diff --textconv -O
git+am --exec
git+apply --unsafe-paths --directory
git+archive -o --output --remote --exec
git+branch --edit-description
git+bundle create
git+cat-file --textconv --filters
git+cherry-pick,git+revert -s --strategy -e --edit
git+clone -c --config -u --upload-pack --template --separate-git-dir --recurse-submodules --recursive
git+fetch --upload-pack --recurse-submodules
git+format-patch -o --output-directory --output
git+grep -O --open-files-in-pager --textconv --ext-grep
git+init --template --separate-git-dir
git+ls-remote --upload-pack --exec
git+merge -s --strategy
git+pull --upload-pack -s --strategy --recurse-submodules
git+push --receive-pack --exec
git+rebase -x --exec -i --interactive -s --strategy
`;

const riskyOf = new Map(rowsOf(options).map(([name, row]) => [name, new Set(row.split(" ").filter(Boolean))]));
/** Their options are whole words after one dash. */
const wordy = new Set("go javac java gcc terraform ip sqlite3 openssl".split(" "));
const saysSomething = /^(?:--version|--help|--test|--run|--check|--v8-options|-[vVh]|-version)$/;
/** In words to a database's program: commands of its own, which start programs and write files. */
const ownCommands =
  /^\s*[.|]\s*\w|\\(?:!|o|w|g|i|ir|copy|cd|setenv)(?![A-Za-z])|load_extension|\bsystem\b|\bprogram\s{0,9}['"$]/i;
const harmlessInGit = /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/;

/** All of them, as they were given: a rule that names one does not mean the next. @param all the program first */
export function riskyOptions([program = "", ...words]: readonly string[]): string[] {
  const name = programName(program);
  if (name !== "git") return [...riskyWords(name, words), ...riskyAmong(name, words)];
  const found: string[] = [];
  let at = 0;
  for (; words[at]?.startsWith("-"); at++) {
    const value = words[at] as string;
    if (harmlessInGit.test(value) || (/^--(?:version|help)$/.test(value) && at === words.length - 1)) continue;
    if (value === "-C") at += 1;
    // Of a setting (`-c core.pager=x`) its value counts too.
    else found.push(...(value === "-c" ? [value, words[++at] ?? ""] : [value.replace(/=.*/s, "")]));
  }
  const [command, ...rest] = words.slice(at);
  if (command === undefined || (command === "help" && rest.length === 0)) return found;
  return [...found, ...(riskyOf.has(`git ${command}`) ? riskyAmong(`git ${command}`, rest) : [command])];
}

/** Words other than options that start something, or are commands of an editor. */
function riskyWords(name: string, words: readonly string[]): string[] {
  if (/^(?:node|python|ruby|perl|php|lua)$/.test(name))
    // They run what comes in where they are given no file.
    return words.some(value => /^[^-]|^$/.test(value) || saysSomething.test(value)) ? [] : ["-"];
  // What a variable of make holds is a part of the commands that make starts.
  if (/^g?make$/.test(name))
    return words
      .filter(value => /^[^-].*=/s.test(value) && !/^(?!SHELL|\.SHELLFLAGS|MAKE)\w+=[\w.,:@%+-]*$/.test(value))
      .map(value => value.replace(/=.*/s, "="));
  // `cargo +./x build`: another cargo.
  if (name === "cargo") return words.slice(0, 1).filter(value => /^\+.*[/\\]/.test(value));
  if (name === "curl") return words.filter(value => value.includes("%output{"));
  if (/^(?:less|n?vim|vi)$/.test(name)) return words.filter(value => value.startsWith("+"));
  return /^(?:psql|mysql|mariadb|sqlite3)$/.test(name) ? words.filter(value => ownCommands.test(value)) : [];
}

function riskyAmong(name: string, words: readonly string[]): string[] {
  const end = words.indexOf("--");
  const before = words.slice(0, end < 0 ? undefined : end);
  return before.flatMap(value => riskyIn(value, riskyOf.get(name) ?? new Set(), wordy.has(name)));
}

/** Those of them that a word holds. @param isWordy options are whole words after one dash */
function riskyIn(value: string, risky: ReadonlySet<string>, isWordy: boolean): string[] {
  // What git gives to a program.
  if (/^(?:ext|fd)::/.test(value)) return [value];
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
