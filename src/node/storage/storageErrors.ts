/** Failures of the disk in words for people. */

import { StorageError } from "../../core/ground/ports";
import { errorMessage } from "../../shared/errorMessage";
import { t } from "../../shared/l10n";
import { errno } from "../errno";

const denied = () =>
  t("The folder of Strata's sessions can't be written: permission denied. Give your user the right to write there.");
const tooMany = () => t("Too many files are open on this machine. Close some programs, then send it again.");

const CODES: Record<string, { code: StorageError["code"]; words(): string }> = {
  ENOSPC: { code: "DISK_FULL", words: () => t("The disk is full. Free some space, then send it again.") },
  EDQUOT: { code: "DISK_FULL", words: () => t("Your disk quota is used up. Free some space, then send it again.") },
  EACCES: { code: "DENIED", words: denied },
  EPERM: { code: "DENIED", words: denied },
  EROFS: {
    code: "DENIED",
    words: () =>
      t("The folder of Strata's sessions is on a read-only file system. Mount it so that it can be written."),
  },
  EMFILE: { code: "IO", words: tooMany },
  ENFILE: { code: "IO", words: tooMany },
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
