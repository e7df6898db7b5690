/** What a command in the sandbox sees of this disk, anew for each. A hidden file is an unreadable device: an empty file would be committed. */
import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SandboxAccess } from "../../core/ground/ports";
import { keyFolders } from "../../shared/envFile";
import { isWithin } from "../../shared/paths";
import { unlessFails, unlessHidden } from "../errno";
import { isFolder, realOrSame } from "../paths";
import { cachesBelow, cachesToRead, ownCaches } from "./caches";
import { type GitMounts, gitMounts, gitNear, type Repositories, repositoriesIn } from "./gitFolders";
import type { GitSays } from "./gitSays";
import { type HomesOptions, homesView, isListed } from "./homes";
import type { Mount } from "./mounts";
import { around, closest, hiddenMount, inOrder, isInSight, mountAs } from "./mounts";
import { ROOT_NAMES, RUNTIME_FOLDERS, RUNTIME_KEPT, SYSTEM_SECRETS } from "./places";
import type { PrivateFolders } from "./privateFolders";
import { bytesOf, statsOf } from "./quietRead";
import type { SensitivePlaces, WorkspaceScan } from "./workspaceScan";

interface ViewOptions extends Omit<HomesOptions, "near"> {
  access: SandboxAccess;
  /** programs of Strata's own that run in it: absolute */
  programs: readonly string[];
  ownFolders: readonly string[];
  scan: WorkspaceScan;
  /** of projects around a root */
  aroundScan: WorkspaceScan;
  folders: PrivateFolders;
  /** It may run for hours. */
  long: boolean;
  /** It reads the workspace, and what it keeps in caches stays: a server. */
  serves: boolean;
  /** what rules forbid */
  ruled?: { read: readonly string[]; write: readonly string[] } | undefined;
  git: GitSays;
  /** files that run outside the sandbox, and what denied calls would have changed: absolute, links followed */
  scripts: readonly string[];
}

export interface View {
  mounts: Mount[];
  /** names that must not come into being, or be another one's */
  forbidden: string[];
  /** what Git's settings name and is not there: a command may make it, and it is put aside once that is over */
  missing: string[];
  /** obeyed files and folders, the nearest first */
  obeyed: readonly string[];
  /** as many of them as cannot be changed in it */
  held: readonly string[];
  repositories: Repositories;
  env: Record<string, string>;
}

/** @throws where no private folder can be made */
export function viewFor(options: ViewOptions): View {
  const { access, roots, scan, folders, home, asItIs, serves } = options;
  const found = scan.look(roots);
  const temporary = temporaryFolder(options);
  const place = { temporary: temporary.path, folders, roots };
  const caches = asItIs
    ? ownCaches(folders)
    : access === "write" || serves
      ? cachesBelow(home, place)
      : cachesToRead(home, temporary.path, roots);
  const own = [...caches.mounts, ...roots.map(mountAs(access))];
  const visible = { temporary, own, env: caches.env, found };
  // A workspace that is read-only needs no guard.
  if (access === "read")
    return {
      ...visibleMounts(options, { ...visible, kept: [] }),
      ...{ forbidden: [], missing: [], obeyed: [], held: [], repositories: new Map() },
    };
  const { guarded, heldRepositories, held } = guardsOf(options, found);
  const { mounts, env } = visibleMounts(options, { ...visible, kept: guarded.flatMap(one => one.mounts) });
  const all = inOrder([...mounts, ...scriptMounts(options, mounts)]);
  const names = !options.long || asItIs ? roots.flatMap(root => ROOT_NAMES.map(name => join(root, name))) : [];
  return {
    ...{ mounts: all, env, obeyed: found.guarded, held },
    forbidden: [...names.filter(path => !statsOf(path)), ...guarded.flatMap(one => one.forbidden)],
    missing: options.git.named.filter(path => !statsOf(path)),
    repositories: repositoriesIn(found.repositories, heldRepositories, path => closest(path, all)?.kind !== "write"),
  };
}

function guardsOf(options: ViewOptions, found: SensitivePlaces) {
  const near = found.repositories.slice(0, MAX_GUARDED).map(path => ({ path, ...repositoryMounts(path, options) }));
  // One that could not be read is not held: changes there are found when the command is over.
  const heldRepositories = near.filter(({ mounts, forbidden }) => mounts.length + forbidden.length > 0);
  const held = found.guarded.slice(0, MAX_OBEYED);
  const guarded = [...held.map(path => guardedMounts(path, options.roots)), ...near];
  return { guarded, held, heldRepositories: new Set(heldRepositories.map(({ path }) => path)) };
}

interface OwnMounts {
  temporary: { path: string; mounts: Mount[] };
  /** caches and the workspace */
  own: readonly Mount[];
  /** read-only parts of `own` */
  kept: readonly Mount[];
  env: Record<string, string>;
  /** in the workspace */
  found: SensitivePlaces;
}

