/** Files put back as they were, byte for byte: each a compare and swap, each atomic, links and permissions included. */
import { randomUUID } from "node:crypto";
import { chmod, lstat, readlink, rename, rmdir, symlink, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DiskFullError, type DiskStates, FileError } from "../../core/ground/ports";
import type { FileState } from "../../shared/fileStates";
import { t } from "../../shared/l10n";
import { DirectoryHandle } from "../directoryHandle";
import { errno, isDiskFull, unlessMissing } from "../errno";
import { withSlashes } from "../paths";
import { createFile, createWholeFile, type PreviousFile, removeFile, replaceContent } from "../writeFile";
import { lookAt, modeOf, sha256Of, statsOf, throughLink } from "./look";

type FileOf = Extract<FileState, { type: "file" }>;

/** ms by which a file system's clock may be behind this process's */
const CLOCK_STEP = 10;

export const diskStates: DiskStates = {
  async look(path, maxBytes) {
    return orFileError(path, async () => {
      // The file belongs to the link's target.
      if (throughLink()(withSlashes(path))) return { state: null };
      return lookAt(path, statsOf(path), maxBytes);
    });
  },

  put: (path, from, to, bytes) =>
    orFileError(path, async () => {
      if (to?.type === "unkept" || from?.type === "unkept") return "stale";
      if (from === null && statsOf(path)?.isDirectory())
        throw new FileError("IO", t("there is a folder of that name."));
      if (to?.type === "file" && (!bytes || sha256Of(bytes) !== to.sha256)) return "stale";
      return (await swap(path, from, to, Buffer.from(bytes ?? []))) ? "done" : "stale";
    }),

  removeFolder: async (path, since) => {
    const folder = await DirectoryHandle.open(dirname(path)).catch(() => undefined);
    if (!folder) return false;
    try {
      const place = folder.at(basename(path));
      const stats = statsOf(place);
      if (!stats?.isDirectory()) return false;
      // Where a file system does not know when it was made, that is the time of its last change.
      const isKnown = stats.birthtimeNs > 0n && stats.birthtimeNs !== stats.ctimeNs;
      if (!isKnown || Number(stats.birthtimeMs) < since - CLOCK_STEP) return false;
      await rmdir(place);
      return true;
    } catch {
      // it is not empty, or the system does not allow it
      return false;
    } finally {
      folder.close();
    }
  },
};

async function swap(
  path: string,
  from: Exclude<FileState, { type: "unkept" }>,
  to: Exclude<FileState, { type: "unkept" }>,
  bytes: Buffer,
): Promise<boolean> {
  if (from === null) return to === null || make(path, to, bytes);
  if (from.type === "link") return swapLink(path, from.target, to, bytes);
  const stats = statsOf(path);
  const looked = await lookAt(path, stats, Number.MAX_SAFE_INTEGER);
  if (!stats || !looked.bytes || looked.state?.type !== "file" || looked.state.sha256 !== from.sha256) return false;
  const before: PreviousFile = { bytes: looked.bytes, stats };
  if (to === null) return removeFile(path, before, true);
  if (to.type === "link") return replaceByLink(path, to.target, async () => isStill(path, before));
  return replace(path, from, to, before, bytes);
}

async function isStill(path: string, { stats }: PreviousFile): Promise<boolean> {
  const now = statsOf(path);
  return now?.ino === stats.ino && now.mtimeNs === stats.mtimeNs && now.size === stats.size;
}

/** Permissions go with the content, so that no crash leaves one without the other. */
async function replace(path: string, from: FileOf, to: FileOf, before: PreviousFile, bytes: Buffer): Promise<boolean> {
  const mode = modeOf(before.stats);
  const setMode = to.mode !== undefined && to.mode !== mode ? to.mode : undefined;
  if (setMode !== undefined && from.mode !== undefined && from.mode !== mode) return false;
  if (from.sha256 === to.sha256) {
    if (setMode !== undefined) await chmod(path, setMode);
    return true;
  }
  return (await replaceContent(path, bytes, before, () => true, to.mode ?? mode)) !== undefined;
}

async function make(path: string, to: NonNullable<Exclude<FileState, { type: "unkept" }>>, bytes: Buffer) {
  if (to.type === "file" && to.mode !== undefined) return createWholeFile(path, bytes, to.mode);
  if (to.type === "file") return (await createFile(path, bytes)) !== undefined;
  const folder = await DirectoryHandle.make(dirname(path));
  if (!folder) return false;
  try {
    await symlink(to.target, folder.at(basename(path)));
    return true;
  } catch (error) {
    if (errno(error) === "EEXIST") return false;
    throw error;
  } finally {
    folder.close();
  }
}

const isLinkTo = async (path: string, target: string) =>
  (await unlessMissing(
    readlink(path).catch(error => {
      if (errno(error) === "EINVAL") return undefined;
      throw error;
    }),
    undefined,
  )) === target;

async function swapLink(
  path: string,
  target: string,
  to: Exclude<FileState, { type: "unkept" }>,
  bytes: Buffer,
): Promise<boolean> {
  if (!(await isLinkTo(path, target))) return false;
  if (to === null) {
    await unlink(path);
    return true;
  }
  if (to.type === "link") return replaceByLink(path, to.target, () => isLinkTo(path, target));
  const temporary = join(dirname(path), `.strata-${randomUUID()}.tmp`);
  if (!(await createFile(temporary, bytes, to.mode ?? 0o644))) return false;
  return renameIf(temporary, path, () => isLinkTo(path, target));
}

async function replaceByLink(path: string, target: string, isAsRead: () => Promise<boolean>): Promise<boolean> {
  const temporary = join(dirname(path), `.strata-${randomUUID()}.tmp`);
  await symlink(target, temporary);
  return renameIf(temporary, path, isAsRead);
}

async function renameIf(temporary: string, path: string, isAsRead: () => Promise<boolean>): Promise<boolean> {
  try {
    if (!(await isAsRead())) return false;
    await rename(temporary, path);
    return true;
  } finally {
    if (await unlessMissing(lstat(temporary), undefined)) await unlink(temporary);
  }
}

async function orFileError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) throw error;
    const code = errno(error);
    if (code === "EACCES" || code === "EPERM" || code === "EROFS")
      throw new FileError("READ_ONLY", t("{0} is read-only, or its folder is.", path));
    if (isDiskFull(error)) throw new DiskFullError(t("The disk is full: {0} was not written.", path));
    throw new FileError("IO", t("{0} could not be written ({1}).", path, code || String(error)));
  }
}
