import * as vscode from "vscode";
import { isPrompt } from "../editor/documents";

/** The commands of package.json, without `strata.`. Here alone, so that registering them loads nothing. */
export const commandNames = [
  "newSession",
  "sessions",
  "openPanel",
  "askAboutSelection",
  "addFile",
  "askAboutComment",
  "writePrompt",
  "sendPrompt",
  "stop",
  "acceptProposal",
  "rejectProposal",
  "reviewNext",
  "reviewPrevious",
  "reviewKeep",
  "reviewUndo",
  "reviewKeepFile",
  "reviewUndoFile",
  "reviewKeepAll",
  "reviewUndoAll",
  "reviewRedo",
  "openPlan",
  "carryOutPlan",
  "sendPlanBack",
  "endPlan",
  "explainTurn",
  "toggleFocusView",
  "compact",
  "undoCompaction",
  "redoCompaction",
  "previewCompaction",
  "showWords",
  "exportSession",
  "importSession",
  "removeSessions",
  "generateCommitMessage",
  "setMode",
  "showContext",
  "showSettings",
  "showPermissions",
  "showMcpServers",
  "showSkills",
  "showHooks",
  "chooseModel",
  "setApiKey",
  "clearApiKey",
  "checkModelConnection",
  "showLog",
  "help",
] as const;
export type EditorCommandName = (typeof commandNames)[number];

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
  const documents = ["file", "untitled", "vscode-vfs"].map(scheme => ({ scheme }));
  return vscode.languages.registerCodeActionsProvider(documents, provider, { providedCodeActionKinds: [kind] });
}
