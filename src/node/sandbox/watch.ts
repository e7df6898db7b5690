/** Watches for forbidden names, since nothing can be mounted over a missing file: a command that makes one is ended, and the file put aside. */
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { identity, putAside } from "./putAside";

interface Watch {
  /** Once all processes are gone. @returns the names that were made, and where they lie now */
  end(): Promise<{ path: string; now: string }[]>;
}

interface WatchPlaces {
  paths: readonly string[];
  /** the folder where what was made is put */
  aside(): string;
  /** called once, as soon as one is there */
  onBreach(): void;
}

export function watchNames({ paths, aside, onBreach }: WatchPlaces): Watch {
  const before = new Map(paths.map(path => [path, identity(path)]));
  const folders = Map.groupBy(paths, path => dirname(path));
  const hasChanged = (path: string) => identity(path) !== before.get(path);
  /** also those that another command's watch has put aside */
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
        const then = before.get(path) ?? "";
        const link = then.startsWith("->") ? then.slice(2) : undefined;
        const now = await putAside(path, { isIt: found => found !== then, folder: aside(), link });
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
