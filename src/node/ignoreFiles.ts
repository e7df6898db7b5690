/**
 * Ignore files on disk (shared/ignore.ts says what they mean). ripgrep reads each that it comes by as it stands: at a pipe it
 * waits for ever, and a link to /dev/zero takes all memory. So they are looked at too, and a search that meets one is refused.
 */
import { type Dirent, existsSync, realpathSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../core/ground/ports";
import { mapBounded } from "../shared/async";
import type { PathTest } from "../shared/glob";
import { IGNORE_FILES, type IgnoreLevel, ignoreLevel, isIgnored } from "../shared/ignore";
import { relativeTo } from "../shared/paths";
import { errno, isMissing } from "./errno";
import { withSlashes } from "./paths";
import { readRegular } from "./readRegular";
import { nodeClock } from "./system";

/** No ignore file that somebody wrote has more. */
const MAX_BYTES = 4 * 1024 * 1024;
const AT_ONCE = 16;
/** ms: most searches are over by then, and nobody has to walk beside them */
const BEFORE_WALK = 300;

/**
 * What is ignored below one folder. Read anew for each question: ignore files change while an agent works.
 * @param folder absolute, native
 */
export function readIgnoreLevels(folder: string): Promise<IgnoreLevel[]> {
  return Promise.all(withFoldersAbove(folder).map(readLevel));
}

/** The nearest first. */
function withFoldersAbove(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

export async function readLevel(folder: string): Promise<IgnoreLevel> {
  const texts = await Promise.all(IGNORE_FILES.map(({ file }) => readIfThere(join(folder, file))));
  return ignoreLevel(withSlashes(folder), existsSync(join(folder, ".git")), texts);
}

/** What can't be read ignores nothing, as with ripgrep. */
async function readIfThere(path: string): Promise<string> {
  // Most folders have none: to open what is not there costs ten times as much.
  if (!existsSync(path)) return "";
  try {
    return (await readRegular(path, MAX_BYTES))?.toString("utf8") ?? "";
  } catch (error) {
    if (isMissing(error) || ["EACCES", "EISDIR", "EPERM", "ELOOP", "ENXIO"].includes(errno(error))) return "";
    throw error;
  }
}

/** The path of an ignore file that ripgrep must not read, of a folder or one above it. undefined: there is none */
export function unreadableAbove(folder: string): string | undefined {
  for (const each of withFoldersAbove(folder)) {
    const path = unreadableIn(each);
    if (path !== undefined) return path;
  }
  return undefined;
}

interface FolderWalk {
  /** what is never searched, by paths below `cwd` */
  excludes: readonly PathTest[];
  /** absolute, '/' separators */
  cwd: string;
  signal: AbortSignal;
}

/** As `unreadableAbove`, of the folders below one that ripgrep walks, while it does. Never rejects. */
export async function unreadableBelow(
  folder: string,
  walk: FolderWalk,
  beforeWalk = BEFORE_WALK,
  clock: Clock = nodeClock,
): Promise<string | undefined> {
  try {
    await clock.sleep(beforeWalk, walk.signal);
    return await walkBelow(folder, walk);
  } catch {
    // The search is over, or will say itself what it cannot read.
    return undefined;
  }
}

interface WalkFolder {
  path: string;
  /** its own and those above it, the nearest first */
  levels: readonly IgnoreLevel[];
}

async function walkBelow(top: string, walk: FolderWalk): Promise<string | undefined> {
  let folders: WalkFolder[] = [{ path: top, levels: await readIgnoreLevels(top) }];
  while (folders.length > 0) {
    const below = await mapBounded(folders, AT_ONCE, folder => foldersIn(folder, walk));
    const next = below.flat();
    for (const { odd } of next) if (odd !== undefined) return odd;
    folders = next;
  }
  return undefined;
}

async function foldersIn(
  { path, levels }: WalkFolder,
  { excludes, cwd, signal }: FolderWalk,
): Promise<(WalkFolder & { odd: string | undefined })[]> {
  signal.throwIfAborted();
  const entries = await readdir(path, { withFileTypes: true }).catch((): Dirent[] => []);
  const isWalked = ({ name }: Dirent) => {
    const below = `${withSlashes(path).replace(/\/$/, "")}/${name}`;
    const relative = relativeTo(cwd, below);
    return name !== ".git" && !excludes.some(matches => matches(relative)) && !isIgnored(levels, below, true);
  };
  const folders = entries.filter(entry => entry.isDirectory() && isWalked(entry));
  return Promise.all(
    folders.map(async ({ name }) => {
      const folder = join(path, name);
      const odd = unreadableIn(folder);
      return { path: folder, odd, levels: odd === undefined ? [await readLevel(folder), ...levels] : levels };
    }),
  );
}

function unreadableIn(folder: string): string | undefined {
  // `.git` may be a file, which ripgrep opens.
  const names = [...IGNORE_FILES.map(({ file }) => file), ".git"];
  return names.map(name => join(folder, name)).find(path => !isReadable(path));
}

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
