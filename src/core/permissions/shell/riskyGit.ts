/** Of Git's commands: words and options that start a program or write elsewhere, whatever rules allow. */
import { riskyIn } from "./riskyIn";

/** Command → options with which it starts a program, takes settings from elsewhere or writes there. */
const commands: Record<string, string> = {
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

const tables = new Map(
  Object.entries(commands).map(([name, line]) => [name, new Set(line.split(" ").filter(Boolean))]),
);
const harmless = /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/;

/**
 * Of a setting (`-c core.pager=x`) its value counts too.
 * @param words what follows `git`; undefined: only known when it runs
 */
export function riskyInGit(words: readonly (string | undefined)[]): string[] {
  const found: string[] = [];
  let at = 0;
  for (; words[at]?.startsWith("-"); at++) {
    const value = words[at] as string;
    if (harmless.test(value) || (/^--(?:version|help)$/.test(value) && at === words.length - 1)) continue;
    if (value === "-C") at += 1;
    else found.push(...(value === "-c" ? [value, words[++at] ?? ""] : [value.replace(/=.*/s, "")]));
  }
  const [name, ...rest] = words.slice(at);
  if (name === undefined || (name === "help" && rest.length === 0)) return found;
  const risky = tables.get(name);
  if (risky === undefined) return [...found, name];
  for (const value of rest) {
    if (value === "--") break;
    if (value === undefined) continue;
    found.push(...(/^(?:ext|fd)::/.test(value) ? [value] : riskyIn(value, risky, false)));
  }
  return found;
}
