/** Whether the editor holds text of a document that is stored nowhere. */
import * as vscode from "vscode";

/**
 * What decides over whose text counts. `isDirty` of the document alone does not tell: VS Code sets it back with every save,
 * also where the text changed while it was written, and sets it again with the next key only. The tab has it right. (A
 * document without a tab gets one by itself within a second of its first unsaved change.)
 */
export function isUnsaved(document: Pick<vscode.TextDocument, "uri" | "isDirty">): boolean {
  return document.isDirty || hasDirtyTab(document.uri.toString());
}

const hasDirtyTab = (name: string) =>
  vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ isDirty, input }) => isDirty && savedWith(input)?.toString() === name),
  );

/** The text document that a tab saves: of a diff, that is its right side. */
function savedWith(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  return undefined;
}
