/**
 * Ignore files on disk (shared/ignore.ts says what they mean). ripgrep waits for ever at a pipe, and a link to /dev/zero takes all
 * memory: a search that would read such an ignore file is refused, or stopped where it is far below.
 */
import { type Dirent, existsSync, realpathSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SearchError } from "../core/ground/ports";
import type { PathTest } from "../shared/glob";
import { IGNORE_FILES, type IgnoreLevel, ignoreLevel, isIgnored } from "../shared/ignore";
import { relativeTo } from "../shared/paths";
import { unlessCode } from "./errno";
import { withSlashes } from "./paths";
import { readRegular } from "./readRegular";
import { nodeClock } from "./system";

/** ms: most searches are over by then, and look at no folder below */
const LOOK_BELOW_MS = 300;
/** No ignore file written by a person has more. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * What is ignored below one folder. Read anew for each question: ignore files change while an agent works.
 * @param folder absolute, native
 */
export const readIgnoreLevels = (folder: string) => Promise.all(withFoldersAbove(folder).map(readLevel));

/** The nearest first. */
function withFoldersAbove(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

async function readLevel(folder: string): Promise<IgnoreLevel> {
  const texts = await Promise.all(IGNORE_FILES.map(({ file }) => readIfThere(join(folder, file))));
  return ignoreLevel(withSlashes(folder), existsSync(join(folder, ".git")), texts);
}

/** What can't be read ignores nothing, as with ripgrep. */
async function readIfThere(path: string): Promise<string> {
  // Most folders have none: opening a missing file costs ten times as much.
  if (!existsSync(path)) return "";
  const closed = ["ENOENT", "ENOTDIR", "EACCES", "EISDIR", "EPERM", "ELOOP", "ENXIO"];
  return (await unlessCode(closed, readRegular(path, MAX_BYTES), undefined))?.toString("utf8") ?? "";
}

/** Refuses a search, or stops it, that would read an ignore file without an end. */
export async function guardedSearch(
  { folder, isFile, cwd }: { folder: string; isFile: boolean; cwd: string },
  excludes: readonly PathTest[],
  search: (until: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const refusal = (path: string) =>
    new SearchError(
      `${withSlashes(path)} cannot be read as an ignore file: it is a pipe, a device or far too large. Remove it, or search a folder that does not hold it.`,
    );
  const above = withFoldersAbove(folder)
    .map(unreadableIn)
    .find(path => path !== undefined);
  if (above !== undefined) throw refusal(above);
  if (isFile) return search(signal);
  const [found, over] = [new AbortController(), new AbortController()];
  const look = async () => {
    await nodeClock.sleep(LOOK_BELOW_MS, over.signal);
    const isSearched = (path: string) => !excludes.some(matches => matches(relativeTo(cwd, path)));
    const below = await unreadableBelow(folder, isSearched, over.signal);
    if (below !== undefined) found.abort(refusal(below));
  };
  // Where it fails, the search is over or says itself what it cannot read.
  const looking = look().catch(() => undefined);
  try {
    await search(AbortSignal.any([signal, found.signal]));
  } finally {
    over.abort();
    await looking;
  }
}

/** The path of an ignore file below a folder that ripgrep, which is searching there, must not read. @param signal aborts when the search has ended */
async function unreadableBelow(top: string, isSearched: (path: string) => boolean, signal: AbortSignal) {
  const folders = [{ folder: top, above: await readIgnoreLevels(top) }];
  for (const { folder, above } of folders) {
    if (signal.aborted) return undefined;
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    const hasRules = entries.some(({ name }) => READ.includes(name));
    const odd = hasRules ? unreadableIn(folder) : undefined;
    if (odd !== undefined) return odd;
    const levels = hasRules && folder !== top ? [await readLevel(folder), ...above] : above;
    for (const entry of entries) {
      const path = withSlashes(join(folder, entry.name));
      const isWalked = entry.isDirectory() && entry.name !== ".git" && isSearched(path);
      if (isWalked && !isIgnored(levels, path, true)) folders.push({ folder: path, above: levels });
    }
  }
  return undefined;
}

/** What ripgrep opens in each folder: `.git` may be a file. */
const READ = [...IGNORE_FILES.map(({ file }) => file), ".git"];

const unreadableIn = (folder: string) => READ.map(name => join(folder, name)).find(path => !isReadable(path));

/** What is not there, or a folder, ripgrep passes over. The kernel's own files look like regular ones, and some have no end. */
function isReadable(file: string): boolean {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats && /^\/(?:proc|sys|dev)\//.test(realpathSync.native(file))) return false;
    return !stats || stats.isDirectory() || (stats.isFile() && stats.size <= MAX_BYTES);
  } catch {
    // Nobody may look at it, ripgrep neither.
    return true;
  }
}
