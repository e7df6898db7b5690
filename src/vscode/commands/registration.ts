/**
 * The keybinding runs `strata.chat.focus` in the window's own process first: until the extension answers, keys go into
 * the editor.
 */

import * as vscode from "vscode";
import { t } from "../../shared/l10n";
import { isPrompt } from "../editor/documents";
import { typedOver } from "../editor/typedOver";

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
  "showPermissions",
  "showMcpServers",
  "showSkills",
  "showHooks",
  "showFound",
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

/**
 * Who runs a command that leads into the panel types on, and until the focus has moved keys change the editor: it moves before
 * anything is loaded or read. What was typed into the editor all the same is taken out, and what it replaced comes back.
 * @returns what was typed so
 */
export async function moveFocus(reveal: () => Promise<void>): Promise<string> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return reveal().then(() => "");
  const { document, selection, selections } = editor;
  const [version, before] = [document.version, document.getText()];
  const [start, end] = [document.offsetAt(selection.start), document.offsetAt(selection.end)];
  await reveal();
  if (document.version === version || selections.length > 1) return "";
  const written = new vscode.Range(selection.start, editor.selection.active);
  const typed = typedOver({ before, start, end }, document.getText(), document.offsetAt(written.end));
  if (typed === "") return "";
  if (!(await editor.edit(edit => edit.replace(written, before.slice(start, end))))) return "";
  // What is asked about is what was selected as the key was pressed.
  editor.selection = selection;
  return typed;
}

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
