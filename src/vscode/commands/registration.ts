import * as vscode from "vscode";
import { t } from "../../shared/l10n";
import { isPrompt } from "../editor/documents";

/** The commands of package.json, without `strata.`. Here alone, so that registering them loads nothing. */
export const commandNames = [
  "newSession",
  "sessions",
  "sessionsWaiting",
  "openPanel",
  "askAboutSelection",
  "fixProblem",
  "explainSelection",
  "writeTests",
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
  "addComment",
  "deleteComment",
  "sendComments",
  "openPlan",
  "carryOutPlan",
  "sendPlanBack",
  "endPlan",
  "explainTurn",
  "instructionsInView",
  "toggleFocusView",
  "find",
  "prompts",
  "compact",
  "undoCompaction",
  "redoCompaction",
  "previewCompaction",
  "openInTab",
  "newSessionTab",
  "restoreSession",
  "exportSession",
  "importSession",
  "removeSessions",
  "generateCommitMessage",
  "setMode",
  "nextMode",
  "showContext",
  "showSettings",
  "showTools",
  "getStarted",
  "tryDemo",
  "chooseModel",
  "setApiKey",
  "clearApiKey",
  "checkModelConnection",
  "showLog",
  "help",
  "showHelp",
] as const;
export type EditorCommandName = (typeof commandNames)[number];

/** Commands that lead into the panel: to where the person was last, or always to the side bar. */
export const leadsTo: Partial<Record<EditorCommandName, "here" | "side">> = {
  ...{
    newSession: "side",
    openPanel: "side",
    sessions: "here",
    sessionsWaiting: "here",
    find: "here",
    showContext: "here",
  },
  ...{ askAboutSelection: "here", fixProblem: "here", explainSelection: "here", writeTests: "here", addFile: "here" },
  ...{ askAboutComment: "here", sendComments: "here", compact: "here" },
};

/** Offers commands in the lightbulb: on what is selected, and on a problem. */
export function registerCodeActions(): vscode.Disposable {
  const [rewrite, quickFix] = [vscode.CodeActionKind.RefactorRewrite.append("strata"), vscode.CodeActionKind.QuickFix];
  const action = (title: string, kind: vscode.CodeActionKind, command: string, given: unknown[] = []) => {
    const made = new vscode.CodeAction(title, kind);
    made.command = { command, title, arguments: given };
    return made;
  };
  const onProblem = ({ uri }: vscode.TextDocument, problems: readonly vscode.Diagnostic[]) => {
    const [first] = problems;
    if (!first) return [];
    const made = action(t("Fix with Strata"), quickFix, "strata.fixProblem", [uri, first.range]);
    made.diagnostics = [...problems];
    return [made];
  };
  const onSelection = () => [
    action(t("Ask Strata about selection"), rewrite, "strata.askAboutSelection"),
    action(t("Explain with Strata"), rewrite, "strata.explainSelection"),
    action(t("Write tests with Strata"), rewrite, "strata.writeTests"),
  ];
  const provider: vscode.CodeActionProvider = {
    provideCodeActions(document, range, { diagnostics }) {
      if (isPrompt(document)) return [];
      return [...onProblem(document, diagnostics), ...(range.isEmpty ? [] : onSelection())];
    },
  };
  const documents = ["file", "untitled", "vscode-vfs"].map(scheme => ({ scheme }));
  const providedCodeActionKinds = [rewrite, quickFix];
  return vscode.languages.registerCodeActionsProvider(documents, provider, { providedCodeActionKinds });
}
