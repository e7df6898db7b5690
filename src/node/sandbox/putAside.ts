/** Moves a file away through its folder's handle, so that a swapped folder leads to no other project. On another disk it stays beside its place under a name that no program obeys. */
import { randomUUID } from "node:crypto";
import { chmodSync, constants, lstatSync, readlinkSync, renameSync, statSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DirectoryHandle } from "../directoryHandle";
import { errno, unlessFails } from "../errno";
import { statsOf } from "./quietRead";

/** "": not there. A link is what it leads to, anything else its place on disk. */
export function identity(path: string): string {
  const stats = statsOf(path);
  if (!stats?.isSymbolicLink()) return stats ? `${stats.dev} ${stats.ino}` : "";
  return unlessFails(() => `->${readlinkSync(path)}`, "");
}

/**
 * @param path absolute, without links @param was `identity` of what may be there: it stays, and comes back where it is a link that is gone
 * @returns where it lies now: at its path where the system does not let go of it; "": it is gone, or its path leads elsewhere
 */
export async function putAside(path: string, folder: string, was = ""): Promise<string> {
  try {
    return await takeAway(path, folder, was);
  } catch {
    // What cannot be done now (no descriptor is left, the disk is read-only) has not been done.
    return identity(path) === "" ? "" : path;
  }
}

async function takeAway(path: string, folder: string, was: string): Promise<string> {
  const name = basename(path);
  const holder = await DirectoryHandle.open(dirname(path));
  if (!holder) return "";
  try {
    // Nothing is awaited between this look and the move.
    if (!holder.isInPlace()) return "";
    const there = holder.at(name);
    const moved = ["", was].includes(identity(there)) ? undefined : moveTo(there, { folder, name });
    if (was.startsWith("->") && identity(there) === "") symlinkSync(was.slice(2), there);
    if (moved === undefined) return "";
    return moved.isInPlace ? join(dirname(path), basename(moved.path)) : moved.path;
  } finally {
    holder.close();
  }
}

function moveTo(there: string, { folder, name }: { folder: string; name: string }) {
  const id = randomUUID().slice(0, 8);
  makeMovable(there);
  try {
    const path = join(folder, `${id}-${name}`);
    renameSync(there, path);
    return { path, isInPlace: false };
  } catch (error) {
    if (errno(error) !== "EXDEV") throw error;
    const path = join(dirname(there), `${name}.put-aside-${id}`);
    // Under any name it would still be a repository to who goes there.
    if (lstatSync(there).isDirectory() && identity(join(there, "HEAD")) !== "") {
      renameSync(there, path);
      renameSync(join(path, "HEAD"), join(path, "HEAD.put-aside"));
    } else renameSync(there, path);
    return { path, isInPlace: true };
  }
}

/** Who made it may have taken away the right to move it. */
function makeMovable(there: string): void {
  for (const path of [dirname(there), there]) {
    try {
      // A folder that is held open is a link in its own name.
      const { mode } = path === there ? lstatSync(path) : statSync(path);
      if ((mode & constants.S_IFMT) === constants.S_IFDIR && (mode & 0o300) !== 0o300)
        chmodSync(path, (mode & 0o7777) | 0o700);
    } catch {
      // Another user's: the move will fail.
    }
  }
}
