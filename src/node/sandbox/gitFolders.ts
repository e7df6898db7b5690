/** Git's own data: a command may commit, and must not change what git runs by itself. */
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "../../shared/paths";
import type { Mount } from "./mounts";
import { GIT_FORBIDDEN, GIT_PROTECTED } from "./places";
import { textOf } from "./quietRead";

/** of submodules that are looked at; with more of them their data is read-only */
const MAX_MODULES = 30;

export interface GitMounts {
  mounts: Mount[];
  /** names that must not come into being */
  forbidden: string[];
}

/** @param dotGit an existing `.git`: the repository's data, or a file that says where they are. Or a bare repository */
export function gitMounts(dotGit: string, roots: readonly string[]): GitMounts {
  const stats = lstatSync(dotGit);
  if (stats.isDirectory() && readdirSync(dotGit).length === 0)
    return { mounts: [{ kind: "read", path: dotGit }], forbidden: [] };
  const top = dirname(dotGit);
  if (stats.isDirectory()) {
    const parts = guardedParts(dotGit);
    // A mount itself, it can be neither renamed nor replaced by another one.
    const itself: Mount = { kind: "write", path: dotGit };
    const named = ledTo(join(dotGit, "config"), top, roots);
    return { ...parts, mounts: [itself, ...parts.mounts, ...modules(join(dotGit, "modules")), ...named] };
  }
  const itself: Mount = { kind: "read", path: dotGit };
  const linked = stats.isFile() ? linkedFolder(dotGit) : undefined;
  if (!linked) return { mounts: [itself], forbidden: [] };
  const { folder, common } = linked;
  const parts = guardedParts(folder);
  // Of the repository around a worktree what a commit writes, and no more.
  const written = common === folder ? [] : ["objects", "refs", "logs"].map(name => join(common, name));
  const shared = written.filter(existsSync).map(path => ({ kind: "write" as const, path }));
  const named = ledTo(join(common, "config"), top, roots);
  return { ...parts, mounts: [itself, { kind: "write", path: folder }, ...shared, ...parts.mounts, ...named] };
}

function guardedParts(folder: string): GitMounts {
  makeQuietly(() => mkdirSync(join(folder, "hooks")));
  // An empty one changes nothing, and where git reads it a command must not write it.
  if (/^\s*worktreeConfig\s*=\s*(?:true|yes|on|1)/im.test(textOf(join(folder, "config"))))
    makeQuietly(() => writeFileSync(join(folder, "config.worktree"), "", { flag: "wx" }));
  const paths = GIT_PROTECTED.map(name => join(folder, name));
  const there = paths.filter(existsSync);
  // A link is not to lead elsewhere: what it leads to is kept as it is, and itself is watched.
  const links = paths.filter(path => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
  return {
    mounts: there.map(path => ({ kind: "read", path })),
    forbidden: [...links, ...[join(folder, GIT_FORBIDDEN)].filter(path => !there.includes(path))],
  };
}

/** What is as good as not there while it is empty: then a command cannot make it. */
function makeQuietly(make: () => void): void {
  try {
    make();
  } catch {
    // it is there, or nobody may make it
  }
}

/** Files and folders of the workspace that the repository's configuration names as its hooks or as part of itself. */
function ledTo(config: string, base: string, roots: readonly string[]): Mount[] {
  const lines = textOf(config).split("\n");
  return lines.flatMap(line => {
    const [, key, value = ""] = /^\s*(hooksPath|path)\s*=\s*"?([^"#;]+?)"?\s*$/i.exec(line) ?? [];
    if (key === undefined) return [];
    const path = resolve(key.toLowerCase() === "path" ? dirname(config) : base, value);
    return roots.some(root => isWithin(root, path) && root !== path) && existsSync(path)
      ? [{ kind: "read", path }]
      : [];
  });
}

/** Submodules' data: `config` and `hooks` of each. */
function modules(folder: string): Mount[] {
  const found: string[] = [];
  const look = (path: string) => {
    if (found.length > MAX_MODULES) return;
    if (existsSync(join(path, "HEAD"))) found.push(path);
    for (const name of foldersIn(path)) if (!/^(?:objects|refs|logs|hooks|info)$/.test(name)) look(join(path, name));
  };
  if (!existsSync(folder)) return [];
  look(folder);
  if (found.length > MAX_MODULES) return [{ kind: "read", path: folder }];
  const parts = found.flatMap(path => guardedParts(path).mounts);
  return [{ kind: "write", path: folder }, ...parts];
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/**
 * What Git reads of a folder's repository elsewhere: the project around the folder, and where a worktree's or a submodule's data are.
 * @param isHome a repository of settings is no project
 */
export function gitNear(folder: string, isHome: (path: string) => boolean): string[] {
  for (let top = folder; !isHome(top); top = dirname(top)) {
    const dotGit = join(top, ".git");
    const stats = lstatSync(dotGit, { throwIfNoEntry: false });
    if (stats) {
      const linked = stats.isFile() ? linkedFolder(dotGit) : undefined;
      const around = top === folder ? [] : [top];
      return linked ? [...around, linked.common, linked.folder] : around;
    }
    if (dirname(top) === top) break;
  }
  return [];
}

/** Where a worktree's or a submodule's data are; undefined: they do not know of it, so anybody may have written the file. */
function linkedFolder(dotGit: string): { folder: string; common: string } | undefined {
  const [, named] = /^gitdir: (.+?)\s*$/.exec(textOf(dotGit)) ?? [];
  if (named === undefined) return undefined;
  try {
    const folder = realpathSync(resolve(dirname(dotGit), named));
    const back = textOf(join(folder, "gitdir")).trim();
    if (back !== "" && realpathSync(isAbsolute(back) ? back : resolve(folder, back)) === realpathSync(dotGit)) {
      const common = textOf(join(folder, "commondir")).trim();
      return repositoryOf(folder, realpathSync(resolve(folder, common || ".")));
    }
    const [, worktree] = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(textOf(join(folder, "config"))) ?? [];
    const isOurs = worktree !== undefined && realpathSync(resolve(folder, worktree)) === realpathSync(dirname(dotGit));
    return isOurs ? repositoryOf(folder, folder) : undefined;
  } catch {
    return undefined;
  }
}

/** And no other folder that somebody named as one. */
function repositoryOf(folder: string, common: string): { folder: string; common: string } | undefined {
  const holds = ["HEAD", "objects"].every(name => existsSync(join(common, name)));
  return holds && (folder === common || dirname(folder) === join(common, "worktrees")) ? { folder, common } : undefined;
}
