/** Where the person is: files in tabs and those looked at last, so that they are offered first. */
import * as vscode from "vscode";
import type { NearParams, PlaceParams } from "../../shared/mentionProtocol";
import { isPrompt, isPromptAt } from "../editor/documents";
import { Later } from "./later";

const MOST = 50;
const WITHIN_MS = 100;

export class Near implements vscode.Disposable {
  /** newest first */
  private recent: vscode.Uri[] = [];
  private readonly later: Later;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly send: (near: NearParams) => void) {
    this.later = new Later(WITHIN_MS, () => this.tell());
    this.visit(vscode.window.activeTextEditor);
    this.subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(editor => this.visit(editor)),
      vscode.window.tabGroups.onDidChangeTabs(() => this.later.soon()),
      this.later,
    );
  }

  tell(): void {
    this.send({ open: openUris().flatMap(placeOf).slice(0, MOST), recent: this.recent.flatMap(placeOf) });
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private visit(editor: vscode.TextEditor | undefined): void {
    if (!editor || isPrompt(editor.document)) return;
    const { uri } = editor.document;
    const name = uri.toString();
    this.recent = [uri, ...this.recent.filter(other => other.toString() !== name)].slice(0, MOST);
    this.later.soon();
  }
}

function openUris(): vscode.Uri[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? [input.uri] : [],
    )
    .filter(uri => !isPromptAt(uri));
}

/** The place of a file; none of what is in no folder. */
export function placeOf(uri: vscode.Uri): PlaceParams[] {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder || folder.uri.toString() === uri.toString()) return [];
  const path = uri.path.slice(folder.uri.path.replace(/\/$/, "").length + 1);
  return [{ root: folder.uri.toString(), path }];
}
