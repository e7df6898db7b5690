/** The workspace's files and searching them. */

import type { FileState } from "../../../shared/fileStates";
import type { MentionCompletion } from "../../../shared/findProtocol";
import { sizeText } from "../../../shared/format";
import type { Stamp } from "../../../shared/toolResult";
import { FileError, onlyFor } from "./errors";

export interface Root {
  /** the folder's name; what `name:path` addresses where there are several roots */
  name: string;
  /** what the editor calls it, where that is another name */
  shownAs?: string;
  /** absolute path, '/' separators */
  path: string;
  uri: string;
}

/** A file that was named, resolved: links followed, `..` gone. `untitled:…` is on no disk. */
export interface FileRef {
  uri: string;
  /** absolute, as the file system has it after links were followed, '/' separators; `untitled:…` of what is on no disk */
  absolute: string;
  /** for people and models: relative to its root (with `name:` where there are several), absolute outside */
  path: string;
  /** `path` without the root's name: relative to its root (`.`: the root itself), absolute outside */
  relative: string;
  /** lies in one of the roots after links were followed */
  inside: boolean;
  /** The file has other names (hard links), wherever they are: what is written into it stands there too. Absent: it has one. */
  hasOtherNames?: true;
}

export interface FileStat {
  type: "file" | "directory" | "other";
  /** bytes */
  size: number;
  /** ms since the epoch */
  mtime: number;
  /** permissions, `0o755`; absent: the file system has none */
  mode?: number;
}

/** Encodings that every adapter writes. It may know others, by names of its own. */
type Encoding = "utf8" | "utf8bom" | "utf16le" | "utf16be";

/**
 * Where the encoding of a text without a byte order mark comes from: settings, a guess, or nowhere (`unknown`: read as UTF-8, with
 * U+FFFD for bytes that are not).
 */
type EncodingSource = "set" | "guessed" | "unknown";

/** A text file: the editor's buffer where the document is open, else the file. */
export interface TextFile {
  kind: "text";
  /** decoded, without BOM, line ends as they are */
  text: string;
  /** what the adapter will write it back as; an adapter may know more encodings than these */
  encoding: Encoding | (string & {});
  stamp: Stamp;
  /** where the text comes from */
  from: "editor" | "disk";
  /** absent: it is Unicode, or as the editor has it */
  reading?: EncodingSource;
  /** what stands on disk, where `reading` says that it can be read in another way */
  bytes?: Uint8Array;
}

export interface BinaryFile {
  kind: "binary";
  size: number;
  stamp: Stamp;
  /** `image/png` and the like where it is known from the first bytes */
  mediaType?: string;
  /** the bytes, of images of at most 20 MB only */
  bytes?: Uint8Array;
}

/** Replace `[start, end)` (UTF-16 offsets into the base text) by `text`. Sorted, not overlapping. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

export interface ApplyEdits {
  ref: FileRef;
  /** the sha256 that must still stand; null: the file must not exist yet (folders are created) */
  base: string | null;
  edits: readonly TextEdit[];
  /** of a new file: as far as the adapter can, it is stored as one was that is gone */
  as?: StorageForm;
}

/** How a file was stored: in the encoding in which this text had these bytes, with these permissions. */
export interface StorageForm {
  text: string;
  sha256: string;
  mode?: number | undefined;
}

export type ApplyOutcome =
  /**
   * `text` is the text after saving: a formatter may have changed more. Text that the user typed at the same moment is in neither
   * it nor the stamp. `unsaved`: why it was not saved.
   */
  | { kind: "applied"; stamp: Stamp; text: string; saved: boolean; unsaved?: string }
  /** The base moved: nothing was written. */
  | { kind: "stale" };

/** What became of each of several changes, in their order. */
export type TogetherOutcome =
  /** One of the bases moved: nothing was written. */
  | { kind: "stale" }
  /** `failed`: this one was not made, although others were; `why` is a sentence. */
  | {
      kind: "applied";
      files: readonly (Extract<ApplyOutcome, { kind: "applied" }> | { kind: "failed"; why: string })[];
    };

export interface DirectoryEntry {
  name: string;
  type: "file" | "directory" | "other";
  /** bytes; 0 for directories */
  size: number;
}