function visibleMounts(options: ViewOptions, { temporary, own, kept, env, found }: OwnMounts) {
  const { roots, home, ownFolders, asItIs } = options;
  const isHome = (path: string) => isWithin(path, home);
  const near = [...new Set(roots.flatMap(root => gitNear(root, isHome)))];
  const projects = near.filter(path => existsSync(join(path, ".git")));
  const homes = homesView({ ...options, near: [...near, ...options.programs] });
  const bare = inOrder([...homes.mounts, ...own, ...homes.hidden]);
  const guarded = kept.filter(({ path }) => isInSight(realOrSame(path), bare));
  const runtime = asItIs ? [] : runtimeMounts();
  const around = options.aroundScan.look(projects);
  const keys = [...found.keys, ...around.keys, ...linkedKeys(home, roots)];
  const secret = keys.filter(path => !options.git.committed.has(path) && holdsKey(path));
  const copies = asItIs ? [] : secret.flatMap(path => copyMount(path, options));
  const shown = inPlace([...runtime, ...homes.mounts, ...temporary.mounts, ...own, ...guarded, ...copies]);
  const hiddenFiles = [...found.env, ...around.env, ...secret.filter(path => !isSettings(path))];
  const hidden = [
    ...homes.hidden,
    ...ownFolders.filter(existsSync).map(mountAs("hideFolder")),
    ...ruledMounts(options),
    ...SYSTEM_SECRETS.filter(path => isReadable(path) && !isListed(path, options)).map(hiddenMount),
    ...[...hiddenFiles, ...options.scan.otherNames(hiddenFiles)]
      .filter(path => existsSync(path) && !isListed(path, options))
      .map(mountAs("hideFile")),
    ...(asItIs ? [] : [...socketPaths(), ...found.sockets].map(mountAs("hideFile"))),
  ];
  return {
    mounts: inOrder([...shown, ...hidden.flatMap(mount => byAllNames(mount, shown))]),
    env: { TMPDIR: temporary.path, TMP: temporary.path, TEMP: temporary.path, ...env, ...homes.env },
  };
}

/** Nothing can be mounted over a link: its target is named, unless its folder is empty there. What is read-only already is left out. */
function inPlace(mounts: readonly Mount[]): Mount[] {
  const given = inOrder(mounts);
  const named = given.map(mount =>
    around(mount, given)?.kind === "empty" ? mount : { ...mount, path: realOrSame(mount.path) },
  );
  const all = inOrder(named);
  return all.filter(mount => {
    if (mount.kind !== "read" || (mount.from ?? mount.path) !== mount.path) return true;
    const place = around(mount, all);
    return place !== undefined && !(place.kind === "read" && (place.from ?? place.path) === place.path);
  });
}

/** The place to hide under each of its names in the sandbox; none where it is not in sight. */
function byAllNames(mount: Mount, shown: readonly Mount[]): Mount[] {
  const path = realOrSame(mount.path);
  const others = shown.flatMap(each => {
    if (!("from" in each) || each.from === undefined || each.from === each.path) return [];
    return isWithin(each.from, path) ? [each.path + path.slice(each.from.length)] : [];
  });
  const isKept = mount.kind === "read" && closest(path, shown)?.kind !== "write";
  return [...(isInSight(path, shown) && !isKept ? [path] : []), ...(mount.kind === "read" ? [] : others)].map(each => ({
    ...{ kind: mount.kind, path: each },
  }));
}

const isReadable = (path: string): boolean => unlessFails(() => accessSync(path, constants.R_OK) === undefined, false);

/** Places that rules forbid to edit are read-only; those they forbid to read are hidden, which wins. */
function ruledMounts({ ruled, roots, home }: ViewOptions): Mount[] {
  const places = (paths: readonly string[] = []) =>
    paths.flatMap(path => {
      if (path.startsWith("~/")) return [join(home, path.slice(2))];
      return path.startsWith("/") ? [path] : roots.map(root => join(root, path));
    });
  return [
    ...places(ruled?.write).filter(existsSync).map(mountAs("read")),
    ...places(ruled?.read).filter(existsSync).map(hiddenMount),
  ];
}

/**
 * Read-only where a command could write. The folders around a script are mounts too, since a mount cannot be renamed: else another
 * folder could be put in their place, with a script in it. @param places in order
 */
function scriptMounts({ scripts, git, roots, asItIs }: ViewOptions, places: readonly Mount[]): Mount[] {
  const taken = new Set(places.map(({ path }) => path));
  return [...scripts, ...git.named].flatMap(path => {
    const place = closest(path, places);
    if (!existsSync(path) || !place || !isInSight(path, places)) return [];
    const kept = place.kind === "read" ? place.path : path;
    const folders: Mount[] = [];
    for (let folder = dirname(kept); !taken.has(folder) && roots.some(root => isWithin(root, folder)); ) {
      if (!asItIs) folders.push({ kind: "write", path: folder });
      folder = dirname(folder);
    }
    return taken.has(kept) ? folders : [...folders, { kind: "read", path }];
  });
}

