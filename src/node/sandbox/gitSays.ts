/** What Git says of the workspace before a command: which of its files Git runs or obeys for a person, and which keys it has anyway. */
import { existsSync, readlinkSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "../../shared/paths";
import { askGit, blobName, type GitProgram } from "../askGit";
import { gitWithoutPrograms } from "../disarmedGit";
import { unlessFails } from "../errno";
import { isFolder, realOrSame } from "../paths";
import { bytesOf, isLink, namesIn } from "./quietRead";

export interface GitSays {
  /** what settings name, the repository's or the person's own: absolute, links followed, there or not */
  named: readonly string[];
  /** keys and credentials that everybody has who has the repository: absolute */
  committed: ReadonlySet<string>;
}

export const NO_GIT: GitSays = { named: [], committed: new Set() };

const MAX_NAMED = 100;
/** folders with keys that Git is asked about, and keys of each; the rest stays hidden */
const MAX_FOLDERS = 50;
const MAX_KEYS = 500;
const MAX_KEY_BYTES = 1024 * 1024;

export class WorkspaceGit {
  /** by repository */
  private readonly settings = new Map<string, Awaited<ReturnType<typeof readSettings>>>();

  /** @param roots links followed @param keys absolute @throws where Git gives no answer */
  async ask(roots: readonly string[], keys: readonly string[], git: GitProgram): Promise<GitSays> {
    const folders = [...Map.groupBy(keys, path => dirname(path))].slice(0, MAX_FOLDERS);
    const [named, committed] = await Promise.all([
      Promise.all([...new Set(roots.flatMap(topOf))].map(top => this.namedIn(top, git))),
      Promise.all(folders.map(([folder, own]) => committedIn(folder, own.slice(0, MAX_KEYS), git))),
    ]);
    const inWorkspace = [...new Set(named.flat().map(whereTo))].filter(path =>
      roots.some(root => isWithin(root, path) && root !== path),
    );
    return { named: inWorkspace.slice(0, MAX_NAMED), committed: new Set(committed.flat()) };
  }

  /** To start Git costs as much as the sandbox itself: settings are read again once a file of theirs was written. */
  private async namedIn(top: string, git: GitProgram): Promise<string[]> {
    const known = this.settings.get(top);
    const isSame = known && [...known.versions].every(([path, version]) => versionOf(path) === version);
    const settings = isSame ? known : await readSettings(top, git);
    this.settings.set(top, settings);
    return [...settings.named, ...linkedHooks(join(top, ".git", "hooks"))];
  }
}

/** "": nothing is there */
function versionOf(path: string): string {
  const stats = unlessFails(() => statSync(path), undefined);
  return stats ? `${stats.ino} ${stats.size} ${stats.ctimeMs}` : "";
}

/** The index has their very bytes: a command that does not know them cannot make it say so. */
async function committedIn(folder: string, keys: readonly string[], { program, env }: GitProgram): Promise<string[]> {
  const args = ["--literal-pathspecs", "ls-files", "--stage", "-z", "--", ...keys.map(path => basename(path))];
  const listed = await askGit(folder, { program, env: { ...env, ...gitWithoutPrograms(env) } }, args);
  const entries = [...(listed ?? "").matchAll(/(?:^|\0)\d+ ([0-9a-f]+) 0\t([^\0]+)/g)];
  return entries.flatMap(([, hash = "", name = ""]) => {
    const path = join(folder, name);
    const bytes = bytesOf(path, MAX_KEY_BYTES);
    return bytes && hash === blobName(bytes, hash) ? [path] : [];
  });
}

/** The folder of the repository around this one. */
function topOf(folder: string): string[] {
  if (existsSync(join(folder, ".git"))) return [folder];
  return dirname(folder) === folder ? [] : topOf(dirname(folder));
}

/** `versions`: of files that settings came from, or would come from */
async function readSettings(root: string, git: GitProgram) {
  const home = git.env.HOME ?? "/";
  const own = [join(home, ".gitconfig"), join(git.env.XDG_CONFIG_HOME ?? join(home, ".config"), "git", "config")];
  const usual = [...[".git/config", ".git/config.worktree", ".git/HEAD"].map(name => join(root, name)), ...own];
  // Before they are read: a write meanwhile is read the next time.
  const versions = new Map(usual.map(path => [path, versionOf(path)]));
  const listed = (await askGit(root, git, ["config", "--includes", "--show-origin", "--null", "--list"])) ?? "";
  const fields = listed.split("\0");
  const named: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [origin = "", entry = ""] = [fields[at], fields[at + 1]];
    const [, key = "", value = ""] = /^([^\n]*)\n?(.*)$/s.exec(entry) ?? [];
    const file = origin.startsWith("file:") ? resolve(root, origin.slice("file:".length)) : root;
    if (file !== root && !versions.has(file)) versions.set(file, versionOf(file));
    named.push(...namedBy(key, value, { root, file, home }));
  }
  for (const path of named) if (!versions.has(path) && !isFolder(path)) versions.set(path, versionOf(path));
  return { versions, named };
}

/** Any value may name a program: a list of the keys that start one would be too short with each release of Git. */
function namedBy(key: string, value: string, { root, file, home }: { root: string; file: string; home: string }) {
  const at = (base: string, path: string) =>
    path.startsWith("~/") ? join(home, path.slice(2)) : isAbsolute(path) ? path : resolve(base, path);
  if (value === "") return [];
  if (key === "core.hookspath") return [at(root, value)];
  if (/^include(?:if\..*)?\.path$/s.test(key)) return [at(dirname(file), value)];
  if (/^(?:branch|user)\./.test(key) || (key.startsWith("alias.") && !value.startsWith("!"))) return [];
  const words = value.split(/[\s"'`=;|&<>()!]+/).filter(word => word !== "" && !word.startsWith("-"));
  return words.map(word => at(root, word)).filter(path => existsSync(path) && !isFolder(path));
}

/** A hook may be a link to a script of the workspace, and so may the folder. */
function linkedHooks(folder: string): string[] {
  if (isLink(folder)) return [folder];
  return namesIn(folder)
    .map(name => join(folder, name))
    .filter(isLink);
}

/** Where a path leads, also where nothing is there. */
function whereTo(path: string): string {
  let place = path;
  for (let links = 0; links < 40 && !existsSync(place) && isLink(place); links++)
    place = resolve(realOrSame(dirname(place)), readlinkSync(place));
  const missing: string[] = [];
  while (!existsSync(place) && dirname(place) !== place) {
    missing.unshift(basename(place));
    place = dirname(place);
  }
  return join(realOrSame(place), ...missing);
}
