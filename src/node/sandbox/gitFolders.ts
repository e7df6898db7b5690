/** Git's own data: a command may commit, and must not change what git runs by itself. */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin } from "../../shared/paths";
import { unlessFails } from "../errno";
import type { Mount } from "./mounts";
import { GIT_FORBIDDEN, GIT_PROTECTED } from "./places";
import { identity } from "./putAside";
import { bytesOf, changedAt, entriesIn, isLink, MAX_BYTES, namesIn, statsOf, textOf } from "./quietRead";

/** of submodules that are looked at; with more of them their data is read-only */
const MAX_MODULES = 30;

export interface GitMounts {
  mounts: Mount[];
  /** names that must not come into being */
  forbidden: string[];
}

/** @param dotGit an existing `.git`: the repository's data, or a file that says where they are. Or a bare repository */
export function gitMounts(dotGit: string, roots: readonly string[]): GitMounts {
  const stats = statsOf(dotGit);
  if (!stats) return { mounts: [], forbidden: [] };
  if (stats.isDirectory() && namesIn(dotGit).length === 0)
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
  // Made empty, it changes nothing, and a command cannot make it. It may exist, or the folder be read-only.
  const make = (made: () => void) => unlessFails(made, undefined);
  make(() => mkdirSync(join(folder, "hooks")));
  // An empty one changes nothing, and where git reads it a command must not write it.
  if (/^\s*worktreeConfig\s*=\s*(?:true|yes|on|1)/im.test(textOf(join(folder, "config"))))
    make(() => writeFileSync(join(folder, "config.worktree"), "", { flag: "wx" }));
  const paths = GIT_PROTECTED.map(name => join(folder, name));
  const there = paths.filter(existsSync);
  // The target of a link stays read-only, and another link in its place is found.
  const links = paths.filter(isLink);
  return {
    mounts: there.map(path => ({ kind: "read", path })),
    forbidden: [...links, ...[join(folder, GIT_FORBIDDEN)].filter(path => !there.includes(path))],
  };
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
    for (const entry of entriesIn(path))
      if (entry.isDirectory() && !/^(?:objects|refs|logs|hooks|info)$/.test(entry.name)) look(join(path, entry.name));
  };
  if (!existsSync(folder)) return [];
  look(folder);
  if (found.length > MAX_MODULES) return [{ kind: "read", path: folder }];
  return [{ kind: "write", path: folder }, ...found.flatMap(path => guardedParts(path).mounts)];
}

/** Of a folder's repository elsewhere: the project around it, and a worktree's or a submodule's data. @param isHome a repository of settings is no project */
export function gitNear(folder: string, isHome: (path: string) => boolean): string[] {
  for (let top = folder; !isHome(top); top = dirname(top)) {
    const dotGit = join(top, ".git");
    const stats = statsOf(dotGit);
    if (stats) {
      const linked = stats.isFile() ? linkedFolder(dotGit) : undefined;
      const around = top === folder ? [] : [top];
      return linked ? [...around, linked.common, linked.folder] : around;
    }
    if (dirname(top) === top) break;
  }
  return [];
}

