/** Which of git's commands only read. What the repository's own settings may start is looked at by who asks (gitSettings.ts). */

import { gitActs } from "./gitActs";
import type { Judgement } from "./judgement";
import { optionTable, readOptions } from "./options";
import type { ShellWord } from "./words";

const log =
  "-#cgimpqstuwz -n: -S: -G: -L: -U? -M? -C? -l: --all --abbrev --abbrev: --abbrev-commit --after: --author: --before: --branches --branches: --cached --cc --check --color --color: --committer: --count --cherry --cherry-pick --date: --decorate --decorate: --diff-algorithm: --diff-filter: --dirstat --exit-code --find-renames --first-parent --follow --format: --full-history --function-context --graph --grep: --histogram --ignore-all-space --ignore-blank-lines --ignore-space-change --inter-hunk-context: --left-right --max-count: --merge-base --merges --minimal --name-only --name-status --no-color --no-decorate --no-ext-diff --no-merges --no-patch --no-prefix --no-renames --no-textconv --not --numstat --oneline --patch --patch-with-stat --patience --pickaxe-all --pickaxe-regex --pretty --pretty: --quiet --raw --relative --relative-date --remotes --reverse --shortstat --show-notes --simplify-merges --since: --skip: --source --staged --stat --stat: --submodule --summary --tags --tags: --text --topo-order --unified? --until: --walk-reflogs --word-diff --word-diff: --word-diff-regex:";

/** Command → its options. Words that are no options name commits, refs and paths of the repository. */
const readingCommands: Record<string, string> = {
  status:
    "-bsvz -u? -M? --branch --short --porcelain --porcelain: --long --untracked-files --untracked-files: --ignored --ignored: --show-stash --ahead-behind --no-renames --column",
  log,
  diff: log,
  show: log,
  whatchanged: log,
  shortlog: "-enscw --all --no-merges --numbered --summary --email --since: --until: --author: --group: --format:",
  "rev-parse":
    "-q --show-toplevel --show-prefix --show-cdup --abbrev-ref --abbrev-ref: --short --short: --verify --git-dir --git-common-dir --is-inside-work-tree --is-bare-repository --symbolic-full-name --all --branches --tags --remotes --quiet --absolute-git-dir --show-superproject-working-tree",
  "rev-list":
    "-#n: --all --count --max-count: --no-merges --merges --since: --until: --author: --left-right --first-parent --reverse --objects --topo-order --tags --branches",
  "ls-files":
    "-cdmoiskutvxz --cached --deleted --modified --others --ignored --stage --exclude-standard --full-name --error-unmatch --unmerged --eol",
  "ls-tree": "-drtlz --name-only --name-status --full-name --full-tree --long --abbrev:",
  blame:
    "-bcefklnpstw -M? -C? -L: --date: --since: --line-porcelain --porcelain --show-email --show-name --show-number --root",
  describe:
    "--all --tags --long --always --dirty --dirty: --abbrev: --exact-match --match: --exclude: --contains --first-parent --candidates:",
  "cat-file": "-teps --batch-check --follow-symlinks",
  "name-rev": "--tags --all --name-only --refs: --always",
  "merge-base": "-a --all --is-ancestor --octopus --fork-point --independent",
  "for-each-ref":
    "--count: --sort: --format: --points-at: --merged --merged: --contains --contains: --no-merged --shell",
  "show-ref": "-dhqsv --head --heads --tags --branches --verify --hash --quiet",
  "check-ignore": "-nqvz --verbose --quiet --no-index --non-matching",
  "check-attr": "-az --all --cached",
  "count-objects": "-vH --verbose --human-readable",
  "diff-tree": log,
  "diff-index": log,
  "diff-files": log,
  grep: "-#acEFGhHiIlLnoPpqrvwWz -A: -B: -C: -e: -f@ -m: --count --extended-regexp --fixed-strings --files-with-matches --name-only --ignore-case --line-number --perl-regexp --word-regexp --cached --break --heading --and --or --not --show-function --max-depth: --column --only-matching",
  version: "--build-options",
  "worktree list": "-vz --porcelain --verbose",
  "stash list": log,
  "stash show": `${log} --include-untracked`,
  remote: "-v --verbose",
  "remote get-url": "--all --push",
  reflog: log,
  "reflog show": log,
  branch:
    "-arvqi --all --remotes --verbose --list --list: --show-current --contains --contains: --no-contains: --merged --merged: --no-merged --no-merged: --sort: --format: --points-at: --ignore-case --color --color: --no-color --column --abbrev:",
  tag: "-ln -n: --list --list: --contains --contains: --merged --merged: --no-merged: --sort: --format: --points-at: --column --ignore-case",
  "config --get": "--local --default: --type: --bool --int",
  "submodule status": "--cached --recursive --quiet",
  "symbolic-ref": "-q --short --quiet",
  var: "",
  "notes list": "",
  "bisect log": "",
};

