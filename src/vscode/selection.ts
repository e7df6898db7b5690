/** "Ask Strata about selection": what is selected, as a mention; and the lightbulb that offers it. */
import * as vscode from "vscode";
import { mentionOf, selectedLines } from "./selectionText";

/** The selection, or the cursor's line, of the active editor; undefined: no file is there to be named. */
export function selectionMention(pathOf: (uri: vscode.Uri) => string): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== "file") return undefined;
  const { start, end } = editor.selection;
  return mentionOf(pathOf(editor.document.uri), selectedLines(start, end));
}

/** Offers the command in the lightbulb, and only where something is selected. */
export function registerSelectionAction(): vscode.Disposable {
  const kind = vscode.CodeActionKind.RefactorRewrite.append("strata");
  const provider: vscode.CodeActionProvider = {
    provideCodeActions(_document, range) {
      if (range.isEmpty) return [];
      const action = new vscode.CodeAction("Ask Strata about selection", kind);
      action.command = { command: "strata.askAboutSelection", title: action.title };
      return [action];
    },
  };
  return vscode.languages.registerCodeActionsProvider({ scheme: "file" }, provider, {
    providedCodeActionKinds: [kind],
  });
}