/** The data of a worktree or submodule; undefined: they do not point back, so any command may have written the file. */
function linkedFolder(dotGit: string): { folder: string; common: string } | undefined {
  const named = gitFolderOf(dotGit);
  if (named === undefined) return undefined;
  try {
    const folder = realpathSync(named);
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

/** Accepts only a real repository and its worktrees. */
function repositoryOf(folder: string, common: string): { folder: string; common: string } | undefined {
  const holds = ["HEAD", "objects"].every(name => existsSync(join(common, name)));
  return holds && (folder === common || dirname(folder) === join(common, "worktrees")) ? { folder, common } : undefined;
}

/** Where a `.git` that is a file says that the data are. */
function gitFolderOf(file: string): string | undefined {
  const [, named] = /^gitdir: (.+?)\s*$/.exec(textOf(file)) ?? [];
  return named === undefined ? undefined : resolve(dirname(file), named);
}

interface RepositoryState {
  /** when what Git runs by itself was changed; undefined: no command can change it */
  arming: string | undefined;
  isReadOnly(path: string): boolean;
  /** lines by which going on with a rebase or the like would start a program */
  waiting: ReadonlySet<string>;
}

/** By their places on disk: a command may give a repository another name. */
export type Repositories = ReadonlyMap<string, RepositoryState>;

/** @param held those whose settings and hooks no command can change */
export function repositoriesIn(
  paths: readonly string[],
  held: ReadonlySet<string>,
  isReadOnly: (path: string) => boolean,
): Repositories {
  const state = (path: string): RepositoryState => {
    const isHeld = held.has(path) && foldersOf(path).length === 1;
    const waiting = new Set([...waitingIn(path).values()].flat());
    return { arming: isHeld ? undefined : armingTimes(path, isReadOnly), isReadOnly, waiting };
  };
  return new Map(paths.map(path => [placeOf(path), state(path)]));
}

/**
 * Repositories that are new, or whose settings or hooks changed, without a look at what they say: an editor opens each as soon as it sees it.
 * @param moment what was not changed since was only not seen before @returns of each what has to go
 */
export const repositoriesMade = (before: Repositories, paths: readonly string[], moment: number): string[] =>
  paths.flatMap(path => {
    const then = before.get(placeOf(path));
    if (!then) return [path, ...armingFiles(path)].some(file => changedAt(file) >= moment) ? [placeToGo(path)] : [];
    if (then.arming !== undefined && then.arming !== armingTimes(path, then.isReadOnly)) return [placeToGo(path)];
    return [...waitingIn(path)]
      .filter(([, lines]) => lines.some(line => !then.waiting.has(line)))
      .map(([folder]) => folder);
  });

/** The part that makes the folder a repository. */
const placeToGo = (path: string): string => (/[\\/]\.git$/i.test(path) ? path : join(path, "HEAD"));

/** Two links may lead to the same. */
function placeOf(path: string): string {
  const place = identity(path);
  return place.startsWith("->") ? `${path} ${place}` : place;
}

/** By `ctime`, which no program can set back. */
const armingTimes = (path: string, isReadOnly: (path: string) => boolean) =>
  armingFiles(path)
    .map(file => (isReadOnly(file) ? "" : `${identity(file)} ${changedAt(file)}`))
    .join("\n");

const armingFiles = (path: string): string[] =>
  foldersOf(path).flatMap(folder => {
    const hooks = join(folder, "hooks");
    const files = ["config", "config.worktree", "commondir"].map(name => join(folder, name));
    return [...files, hooks, ...namesIn(hooks).map(name => join(hooks, name))];
  });

/** Where its data are: itself, the folder that a file in its place names, and the one that these share with others. */
function foldersOf(path: string): string[] {
  const folder = statsOf(path)?.isFile() ? gitFolderOf(path) : path;
  if (folder === undefined) return [path];
  const common = textOf(join(folder, "commondir")).trim();
  return [...new Set([path, folder, ...(common === "" ? [] : [resolve(folder, common)])])];
}

/** Folders of a stopped rebase, `git am` or sequencer, and their files with steps and options. */
const STATES = ["rebase-merge", "rebase-apply", "sequencer"];
const TODOS = ["git-rebase-todo", "todo"];
const MANNERS = ["strategy", "strategy_opts", "opts"];
const STARTS_NOTHING =
  /^\s*(?:#.*|(?:[perfsdltmub]|pick|edit|reword|fixup|squash|drop|label|reset|merge|update-ref|break|noop|revert)(?:\s.*)?)?$/;

/** By the state's folder. */
function waitingIn(path: string): Map<string, string[]> {
  const lines = (file: string, isPlain: RegExp) => {
    if (changedAt(file) === 0) return [];
    const text = bytesOf(file, MAX_BYTES)?.toString("utf8");
    return text === undefined ? [file] : text.split("\n").filter(line => !isPlain.test(line));
  };
  const folders = foldersOf(path).flatMap(folder => STATES.map(name => join(folder, name)));
  return new Map(
    folders
      .filter(folder => changedAt(folder) !== 0)
      .map(folder => [
        folder,
        [
          ...TODOS.flatMap(name => lines(join(folder, name), STARTS_NOTHING)),
          // `git merge-…` is looked for by its path where there is one.
          ...MANNERS.flatMap(name => lines(join(folder, name), /^[^/]*$/)),
        ],
      ]),
  );
}
