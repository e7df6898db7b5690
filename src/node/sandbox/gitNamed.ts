/**
 * Files and folders of the workspace that Git runs or obeys for a person since settings name them, the repository's or their own:
 * hooks, included settings, programs. What is there stays as it is; what is not there must not come into being. Git itself says
 * what the settings are.
 */
import { existsSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "../../shared/paths";
import { askGit, type GitProgram, versionOf } from "../askGit";
import { isFolder, realOrSame } from "../paths";

interface GitSettingsFiles {
  /** files that settings came from, or would come from, each with its version */
  versions: ReadonlyMap<string, string>;
  named: readonly string[];
}

const PROGRAMS =
  /^(?:core\.(?:fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)|sequence\.editor|pager\..*|diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|merge\..*\.driver|gpg(?:\..*)?\.program|gpg\.ssh\.defaultkeycommand|credential(?:\..*)?\.helper|alias\..*|hook\..*\.command|(?:difftool|mergetool)\..*\.(?:cmd|path)|remote\..*\.(?:uploadpack|receivepack|vcs)|interactive\.difffilter|sendemail\..*|uploadpack\.packobjectshook|trailer\..*\.(?:cmd|command)|submodule\..*\.update)$/s;
const INCLUDED = /^include(?:if\..*)?\.path$/s;

const MAX_NAMED = 100;

export class GitNamed {
  private readonly known = new Map<string, GitSettingsFiles>();

  /** @param roots links followed @returns absolute, links followed, in these; settings are read again once they were written */
  async of(roots: readonly string[], git: GitProgram): Promise<string[]> {
    const found = await Promise.all([...new Set(roots.flatMap(topOf))].map(top => this.at(top, git)));
    return [...new Set(found.flat())]
      .map(whereTo)
      .filter(path => roots.some(root => isWithin(root, path) && root !== path))
      .slice(0, MAX_NAMED);
  }

  private async at(root: string, git: GitProgram): Promise<string[]> {
    const known = this.known.get(root);
    const isAsBefore = known && [...known.versions].every(([path, version]) => versionOf(path) === version);
    if (!isAsBefore) this.known.set(root, await ask(root, git));
    // What they are links to may change without them.
    return [...(this.known.get(root)?.named ?? []), ...hookFiles(join(root, ".git", "hooks"))];
  }
}

/** Of the repository around a folder. */
function topOf(folder: string): string[] {
  if (existsSync(join(folder, ".git"))) return [folder];
  return dirname(folder) === folder ? [] : topOf(dirname(folder));
}

/** A hook may be a link to a script of the workspace, and so may the folder. */
function hookFiles(folder: string): string[] {
  const linked = isLink(folder) ? [folder] : [];
  try {
    return [
      ...linked,
      ...readdirSync(folder)
        .map(name => join(folder, name))
        .filter(isLink),
    ];
  } catch {
    return linked;
  }
}

async function ask(root: string, git: GitProgram): Promise<GitSettingsFiles> {
  const usual = [".git/config", ".git/config.worktree", ".git/HEAD"].map(name => join(root, name));
  const { env } = git;
  const home = env.HOME ?? "/";
  const own = [join(home, ".gitconfig"), join(env.XDG_CONFIG_HOME ?? join(home, ".config"), "git", "config")];
  const versions = new Map([...usual, ...own].map(path => [path, versionOf(path)]));
  const args = ["config", "--includes", "--show-origin", "--null", "--list"];
  const listed = (await askGit(root, git, args)) ?? "";
  const fields = listed.split("\0");
  const named: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [origin = "", entry = ""] = [fields[at], fields[at + 1]];
    const file = origin.startsWith("file:") ? resolve(root, origin.slice("file:".length)) : "";
    if (file !== "" && !versions.has(file)) versions.set(file, versionOf(file));
    const end = entry.indexOf("\n");
    const [key, value] = end < 0 ? [entry, ""] : [entry.slice(0, end), entry.slice(end + 1)];
    named.push(...namedBy(key, value, { root, file, home }));
  }
  for (const path of named) if (!versions.has(path) && !isFolder(path)) versions.set(path, versionOf(path));
  return { versions, named };
}

function namedBy(
  key: string,
  value: string,
  { root, file, home }: { root: string; file: string; home: string },
): string[] {
  const at = (base: string, path: string) =>
    path.startsWith("~/") ? join(home, path.slice(2)) : isAbsolute(path) ? path : resolve(base, path);
  if (value === "") return [];
  if (key === "core.hookspath") return [at(root, value)];
  // Git reads them from beside the file that names them.
  if (INCLUDED.test(key)) return file === "" ? [] : [at(dirname(file), value)];
  if (!PROGRAMS.test(key) || (key.startsWith("alias.") && !value.startsWith("!"))) return [];
  const words = value.split(/[\s"'`=;|&<>()!]+/).filter(word => word !== "" && !word.startsWith("-"));
  return words.map(word => at(root, word)).filter(path => existsSync(path) && !isFolder(path));
}

/** Where a path leads, also where nothing is there. */
function whereTo(path: string): string {
  let place = path;
  for (let links = 0; links < 40 && !existsSync(place) && isLink(place); links++)
    place = resolve(realOrSame(dirname(place)), readlinkSync(place));
  const missing: string[] = [];
  while (!existsSync(place) && dirname(place) !== place) {
    missing.unshift(place.slice(dirname(place).length).replace(/^\//, ""));
    place = dirname(place);
  }
  return join(realOrSame(place), ...missing);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
