/**
 * Ignore files on disk (shared/ignore.ts says what they mean). ripgrep waits for ever at a pipe, and a link to /dev/zero takes all
 * memory: a search in or below a folder with such an ignore file is refused. Those of folders below it are not looked at.
 */
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { IGNORE_FILES, type IgnoreLevel, ignoreLevel } from "../shared/ignore";
import { errno, isMissing } from "./errno";
import { withSlashes } from "./paths";
import { readRegular } from "./readRegular";

/** No ignore file that somebody wrote has more. */
const MAX_BYTES = 4 * 1024 * 1024;

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

/** The path of an ignore file that ripgrep must not read, of a folder or one above it. undefined: all can be read */
export function unreadableAbove(folder: string): string | undefined {
  for (const each of withFoldersAbove(folder)) {
    const path = unreadableIn(each);
    if (path !== undefined) return path;
  }
  return undefined;
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
