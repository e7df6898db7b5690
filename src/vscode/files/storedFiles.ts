/** Files as they are stored, on this machine's disk or in another file system of the editor. */
import {
  type ApplyEdits,
  type ApplyOutcome,
  type BinaryFile,
  FileError,
  type FileRef,
  type Files,
  type TextFile,
} from "../../core/ports";
import type { Stamp } from "../../shared/toolResult";

/** Asked at the very moment that a stored file is changed: false is as if it had changed meanwhile, and nothing is written. */
export type MayWrite = () => boolean;

/** Files as they are stored, without what the editor holds of them. */
export interface StoredFiles extends Files {
  /** Rejects with FileError READ_ONLY. A file that is not there may be written. */
  requireWritable(ref: FileRef): Promise<void>;
  /**
   * The whole file, as bytes, in place of what has the sha256 `base` (null: of nothing); `stamp` null: the base moved, and
   * nothing was written.
   */
  replace(ref: FileRef, base: string | null, bytes: Uint8Array, mayWrite?: MayWrite): Promise<{ stamp: Stamp | null }>;
  apply(change: ApplyEdits, mayWrite?: MayWrite): Promise<ApplyOutcome>;
}

export interface DiskFiles extends StoredFiles {
  /** What bytes are as a file, wherever they come from. */
  contentOf(bytes: Uint8Array, stamp: Stamp): TextFile | BinaryFile;
}

/** For `catch` of a read: undefined where there is no such file; what else failed goes on. */
export function asMissing(error: unknown): undefined {
  if (error instanceof FileError && error.code === "NOT_FOUND") return undefined;
  throw error;
}
