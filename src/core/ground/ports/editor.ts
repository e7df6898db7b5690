/** The surroundings of a session: rules, settings, editor, trust. */
import type { AttachmentKind } from "../../../shared/mentions/parse";
import type { UnreadImport } from "../../../shared/rulesFiles";
import type { Settings } from "../../../shared/settings";
import type { FileRef } from "./files";

export interface ReadText {
  text: string;
  /** bytes left out because the file is larger than 32 KB */
  cutBytes: number;
  /** with what was left out, as far as it was read; absent: nothing was */
  whole?: string;
}

export interface WrittenFile extends ReadText {
  trust: "user" | "rules";
}

export interface RuleFile extends WrittenFile {
  /** for people and manifests: "CODE_LAW.md", "app:AGENTS.md", "~/.config/strata/AGENTS.md" */
  path: string;
  /** why the model gets none of it, a sentence: then `text` is empty */
  problem?: string;
  /** `path` of a file before it that says the same: the model gets it once, and `text` is empty */
  sameAs?: string;
  /** `path` of the file that names it as `@path` */
  importedBy?: string;
  /** What it imports and is not read, with the reason. */
  unread?: readonly UnreadImport[];
}

/** Rules as saved on disk, in the order of docs/context.md; in an untrusted workspace only the user's own. */
export interface Rules {
  /** @param nested paths (`RuleFile.path`) of rules of folders below the roots: as they stand now, after those of the roots */
  read(nested?: readonly string[]): Promise<RuleFile[]>;
  /**
   * `AGENTS.md` of each folder between a file's root and the file, without those of the root itself and what they say already;
   * the one nearest to the file last. None for a file outside the workspace.
   */
  nested(file: { absolute: string }): Promise<RuleFile[]>;
  /** Files that rules import, there or not: `FileRef.absolute`. What is written there tells agents what to do. */
  readonly imported: ReadonlySet<string>;
}

/** What the editor shows now; goes to the tail. Undefined in a terminal, and without an active file. */
export interface EditorState {
  activeFile: string;
  /** 1-based lines */
  selection?: { path: string; first: number; last: number };
}

export interface Surroundings {
  /** For L1, and so it must hold still: "linux", "bash". */
  readonly platform: string;
  /** false: reads only, no rules */
  trusted(): boolean;
  editor(): EditorState | undefined;
}

/** Who set something: the machine's administrator, the person, the workspace, this run alone. */
export type SettingLevel = "managed" | "user" | "workspace" | "session";

/** What one place sets. */
export interface SettingsLayer {
  level: SettingLevel;
  /** for people: a file, "the environment", "the command line" */
  place: string;
  values: Partial<Settings>;
  /** Why not all of it can be used. What it may have forbidden asks. */
  problem?: string;
}

export interface SettingsSource {
  /** as they stand now */
  get(): Settings;
  /** Who set what, the weakest first; absent: unknown, and all counts as the person's. */
  layers?(): readonly SettingsLayer[];
  /** Adds rules to what the person's own settings allow. Never rejects: what fails is told to the person. Absent: they cannot be written. */
  allow?(rules: readonly string[]): Promise<void>;
}

// What compilers and linters in the editor say of files. A terminal has none.

/** The worst first. */
export const severities = ["error", "warning", "info", "hint"] as const;
export type Severity = (typeof severities)[number];

export interface Problem {
  severity: Severity;
  message: string;
  /** as its checker numbers it: "2304", "no-undef" */
  code?: string;
  /** who found it: "ts", "eslint" */
  source?: string;
  /** 1-based, as editors show them */
  line: number;
  column: number;
  /** of a notebook: the cell, from 1, of which these are the lines */
  cell?: number;
}

export interface FileProblems {
  ref: FileRef;
  problems: readonly Problem[];
}

/** A file that is about to be edited. */
export interface DiagnosticsWatch {
  /** what was listed before the edit */
  readonly before: readonly Problem[];
  /** false: no checker may have looked at the file yet, so there may be problems that are older than the edit */
  readonly complete: boolean;
  /**
   * To be asked once the edit is made. Waits until a checker has reported on the file since it changed and has been quiet
   * for a moment; undefined: none did in `maxMs`, or in the shorter time after which that is known to be in vain, or
   * `signal` was aborted. `text` is what the problems are about: others may have gone on editing.
   */
  settled(
    maxMs: number,
    signal: AbortSignal,
  ): Promise<{ problems: readonly Problem[]; text: string | undefined } | undefined>;
}

