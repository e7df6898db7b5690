/** What the sandbox makes of the file system: a list of places, and its words for bubblewrap. */
import { isBelow, isWithin } from "../../shared/paths";
import { isFolder } from "../paths";

export type Mount =
  /** the machine's own, or another folder in its place */
  | { kind: "write" | "read"; path: string; from?: string }
  /** empty and unreadable */
  | { kind: "hideFolder" | "hideFile"; path: string }
  /** empty but for other mounts in it */
  | { kind: "empty"; path: string };

/** For `map`. */
export const mountAs =
  (kind: Mount["kind"]) =>
  (path: string): Mount => ({ kind, path });

/** Nothing of it can be read. */
export const hiddenMount = (path: string): Mount => ({ kind: isFolder(path) ? "hideFolder" : "hideFile", path });

/** Folders before what lies in them; of the same place the later one counts. */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const last = new Map(mounts.map(mount => [mount.path, mount]));
  return [...last.values()].sort((a, b) => depth(a.path) - depth(b.path));
}

const depth = (path: string) => path.split("/").filter(Boolean).length;

/** The innermost one that holds this path. @param mounts in order */
export const closest = (path: string, mounts: readonly Mount[]) => mounts.findLast(each => isWithin(each.path, path));

/** The innermost other one that holds this one. @param mounts in order */
export const around = (mount: Mount, mounts: readonly Mount[]) =>
  mounts.findLast(each => each.path !== mount.path && isWithin(each.path, mount.path));

/** What this machine has there can be read there. @param mounts in order */
export function isInSight(path: string, mounts: readonly Mount[]): boolean {
  const place = closest(path, mounts);
  return !place || ((place.kind === "write" || place.kind === "read") && (place.from ?? place.path) === place.path);
}

/** @param mounts in order */
export function mountArguments(mounts: readonly Mount[]): string[] {
  const made = mounts.flatMap(mount => mountArgument(mount, mounts));
  // Only now: mounts into them need their names. Else a command could open a folder of its own again, and believe what it wrote.
  const closed = mounts.flatMap(mount =>
    (mount.kind === "empty" && !isInEmpty(mount, mounts)) || mount.kind === "hideFolder"
      ? ["--remount-ro", mount.path]
      : [],
  );
  return [...made, ...closed];
}

function mountArgument(mount: Mount, all: readonly Mount[]): string[] {
  const { kind, path } = mount;
  if (kind === "write") return ["--bind-try", mount.from ?? path, path];
  if (kind === "read") return ["--ro-bind-try", mount.from ?? path, path];
  if (kind === "hideFile") return ["--ro-bind", "/dev/null", path];
  if (isInEmpty(mount, all)) return ["--perms", "0755", "--dir", path];
  const mode = kind === "empty" ? "0755" : holdsOthers(path, all) ? "0111" : "0000";
  return ["--perms", mode, "--tmpfs", path];
}

/** A folder there is enough: it is as empty, and as closed. */
const isInEmpty = (mount: Mount, all: readonly Mount[]) =>
  mount.kind === "empty" && around(mount, all)?.kind === "empty";

/** A folder of the workspace lies in it. */
const holdsOthers = (path: string, mounts: readonly Mount[]) =>
  mounts.some(other => other.path !== path && isBelow(path, other.path));