/** The workspace's files. Failures reject with `FileError`; nothing else. */
export interface Files {
  readonly roots: readonly Root[];
  /**
   * Resolves what a person or model wrote: relative to the first root, absolute, `~/…` or `root:path`; in an editor also
   * `untitled:name` of a document that was never saved. The file need not exist: the nearest folder that does is resolved.
   */
  resolve(input: string): Promise<FileRef>;
  stat(ref: FileRef): Promise<FileStat | undefined>;
  /** Refuses more than `maxBytes` with FileError TOO_LARGE before reading. */
  read(ref: FileRef, maxBytes: number): Promise<TextFile | BinaryFile>;
  /** Compare and swap: check and write are one step; edits on one file run one after the other. */
  apply(change: ApplyEdits): Promise<ApplyOutcome>;
  /**
   * Changes of several files, each once, none of them new: all or none, as far as they are made in the editor, and there one
   * step of undo. Absent where there is no editor: they are made one after the other.
   */
  applyTogether?(changes: readonly ApplyEdits[]): Promise<TogetherOutcome>;
  /**
   * Takes a file away (to the trash, where there is one) that still has the sha256; compare and swap, too. "stale": it has
   * another text, unsaved text counts, or it is not there: nothing was done. Its folders stay.
   */
  removeFile(ref: FileRef, base: string): Promise<"removed" | "stale">;
  list(ref: FileRef): Promise<DirectoryEntry[]>;
  /** A session read or wrote a file so: what its bytes do not say is taken from there. Absent: they always do */
  recall?(uri: string, stamp: Stamp): void;
  /** Where a file that is not there went to, as far as the editor was told; absent: unknown. */
  renamedTo?(ref: FileRef): Promise<FileRef | undefined>;
}

/** Otherwise it is a document that was never saved. */
export const isOnDisk = ({ uri }: { uri: string }): boolean => uri.startsWith("file:");

/** `otherwise` where the file system refuses `work`: a path that leads nowhere, for example. */
export const unlessFileError = <T, O>(work: Promise<T>, otherwise: O): Promise<T | O> =>
  work.catch(onlyFor(FileError, () => otherwise));

/** What every adapter says of a file, or of unsaved text, that has more than `maxBytes`. */
export function tooLarge({ path }: { path: string }, size: number, maxBytes: number): FileError {
  const [has, most] = [sizeText(size), sizeText(maxBytes)];
  return new FileError("TOO_LARGE", `${path} has ${has}; at most ${most} can be read at once.`);
}

/** The text with the edits made. Throws FileError where they do not fit the text. */
export function withEdits(base: string, edits: readonly TextEdit[], path = "The file"): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits) {
    if (start < at || end < start || end > base.length)
      throw new FileError("IO", `${path} was not changed: the edits overlap or reach beyond its end.`);
    pieces.push(base.slice(at, start), text);
    at = end;
  }
  return [...pieces, base.slice(at)].join("");
}

export interface GrepQuery {
  pattern: string;
  /** where to search; a file or a folder */
  ref: FileRef;
  glob?: string;
  type?: string;
  mode: "content" | "files_with_matches" | "count";
  before: number;
  after: number;
  ignoreCase: boolean;
  multiline: boolean;
}

export type GrepLine = {
  /** as FileRef.path */
  path: string;
  /** 1-based; 0 in the modes that have no lines */
  line: number;
  kind: "match" | "context";
  text: string;
  /** mode `count`: hits in the file */
  count?: number;
  /** where the pattern is found in `text`, as far as the engine tells: [from, to), in order */
  hits?: readonly (readonly [from: number, to: number])[];
  /** of a line that is too long to be given whole: how many hits are not in `text` */
  moreHits?: number;
};

/** Searches honour .gitignore, .ignore and the editor's exclude settings. */
export interface Search {
  /**
   * Calls `onLine` in the engine's order (files sorted by path where it is cheap to). Return false from it to end the
   * search early. Rejects with SearchError for a pattern, glob or type that the engine refuses; `signal` ends it.
   */
  grep(query: GrepQuery, onLine: (line: GrepLine) => boolean | undefined, signal: AbortSignal): Promise<void>;
  /** Files below `ref` matching the glob (`**`, braces, `!` negation), as FileRef.path with their mtime (ms), newest first. */
  glob(ref: FileRef, pattern: string, signal: AbortSignal): Promise<{ path: string; mtime: number }[]>;
  /** Which of these entries of a folder are ignored (by .gitignore and exclude settings). A `/` at the end marks a folder. */
  ignored(folder: FileRef, names: readonly string[], signal: AbortSignal): Promise<Set<string>>;
}

/**
 * Whether a path below a folder is ignored, by itself or with a folder above it. These count as folders even where they are
 * gone.
 * @param path relative to the folder, '/' separators
 */
export async function isIgnoredBelow(search: Search, folder: FileRef, path: string, signal: AbortSignal) {
  const parts = path.split("/");
  let at = folder;
  for (const [depth, part] of parts.entries()) {
    const name = depth < parts.length - 1 ? `${part}/` : part;
    if ((await search.ignored(at, [name], signal)).has(name)) return true;
    at = { ...at, uri: below(at.uri, encodeURIComponent(part)), absolute: below(at.absolute, part) };
  }
  return false;
}

