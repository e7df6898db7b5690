/**
 * What installed language extensions know, by VS Code's own commands. They answer from the editor's documents, unsaved text
 * too; a file that is not open is opened for them behind the tabs.
 * TypeScript is asked for colours first: while it reads a project, a second server answers by the open files alone.
 */
import * as vscode from "vscode";
import {
  type Clock,
  type CodeAction,
  type CodeChange,
  CodeError,
  type CodeIntelligence,
  type CodeLocation,
  type CodePosition,
  type CodeQuestion,
  type CodeRange,
  type CodeSymbol,
  type FileRef,
} from "../../core/ground/ports";
import { errorMessage } from "../../shared/errorMessage";
import { asSentence } from "../../shared/format";
import type { OpenDocuments } from "../editor/documents";
import {
  fromCall,
  fromLink,
  fromSymbol,
  type RefOf,
  toAction,
  toChange,
  toHover,
  toLocations,
  toOutline,
  toPosition,
  toRange,
} from "./answers";

interface CodeDeps {
  documents: OpenDocuments;
  refOf: RefOf;
  clock: Clock;
  /** ms for which an extension may be starting; 4 s where nothing is said */
  coldMs?: number;
}

/** ms after a file was opened for them in which an empty answer may only mean that an extension is still starting */
const COLD_MS = 4_000;
/** the same for an outline: undefined where nobody knows the language, and where a file declares nothing */
const UNKNOWN_MS = 1_500;
const LOOK_AGAIN_MS = 300;
/** actions whose edits are made ready */
const MAX_ACTIONS = 100;
/** how often is asked anew where somebody types meanwhile */
const ASKS = 3;

/** Times are the steady clock's; 0: it was open already. */
type LanguageStart = { coldUntil: number; unknownUntil: number; ready: Promise<void> };

type Links = (vscode.Location | vscode.LocationLink)[];

export class VSCodeCode implements CodeIntelligence {
  /** Documents that were asked about: until when an extension may be starting for one that was opened for it. */
  private readonly starting = new WeakMap<vscode.TextDocument, LanguageStart>();

  constructor(private readonly deps: CodeDeps) {}

  async locate(kind: CodeQuestion, ref: FileRef, at: CodePosition, signal: AbortSignal): Promise<CodeLocation[]> {
    const { uri, coldUntil } = await this.opened(ref);
    const place = toPosition(at);
    const ask = async () => {
      if (kind === "callers") return this.callers(uri, place);
      return ((await run<Links>(commands[kind], uri, place)) ?? []).map(fromLink);
    };
    return toLocations(await this.unless(isEmpty, ask, coldUntil, signal), this.deps.refOf);
  }

  async hover(ref: FileRef, at: CodePosition, signal: AbortSignal): Promise<string[]> {
    const { uri, coldUntil } = await this.opened(ref);
    const ask = async () => (await run<vscode.Hover[]>("vscode.executeHoverProvider", uri, toPosition(at))) ?? [];
    const texts = (await this.unless(isEmpty, ask, coldUntil, signal)).map(toHover);
    return [...new Set(texts)].filter(text => text !== "");
  }

  async outline(ref: FileRef, signal: AbortSignal): Promise<CodeSymbol[] | undefined> {
    const { uri, unknownUntil } = await this.opened(ref);
    const found = await this.unless(isUndefined, () => run<Symbols>(OUTLINE, uri), unknownUntil, signal);
    return found && toOutline(found);
  }

  async symbols(query: string, signal: AbortSignal): Promise<CodeLocation[]> {
    const found = await run<vscode.SymbolInformation[]>("vscode.executeWorkspaceSymbolProvider", query);
    signal.throwIfAborted();
    return toLocations((found ?? []).map(fromSymbol), this.deps.refOf);
  }

  async open(ref: FileRef): Promise<void> {
    // What cannot be opened, no extension looks at either: then there is nothing to wait for.
    const { uri } = await this.opened(ref).catch(() => ({ uri: undefined }));
    if (uri) await this.outline(ref, AbortSignal.timeout(COLD_MS)).catch(() => undefined);
  }

  async rename(ref: FileRef, at: CodePosition, name: string, signal: AbortSignal): Promise<CodeChange> {
    const { uri } = await this.opened(ref);
    return this.steady(signal, async () => {
      const ask = "vscode.executeDocumentRenameProvider";
      const edit = await run<vscode.WorkspaceEdit>(ask, uri, toPosition(at), name);
      return edit ? this.change(edit) : { files: [] };
    });
  }

  async actions(ref: FileRef, range: CodeRange | undefined, kind: string, signal: AbortSignal): Promise<CodeAction[]> {
    const { uri } = await this.opened(ref);
    const document = await vscode.workspace.openTextDocument(uri);
    return this.steady(signal, async () => {
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      const place = range ? toRange(range) : document.validateRange(whole);
      const ask = "vscode.executeCodeActionProvider";
      const found = await run<(vscode.CodeAction | vscode.Command)[]>(ask, uri, place, kind, MAX_ACTIONS);
      const usable = (found ?? []).filter(action => !("disabled" in action && action.disabled));
      return Promise.all(usable.map(action => toAction(action, edit => this.change(edit))));
    });
  }

