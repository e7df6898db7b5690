/** What the operating system says when something fails. */
import { DiskFullError, FileError, StorageError } from "../core/ground/ports";
import { errorMessage } from "../shared/errorMessage";
import { t } from "../shared/l10n";

/** The code of a failure (`ENOENT`), "" where it has none. */
export const errno = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** There is no room for what was to be written: on the disk, or of what this user may take of it. */
export const isDiskFull = (error: unknown): boolean => errno(error) === "ENOSPC" || errno(error) === "EDQUOT";

/** The system has no room for one more look: what is there is not known, however often somebody says that it is nothing. */
const isExhausted = (error: unknown): boolean => ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EIO"].includes(errno(error));

/** There is nothing at that path. */
export const isMissing = (error: unknown): boolean => MISSING.includes(errno(error));
const MISSING = ["ENOENT", "ENOTDIR"];

/** `otherwise` where it fails with one of these codes. */
export const unlessCode = <T, O>(codes: readonly string[], work: Promise<T>, otherwise: O): Promise<T | O> =>
  work.catch(error => {
    if (codes.includes(errno(error))) return otherwise;
    throw error;
  });

/** `otherwise` where there is nothing at the path that is worked on. */
export const unlessMissing = <T, O>(work: Promise<T>, otherwise: O) => unlessCode(MISSING, work, otherwise);

/** As `unlessMissing`, of what is looked up at once. Node's own `throwIfNoEntry` throws where a folder on the way is a file. */
export function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** As `ifThere`, whatever is in the way of the look. */
export function unlessFails<T, O>(look: () => T, otherwise: O): T | O {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

/** As `unlessFails`, but throws where the system has no room for the look: else files there would count as gone. */
export function unlessHidden<T, O>(look: () => T, otherwise: O): T | O {
  try {
    return look();
  } catch (error) {
    if (isExhausted(error)) throw error;
    return otherwise;
  }
}

// Failures of the file system in words for people and models.

type FileFailure = { code: FileError["code"]; words: (path: string) => string };

const READ_FAILURES: Record<string, FileFailure> = {
  ENOENT: { code: "NOT_FOUND", words: path => `There is no ${path}.` },
  ENOTDIR: { code: "NOT_FOUND", words: path => `There is no ${path}: a part of the path is a file, not a folder.` },
  EISDIR: { code: "IO", words: path => `${path} is a folder, not a file.` },
  EACCES: { code: "IO", words: path => `${path} can't be read: permission denied.` },
  EPERM: { code: "IO", words: path => `${path} can't be read: permission denied.` },
  ERR_INVALID_ARG_VALUE: { code: "IO", words: () => "The path holds a NUL character; no file can have that name." },
};

const WRITE_FAILURES: Record<string, FileFailure> = {
  ...READ_FAILURES,
  ENOTDIR: { code: "IO", words: path => `${path} can't be created: a part of the path is a file, not a folder.` },
  EEXIST: { code: "IO", words: path => `${path} can't be created: a part of the path is a file, not a folder.` },
  EISDIR: { code: "IO", words: path => `${path} is a folder; it can't be written as a file.` },
  EACCES: { code: "READ_ONLY", words: path => `${path} was not changed: no permission to write it.` },
  EPERM: { code: "READ_ONLY", words: path => `${path} was not changed: no permission to write it.` },
  EROFS: { code: "READ_ONLY", words: path => `${path} was not changed: it is on a read-only file system.` },
  ENOSPC: { code: "IO", words: path => `${path} was not changed: the disk is full. Free some space and try again.` },
  EDQUOT: { code: "IO", words: path => `${path} was not changed: your disk quota is used up.` },
};

/** A FileError for what was thrown; a FileError stays itself. */
export function fileError(error: unknown, path: string, doing: "read" | "write"): FileError {
  if (error instanceof FileError) return error;
  const known = (doing === "read" ? READ_FAILURES : WRITE_FAILURES)[errno(error)];
  if (known && isDiskFull(error)) return new DiskFullError(known.words(path));
  if (known) return new FileError(known.code, known.words(path));
  return new FileError("IO", `${path} can't be ${doing === "read" ? "read" : "written"}: ${errorMessage(error)}`);
}

// Failures of the disk where sessions are, and exports of them, in words for people.

const denied = { code: "DENIED", words: () => t("Permission denied: give your user the right to it.") } as const;
const full = {
  code: "DISK_FULL",
  words: () => t("The disk is full, or your quota is used up. Free some space, then try again."),
} as const;
const tooMany = {
  code: "IO",
  words: () => t("Too many files are open on this machine. Close some programs, then try again."),
} as const;

const CODES: Record<string, { code: StorageError["code"]; words(): string }> = {
  ...{ ENOSPC: full, EDQUOT: full, EACCES: denied, EPERM: denied, EMFILE: tooMany, ENFILE: tooMany },
  EROFS: { code: "DENIED", words: () => t("The file system is read-only: mount it so that it can be written.") },
  ENOENT: { code: "IO", words: () => t("Its folder is not there.") },
  EIO: { code: "IO", words: () => t("The disk failed to read or write. Check it before you go on.") },
};

/** @param doing what could not be done: "This session was not saved." */
export function storageError(error: unknown, doing: string): StorageError {
  if (error instanceof StorageError) return error;
  const known = CODES[errno(error)];
  return known
    ? new StorageError(known.code, t("{0} {1}", doing, known.words()))
    : new StorageError("IO", t("{0} {1}", doing, errorMessage(error)));
}

export async function orStorageError<T>(doing: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw storageError(error, doing);
  }
}
