/** The diff editor of a proposal, as a test sees it. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { OfflineRequest } from "../../scripts/offline-model/server.mjs";
import { eventually } from "../fakes/eventually";

export const SCHEME = "strata-proposal";
export const call = (id: string, name: string, input: object) => ({ id, name, input });
export const told = (request: OfflineRequest, callId: string) =>
  request.messages.find(message => message.callId === callId)?.text ?? "";

export const diffs = () =>
  vscode.window.tabGroups.all
    .flatMap(group => group.tabs)
    .flatMap(tab =>
      tab.input instanceof vscode.TabInputTextDiff && tab.input.modified.scheme === SCHEME ? [tab] : [],
    );
export const proposed = () => vscode.workspace.textDocuments.filter(document => document.uri.scheme === SCHEME);
export const noDiff = () => eventually("every diff editor of a proposal is closed", () => diffs().length === 0);

/** The diff editor's right side, once it is there. */
export const rightSide = () =>
  eventually("the right side of the proposal's diff editor", () =>
    vscode.window.visibleTextEditors.find(
      ({ document: { uri } }) => uri.scheme === SCHEME && !uri.authority.endsWith("-before"),
    ),
  );

export async function replaceAll(editor: vscode.TextEditor, text: string): Promise<void> {
  const { document } = editor;
  const all = new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
  assert.ok(await editor.edit(edit => edit.replace(all, text)));
}

/** Labels of the tabs that open from here on. */
export function openedTabs(): { labels: string[]; dispose(): void } {
  const labels: string[] = [];
  const subscription = vscode.window.tabGroups.onDidChangeTabs(({ opened }) =>
    labels.push(...opened.map(tab => tab.label)),
  );
  return { labels, dispose: () => subscription.dispose() };
}
