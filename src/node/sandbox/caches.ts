/** Caches of builds: folders of the sandbox's own in the place of the person's, in which what these hold can be read. */
import { existsSync, lstatSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isFolder } from "../paths";
import { type Mount, mountAs } from "./mounts";
import { CACHES } from "./places";
import type { PrivateFolders } from "./privateFolders";
import { followOwnLinks } from "./quietRead";

type CacheMounts = { mounts: Mount[]; env: Record<string, string> };

/** Where the person's caches are in the sandbox: a place that is empty there, if the system has it. */
const theirPlace = (temporary: string) => (isFolder("/run") ? "/run/strata" : join(temporary, ".strata"));

/** Where the home folder has no cache yet, nothing can be mounted over it: variables name one. */
export function cachesBelow(
  home: string,
  { temporary, folders, roots }: { temporary: string; folders: PrivateFolders; roots: readonly string[] },
): CacheMounts {
  const there = Object.keys(CACHES).filter(name => isFolder(join(home, name)));
  const theirs = (name: string) => join(theirPlace(temporary), name);
  const readable = (name: string) =>
    (CACHES[name] ?? []).flatMap(each => {
      const from = followOwnLinks(join(home, name, each), roots);
      return from === undefined ? [] : [{ name: each, from }];
    });
  const mounts = (name: string) => cacheMounts(join(home, name), theirs(name), folders.cache(name), readable(name));
  return { mounts: there.flatMap(mounts), env: variables(temporary, there) };
}

/** Read-only, for commands that only read; a tool that writes anyway has an empty one. */
export function cachesToRead(home: string, temporary: string, roots: readonly string[]): CacheMounts {
  const caches = Object.keys(CACHES).map(name => join(home, name));
  return {
    mounts: [
      ...caches.filter(isFolder).map(mountAs("empty")),
      ...readableCaches(home).flatMap((path): Mount[] => {
        const from = followOwnLinks(path, roots);
        return from === undefined ? [] : [{ kind: "read", path, from }];
      }),
    ],
    env: variables(temporary, []),
  };
}

/** Those of the person's that commands may read. */
export const readableCaches = (home: string): string[] =>
  Object.entries(CACHES)
    .flatMap(([cache, names]) => names.map(name => join(home, cache, name)))
    .filter(existsSync);

const variables = (temporary: string, mounted: readonly string[]): Record<string, string> => ({
  ...(!mounted.includes(".cache") && { XDG_CACHE_HOME: join(temporary, ".cache") }),
  ...(!mounted.includes(".npm") && { npm_config_cache: join(temporary, ".npm") }),
});

/** Links lead to what can be read: nothing is mounted into a folder in which a command can move things. */
function cacheMounts(path: string, theirs: string, own: string, readable: readonly { name: string; from: string }[]) {
  link(new Set(readable.map(({ name }) => name)), own, theirs);
  return [
    { kind: "write" as const, path, from: own },
    ...readable.map(({ name, from }): Mount => ({ kind: "read", path: join(theirs, name), from })),
  ];
}

/** What a command made under a name stays its own. */
function link(names: ReadonlySet<string>, own: string, theirs: string): void {
  const known = new Set(readdirSync(own));
  for (const name of known) {
    const path = join(own, name);
    if (!names.has(name) && lstatSync(path).isSymbolicLink() && readlinkSync(path) === join(theirs, name)) rmSync(path);
  }
  for (const name of names) if (!known.has(name)) symlinkSync(join(theirs, name), join(own, name));
}

/** For a system where nothing can be put in the place of a folder. */
export function ownCaches(folders: PrivateFolders): CacheMounts {
  const path = folders.cache("all");
  const of = (name: string) => join(path, name);
  return {
    mounts: [{ kind: "write", path }],
    env: {
      XDG_CACHE_HOME: path,
      GOCACHE: of("go-build"),
      npm_config_cache: of("npm"),
      PIP_CACHE_DIR: of("pip"),
      YARN_CACHE_FOLDER: of("yarn"),
    },
  };
}
