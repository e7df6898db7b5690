/** What the editor shows now, and whether the workspace is trusted. */
import * as vscode from "vscode";
import type { EditorState, Surroundings } from "../core/ports";
import { isNameable, notebookAround } from "./documents";
import type { LastActiveEditor } from "./lastActiveEditor";
import { isPromptAt } from "./promptLanguage";
import { selectedLines } from "./selectionText";

export class VSCodeSurroundings implements Surroundings {
  /** @param pathOf FileRef.path of a file, without waiting */
  constructor(
    readonly platform: string,
    private readonly pathOf: (uri: vscode.Uri) => string,
    private readonly inUse: Pick<LastActiveEditor, "active">,
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
      .filter(uri => isNameable(uri) && !isPromptAt(uri))
      .map(this.pathOf);
    const active = this.inUse.active();
    if (!active || !isNameable(active.uri)) return { openFiles };
    const { uri, editor } = active;
    const path = this.pathOf(uri);
    // Lines of a cell are not lines of the notebook.
    const selection = notebookAround(uri) ? undefined : editor?.selection;
    const lines = selection && !selection.isEmpty ? selectedLines(selection.start, selection.end) : undefined;
    return { activeFile: path, openFiles, ...(lines ? { selection: { path, ...lines } } : {}) };
  }
}
