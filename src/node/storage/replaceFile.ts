/** Putting one file in the place of another, for good. */
import { dirname } from "node:path";
import { isMissing } from "../errno";
import { removeFile, removeQuietly, temporaryBeside, writeNew } from "./disk";
import type { FileSystem } from "./fileSystem";

/** The new file stands there, but perhaps not after a power cut, and the old one could not be put back. */
export class NotRestoredError extends Error {}

/**
 * A crash leaves the old file or the new one, whole. Where anything fails, the old one stands, or none where there was none,
 * and nothing temporary is left.
 *
 * A window that lost the session while it slept must not replace what another writes by now. `mayReplace` is asked right
 * before the rename; and who takes a session over removes the temporary file before it reads, so that a rename which comes
 * even later finds nothing to rename.
 * @param mayReplace throws where it may not
 */
export async function replaceFile(
  fs: FileSystem,
  path: string,
  text: string,
  mayReplace: () => Promise<void> = async () => undefined,
): Promise<void> {
  const fresh = temporaryBeside(path);
  const old = temporaryBeside(path);
  try {
    await writeNew(fs, fresh, text, { sync: true });
    const kept = await keep(fs, path, old);
    await mayReplace();
    await fs.rename(fresh, path);
    try {
      await fs.syncFolder(dirname(path));
    } catch (error) {
      await restoreOld(fs, path, old, kept, error);
      throw error;
    }
  } finally {
    await removeQuietly(fs, fresh);
    await removeQuietly(fs, old);
  }
}

type Kept = "kept" | "nothing was there" | "not possible";

/** A second name for the old file, until the new one is safe. */
async function keep(fs: FileSystem, path: string, old: string): Promise<Kept> {
  try {
    await fs.link(path, old);
    return "kept";
  } catch (error) {
    // Not every file system has links. Then it goes without: only a failure of the folder's sync cannot be taken back.
    return isMissing(error) ? "nothing was there" : "not possible";
  }
}

async function restoreOld(fs: FileSystem, path: string, old: string, kept: Kept, cause: unknown): Promise<void> {
  try {
    if (kept === "kept") return await fs.rename(old, path);
    if (kept === "nothing was there") return await removeFile(fs, path);
  } catch {
    // told below, with what went wrong first
  }
  throw new NotRestoredError("the old file could not be put back", { cause });
}
