/** Which files and folders a path leads through: for an editor that writes by path, and can hold no folder open. */
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import type { WayPart } from "../core/ground/ports";

/** What stands on the way to the ends of these paths, now. */
export function wayTo(paths: readonly string[]): Promise<WayPart[]> {
  return Promise.all([...new Set(paths.flatMap(withFoldersAbove))].map(partAt));
}

function withFoldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...withFoldersAbove(above)];
}

async function partAt(path: string): Promise<WayPart> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  if (!stats) return { path, id: "", changed: 0n, written: 0n };
  return { path, id: `${stats.dev}:${stats.ino}`, changed: stats.ctimeNs, written: stats.mtimeNs };
}

/**
 * Nothing on the way was renamed, replaced or made a link, not even for a while: a new name sets the time of the last change alone.
 * Another text of a file, or an entry of a folder, sets both times, and does not count.
 */
export function isSameWay(before: readonly WayPart[], now: readonly WayPart[]): boolean {
  return (
    before.length === now.length &&
    now.every(({ path, id, changed, written }, index) => {
      const then = before[index];
      const isQuiet = changed === then?.changed || changed === written || process.platform === "win32";
      return then?.path === path && then.id === id && isQuiet;
    })
  );
}
