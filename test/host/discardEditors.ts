/** Apart from what else tests have of an editor: an extension of theirs has it too, and none of our packages. */
import * as vscode from "vscode";
import { eventually } from "../fakes/eventually";

/** Closes every editor; unsaved text is thrown away, as a person would who answers "Don't Save". */
export async function discardEditors(): Promise<void> {
  const { visibleTextEditors, visibleNotebookEditors, tabGroups } = vscode.window;
  const { textDocuments, notebookDocuments } = vscode.workspace;
  const isDirty = [...textDocuments, ...notebookDocuments].some(open => open.isDirty);
  // Many tests open none; asking the window to close nothing takes its time.
  if (!isDirty && ![...visibleTextEditors, ...visibleNotebookEditors].length && !tabGroups.all.some(isUsed)) return;
  for (const notebook of notebookDocuments) await discard(notebook, () => vscode.window.showNotebookDocument(notebook));
  for (const document of textDocuments) await discard(document, () => vscode.window.showTextDocument(document));
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
}

/** Another editor may open in the moment in which this one is shown; what VS Code saves itself is clean by then. */
const discard = (open: vscode.TextDocument | vscode.NotebookDocument, show: () => Thenable<unknown>) =>
  eventually(`${open.uri} is thrown away`, async () => {
    if (!open.isDirty || open.isClosed) return true;
    await show();
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    return !open.isDirty || open.isClosed;
  });

const isUsed = ({ tabs }: vscode.TabGroup) => tabs.length > 0;
