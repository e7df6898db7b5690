/** What a person does at an editor of a real VS Code. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Typist } from "../contract/editsBench";

/** @param at absolute path of a file as the test names it */
export function typistIn(at: (path: string) => string): Typist {
  const document = (path: string) => {
    const name = vscode.Uri.file(at(path)).toString();
    const found = vscode.workspace.textDocuments.find(open => open.uri.toString() === name);
    assert.ok(found, `${path} is open`);
    return found;
  };
  return {
    open: async path => void (await vscode.window.showTextDocument(vscode.Uri.file(at(path)))),
    async type(path, before, after) {
      const editor = await vscode.window.showTextDocument(document(path));
      const start = editor.document.getText().indexOf(before);
      const range = new vscode.Range(
        editor.document.positionAt(start),
        editor.document.positionAt(start + before.length),
      );
      assert.ok(await editor.edit(edit => edit.replace(range, after)));
    },
    save: async path => assert.ok(await document(path).save()),
    async undo(path) {
      await vscode.window.showTextDocument(document(path));
      await vscode.commands.executeCommand("undo");
    },
    text: path => document(path).getText(),
  };
}

/** Keys, where the cursor of the active editor is. */
export async function typeKeys(text: string): Promise<void> {
  await vscode.commands.executeCommand("type", { text });
}

/** When a key moved a cursor last, since this call: ms as `performance.now`. */
export function lastKey(): { at(): number; dispose(): void } {
  let last = Number.NEGATIVE_INFINITY;
  const subscription = vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
    if (kind === vscode.TextEditorSelectionChangeKind.Keyboard) last = performance.now();
  });
  return { at: () => last, dispose: () => subscription.dispose() };
}

/** Saving collapses runs of spaces in files `*.formatted`. @returns takes that back */
export async function formatOnSave(): Promise<() => Promise<void>> {
  const formatter = vscode.languages.registerDocumentFormattingEditProvider(
    { pattern: "**/*.formatted" },
    {
      provideDocumentFormattingEdits: document => {
        return [...document.getText().matchAll(/ {2,}/g)].map(({ index, 0: spaces }) => {
          const range = new vscode.Range(document.positionAt(index), document.positionAt(index + spaces.length));
          return vscode.TextEdit.replace(range, " ");
        });
      },
    },
  );
  // Of plain text alone: VS Code would format its own settings.json too while the next setting is written, and break it.
  const settings = vscode.workspace.getConfiguration("editor", { languageId: "plaintext" });
  const set = (value?: true) => settings.update("formatOnSave", value, vscode.ConfigurationTarget.Global, true);
  await set(true);
  return async () => {
    formatter.dispose();
    await set();
  };
}
