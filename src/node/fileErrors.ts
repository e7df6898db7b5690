/** Failures of the file system in words for people and models. */
import { FileError } from "../core/ports";
import { errno, wordsOf } from "./errno";

type Failure = { code: FileError["code"]; words: (path: string) => string };

const READ_FAILURES: Record<string, Failure> = {
  ENOENT: { code: "NOT_FOUND", words: path => `There is no ${path}.` },
  ENOTDIR: { code: "NOT_FOUND", words: path => `There is no ${path}: a part of the path is a file, not a folder.` },
  EISDIR: { code: "IO", words: path => `${path} is a folder, not a file.` },
  EACCES: { code: "IO", words: path => `${path} can't be read: permission denied.` },
  EPERM: { code: "IO", words: path => `${path} can't be read: permission denied.` },
  ELOOP: { code: "IO", words: path => `${path} can't be opened: its links lead round in a circle.` },
  ENAMETOOLONG: { code: "IO", words: path => `The path is longer than the system allows: ${path.slice(0, 80)}…` },
  ERR_INVALID_ARG_VALUE: { code: "IO", words: () => "The path holds a NUL character; no file can have that name." },
};

const WRITE_FAILURES: Record<string, Failure> = {
  ...READ_FAILURES,
  ENOTDIR: { code: "IO", words: path => `${path} can't be created: a part of the path is a file, not a folder.` },
  EEXIST: { code: "IO", words: path => `${path} can't be created: a part of the path is a file, not a folder.` },
  EISDIR: { code: "IO", words: path => `${path} is a folder; it can't be written as a file.` },
  EACCES: { code: "READ_ONLY", words: path => `${path} was not changed: no permission to write it.` },
  EPERM: { code: "READ_ONLY", words: path => `${path} was not changed: no permission to write it.` },
  EROFS: { code: "READ_ONLY", words: path => `${path} was not changed: it is on a read-only file system.` },
  ENOSPC: { code: "IO", words: path => `${path} was not changed: the disk is full. Free some space and try again.` },
  EDQUOT: { code: "IO", words: path => `${path} was not changed: your disk quota is used up.` },
  EFBIG: { code: "IO", words: path => `${path} was not changed: the file would be larger than the system allows.` },
};

/** A FileError for whatever was thrown; a FileError stays itself. */
export function fileError(error: unknown, path: string, doing: "read" | "write"): FileError {
  if (error instanceof FileError) return error;
  const known = (doing === "read" ? READ_FAILURES : WRITE_FAILURES)[errno(error)];
  if (known) return new FileError(known.code, known.words(path));
  return new FileError("IO", `${path} can't be ${doing === "read" ? "read" : "written"}: ${wordsOf(error)}`);
}
