/** What the editor shows now, and whether the workspace is trusted. */
import * as vscode from "vscode";
import type { EditorState, Surroundings } from "../core/ports";
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
      .flatMap(tab => (tab.input instanceof vscode.TabInputText && isFile(tab.input.uri) ? [tab.input.uri] : []))
      .map(this.pathOf);
    const active = vscode.window.activeTextEditor;
    if (!active || !isFile(active.document.uri)) return { openFiles };
    const path = this.pathOf(active.document.uri);
    const { selection } = active;
    const lines = selection.isEmpty ? undefined : selectedLines(selection.start, selection.end);
    return { activeFile: path, openFiles, ...(lines ? { selection: { path, ...lines } } : {}) };
  }
}

function isFile(uri: vscode.Uri): boolean {
  return uri.scheme === "file";
}
