/**
 * Sees to it that names which must not come into being do not. Nothing can be mounted over what is not there, and empty
 * files that stand in for it would lie in the workspace. So their folders are watched; whoever makes such a name is ended, and what was made
 * is put aside.
 */
import { randomUUID } from "node:crypto";
import { type FSWatcher, lstatSync, readlinkSync, renameSync, symlinkSync, watch } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errno } from "../errno";

interface Watch {
  /** Once all processes are gone. @returns the names that were made, and where they lie now */
  end(): Promise<{ path: string; now: string }[]>;
}

interface Watched {
  paths: readonly string[];
  /** Strata itself made it. */
  isOurs(path: string): boolean;
  /** the folder where what was made is put */
  aside(): string;
  /** called once, as soon as one is there */
  onBreach(): void;
}

export function watchNames({ paths, isOurs, aside, onBreach }: Watched): Watch {
  const before = new Map(paths.map(path => [path, identity(path)]));
  const folders = Map.groupBy(paths, path => dirname(path));
  const hasChanged = (path: string) => identity(path) !== before.get(path) && !isOurs(path);
  /** also those that somebody else put aside by now: another command was ended for it too */
  const seen = new Set<string>();
  const breach = (made: readonly string[]) => {
    const isFirst = seen.size === 0;
    for (const path of made) seen.add(path);
    if (isFirst) onBreach();
  };
  const watchers = [...folders].flatMap(([folder, own]) => {
    const names = new Set(own.map(path => basename(path)));
    const look = (name: string | null) => {
      const isOne = name === null || names.has(name);
      const made = isOne ? own.filter(hasChanged) : [];
      if (made.length > 0) breach(made);
    };
    return follow(folder, look);
  });
  return {
    async end() {
      for (const watcher of watchers) watcher.close();
      const made = paths.filter(path => seen.has(path) || hasChanged(path));
      seen.clear();
      const moved: { path: string; now: string }[] = [];
      for (const path of made) {
        const now = hasChanged(path) && identity(path) !== "" ? await putAside(path, aside()) : "";
        const link = before.get(path) ?? "";
        if (link.startsWith("->") && identity(path) === "") symlinkSync(link.slice(2), path);
        moved.push({ path, now });
      }
      return moved;
    },
  };
}

/** Where the system has no watches left, the look at the end has to do. */
function follow(folder: string, look: (name: string | null) => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => look(name));
    watcher.on("error", () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}

/** "": not there. A link is what it leads to, anything else its place on disk. */
function identity(path: string): string {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return "";
    return stats.isSymbolicLink() ? `->${readlinkSync(path)}` : `${stats.dev} ${stats.ino}`;
  } catch {
    // its folder is gone
    return "";
  }
}

/** @returns where it lies now */
export async function putAside(path: string, folder: string): Promise<string> {
  const now = join(folder, `${randomUUID().slice(0, 8)}-${basename(path)}`);
  try {
    renameSync(path, now);
  } catch (error) {
    if (errno(error) !== "EXDEV") throw error;
    await cp(path, now, { recursive: true, verbatimSymlinks: true });
    await rm(path, { recursive: true, force: true });
  }
  return now;
}
