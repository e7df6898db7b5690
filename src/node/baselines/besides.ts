/** What a command did beside files: folders that it made, ignored files that went, what became of a repository itself. */
import type { BigIntStats } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import type { CommandChanges } from "../../core/ground/ports";
import { mapBounded } from "../../shared/async";
import type { FileState, GitState } from "../../shared/fileStates";
import { isWithin } from "../../shared/paths";
import { statsOf } from "./look";
import type { PlaceScan } from "./scan";

/** A file that a command changed. */
export interface CommandFileChange {
  path: string;
  before: FileState;
  /** what it held, from Git */
  held?: Buffer | undefined;
  after: FileState;
  /** ms since the epoch; 0: it is not there */
  born: number;
  touched: number;
  owner: bigint;
}

/** What a file takes along to another name. */
export function movedAs(state: FileState): string | undefined {
  if (state?.type === "link") return `link to ${state.target}`;
  return state?.type === "file" ? state.sha256 : undefined;
}

const MAX_FOLDERS = 1_000;
const AT_ONCE = 32;

/** @param since ms since the epoch: when the command began */
export async function besides(
  before: readonly PlaceScan[],
  now: readonly PlaceScan[],
  found: readonly CommandFileChange[],
  since: number,
): Promise<Pick<CommandChanges, "folders" | "gone" | "repositories">> {
  const pairs = before.flatMap((was, at) => (now[at] ? [[was, now[at]] as const] : []));
  const gone = await Promise.all(pairs.map(([was, is]) => goneOf(was, is)));
  const folders = await Promise.all(now.map(place => foldersOf(place, found, since)));
  const repositories = pairs.flatMap(([{ place, state: was }, { state: is }]) =>
    was && is && !isSame(was, is) ? [{ path: place.folder, before: was, after: is }] : [],
  );
  return {
    folders: folders.flat().slice(0, MAX_FOLDERS).map(uriOf),
    gone: gone.flat().map(path => ({ uri: uriOf(path), path })),
    repositories,
  };
}

const uriOf = (path: string) => pathToFileURL(path).href;

const isSame = (a: GitState, b: GitState) =>
  a.branch === b.branch && a.commit === b.commit && a.stash === b.stash && a.unfinished === b.unfinished;

/** What went of an ignored folder is told where nothing came: builds put other files in the place of theirs. */
async function goneOf(before: PlaceScan, now: PlaceScan): Promise<string[]> {
  const gone: string[] = [];
  for (const [path, names] of before.ignored) {
    if (now.ignored.has(path)) gone.push(...namesGone(names, now.ignored.get(path)).map(name => `${path}/${name}`));
    else if (await isEmpty(path)) gone.push(path);
  }
  return gone;
}

function namesGone(before: readonly string[] = [], now: readonly string[] = before): readonly string[] {
  const [was, left] = [new Set(before), new Set(now)];
  return now.every(name => was.has(name)) ? before.filter(name => !left.has(name)) : [];
}

/** Nothing is there, or a folder with nothing in it. */
async function isEmpty(path: string): Promise<boolean> {
  const stats = statsIfAllowed(path);
  if (!stats) return true;
  return stats.isDirectory() && (await readdir(path).catch(() => [""])).length === 0;
}

/** Folders around new files, and untracked ones with nothing in them. */
async function foldersOf(
  { place, index }: PlaceScan,
  found: readonly CommandFileChange[],
  since: number,
): Promise<string[]> {
  const top = place.folder;
  if (!(await tellsBirth(top))) return [];
  const renamed = await renamedFolders(found, top);
  const made = new Set<string>();
  const isMade = async (folder: string) => {
    const stats = statsIfAllowed(folder);
    return (stats?.isDirectory() ?? false) && (Number(stats?.birthtimeMs ?? 0n) >= since || renamed.has(folder));
  };
  const around = new Set<string>();
  for (const { path, before, after } of found) {
    if (before !== null || after === null) continue;
    for (let at = dirname(path); at !== top && isWithin(top, at) && !around.has(at); at = dirname(at)) around.add(at);
  }
  const asked = [...around];
  const answers = await mapBounded(asked, AT_ONCE, isMade);
  for (const [at, folder] of asked.entries()) if (answers[at]) made.add(folder);
  const waiting = place.repository && index ? await place.repository.folders(index) : [];
  for (let looked = 0, at = waiting.shift(); at && looked < MAX_FOLDERS; at = waiting.shift(), looked++) {
    if (!isWithin(top, at)) continue;
    if (await isMade(at)) made.add(at);
    const stats = statsIfAllowed(at);
    if (!stats?.isDirectory() || Number(stats.mtimeMs) < since) continue;
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    waiting.push(
      ...entries.flatMap(entry => (entry.isDirectory() && entry.name !== ".git" ? [`${at}/${entry.name}`] : [])),
    );
  }
  return [...made];
}

/** Where a file system does not know when something was made, Node gives the time of the last change instead. */
async function tellsBirth(top: string): Promise<boolean> {
  const stats = statsIfAllowed(top);
  return stats !== undefined && stats.birthtimeNs > 0n && stats.birthtimeNs !== stats.ctimeNs;
}

/** A folder keeps its age when it gets another name: its files were in one that is no more. */
async function renamedFolders(found: readonly CommandFileChange[], top: string): Promise<Set<string>> {
  const left = new Map<string, string>();
  for (const { path, before, after } of found) {
    const moved = after === null ? movedAs(before) : undefined;
    if (moved !== undefined) left.set(moved, path);
  }
  const renamed = new Set<string>();
  const gone = new Map<string, boolean>();
  for (const { path, before, after } of found) {
    const from = before === null ? left.get(movedAs(after) ?? "") : undefined;
    if (from === undefined) continue;
    let [old, now] = [dirname(from), dirname(path)];
    while (old !== top && now !== top && isWithin(top, old) && isWithin(top, now)) {
      const isGone = gone.get(old) ?? isEmptyPath(old);
      gone.set(old, isGone);
      if (!isGone) break;
      renamed.add(now);
      [old, now] = [dirname(old), dirname(now)];
    }
  }
  return renamed;
}

const isEmptyPath = (path: string) => statsIfAllowed(path) === undefined;

function statsIfAllowed(path: string): BigIntStats | undefined {
  try {
    return statsOf(path);
  } catch {
    return undefined;
  }
}
