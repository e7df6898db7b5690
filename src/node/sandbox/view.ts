/** What a command in the sandbox sees of this machine's disk: put together anew for each. */
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isFolder, isWithin } from "../paths";
import { repositoriesIn } from "./armedRepositories";
import { cachesBelow, ownCaches } from "./caches";
import { gitMounts } from "./gitFolders";
import { inOrder, type Mount } from "./mounts";
import type { Placeholders } from "./placeholders";
import {
  OBEYED_FOLDERS,
  PROTECTED_NAMES,
  RUNTIME_FOLDERS,
  RUNTIME_KEPT,
  SECRET_FILES,
  SECRET_FOLDERS,
  START_UP,
} from "./places";
import type { PrivateFolders } from "./privateFolders";
import { socketPaths } from "./sockets";
import type { WorkspaceScan } from "./workspaceScan";

interface ViewOptions {
  /** folders of the workspace, links followed */
  roots: readonly string[];
  home: string | undefined;
  /** of Strata's settings and storage */
  ownFolders: readonly string[];
  scan: WorkspaceScan;
  folders: PrivateFolders;
  /** It may run for hours. */
  long?: boolean;
  placeholders: Placeholders;
  /** what rules forbid */
  ruled?: { read: readonly string[]; write: readonly string[] } | undefined;
  /** files that run outside the sandbox: absolute, links followed */
  scripts?: readonly string[];
  /** Nothing can be put in the place of a folder: variables lead to the private ones (macOS). */
  asItIs?: boolean;
}

export interface View {
  mounts: Mount[];
  /** names that must not come into being */
  forbidden: string[];
  /** the workspace's repositories */
  repositories: ReadonlyMap<string, string>;
  env: Record<string, string>;
}

/** @throws where no private folder can be made */
export function viewFor(options: ViewOptions): View {
  const { roots, home, ownFolders, scan, folders, asItIs = false } = options;
  if (options.long && !asItIs) holdPlaces(options);
  const temporary = asItIs ? { path: folders.temporary, mounts: [] } : temporaryFolder(folders);
  const caches = asItIs ? ownCaches(folders) : cachesBelow(home, { temporary: temporary.path, folders });
  const found = scan.look(roots);
  const guarded = found.guarded.map(path => guardedMounts(path, roots));
  const places = [
    ...(asItIs ? [{ kind: "write" as const, path: temporary.path }] : runtimeMounts()),
    ...temporary.mounts,
    ...caches.mounts,
    ...roots.map((path): Mount => ({ kind: "write", path })),
    ...(home && roots.some(root => isWithin(root, home)) ? startUp(home) : []),
    ...guarded.flatMap(one => one.mounts),
    ...(home ? hidden(home) : []),
    ...ownFolders.filter(path => existsSync(path)).map((path): Mount => ({ kind: "hideFolder", path })),
    ...ruledMounts(options),
    ...found.env.filter(existsSync).map((path): Mount => ({ kind: "hideFile", path })),
  ].map(byItsPlace);
  const mounts = [...places, ...scriptMounts(options, places)];
  const names = options.long && !asItIs ? [] : roots.flatMap(root => PROTECTED_NAMES.map(name => join(root, name)));
  const missing = names.filter(path => !lstatIfThere(path));
  return {
    mounts: inOrder([...mounts, ...(asItIs ? [] : hiddenSockets(mounts))]),
    forbidden: [...missing, ...guarded.flatMap(one => one.forbidden)],
    repositories: repositoriesIn(found.guarded),
    env: { TMPDIR: temporary.path, TMP: temporary.path, TEMP: temporary.path, ...caches.env },
  };
}

/** Over a link nothing can be mounted: what it leads to has to be named. */
const byItsPlace = (mount: Mount): Mount =>
  "from" in mount && mount.from ? mount : { ...mount, path: real(mount.path) };

/** What is forbidden to edit stays as it is, what is forbidden to read is hidden: of the same place that counts. */
function ruledMounts({ ruled, roots, home }: ViewOptions): Mount[] {
  const places = (paths: readonly string[] = []) =>
    paths.flatMap(path => {
      if (path.startsWith("~/")) return home === undefined ? [] : [join(home, path.slice(2))];
      return path.startsWith("/") ? [path] : roots.map(root => join(root, path));
    });
  const hidden = (path: string): Mount => ({ kind: isFolder(path) ? "hideFolder" : "hideFile", path });
  return [
    ...places(ruled?.write)
      .filter(existsSync)
      .map((path): Mount => ({ kind: "read", path })),
    ...places(ruled?.read).filter(existsSync).map(hidden),
  ];
}

