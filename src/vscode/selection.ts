/** "Ask Strata about selection": what is selected, as a mention; and the lightbulb that offers it. */
import * as vscode from "vscode";
import { isNameable, notebookAround } from "./documents";
import type { LastActiveEditor } from "./lastActiveEditor";
import { isPrompt } from "./promptLanguage";
import { lineMention, selectedLines } from "./selectionText";

/** The selection, or the cursor's line, of the active editor; undefined: no file is there to be named. */
export function selectionMention(
  pathOf: (uri: vscode.Uri) => string,
  inUse: Pick<LastActiveEditor, "active">,
): string | undefined {
  const active = inUse.active();
  if (!active || !isNameable(active.uri)) return undefined;
  const { uri, editor } = active;
  const path = pathOf(uri);
  // Lines of a cell are not lines of the notebook.
  if (!editor || notebookAround(uri)) return lineMention(path);
  return lineMention(path, selectedLines(editor.selection.start, editor.selection.end));
}

/** Offers the command in the lightbulb, and only where something is selected. */
export function registerSelectionAction(): vscode.Disposable {
  const kind = vscode.CodeActionKind.RefactorRewrite.append("strata");
  const provider: vscode.CodeActionProvider = {
    provideCodeActions(document, range) {
      if (range.isEmpty || isPrompt(document)) return [];
      const action = new vscode.CodeAction("Ask Strata about selection", kind);
      action.command = { command: "strata.askAboutSelection", title: action.title };
      return [action];
    },
  };
  return vscode.languages.registerCodeActionsProvider(
    ["file", "untitled", "vscode-vfs"].map(scheme => ({ scheme })),
    provider,
    {
      providedCodeActionKinds: [kind],
    },
  );
}
