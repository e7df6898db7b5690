import * as vscode from "vscode";
import { t } from "../../shared/l10n";
import { isPrompt } from "../editor/documents";

const SIDE = "newSession openPanel".split(" ");
const HERE = [
  ..."sessions sessionsWaiting find showContext askAboutSelection fixProblem explainSelection".split(" "),
  ..."writeTests addFile askAboutComment addComment compact".split(" "),
];

/** Where a command leads into the panel: to where the person was last, or always to the side bar. */
export const leadsTo = (name: string): "here" | "side" | undefined =>
  HERE.includes(name) ? "here" : SIDE.includes(name) ? "side" : undefined;

type ContributedRun = (name: string, argument: { focused?: boolean } | undefined, more: unknown) => Promise<void>;

/** The commands of package.json, without loading what they do. @param run gets the name without `strata.` */
export function registerCommands({ packageJSON }: vscode.Extension<unknown>, run: ContributedRun): vscode.Disposable {
  const commands: { command: string }[] = packageJSON.contributes.commands;
  const register = ({ command }: { command: string }) =>
    vscode.commands.registerCommand(command, (...given) => run(command.slice("strata.".length), given[0], given[1]));
  return vscode.Disposable.from(...commands.map(register));
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
  const documents = ["file", "untitled"].map(scheme => ({ scheme }));
  const providedCodeActionKinds = [rewrite, quickFix];
  return vscode.languages.registerCodeActionsProvider(documents, provider, { providedCodeActionKinds });
}
