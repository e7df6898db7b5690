/** Files as they are on disk, links not followed: a state, a signature that tells whether it changed since, and putting one back: a compare and swap, atomic, byte for byte, with permissions. */

import { createHash, randomUUID } from "node:crypto";
import { type BigIntStats, lstatSync } from "node:fs";
import { chmod, lstat, open, readlink, rename, rmdir, symlink, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DiskFullError, type DiskStates, FileError } from "../../core/ground/ports";
import { remembered } from "../../shared/defined";
import type { FileState } from "../../shared/fileStates";
import { t } from "../../shared/l10n";
import { DirectoryHandle, OPEN_SAFELY } from "../directoryHandle";
import { errno, ifThere, isDiskFull, isMissing, unlessHidden, unlessMissing } from "../errno";
import { realOrSame, withSlashes } from "../paths";
import { createFile, createWholeFile, type PreviousFile, removeFile, replaceContent } from "../writeFile";

/** bytes: larger files are not kept */
export const MAX_KEPT = 10 * 1024 * 1024;

export const tooLarge = (): FileState => ({
  type: "unkept",
  why: t("it has more than {0} MB", MAX_KEPT / 1024 / 1024),
});

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export const modeOf = (stats: BigIntStats): number => Number(stats.mode & 0o7777n);

/** Changes when the file is written, renamed or gets other permissions. */
export const signature = ({ size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): string =>
  `${size} ${mtimeNs} ${ctimeNs} ${ino} ${mode}`;

/** At once: a scan asks for thousands. undefined: there is nothing, or nothing that can be looked at */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return ifThere(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  } catch (error) {
    if (errno(error) === "ENAMETOOLONG" || errno(error) === "ELOOP") return undefined;
    throw error;
  }
}

/** As `statsOf`; "hidden": this user may not look there. @throws where the system has no room for the look */
export const statsIfAllowed = (path: string): BigIntStats | undefined | "hidden" =>
  unlessHidden(() => statsOf(path), "hidden" as const);

/** The same for names that a disk may take for one: by case, or by how a letter is put together. */
export const spelling = (name: string): string => name.normalize("NFC").toLowerCase();

/** Whether a path leads through a link: then the file has another name, and this one has no file. */
export function throughLink(): (path: string) => boolean {
  const leads = remembered((folder: string) => spelling(withSlashes(realOrSame(folder))) !== spelling(folder));
  return path => leads(dirname(path));
}

/** Never rejects: what cannot be read is `unkept`. `bytes`: of a file that is kept */
export async function lookAt(
  path: string,
  stats: BigIntStats | undefined,
  maxBytes = MAX_KEPT,
): Promise<{ state: FileState; bytes?: Buffer }> {
  if (!stats) return { state: null };
  try {
    if (stats.isSymbolicLink()) return { state: { type: "link", target: await readlink(path) } };
    // A folder is no file: where one was, it went.
    if (stats.isDirectory()) return { state: null };
    if (!stats.isFile()) return { state: { type: "unkept", why: t("it is no file") } };
    if (stats.size > BigInt(maxBytes)) return { state: tooLarge() };
    const bytes = await readSame(path, stats);
    if (!bytes) return { state: { type: "unkept", why: t("it changed while it was read") } };
    return { state: { type: "file", sha256: sha256Of(bytes), mode: modeOf(stats) }, bytes };
  } catch (error) {
    return isMissing(error) ? { state: null } : { state: { type: "unkept", why: t("it cannot be read") } };
  }
}

/** undefined: it is another file by now */
async function readSame(path: string, stats: BigIntStats): Promise<Buffer | undefined> {
  const handle = await open(path, OPEN_SAFELY);
  try {
    const bytes = await handle.readFile();
    return signature(await handle.stat({ bigint: true })) === signature(stats) ? bytes : undefined;
  } finally {
    await handle.close();
  }
}

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

type KnownState = Exclude<FileState, { type: "unkept" }>;

async function swap(path: string, from: KnownState, to: KnownState, bytes: Buffer): Promise<boolean> {
  if (from === null) return to === null || make(path, to, bytes);
  if (from.type === "link") {
    const isAsRead = () => isLinkTo(path, from.target);
    if (!(await isAsRead())) return false;
    if (to !== null) return replaceLinkOrByLink(path, to, bytes, isAsRead);
    await unlink(path);
    return true;
  }
  const stats = statsOf(path);
  const looked = await lookAt(path, stats, Number.MAX_SAFE_INTEGER);
  if (!stats || !looked.bytes || looked.state?.type !== "file" || looked.state.sha256 !== from.sha256) return false;
  const before: PreviousFile = { bytes: looked.bytes, stats };
  if (to === null) return removeFile(path, before, true);
  if (to.type === "file") return replace(path, from, to, before, bytes);
  return replaceLinkOrByLink(path, to, bytes, async () => {
    const now = statsOf(path);
    return now?.ino === stats.ino && now.mtimeNs === stats.mtimeNs && now.size === stats.size;
  });
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

async function make(path: string, to: NonNullable<KnownState>, bytes: Buffer) {
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

async function replaceLinkOrByLink(
  path: string,
  to: NonNullable<KnownState>,
  bytes: Buffer,
  isAsRead: () => Promise<boolean>,
): Promise<boolean> {
  const temporary = join(dirname(path), `.strata-${randomUUID()}.tmp`);
  if (to.type === "link") await symlink(to.target, temporary);
  else if (!(await createFile(temporary, bytes, to.mode ?? 0o644))) return false;
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