/** The home folder is the workspace, or in it. */
const startUp = (home: string): Mount[] =>
  START_UP.map(name => join(home, name))
    .filter(existsSync)
    .map(path => ({ kind: "read", path }));

/**
 * Read-only where a command could write. The folders around one are mounts too, since what is mounted over cannot be given another
 * name: else another folder could be put in their place, with a script in it.
 */
function scriptMounts({ scripts = [], roots, asItIs }: ViewOptions, places: readonly Mount[]): Mount[] {
  const around = inOrder(places).reverse();
  const taken = new Set(places.map(({ path }) => path));
  return scripts.flatMap(path => {
    const closest = around.find(each => isWithin(each.path, path));
    if (!existsSync(path) || closest?.kind !== "write" || closest.from || taken.has(path)) return [];
    const folders: Mount[] = [];
    for (let folder = dirname(path); !taken.has(folder) && roots.some(root => isWithin(root, folder)); ) {
      if (!asItIs) folders.push({ kind: "write", path: folder });
      folder = dirname(folder);
    }
    return [...folders, { kind: "read", path }];
  });
}

function holdPlaces({ roots, placeholders }: ViewOptions): void {
  const paths = roots.flatMap(root => OBEYED_FOLDERS.map(name => join(root, name)));
  for (const path of paths) if (!lstatIfThere(path)) placeholders.make(path);
}

function temporaryFolder(folders: PrivateFolders): { path: string; mounts: Mount[] } {
  const from = folders.temporary;
  const varTmp: Mount[] = isFolder("/var/tmp") ? [{ kind: "write", path: real("/var/tmp"), from }] : [];
  return isFolder("/tmp")
    ? { path: "/tmp", mounts: [{ kind: "write", path: real("/tmp"), from }, ...varTmp] }
    : { path: from, mounts: [{ kind: "write", path: from }, ...varTmp] };
}

function runtimeMounts(): Mount[] {
  const empty = new Set(RUNTIME_FOLDERS.filter(isFolder).map(real));
  const kept = RUNTIME_KEPT.filter(existsSync);
  return [
    ...[...empty].map((path): Mount => ({ kind: "empty", path })),
    ...kept.map((path): Mount => ({ kind: "read", path, from: real(path) })),
  ];
}

/** Links are followed: what they lead to is hidden, by whatever name. */
function hidden(home: string): Mount[] {
  const mounts: Mount[] = [];
  for (const name of [...SECRET_FOLDERS, ...SECRET_FILES]) {
    const path = join(home, name);
    if (existsSync(path)) mounts.push({ kind: isFolder(path) ? "hideFolder" : "hideFile", path });
  }
  return mounts;
}

function guardedMounts(path: string, roots: readonly string[]): { mounts: Mount[]; forbidden: string[] } {
  const stats = lstatIfThere(path);
  if (!stats) return { mounts: [], forbidden: [] };
  if (stats.isSymbolicLink()) {
    // Nothing can be mounted over a link; what it leads to is not to change, and the watch sees another one in its place.
    const place = real(path);
    const inside = existsSync(place) && roots.some(root => isWithin(root, place) && root !== place);
    return { mounts: inside ? [{ kind: "read", path: place }] : [], forbidden: [path] };
  }
  return basename(path) === ".git" ? gitMounts(path, roots) : { mounts: [{ kind: "read", path }], forbidden: [] };
}

/** Those that the rest leaves in sight. */
function hiddenSockets(mounts: readonly Mount[]): Mount[] {
  const around = inOrder(mounts).reverse();
  const isGone = (path: string) => {
    const mount = around.find(each => isWithin(each.path, path));
    return mount && (mount.kind === "empty" || mount.kind.startsWith("hide") || ("from" in mount && mount.from));
  };
  return socketPaths()
    .map(path => join(real(dirname(path)), basename(path)))
    .filter(path => !isGone(path))
    .map((path): Mount => ({ kind: "hideFile", path }));
}

function lstatIfThere(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** One that leads nowhere stays as it is called. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
