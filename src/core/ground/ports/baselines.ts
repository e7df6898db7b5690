/** Files as bytes: what commands find and leave in the workspace, and putting it back. */
import type { FileState } from "../../../shared/fileStates";

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
  /** Files were changed otherwise than by a command: what was looked at before counts no more. */
  forget(): void;
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