/** Nothing here rejects. Only files that a checker has looked at have problems listed: for most languages, open ones. */
export interface Diagnostics {
  of(ref: FileRef): Promise<readonly Problem[]>;
  /** Files with problems, in no order. */
  all(): Promise<FileProblems[]>;
  /** Begins to watch a file: before it is edited, since a checker may report before the edit is done and saved. */
  watch(ref: FileRef): Promise<DiagnosticsWatch>;
  /** Has a checker look at a file that is not open, and waits as `settled` does. Resolves to whether one has reported. */
  look(ref: FileRef, maxMs: number, signal: AbortSignal): Promise<boolean>;
}

// What can be attached to a message beside files: what the editor shows, and what Git says of the workspace.

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

// What language extensions know of code. A terminal has none.

/** From 1, as editors show them; columns in UTF-16 units. */
export interface CodePosition {
  line: number;
  column: number;
}

/** The end is behind the last character. */
export interface CodeRange {
  start: CodePosition;
  end: CodePosition;
}

export interface CodeLocation {
  ref: FileRef;
  range: CodeRange;
  /** all of what is declared there, where the extension says it: a function with its body */
  whole?: CodeRange;
  /** of a caller or a symbol: its name, and the one around it */
  name?: string;
  container?: string;
  /** of a symbol: "function", "class", as the editor names kinds */
  kind?: string;
  /** of a notebook: the cell, from 1, of which these are the lines */
  cell?: number;
}

export interface CodeSymbol {
  name: string;
  kind: string;
  /** the names of what it stands in, the outermost first */
  containers: readonly string[];
  /** all of it, and its name alone */
  whole: CodeRange;
  range: CodeRange;
}

/** What an extension would change: places in the text as the editor had it when it answered. */
export interface CodeChange {
  files: readonly { ref: FileRef; text: string; edits: readonly { range: CodeRange; text: string }[] }[];
  /** Why it cannot be made as edits of text, the end of a sentence: "it also renames, creates or deletes files". */
  more?: string;
}

export interface CodeAction {
  title: string;
  /** "quickfix", "source.organizeImports" */
  kind: string;
  /** the one that an extension would take */
  preferred?: true;
  /** absent: it runs a command of its extension, which cannot be looked at first */
  change?: CodeChange;
}

/**
 * Each method asks the installed extensions, on the text that the editor has, unsaved text too. Nothing found and
 * nobody asked are the same answer: an empty one. They reject with CodeError where an extension
 * refuses, in its words, and may go on behind an aborted `signal`: their results are dropped then.
 */
export interface CodeIntelligence {
  /** `callers`: where a function is called, with the names of those that call it */
  locate(kind: CodeQuestion, ref: FileRef, at: CodePosition, signal: AbortSignal): Promise<readonly CodeLocation[]>;
  /** Type and documentation, in Markdown. */
  hover(ref: FileRef, at: CodePosition, signal: AbortSignal): Promise<readonly string[]>;
  /** The symbols of a file, in its order; undefined: no extension knows the file's language, or it declares nothing. */
  outline(ref: FileRef, signal: AbortSignal): Promise<readonly CodeSymbol[] | undefined>;
  /** Symbols of the workspace whose names have something of the query. */
  symbols(query: string, signal: AbortSignal): Promise<readonly CodeLocation[]>;
  /** Opens a file behind the tabs, so that extensions of its language begin to work. Never rejects. */
  open(ref: FileRef): Promise<void>;
  /** What renaming would change; no files: no extension can rename. */
  rename(ref: FileRef, at: CodePosition, name: string, signal: AbortSignal): Promise<CodeChange>;
  /** @param kind "quickfix", "source.organizeImports"; kinds below it count too @param range undefined: the whole file */
  actions(
    ref: FileRef,
    range: CodeRange | undefined,
    kind: string,
    signal: AbortSignal,
  ): Promise<readonly CodeAction[]>;
}

export type CodeQuestion = "definition" | "implementations" | "references" | "callers";
