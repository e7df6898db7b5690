/**
 * Repositories below the workspace's roots that a command made, and that would run something: an editor looks into each as soon as
 * it sees it. What a plain `git init` or `git clone` makes runs nothing and stays.
 */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Each `.git` with its place on disk. */
export function repositoriesIn(paths: readonly string[]): Map<string, string> {
  return new Map(paths.filter(path => /[\\/]\.git$/.test(path)).map(path => [path, placeOf(path)]));
}

/** Those of `now` that were not there before, or are others, and run something. */
export function armedSince(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  return [...now].filter(([path, place]) => before.get(path) !== place && isArmed(path)).map(([path]) => path);
}

/** What git does not run, by section and key; with any other key a repository counts as armed. */
const HARMLESS =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|worktree|sparsecheckout|sparsecheckoutcone)|remote\.(?:url|fetch|pushurl|tagopt|partialclonefilter|promisor)|branch\.(?:remote|merge|rebase|vscode-merge-base)|user\.(?:name|email)|init\.defaultbranch|submodule\.(?:url|active)|extensions\.(?:objectformat|partialclone|refstorage))$/;

function isArmed(dotGit: string): boolean {
  const folder = lstatSync(dotGit, { throwIfNoEntry: false })?.isDirectory() ? dotGit : ledTo(dotGit);
  if (folder === undefined) return false;
  const common = textOf(join(folder, "commondir")).trim();
  const folders = common === "" ? [folder] : [folder, resolve(folder, common)];
  return folders.some(each => runsSomething(each));
}

function runsSomething(folder: string): boolean {
  if (namesIn(join(folder, "hooks")).some(name => !name.endsWith(".sample"))) return true;
  return ["config", "config.worktree"].some(name => !isHarmless(textOf(join(folder, name))));
}

function isHarmless(config: string): boolean {
  let section = "";
  for (const line of config.split("\n").map(each => each.trim())) {
    if (line === "" || /^[#;]/.test(line)) continue;
    const [header, name] = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"[^"]*")?\s*\]$/.exec(line) ?? [];
    if (header !== undefined) {
      section = name?.toLowerCase() ?? "";
      continue;
    }
    const [, key = "", value = ""] = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(line) ?? [];
    // `ext::sh -c …` is an address too, and a line that goes on is not read here.
    if (!HARMLESS.test(`${section}.${key.toLowerCase()}`) || /::|\\$/.test(value)) return false;
  }
  return true;
}

function ledTo(file: string): string | undefined {
  const [, named] = /^gitdir: (.+?)\s*$/.exec(textOf(file)) ?? [];
  return named === undefined ? undefined : resolve(dirname(file), named);
}

function placeOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.dev} ${stats.ino}` : "";
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