function temporaryFolder({ folders, asItIs }: ViewOptions): { path: string; mounts: Mount[] } {
  const from = folders.of("tmp");
  if (asItIs) return { path: from, mounts: [{ kind: "write", path: from }] };
  const varTmp: Mount[] = isFolder("/var/tmp") ? [{ kind: "write", path: realOrSame("/var/tmp"), from }] : [];
  return isFolder("/tmp")
    ? { path: "/tmp", mounts: [{ kind: "write", path: realOrSame("/tmp"), from }, ...varTmp] }
    : { path: from, mounts: [{ kind: "write", path: from }, ...varTmp] };
}

function runtimeMounts(): Mount[] {
  const empty = new Set(RUNTIME_FOLDERS.filter(isFolder).map(realOrSame));
  const kept = RUNTIME_KEPT.filter(existsSync);
  return [
    ...[...empty].map(mountAs("empty")),
    ...kept.map((path): Mount => ({ kind: "read", path, from: realOrSame(path) })),
  ];
}

function guardedMounts(path: string, roots: readonly string[]): GitMounts {
  const stats = statsOf(path);
  if (!stats) return { mounts: [], forbidden: [] };
  if (stats.isSymbolicLink()) {
    // Nothing can be mounted over a link: its target is read-only, and another link in its place is found.
    const place = realOrSame(path);
    const inside = existsSync(place) && roots.some(root => isWithin(root, place) && root !== place);
    return { mounts: inside ? [{ kind: "read", path: place }] : [], forbidden: [path] };
  }
  return { mounts: [{ kind: "read", path }], forbidden: [] };
}

/** Each mount costs bubblewrap more than the one before. Changes of obeyed files beyond these are told, and not obeyed. */
const MAX_OBEYED = 300;
/** Changes of repositories beyond these are found when the command is over. */
const MAX_GUARDED = 100;

function repositoryMounts(path: string, { roots }: ViewOptions): GitMounts {
  const stats = statsOf(path);
  if (!stats || stats.isSymbolicLink()) return guardedMounts(path, roots);
  const { mounts, forbidden } = gitMountsAt(path, roots);
  // bubblewrap opens a mount by its path, where a task may have put a link: only read-only mounts below a root.
  const isOpen = ({ kind, path: place }: Mount) => kind === "write" && roots.some(root => isWithin(root, place));
  return roots.includes(dirname(path))
    ? { mounts, forbidden }
    : { mounts: mounts.filter(one => !isOpen(one)), forbidden };
}

function gitMountsAt(path: string, roots: readonly string[]): GitMounts {
  const none = { mounts: [], forbidden: [] };
  // By now a folder on its way may be a link to another project, or a task has just taken it away.
  return unlessHidden(() => (realOrSame(path) === path ? gitMounts(path, roots) : none), none);
}

/** As of now, for Linux; those of other networks (containers) are not known. */
function socketPaths(): string[] {
  const lines = unlessHidden(() => readFileSync("/proc/net/unix", "utf8"), "").split("\n");
  // "address: references protocol flags type state inode path"
  const paths = lines.flatMap(line => /^(?:\S+\s+){7}(\/.+)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)].filter(path => statsOf(path)?.isSocket() === true);
}

/** Files of the home beside these folders, that people keep in a repository of theirs and link to. */
const LINKED_FILES = [".netrc", "_netrc", ".pypirc", ".git-credentials", ".pgpass", ".vault-token", ".boto", ".s3cfg"];
const MAX_LINKED = 200;
const MAX_BYTES = 512 * 1024;

/** npm does not start where it cannot read the file, so it gets a copy without secrets. */
const isSettings = (path: string): boolean => basename(path).toLowerCase() === ".npmrc";

function copyMount(path: string, { settingsOf }: ViewOptions): Mount[] {
  const copy = isSettings(path) ? settingsOf(path) : undefined;
  return copy === undefined ? [] : [{ kind: "read", path, from: copy }];
}

/** Certificates share the ending of keys and have to be readable. Why: C-76. */
function holdsKey(path: string): boolean {
  if (!/\.pem$/i.test(path)) return true;
  const text = bytesOf(path, MAX_BYTES)?.toString("latin1");
  return !text?.includes("-----BEGIN ") || text.includes("PRIVATE KEY");
}

/** Files of the workspace that the home's folders of keys link to. */
function linkedKeys(home: string, roots: readonly string[]): string[] {
  const linked = [...keyFolders, ...LINKED_FILES].flatMap(name => {
    const path = join(home, name);
    const place = realOrSame(path);
    return place === path ? [] : [place];
  });
  return linked.filter(place => roots.some(root => isWithin(root, place) && root !== place)).flatMap(filesIn);
}

function filesIn(path: string): string[] {
  const entries = unlessFails(() => readdirSync(path, { recursive: true, withFileTypes: true }), undefined);
  const files = entries?.filter(entry => entry.isFile()).slice(0, MAX_LINKED);
  return files?.map(entry => join(entry.parentPath, entry.name)) ?? [path];
}
