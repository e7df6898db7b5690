/** What the panel makes the editor do. */
import * as vscode from "vscode";
import { FileError, type FileRef } from "../core/ports";
import type { VSCodeFiles } from "./files";
import { changedPlaces, textBefore } from "./panel/diffText";
import { PanelError } from "./panel/dispatch";
import type { EditorActions } from "./panel/handlers";

const SCHEME = "strata-diff";

/** VS Code's own extension that shows pages: it may be switched off. */
const MARKDOWN = "vscode.markdown-language-features";

/** Larger documents are refused by VS Code (50 MB). */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Pages whose text is kept when VS Code lets go of their document: a page that was hidden is made anew from it. */
const KEPT_PAGES = 10;

/** Command and its arguments. */
const commands = {
  "set-key": ["strata.setApiKey"],
  "choose-model": ["strata.chooseModel"],
  "check-connection": ["strata.checkModelConnection"],
  "show-log": ["strata.showLog"],
  trust: ["workbench.trust.manage"],
  "open-folder": ["vscode.openFolder"],
  "remove-sessions": ["strata.removeSessions"],
  "storage-limit": ["workbench.action.openSettings", "strata.storage.maxBytes"],
} as const;

export class VSCodeActions implements EditorActions, vscode.Disposable {
  /** texts of diffs and outputs that are open, by the path of their URI */
  private readonly texts = new Map<string, string>();
  /** those that are pages, oldest first */
  private readonly pages: string[] = [];
  private shown = 0;
  private readonly provider: vscode.Disposable;

  constructor(private readonly files: VSCodeFiles) {
    this.provider = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        provideTextDocumentContent: uri => this.texts.get(uri.path) ?? "",
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME && !this.pages.includes(uri.path)) this.texts.delete(uri.path);
      }),
    );
  }

  async openFile(path: string, line: number | undefined): Promise<void> {
    const ref = await this.files.resolve(path);
    const stat = await this.files.stat(ref);
    if (!stat) throw new PanelError(`${path} is not there any more.`);
    const uri = this.files.documents.uriOf(ref);
    if (stat.type === "directory") {
      await vscode.commands.executeCommand("revealInExplorer", uri);
      return;
    }
    const at = Math.max(0, (line ?? 1) - 1);
    const options = line === undefined ? {} : { selection: new vscode.Range(at, 0, at, 0) };
    await vscode.commands.executeCommand("vscode.open", uri, { preview: true, ...options });
  }

  /** The whole file before and now where it still stands as the edit left it, else the changed places, else the recorded text. */
  async openDiff(file: { uri: string; path: string; created: boolean; diff: string }): Promise<void> {
    const ref = await this.files.resolve(vscode.Uri.parse(file.uri).fsPath);
    const current = await this.textOf(ref);
    const before = current === undefined ? undefined : textBefore(file.diff, current);
    const name = file.path.slice(file.path.lastIndexOf("/") + 1);
    if (before !== undefined) {
      const title = file.created ? `${name} (created by Strata)` : `${name} (edited by Strata)`;
      await vscode.commands.executeCommand(
        "vscode.diff",
        this.virtual(file.path, before),
        this.files.documents.uriOf(ref),
        title,
      );
      return;
    }
    const places = changedPlaces(file.diff);
    if (!places) {
      await vscode.window.showTextDocument(this.virtual(`${file.path}.diff`, file.diff), { preview: true });
      return;
    }
    const sides = [this.virtual(file.path, places.before), this.virtual(file.path, places.after)] as const;
    await vscode.commands.executeCommand("vscode.diff", ...sides, `${name} (as edited then; it changed since)`);
  }

  async openText(name: string, text: string): Promise<void> {
    const left = text.length - MOST_CHARACTERS;
    const shown = left > 0 ? `${text.slice(0, MOST_CHARACTERS)}\n… ${left} more characters` : text;
    await vscode.window.showTextDocument(this.virtual(name, shown), { preview: true });
  }

  async openMarkdown(name: string, text: string): Promise<void> {
    const uri = this.virtual(name, text);
    this.pages.push(uri.path);
    for (const old of this.pages.splice(0, this.pages.length - KEPT_PAGES)) this.texts.delete(old);
    if (vscode.extensions.getExtension(MARKDOWN)) await vscode.commands.executeCommand("markdown.showPreview", uri);
    else await vscode.window.showTextDocument(uri, { preview: true });
  }

  act(action: keyof typeof commands): void {
    const [command, ...args] = commands[action];
    void vscode.commands.executeCommand(command, ...args);
  }

  dispose(): void {
    this.provider.dispose();
    this.texts.clear();
  }

  private async textOf(ref: FileRef): Promise<string | undefined> {
    try {
      const file = await this.files.read(ref, 8 * 1024 * 1024);
      return file.kind === "text" ? file.text : undefined;
    } catch (error) {
      if (error instanceof FileError) return undefined;
      throw error;
    }
  }

  /** A read-only document; its name gives it the language of the file. */
  private virtual(path: string, text: string): vscode.Uri {
    this.shown += 1;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.shown}/${path.replace(/^\/+/, "")}` });
    this.texts.set(uri.path, text);
    return uri;
  }
}
