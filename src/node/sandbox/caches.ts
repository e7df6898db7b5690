/** Caches of builds: folders of the sandbox's own in the place of the person's, in which what these hold can be read. */
import { lstatSync, readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isFolder } from "../paths";
import type { Mount } from "./mounts";
import { CACHES } from "./places";
import type { PrivateFolders } from "./privateFolders";

interface CachePlaces {
  mounts: Mount[];
  env: Record<string, string>;
}

/** Where the person's caches are in the sandbox: a place that is empty there, if the system has it. */
const theirPlace = (temporary: string) => (isFolder("/run") ? "/run/strata" : join(temporary, ".strata"));

/** Where the home folder has no cache yet, nothing can be mounted over it: variables name one. */
export function cachesBelow(
  home: string | undefined,
  { temporary, folders }: { temporary: string; folders: PrivateFolders },
): CachePlaces {
  const there = Object.keys(CACHES).filter(name => home !== undefined && isFolder(join(home, name)));
  const theirs = (name: string) => join(theirPlace(temporary), name);
  const lacks = (name: string) => !there.includes(name);
  return {
    mounts: there.flatMap(name =>
      cacheMounts(realpathSync(join(home ?? "", name)), theirs(name), folders.cache(name), CACHES[name]),
    ),
    env: {
      ...(lacks(".cache") && { XDG_CACHE_HOME: join(temporary, ".cache") }),
      ...(lacks(".npm") && { npm_config_cache: join(temporary, ".npm") }),
    },
  };
}

/** Two mounts, however much is in it: links lead to what can be read, since each mount takes its part of a millisecond. */
function cacheMounts(path: string, theirs: string, own: string, empty: readonly string[] = []): Mount[] {
  link(new Set(readdirSync(path).filter(each => !empty.includes(each))), own, theirs);
  return [
    { kind: "write", path, from: own },
    { kind: "read", path: theirs, from: path },
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
export function ownCaches(folders: PrivateFolders): CachePlaces {
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
