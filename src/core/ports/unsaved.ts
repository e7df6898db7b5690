/** Text that stands in the editor and not on disk yet: what a command does not see. */
import type { FileRef } from "./files";

export interface SaveOutcome {
  saved: FileRef[];
  /** `why`: the end of a sentence, without a full stop: "it is read-only" */
  failed: { ref: FileRef; why: string }[];
}

export interface SavesFollowed {
  /** `FileRef.uri` of every file that was saved in the editor since; nothing is followed any more. Never rejects. */
  end(): Promise<ReadonlySet<string>>;
}

/** Documents with unsaved changes. A terminal has none, and no such port. */
export interface Unsaved {
  /**
   * Files in the workspace's folders that are open with unsaved changes, notebooks too, each once, sorted by path. Not what
   * has no file yet, and not what lies outside. Never rejects.
   */
  unsaved(): Promise<FileRef[]>;
  /** As a person saves them: formatters run. What cannot be saved keeps its text in the editor. Never rejects. */
  save(files: readonly FileRef[]): Promise<SaveOutcome>;
  /** Notes what the editor saves from now on, whoever asked it to. */
  followSaves(): SavesFollowed;
}