  /** Asks anew where a document changed while an extension was at work: places would be those of another text. */
  private async steady<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    for (let round = 0; round < ASKS; round++) {
      let moved = false;
      const subscription = vscode.workspace.onDidChangeTextDocument(({ contentChanges, document }) => {
        moved ||= contentChanges.length > 0 && document.uri.scheme !== "output";
      });
      try {
        const answer = await ask();
        signal.throwIfAborted();
        if (!moved) return answer;
      } finally {
        subscription.dispose();
      }
    }
    throw new CodeError("Somebody keeps typing while the extension works.");
  }

  private change(edit: vscode.WorkspaceEdit): Promise<CodeChange> {
    return toChange(edit, this.deps.refOf, async uri => (await vscode.workspace.openTextDocument(uri)).getText());
  }

  private async callers(uri: vscode.Uri, at: vscode.Position) {
    const items = (await run<vscode.CallHierarchyItem[]>("vscode.prepareCallHierarchy", uri, at)) ?? [];
    const calls = items.map(item => run<vscode.CallHierarchyIncomingCall[]>("vscode.provideIncomingCalls", item));
    return (await Promise.all(calls)).flatMap(found => found ?? []).flatMap(fromCall);
  }

  private async opened(ref: FileRef): Promise<LanguageStart & { uri: vscode.Uri }> {
    const open = await this.deps.documents.of(ref);
    const document = open ?? (await this.openNow(ref));
    const known = this.starting.get(document);
    const { coldMs = COLD_MS } = this.deps;
    const now = this.deps.clock.steady();
    const until = open
      ? { coldUntil: 0, unknownUntil: 0 }
      : { coldUntil: now + coldMs, unknownUntil: now + Math.min(coldMs, UNKNOWN_MS) };
    const start = known ?? { ...until, ready: this.projectRead(document, until.unknownUntil) };
    this.starting.set(document, start);
    await start.ready;
    return { uri: document.uri, ...start };
  }

  /** Asks a starting extension again until then: it answers nothing before it has read the project. */
  private async unless<T>(isNothing: (found: T) => boolean, ask: () => Promise<T>, until: number, signal: AbortSignal) {
    for (;;) {
      const found = await ask();
      signal.throwIfAborted();
      const left = until - this.deps.clock.steady();
      if (!isNothing(found) || left <= 0) return found;
      await this.deps.clock.sleep(Math.min(left, LOOK_AGAIN_MS), signal);
    }
  }

  /**
   * TypeScript answers by what stands in the open files alone while it reads the project: a rename would miss the others. What it
   * needs the project for, it keeps waiting until then, and this is such a question. Asked once for a document.
   */
  private async projectRead({ uri }: vscode.TextDocument, unknownUntil: number): Promise<void> {
    const start = new vscode.Range(0, 0, 0, 0);
    try {
      // Before its extension is awake, nobody is there to be asked.
      const awake = <T>(ask: () => Promise<T>) =>
        this.unless(isUndefined, ask, unknownUntil, AbortSignal.timeout(COLD_MS));
      await awake(() => run<Symbols>(OUTLINE, uri));
      const colours = await awake(() => run("vscode.provideDocumentRangeSemanticTokensLegend", uri, start));
      if (colours !== undefined) await run("vscode.provideDocumentRangeSemanticTokens", uri, start);
    } catch {
      // Whoever cannot say is not waited for.
    }
  }

  private async openNow(ref: FileRef): Promise<vscode.TextDocument> {
    try {
      return await vscode.workspace.openTextDocument(this.deps.documents.uriOf(ref));
    } catch (error) {
      throw new CodeError(`The editor cannot open ${ref.path} as text (${errorMessage(error)}).`);
    }
  }
}

const OUTLINE = "vscode.executeDocumentSymbolProvider";
const isUndefined = (found: unknown) => found === undefined;

type Symbols = (vscode.DocumentSymbol | vscode.SymbolInformation)[];

const commands: Record<Exclude<CodeQuestion, "callers">, string> = {
  definition: "vscode.executeDefinitionProvider",
  implementations: "vscode.executeImplementationProvider",
  references: "vscode.executeReferenceProvider",
};

/** What an extension throws are its words; the editor passes them on. */
async function run<T>(command: string, ...args: unknown[]): Promise<T | undefined> {
  try {
    return (await vscode.commands.executeCommand<T | undefined>(command, ...args)) ?? undefined;
  } catch (error) {
    throw new CodeError(asSentence(errorMessage(error)));
  }
}

const isEmpty = (found: readonly unknown[] | undefined) => found === undefined || found.length === 0;
