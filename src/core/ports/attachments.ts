/** What can be attached to a message beside files: what the editor shows, and what Git says of the workspace. */
import type { AttachmentKind } from "../../shared/mentions/attachments";
import type { FileProblems } from "./diagnostics";

/** There is nothing to attach, and why: one sentence of Strata's own, for the model and for people. */
export interface NothingToAttach {
  nothing: string;
}

export interface SelectedText {
  /** as FileRef.path; of what is no file, how the editor names it */
  path: string;
  /** lies in the workspace */
  inside: boolean;
  /** the document has changes that are not on disk */
  unsaved: boolean;
  /** of a notebook: the cell, from 1 */
  cell?: number;
  /** In the order of the document, none of them empty; lines from 1, inclusive. The text is what is selected, no more. */
  ranges: readonly { first: number; last: number; text: string }[];
}

export interface RepositoryChanges {
  /** absolute folder, '/' separators */
  root: string;
  /** absent: none is checked out */
  branch?: string;
  /** as `git diff --cached` and `git diff` print them: paths relative to `root`, unless the user's settings say otherwise */
  staged: string;
  unstaged: string;
  /** of one of both, no more than its beginning was read */
  cut?: true;
  /** files that Git does not know and does not ignore, relative to `root` */
  untracked: readonly string[];
}

export interface TerminalCommand {
  /** as it was typed */
  command: string;
  /** where it ran, as far as the shell said so */
  cwd?: string;
  /** it has not ended yet */
  running: boolean;
  /** absent: it runs, or the shell did not say */
  exitCode?: number;
  /** What it printed, escape sequences too: the beginning, and behind `dropped` characters that were not kept, the end. */
  head: string;
  dropped: number;
  tail: string;
}

/** What each kind reads; not redacted, not bounded but where a field says so. */
export interface AttachedContent {
  problems: readonly FileProblems[];
  selection: SelectedText;
  changes: readonly RepositoryChanges[];
  terminal: TerminalCommand;
}

/** A reader for each kind. Ends within some seconds; may end early when `signal` is aborted; rejects where reading failed. */
export type Attachments = {
  readonly [K in AttachmentKind]: (signal: AbortSignal) => Promise<AttachedContent[K] | NothingToAttach>;
};
