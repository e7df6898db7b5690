/** The prompt editor: a document of its own to write in, sent as the composer sends. */
import * as vscode from "vscode";
import { t } from "../../shared/l10n";
import { isPrompt, PROMPT_LANGUAGE, tabsOf } from "../editor/documents";
import { inform } from "../platform/messages";

interface PromptDeps {
  sessions: { active: { reveal(): Promise<void> } };
  /** as `Session.submit` of the session that is shown */
  submit(text: string): Promise<void>;
  /** prompts on their way, which nothing sends once more; kept from one call to the next */
  sending: WeakSet<vscode.TextDocument>;
  /** undefined: messages can be sent; else why not */
  whyNot(): string | undefined;
}

/** What was begun in the composer goes on in a prompt. */
export interface ComposerDraft {
  /** what stands in the composer, as far as it is kept; "" where nothing does */
  draft(): string;
  /** it stands in the prompt now */
  taken(draft: string): void;
}

/** Opens an empty prompt, or the one that is open and empty, and takes the composer's text along. */
export async function writePrompt({ draft, taken }: ComposerDraft): Promise<void> {
  const empty = vscode.workspace.textDocuments.find(
    document => isPrompt(document) && document.isUntitled && !document.isClosed && document.getText() === "",
  );
  const document = empty ?? (await vscode.workspace.openTextDocument({ language: PROMPT_LANGUAGE }));
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const text = draft();
  if (text.trim() === "" || document.getText() !== "") return;
  if (await editor.edit(edit => edit.insert(new vscode.Position(0, 0), text))) taken(text);
}

/**
 * Sends a prompt: of the menu's resource, else of the active editor. It closes when the message is taken; until then, and
 * where it cannot be sent, it stays as it is. What it attaches may take seconds to read: asked again meanwhile, nothing
 * happens.
 */
export async function sendPrompt(resource: unknown, { sessions, submit, sending, whyNot }: PromptDeps): Promise<void> {
  const document = findPrompt(resource);
  if (!document) return void inform(t("Open a prompt first. “Strata: Write Prompt” creates one."));
  if (sending.has(document)) return;
  const text = document.getText();
  if (!text.trim()) return void inform(t("The prompt is empty. Write what the agent should do."));
  const refusal = whyNot();
  if (refusal) throw new Error(refusal);
  sending.add(document);
  try {
    // First: who sent it sees where it goes.
    await sessions.active.reveal();
    await submit(text);
    await close(document, text);
  } finally {
    sending.delete(document);
  }
}

function findPrompt(resource: unknown): vscode.TextDocument | undefined {
  const { activeTextEditor } = vscode.window;
  const name = (resource instanceof vscode.Uri ? resource : activeTextEditor?.document.uri)?.toString();
  return vscode.workspace.textDocuments.find(document => isPrompt(document) && document.uri.toString() === name);
}

/**
 * Closes an unsaved prompt without a question, emptied first, if it is still the text that was sent. (VS Code does not report
 * that it is no longer dirty.) A file stays, and so does text that was typed meanwhile.
 */
async function close(document: vscode.TextDocument, sent: string): Promise<void> {
  if (!document.isUntitled || document.isClosed || document.getText() !== sent) return;
  const edit = new vscode.WorkspaceEdit();
  edit.delete(document.uri, new vscode.Range(new vscode.Position(0, 0), document.positionAt(sent.length)));
  if (!(await vscode.workspace.applyEdit(edit)) || document.getText() !== "") return;
  await vscode.window.tabGroups.close(tabsOf(document.uri), true);
}
