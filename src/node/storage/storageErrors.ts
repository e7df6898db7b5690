/** Failures of the disk in words for people. */
import { StorageError } from "../../core/ports";
import { errorMessage } from "../../shared/errorMessage";
import { errno } from "../errno";

const CODES: Record<string, { code: StorageError["code"]; words: string }> = {
  ENOSPC: { code: "DISK_FULL", words: "The disk is full. Free some space, then send it again." },
  EDQUOT: { code: "DISK_FULL", words: "Your disk quota is used up. Free some space, then send it again." },
  EACCES: { code: "DENIED", words: "The folder of Strata's sessions can't be written: permission denied." },
  EPERM: { code: "DENIED", words: "The folder of Strata's sessions can't be written: permission denied." },
  EROFS: { code: "DENIED", words: "The folder of Strata's sessions is on a read-only file system." },
};

/** @param doing what could not be done: "This session was not saved." */
export function storageError(error: unknown, doing: string): StorageError {
  if (error instanceof StorageError) return error;
  const known = CODES[errno(error)];
  return known
    ? new StorageError(known.code, `${doing} ${known.words}`)
    : new StorageError("IO", `${doing} ${errorMessage(error)}`);
}

export function readOnlyError(): StorageError {
  return new StorageError("READ_ONLY", "This session is being written by another window; here it can only be read.");
}

export function lostLockError(): StorageError {
  return new StorageError(
    "LOST_LOCK",
    "Another window has taken this session over while this one did not answer; from here on it can only be read here.",
  );
}

export function inUseError(): StorageError {
  return new StorageError("IN_USE", "This session is open in another window or terminal. Close it there first.");
}

export function damagedSnapshotError(): StorageError {
  return new StorageError("IO", "The state of the file that was kept for undo is damaged: it is not what was kept.");
}

/** A replacement failed, and so did taking it back. */
export function notRestoredError(): StorageError {
  return new StorageError(
    "IO",
    "This session was not saved: the disk fails, and what stands there may differ from what you see. Nothing more is written from here. Check the disk, then open the session again.",
  );
}
