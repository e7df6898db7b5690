/** What the language extensions of an editor know of code. A terminal has none, and no such port. */
import type { FileRef } from "./files";

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
  /** absent: it runs a command of its extension, which nobody here could look at first */
  change?: CodeChange;
}

/**
 * Each method asks whatever extensions are installed, on the text that the editor has, unsaved text too. Nothing found and
 * nobody asked are the same answer: an empty one. They reject with CodeError where an extension
 * refuses, in its words, and may go on behind an aborted `signal`: what they find then is told to nobody.
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
  /** What renaming would change; no files: nobody can. */
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
