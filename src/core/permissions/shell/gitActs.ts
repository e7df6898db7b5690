/** What git does where it does more than read: words and options that start a program or write elsewhere, whatever rules allow. */
import type { Judgement } from "./judgement";
import { riskyIn } from "./risky";
import type { ShellWord } from "./words";

/** Command → options with which it starts a program, takes settings from elsewhere or writes there. */
const commands: Record<string, string> = {
  ...Object.fromEntries(
    "add checkout cherry clean describe fsck gc mv prune pack-refs reflog repack reset restore range-diff rm sparse-checkout stash switch symbolic-ref tag worktree notes"
      .split(" ")
      .map(name => [name, ""]),
  ),
  am: "--exec",
  apply: "--unsafe-paths --directory",
  archive: "-o --output --remote --exec",
  branch: "--edit-description",
  bundle: "create",
  "cherry-pick": "-s --strategy -e --edit",
  clone: "-c --config -u --upload-pack --template --separate-git-dir --recurse-submodules --recursive",
  commit: "",
  fetch: "--upload-pack --recurse-submodules",
  "format-patch": "-o --output-directory --output",
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

/** @param name git's command */
export function gitActs(name: string, words: readonly ShellWord[]): Judgement {
  const risky = tables.get(name);
  if (risky === undefined)
    return { effect: "acts", risky: name, why: `\`git ${name}\` may change settings or start other programs` };
  for (const { value } of words) {
    if (value === "--") break;
    if (value !== undefined && /^(?:ext|fd)::/.test(value))
      return { effect: "acts", risky: value, why: "git starts a program for this address" };
    const found = value === undefined ? undefined : riskyIn(value, risky, false);
    if (found !== undefined)
      return { effect: "acts", risky: found, why: `\`git ${name} ${found}\` may write elsewhere or start something` };
  }
  const why = /^(?:push|fetch|pull|clone|ls-remote)$/.test(name)
    ? "reaches another repository"
    : "changes the repository or its files";
  return { effect: "acts", why: `\`git ${name}\` ${why}` };
}