const below = (folder: string, name: string) => `${folder.replace(/\/$/, "")}/${name}`;

// Text that stands in the editor and not on disk yet: what a command does not see.

export interface SaveOutcome {
  saved: FileRef[];
  /** `why`: the end of a sentence, without a full stop: "it is read-only" */
  failed: { ref: FileRef; why: string }[];
}

export interface SavesFollowed {
  /**
   * Ends the watch and resolves to the `FileRef.uri` of every file that was saved, made or moved in the editor, or changed by a
   * session's edit or its undo. Never rejects.
   */
  saved(): Promise<ReadonlySet<string>>;
  /** Nothing is followed any more. */
  end(): void;
}

/** Documents with unsaved changes. A terminal has none, and no such port. */
export interface UnsavedFiles {
  /** Unsaved files and notebooks in the workspace's folders, each once, sorted by path; no untitled documents. Never rejects. */
  unsaved(): Promise<FileRef[]>;
  /** As a person saves them: formatters run. What cannot be saved keeps its text in the editor. Never rejects. */
  save(files: readonly FileRef[]): Promise<SaveOutcome>;
  /** Records what the editor and sessions do to files from now on. */
  followSaves(): SavesFollowed;
}

/** Completion of mentions over the workspace's index. */
export interface MentionSearch {
  /**
   * @param query what stands after `@`, without quotes; "": what is open, recent and near
   * @returns files and folders. A workspace of no folder has none.
   */
  search(query: string, limit: number, signal: AbortSignal): Promise<MentionCompletion>;
}

// Files as bytes: what commands find and leave in the workspace, and putting it back.

/** Bytes by their sha256: the session's snapshots. */
export interface StateStore {
  /** Resolves when it is on disk for good; rejects with StorageError. */
  put(bytes: Uint8Array): Promise<string>;
  /** undefined: it is not there */
  get(sha256: string): Promise<Uint8Array | undefined>;
}

/** What a command did to a file. `path`: absolute, '/' separators; `uri`: as FileRef.uri. */
export interface CommandChange {
  uri: string;
  path: string;
  before: FileState;
  after: FileState;
  /** it is new, and was surely not there before, under no other name */
  made: boolean;
}

export interface CommandChanges {
  changes: CommandChange[];
  /** what was not looked at, a sentence each */
  gaps: string[];
}

/** What is known of the workspace's files between the commands of a session. */
export interface Baseline {
  /** Looks at the workspace in the background, so that the first command need not wait for it. Never rejects. */
  prepare(): void;
  /**
   * Records the state before a command, so that its changes can be told and undone. Takes a second at most; what it missed
   * is among the gaps. Never rejects. Call the result once when the command has ended: it looks again, after `soon` if given.
   */
  before(): Promise<(soon?: Promise<void>) => Promise<CommandChanges>>;
  /** Removes what it kept beside the session. Never rejects. */
  close(): Promise<void>;
}

export interface Baselines {
  /** @param store gets what commands change: as it was before */
  open(store: StateStore): Baseline;
}

/** Single files, by their absolute path. Reject with FileError. */
export interface DiskStates {
  /** Links are not followed. `bytes`: of a file of at most `maxBytes`; a larger one is `unkept`. */
  look(path: string, maxBytes: number): Promise<{ state: FileState; bytes?: Uint8Array }>;
  /**
   * Makes a file what it is to be; compare and swap. "stale": it is not as in `from` any more, and nothing was done.
   * @param bytes of a file: what `to` names
   */
  put(path: string, from: FileState, to: FileState, bytes: Uint8Array | undefined): Promise<"done" | "stale">;
  /** An empty folder that was surely made since then. @param since ms since the epoch @returns whether it went */
  removeFolder(path: string, since: number): Promise<boolean>;
}

// Working trees beside the workspace, for agents that write on their own.

export interface Worktrees<Tree extends Worktree = Worktree> {
  /**
   * Adds one at the commit that is checked out. Rejects with SessionError, a sentence that says why there is none, and with the
   * signal's reason; nothing is left then.
   * @param name of its branch and its folder: [a-z0-9-]
   */
  add(name: string, signal: AbortSignal): Promise<Tree>;
}

export interface Worktree {
  /** its root: absolute */
  path: string;
  /** what the workspace's first folder is there: absolute */
  folder: string;
  branch: string;
  /** sentences for models: what its agent, and its caller, have to know */
  notes: readonly string[];
  /** Removes it with its branch, unless something in it was changed or committed; false: it stays. What Git ignores goes with it. Never rejects. */
  removeIfClean(): Promise<boolean>;
}
