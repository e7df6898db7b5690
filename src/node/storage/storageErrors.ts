/** Failures of the disk in words for people. */

import { StorageError } from "../../core/ground/ports";
import { errorMessage } from "../../shared/errorMessage";
import { t } from "../../shared/l10n";
import { errno } from "../errno";

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

export function lostLockError(): StorageError {
  return new StorageError(
    "LOST_LOCK",
    t(
      "Another window has taken this session over while this one did not answer; from here on it can only be read here.",
    ),
  );
}

export function deletedError(): StorageError {
  return new StorageError("NOT_FOUND", t("This session was deleted in another window."));
}
