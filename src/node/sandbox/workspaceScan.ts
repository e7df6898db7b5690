/** What in the folders of a workspace is secret, protected or a repository: looked for anew before each command, and cheaply. */
import { chmodSync, type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { isEnvExample, isEnvFile, secretBecause } from "../../shared/envFile";
import { holdsObeyed, isObeyedEntry } from "../../shared/obeyedFiles";
import { isWithin } from "../../shared/paths";
import { unlessHidden } from "../errno";
import { entriesIn, statsOf } from "./quietRead";

/** of all roots; the nearest come first, and what others made comes last */
const MAX_FOLDERS = 50_000;
/** What others made. In other folders with a dot people keep settings of a project. */
const LATER =
  /^(?:node_modules|bower_components|vendor|venv|__pycache__|target|Pods|\.(?:venv|tox|nox|cache|gradle|pnpm-store|next|nuxt|turbo|nx|terraform))$/;
/** Keys in them are of others' tests, and what they trust. */
const DEPENDENCIES = /\/(?:node_modules|bower_components|vendor|venv|__pycache__|target|Pods)(?=\/|$)/;
/** Of a repository's own folder: there are no files of people in them. */
const GIT_OWN = /^(?:objects|refs|logs|hooks|info|modules|worktrees)$/;

interface ScanFolder extends SensitivePlaces {
  /** Who changes a folder may set back when it was modified, but not this. */
  changed: number;
  place: string;
  folders: readonly string[];
  later: readonly string[];
}

export interface SensitivePlaces {
  env: string[];
  /** keys and credentials, by their names */
  keys: string[];
  /** of programs on this machine: who reaches one may have its program do what it likes */
  sockets: string[];
  /** obeyed files and folders; none in folders of dependencies, where packages bring hundreds */
  guarded: string[];
  /** each `.git`, and each folder that is a repository itself */
  repositories: string[];
}

export class WorkspaceScan {
  private readonly known = new Map<string, ScanFolder>();
  /** what the last look at all folders found in those that come later, and at which roots it began */
  private last: { roots: string; later: SensitivePlaces } | undefined;
  /** the first folder beyond the limit of the last look */
  beyond: { path: string; isNear: boolean } | undefined;

  constructor(private readonly most = MAX_FOLDERS) {}

  /**
   * A folder whose names have not changed is not read again. @throws where the system has no descriptor left
   * @param whole also at those that come later; else what was found there the last time counts
   * @param since ms: what was closed to its owner from then on is opened, so that a command hides nothing behind it
   */
  look(roots: readonly string[], whole = false, since = Number.POSITIVE_INFINITY): SensitivePlaces {
    const near = nothing();
    const far = nothing();
    const ways = new Set(roots);
    const later: string[] = [];
    const isOther = this.last?.roots !== roots.join("\0");
    if (isOther) this.known.clear();
    const isWhole = whole || isOther;
    let found = near;
    let looked = 0;
    const visit = (path: string, found: SensitivePlaces, kinds: readonly (keyof SensitivePlaces)[]) => {
      looked += 1;
      const folder = this.folder(path, roots, since);
      if (folder) add(found, folder, kinds);
      return folder;
    };
    if (isWhole || this.beyond?.isNear) this.beyond = undefined;
    for (const path of ways) {
      if (looked >= this.most) {
        this.beyond = { path, isNear: found === near };
        break;
      }
      const folder = visit(path, found, found === near ? ALL : FAR);
      for (const next of folder?.folders ?? []) ways.add(next);
      for (const next of folder?.later ?? []) later.push(next);
      if (looked < ways.size) continue;
      if (!isWhole) break;
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

  /** Other names that these files have by hard links, in the folders that were looked at. */
  otherNames(paths: readonly string[]): string[] {
    const own = new Set(paths);
    const places = new Set(paths.filter(path => !DEPENDENCIES.test(path)).flatMap(path => linkedPlace(path) ?? []));
    if (places.size === 0) return [];
    const folders = [...this.known.keys()].filter(path => !DEPENDENCIES.test(path));
    const names = folders.flatMap(filesIn).slice(0, MAX_NAMES);
    return names.filter(path => !own.has(path) && places.has(linkedPlace(path) ?? ""));
  }

  private folder(path: string, roots: readonly string[], since: number): ScanFolder | undefined {
    // Gone, or not ours to read: then a command cannot read it either.
    return unlessHidden(() => {
      const stats = lstatSync(path);
      if (!stats.isDirectory()) return undefined;
      const known = this.known.get(path);
      const place = `${stats.dev} ${stats.ino}`;
      if (known?.changed === stats.ctimeMs && known.place === place) return known;
      const isClosed = (stats.mode & 0o500) !== 0o500 && stats.uid === process.geteuid?.();
      if (isClosed && stats.ctimeMs >= since) chmodSync(path, (stats.mode & 0o7777) | 0o700);
      const folder = { ...readFolder(path, roots), changed: stats.ctimeMs, place };
      this.known.set(path, folder);
      return folder;
    }, undefined);
  }
}

/** of files that are asked for what they are */
const MAX_NAMES = 20_000;

const filesIn = (folder: string): string[] =>
  entriesIn(folder)
    .filter(entry => entry.isFile())
    .map(({ name }) => join(folder, name));

/** Where a file is on disk that has more than one name. */
export function linkedPlace(path: string): string | undefined {
  const stats = statsOf(path);
  return stats?.isFile() && stats.nlink > 1 ? `${stats.dev} ${stats.ino}` : undefined;
}

const FAR = ["env", "keys", "sockets", "repositories"] as const;
const ALL = [...FAR, "guarded"] as const;
const nothing = (): SensitivePlaces => ({ env: [], keys: [], sockets: [], guarded: [], repositories: [] });

function add(to: SensitivePlaces, from: SensitivePlaces, names: readonly (keyof SensitivePlaces)[]): void {
  // One by one: a folder may hold more of them than a call takes arguments.
  for (const name of names) for (const path of from[name]) to[name].push(path);
}

function readFolder(path: string, roots: readonly string[]): Omit<ScanFolder, "changed" | "place"> {
  const root = roots.find(each => isWithin(each, path)) ?? path;
  // What a root itself is called says nothing of its files.
  const below = path.slice(root.length);
  const named = basename(below);
  const parts = below.toLowerCase().split("/").filter(Boolean);
  const entries = readdirSync(path, { withFileTypes: true });
  const pathOf = ({ name }: Dirent) => join(path, name);
  const has = (name: string) => entries.some(entry => entry.name === name);
  const isRepository = has("HEAD") && (has("objects") || has("commondir"));
  const isGit = ({ name }: Dirent) => /^\.git$/i.test(name);
  const inner = entries.filter(
    entry => entry.isDirectory() && !isGit(entry) && !(isRepository && GIT_OWN.test(entry.name)),
  );
  return {
    folders: inner.filter(({ name }) => !LATER.test(name)).map(pathOf),
    later: inner.filter(({ name }) => LATER.test(name)).map(pathOf),
    env: entries
      .filter(entry => !entry.isDirectory() && isEnvFile(entry.name) && !isEnvExample(entry.name))
      .map(pathOf),
    keys: DEPENDENCIES.test(below)
      ? []
      : entries.filter(entry => entry.isFile() && isKey([...parts, entry.name.toLowerCase()])).map(pathOf),
    sockets: entries.filter(entry => entry.isSocket()).map(pathOf),
    guarded: isInObeyed(parts) ? [] : entries.filter(entry => isGuarded(named, entry) && !isGit(entry)).map(pathOf),
    repositories: [...entries.filter(isGit).map(pathOf), ...(isRepository ? [path] : [])],
  };
}

const isKey = (parts: readonly string[]) =>
  secretBecause(parts) !== undefined && !isEnvFile(parts.at(-1) ?? "") && !/\.pub$/.test(parts.at(-1) ?? "");

/** With a folder that is obeyed all in it counts. */
const isInObeyed = (parts: readonly string[]) => parts.some((part, at) => isObeyedEntry(parts[at - 1] ?? "", part));

/** A link in the place of a folder of such files leads to others. */
const isGuarded = (folder: string, entry: Dirent) =>
  isObeyedEntry(folder, entry.name) || (entry.isSymbolicLink() && holdsObeyed(entry.name));
