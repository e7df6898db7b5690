/** The editor that a person means: the active one, and while a prompt is written the one that was active before it. */
import * as vscode from "vscode";
import type { EditorState, Surroundings } from "../../core/ground/ports";
import { withLf } from "../../core/ground/text/lines";
import { isNameable, isPrompt, isPromptAt, notebookAround, openTabs } from "./documents";
import { lineMention, selectedLines } from "./selectionText";

interface InUse {
  uri: vscode.Uri;
  /** undefined: a notebook none of whose cells is typed in */
  editor?: vscode.TextEditor;
}

export class LastActiveEditor implements vscode.Disposable {
  /** of text or a notebook; never a prompt's */
  private last: InUse | undefined;
  private lastText: vscode.TextEditor | undefined;
  private readonly subscription: vscode.Disposable;

  constructor() {
    this.sawNotebook(vscode.window.activeNotebookEditor);
    this.sawText(vscode.window.activeTextEditor);
    this.subscription = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(editor => this.sawText(editor)),
      vscode.window.onDidChangeActiveNotebookEditor(notebook => this.sawNotebook(notebook)),
    );
  }

  /** The active editor of text or of a notebook. */
  active(): InUse | undefined {
    const { activeTextEditor: editor, activeNotebookEditor: notebook } = vscode.window;
    if (editor && isPrompt(editor.document)) return this.beforePrompt();
    if (editor) return { uri: editor.document.uri, editor };
    return notebook && { uri: notebook.notebook.uri };
  }

  /** The active text editor; a page of an extension in its place makes none active, and then it is the last one if that shows. */
  text(): vscode.TextEditor | undefined {
    const { visibleTextEditors } = vscode.window;
    return this.active()?.editor ?? visibleTextEditors.find(visible => visible === this.lastText);
  }

  /** What the active editor shows, of whatever kind it is. */
  uri(): vscode.Uri | undefined {
    const uri = this.active()?.uri;
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (uri || !(input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom)) return uri;
    return isPromptAt(input.uri) ? undefined : input.uri;
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private sawText(editor: vscode.TextEditor | undefined): void {
    if (!editor || isPrompt(editor.document)) return;
    this.lastText = editor;
    this.last = { uri: editor.document.uri, editor };
  }

  private sawNotebook(notebook: vscode.NotebookEditor | undefined): void {
    if (notebook) this.last = { uri: notebook.notebook.uri };
  }

  /** A prompt may cover it: what was selected in it is selected again when it shows. */
  private beforePrompt(): InUse | undefined {
    const { last } = this;
    const { visibleTextEditors } = vscode.window;
    if (!last || isPromptAt(last.uri) || !isInTab(last.uri)) {
      // It was closed, or nobody saw it, as after a reload: then what stands beside the prompt, if anything does.
      const beside = visibleTextEditors.find(({ document }) => isNameable(document.uri) && !isPrompt(document));
      return beside && { uri: beside.document.uri, editor: beside };
    }
    const { editor } = last;
    if (!editor || visibleTextEditors.includes(editor)) return last;
    return { ...last, editor: visibleTextEditors.find(({ document }) => document === editor.document) ?? editor };
  }
}

function isInTab(uri: vscode.Uri): boolean {
  const name = (notebookAround(uri)?.uri ?? uri).toString();
  return openTabs().some(({ input }) => {
    if (input instanceof vscode.TabInputTextDiff) return `${input.modified}` === name || `${input.original}` === name;
    const isOne = input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook;
    return isOne && input.uri.toString() === name;
  });
}

/** What the editor shows now, and whether the workspace is trusted. */
export class VSCodeSurroundings implements Surroundings {
  /** @param pathOf FileRef.path of a file, without waiting */
  constructor(
    readonly platform: string,
    private readonly pathOf: (uri: vscode.Uri) => string,
    private readonly inUse: LastActiveEditor,
  ) {}

  trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  editor(): EditorState | undefined {
    const active = this.inUse.active();
    if (!active || !isNameable(active.uri)) return undefined;
    const { uri, editor } = active;
    const path = this.pathOf(uri);
    // Lines of a cell are not lines of the notebook.
    const selection = notebookAround(uri) ? undefined : editor?.selection;
    const lines = selection && !selection.isEmpty ? selectedLines(selection.start, selection.end) : undefined;
    return { activeFile: path, ...(lines ? { selection: { path, ...lines } } : {}) };
  }
}

/** The mention of a copied text: of lines that an editor has selected exactly so; undefined: nobody has it selected. @param pathOf the path of a file as its mentions have it */
export function copiedFrom(text: string, pathOf: (uri: vscode.Uri) => string): string | undefined {
  const { activeTextEditor: active, visibleTextEditors } = vscode.window;
  for (const { document, selections } of [...(active ? [active] : []), ...visibleTextEditors]) {
    const [selection] = selections;
    if (selection === undefined || selections.length > 1 || !isNameable(document.uri)) continue;
    if (withLf(document.getText(selection)) !== withLf(text)) continue;
    return lineMention(pathOf(document.uri), selectedLines(selection.start, selection.end));
  }
  return undefined;
}
