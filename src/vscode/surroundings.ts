/** What the editor shows now, and whether the workspace is trusted. */
import * as vscode from "vscode";
import type { EditorState, Surroundings } from "../core/ports";
import { isNameable, notebookAround } from "./documents";
import { selectedLines } from "./selectionText";

export class VSCodeSurroundings implements Surroundings {
  /** @param pathOf FileRef.path of a file, without waiting */
  constructor(
    readonly platform: string,
    private readonly pathOf: (uri: vscode.Uri) => string,
  ) {}

  trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  editor(): EditorState {
    const openFiles = vscode.window.tabGroups.all
      .flatMap(group => group.tabs)
      .flatMap(({ input }) =>
        input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? [input.uri] : [],
      )
      .filter(isNameable)
      .map(this.pathOf);
    const active = vscode.window.activeTextEditor;
    const uri = active?.document.uri ?? vscode.window.activeNotebookEditor?.notebook.uri;
    if (!uri || !isNameable(uri)) return { openFiles };
    const path = this.pathOf(uri);
    // Lines of a cell are not lines of the notebook.
    const selection = notebookAround(uri) ? undefined : active?.selection;
    const lines = selection && !selection.isEmpty ? selectedLines(selection.start, selection.end) : undefined;
    return { activeFile: path, openFiles, ...(lines ? { selection: { path, ...lines } } : {}) };
  }
}
