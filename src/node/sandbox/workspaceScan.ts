/** What in the folders of a workspace is secret, protected or a repository: looked for anew before each command, and cheaply. */
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { isEnvExample, isEnvFile } from "../../shared/envFile";
import { holdsObeyed, isObeyedEntry } from "../../shared/obeyedFiles";

/** of all roots; the nearest come first, and what others made comes last */
const MAX_FOLDERS = 10_000;
/** What others made, and folders with a dot: large, and not where people put what is looked for. */
const LATER = /^(?:\..*|node_modules|bower_components|vendor|venv|__pycache__|target|Pods)$/;
const isLater = (name: string) => LATER.test(name) && !holdsObeyed(name);
/** Of a repository's own folder: there are no files of people in them. */
const GIT_OWN = /^(?:objects|refs|logs|hooks|info|modules|worktrees)$/;

interface Folder extends Found {
  /** Who changes a folder may set back when it was modified, but not this. */
  changed: number;
  place: string;
  folders: readonly string[];
  later: readonly string[];
}

interface Found {
  /** `.env` files */
  env: string[];
  /** what is obeyed, and exists; none of folders that come later, where packages bring hundreds and nobody obeys them */
  guarded: string[];
  /** each `.git`, and each folder that is a repository itself */
  repositories: string[];
}

export class WorkspaceScan {
  private readonly known = new Map<string, Folder>();
  /** what the last look at all folders found in those that come later, and at which roots it began */
  private last: { roots: string; later: Found } | undefined;

  constructor(private readonly most = MAX_FOLDERS) {}

  /**
   * A folder whose names have not changed is not read again: a look at 1,000 of them takes some milliseconds.
   * @param whole also at those that come later; else what was found there the last time counts
   */
  look(roots: readonly string[], whole = false): Found {
    const near = nothing();
    const far = nothing();
    const ways = new Set(roots);
    const later: string[] = [];
    const isOther = this.last?.roots !== roots.join("\0");
    if (isOther) this.known.clear();
    const isWhole = whole || isOther;
    let found = near;
    let looked = 0;
    for (const path of ways) {
      if (looked >= this.most) break;
      looked += 1;
      const folder = this.folder(path, roots.includes(path));
      if (folder) add(found, folder, found === near ? ALL : FAR);
      for (const next of folder?.folders ?? []) ways.add(next);
      later.push(...(folder?.later ?? []));
      if (looked < ways.size || !isWhole) continue;
      found = far;
      for (const next of later.splice(0)) ways.add(next);
    }
    if (isWhole) {
      this.last = { roots: roots.join("\0"), later: far };
      for (const path of this.known.keys()) if (!ways.has(path)) this.known.delete(path);
    }
    if (this.last) add(near, this.last.later, FAR);
    return near;
  }

  private folder(path: string, isRoot: boolean): Folder | undefined {
    try {
      const stats = lstatSync(path);
      if (!stats.isDirectory()) return undefined;
      const known = this.known.get(path);
      const place = `${stats.dev} ${stats.ino}`;
      if (known?.changed === stats.ctimeMs && known.place === place) return known;
      const folder = { ...readFolder(path, isRoot), changed: stats.ctimeMs, place };
      this.known.set(path, folder);
      return folder;
    } catch {
      // gone, or not ours to read: then a command cannot read it either
      return undefined;
    }
  }
}

const FAR = ["env", "repositories"] as const;
const ALL = [...FAR, "guarded"] as const;
const nothing = (): Found => ({ env: [], guarded: [], repositories: [] });

function add(to: Found, from: Found, names: readonly (keyof Found)[]): void {
  for (const name of names) to[name].push(...from[name]);
}

function readFolder(path: string, isRoot: boolean): Omit<Folder, "changed" | "place"> {
  // What a root itself is called says nothing of its files.
  const named = isRoot ? "" : basename(path);
  const entries = readdirSync(path, { withFileTypes: true });
  const pathOf = ({ name }: Dirent) => join(path, name);
  const has = (name: string) => entries.some(entry => entry.name === name);
  const isRepository = has("HEAD") && (has("objects") || has("commondir"));
  const isGit = ({ name }: Dirent) => /^\.git$/i.test(name);
  const inner = entries.filter(
    entry => entry.isDirectory() && !isGit(entry) && !(isRepository && GIT_OWN.test(entry.name)),
  );
  return {
    folders: inner.filter(({ name }) => !isLater(name)).map(pathOf),
    later: inner.filter(({ name }) => isLater(name)).map(pathOf),
    env: entries
      .filter(entry => !entry.isDirectory() && isEnvFile(entry.name) && !isEnvExample(entry.name))
      .map(pathOf),
    guarded: entries.filter(entry => isObeyedEntry(named, entry.name) && !isGit(entry)).map(pathOf),
    repositories: [...entries.filter(isGit).map(pathOf), ...(isRepository ? [path] : [])],
  };
}
