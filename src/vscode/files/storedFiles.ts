/** Files as they are stored on disk, without what the editor holds of them. */
import { type ApplyEdits, type ApplyOutcome, FileError, type FileRef, type Files } from "../../core/ground/ports";
import type { Stamp } from "../../shared/toolResult";

/** Asked at the very moment that a stored file is changed: false is as if it had changed meanwhile, and nothing is written. */
type MayWrite = () => boolean;

/** Files are removed by the editor, which knows the trash. */
export interface StoredFiles extends Omit<Files, "removeFile"> {
  /** Rejects with FileError READ_ONLY. A file that is not there may be written. */
  requireWritable(ref: FileRef): Promise<void>;
  /**
   * The whole file, as bytes, in place of what has the sha256 `base` (null: of nothing); `stamp` null: the base moved, and
   * nothing was written.
   */
  replace(ref: FileRef, base: string | null, bytes: Uint8Array, mayWrite?: MayWrite): Promise<{ stamp: Stamp | null }>;
  apply(change: ApplyEdits, mayWrite?: MayWrite): Promise<ApplyOutcome>;
  /** For what the editor writes itself, at `path`. false: it leads elsewhere by now, or other files would change. */
  leadsTo(ref: FileRef, path: string): Promise<boolean>;
}

/** For `catch` of a read: undefined where there is no such file; other failures are thrown on. */
export function asMissing(error: unknown): undefined {
  if (error instanceof FileError && error.code === "NOT_FOUND") return undefined;
  throw error;
}

/** What became of a change that `replace` was to make. */
export const outcome = (text: string, { stamp }: { stamp: Stamp | null }): ApplyOutcome =>
  stamp ? { kind: "applied", stamp, text, saved: true } : { kind: "stale" };