const tables = new Map(Object.entries(readingCommands).map(([name, line]) => [name, optionTable(line)]));

/** Words make these write: a new branch, a new tag, another HEAD. */
const withoutWords = new Set(["branch", "tag", "remote", "reflog"]);
const wordsAllowed = /^(?:list|contains|merged|no-merged|points-at|l|no-contains)$/;
/** The name that is asked for, and nothing more: a second word is a new value. */
const withOneWord = new Set(["symbolic-ref", "config --get", "var"]);

/** @param words what follows `git` */
export function judgeGit(words: readonly ShellWord[]): Judgement {
  const at = words.findIndex(
    ({ value }) =>
      !/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/.test(value ?? ""),
  );
  const folder = words[at]?.value === "-C" ? words[at + 1] : undefined;
  const rest = folder ? words.slice(at + 2) : words.slice(Math.max(at, 0));
  const [name = "", second = ""] = rest.map(({ value }) => value ?? "");
  // The help of a command starts a pager or a browser, which the repository's settings may name.
  if (name === "--version" || (/^(?:--help|help)$/.test(name) && rest.length === 1))
    return { effect: "reads", files: [] };
  if (name.startsWith("-") && name !== "")
    return { effect: "acts", risky: name.replace(/=.*/s, ""), why: `\`git ${name}\` may start other programs` };
  const two = `${name} ${second}`;
  const key = tables.has(two) ? two : name;
  const table = tables.get(key);
  if (table === undefined || key === "") return gitActs(name, rest.slice(1));
  const args = rest.slice(key === two ? 2 : 1);
  const read = readOptions(args, table);
  if ("unknown" in read)
    return {
      effect: "acts",
      risky: read.unknown.replace(/=.*/s, ""),
      why: `\`git ${name} ${read.unknown}\` may do more than read`,
    };
  const asksForList = [...read.given.keys()].some(option => wordsAllowed.test(option));
  const words_ = read.positionals.length;
  if ((withoutWords.has(key) && words_ > 0 && !asksForList) || (withOneWord.has(key) && words_ !== 1))
    return gitActs(name, rest.slice(1));
  return {
    effect: "reads",
    git: true,
    recurses: showsContent.has(name),
    files: [
      ...(folder ? [folder] : []),
      ...[...named(key, read.positionals, read.given), ...read.files.map(known)].map(word => within(folder, word)),
    ],
  };
}

const showsContent = new Set(["grep", "diff", "show", "stash", "blame", "cat-file"]);

/** Paths are seen from the folder of `-C`. */
const within = (folder: ShellWord | undefined, word: ShellWord): ShellWord =>
  folder?.value === undefined || word.value === undefined || /^[/~]/.test(word.value)
    ? word
    : { ...word, value: `${folder.value}/${word.value}` };

const known = (value: string): ShellWord => ({ text: value, value });

/** Words of which some may be paths: what git shows of a commit is in the repository, whatever the file's name. */
function named(key: string, words: readonly ShellWord[], given: ReadonlyMap<string, string>): ShellWord[] {
  if (key === "grep" && !given.has("e") && !given.has("f")) return named("", words.slice(1), given);
  if (withOneWord.has(key) || key === "check-ignore" || key === "check-attr") return [];
  // `HEAD:.env`, `:0:.env`, `:(top).env` and `:/.env` are paths as well
  return words.flatMap(word => {
    const { value } = word;
    const at = value?.lastIndexOf(":") ?? -1;
    return value === undefined || at < 0
      ? [word]
      : [known(value.slice(at + 1).replace(/^(?:\([^)]*\)|[!^/]+)/, "") || ".")];
  });
}
