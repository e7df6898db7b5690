/** Where a copied text comes from: an editor that has exactly this text selected. */
import * as vscode from "vscode";
import { withLf } from "../../core/ground/text/lines";
import { isNameable } from "./documents";
import { lineMention, selectedLines } from "./selectionText";

/** The mention of these lines; undefined: nobody has it selected. @param pathOf the path of a file as its mentions have it */
export function copiedFrom(text: string, pathOf: (uri: vscode.Uri) => string): string | undefined {
  const { activeTextEditor: active, visibleTextEditors } = vscode.window;
  for (const { document, selections } of [...(active ? [active] : []), ...visibleTextEditors]) {
    const [selection] = selections;
    if (selection === undefined || selections.length > 1 || !isNameable(document.uri)) continue;
    if (withLf(document.getText(selection)) !== withLf(text)) continue;
    return lineMention(pathOf(document.uri), selectedLines(selection.start, selection.end));
  }
  return undefined;
}
