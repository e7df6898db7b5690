/** Documents in which a prompt is written: what they say of the editor, its files and problems never means themselves. */
import * as vscode from "vscode";

export const PROMPT_LANGUAGE = "strata-prompt";

export function isPrompt({ languageId }: Pick<vscode.TextDocument, "languageId">): boolean {
  return languageId === PROMPT_LANGUAGE;
}

/** As `isPrompt`, by name: of what is not open nothing is known. */
export function isPromptAt(uri: vscode.Uri): boolean {
  const name = uri.toString();
  return vscode.workspace.textDocuments.some(document => isPrompt(document) && document.uri.toString() === name);
}
