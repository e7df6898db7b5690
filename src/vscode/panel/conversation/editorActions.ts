/** What the panel makes the editor do. Failures reject with words for people. */
import * as vscode from "vscode";
import type { BackgroundTask } from "../../../core/commands/background";
import { SessionError } from "../../../core/ground/ports";
import { unlessFileError } from "../../../core/ground/ports/files";
import { meantPath } from "../../../core/tool/writtenPaths";
import { listed } from "../../../shared/format";
import { countText, plural, t } from "../../../shared/l10n";
import { fileName } from "../../../shared/paths";
import { LAW_FILE } from "../../../shared/rulesFiles";
import { visibleLine } from "../../../shared/shown";
import type { FileChange } from "../../../shared/toolResult";
import { workspaceFolders } from "../../editor/documents";
import type { VSCodeFiles } from "../../files/files";
import { VSCodeTerminals } from "./taskTerminal";

const SCHEME = "strata-diff";

/** VS Code's own extension that shows pages: it may be switched off. */
const MARKDOWN = "vscode.markdown-language-features";

/** Larger documents are refused by VS Code (50 MB). */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Of the newest texts: VS Code lets go of documents that are out of sight, and makes them anew from these. */
const MAX_KEPT_CHARACTERS = 4 * MAX_CHARACTERS;

/** VS Code's own, where it has Copilot built in. */
export const COPILOT_SIGN_IN = "workbench.action.chat.triggerSetup";

/** Command and its arguments. */
const commands = {
  "set-key": ["strata.setApiKey"],
  "choose-model": ["strata.chooseModel"],
  "use-editor-model": ["strata.chooseModel", "editor"],
  "paste-key": ["strata.chooseModel", "key"],
  "use-local-server": ["strata.chooseModel", "local"],
  "set-window": ["strata.chooseModel", "window"],
  "copilot-sign-in": [COPILOT_SIGN_IN],
  "check-connection": ["strata.checkModelConnection"],
  "get-started": ["strata.getStarted"],
  "try-demo": ["strata.tryDemo"],
  "show-tools": ["strata.showTools"],
  "show-servers": ["strata.showTools", "servers"],
  "show-skills": ["strata.showTools", "skills"],
  "show-hooks": ["strata.showTools", "hooks"],
  "show-permissions": ["strata.showTools", "permissions"],
  "permission-settings": ["strata.showSettings", "permissions"],
  "show-log": ["strata.showLog"],
  "show-help": ["strata.showHelp"],
  help: ["strata.help"],
  "context-help": ["strata.help", "context.md"],
  trust: ["workbench.trust.manage"],
  "open-folder": ["vscode.openFolder"],
  "remove-sessions": ["strata.removeSessions"],
  "export-session": ["strata.exportSession"],
  "review-next": ["strata.reviewNext"],
  "review-undo-all": ["strata.reviewUndoAll"],
  "storage-limit": ["strata.showSettings", "storage.maxBytes"],
  "set-time": ["strata.showSettings", "model.timeoutSeconds"],
  "set-longest": ["strata.showSettings", "model.maxOutputTokens"],
  "set-largest": ["strata.showSettings", "model.maxAnswerMegabytes"],
  "set-protocol": ["strata.showSettings", "model.protocol"],
} as const;

/** An edit with what the file held before and after it, where a person kept that. */
type ShownEdit = FileChange & { states?: { before: string | null; after: string | null } };

/** A file as a turn found it. */
export interface ShownFile {
  uri: string;
  path: string;
  /** null: it was not there; undefined: nobody kept it, `diffs` say what is known */
  before: string | null | undefined;
  /** of the turn's edits that stand, as they were recorded, oldest first */
  diffs: string[];
}

/** What a link names in a file: lines `line` to `to`, or a place in a line; all from 1. */
type FilePlaceShown = { line?: number | undefined; column?: number | undefined; to?: number | undefined };

/** Numbers that no file has are those of its ends: VS Code sees to that. */
function selectionAt({ line, column = 1, to }: FilePlaceShown): { selection?: vscode.Range } {
  if (line === undefined) return {};
  const at = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  const isRange = to !== undefined && to > line;
  return { selection: new vscode.Range(at, isRange ? new vscode.Position(to - 1, Number.MAX_SAFE_INTEGER) : at) };
}

export type EditorActions = Omit<VSCodeActions, "dispose">;

export class VSCodeActions implements vscode.Disposable {
  /** texts of diffs, outputs and pages, by the query of their URI, oldest first */
  private readonly texts = new Map<string, string>();
  private shown = 0;
  private kept = 0;
  private readonly provider: vscode.Disposable;
  private readonly terminals = new VSCodeTerminals();

  constructor(private readonly files: VSCodeFiles) {
    this.provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: uri =>
        this.texts.get(uri.query) ?? `${t("This text is gone. Open it again from the panel.")}\n`,
    });
  }

  /** @param path as FileRef.path or whatever names a file */
  async openFile(path: string, place: FilePlaceShown = {}): Promise<void> {
    const ref = await this.files.resolve(await meantPath(this.files, path).catch(() => path));
    // On another machine: to look is to sign in there.
    const stat = !ref.inside && ref.absolute.startsWith("//") ? undefined : await this.files.stat(ref);
    if (!stat) throw new SessionError(t("There is no {0} in the workspace.", path));
    const uri = this.files.documents.uriOf(ref);
    if (stat.type === "directory") {
      await vscode.commands.executeCommand("revealInExplorer", uri);
      return;
    }
    await vscode.commands.executeCommand("vscode.open", uri, { preview: true, ...selectionAt(place) });
  }

  /** The current text if the edit left it so, else the text that the edit left, else the recorded diff. */
  async openDiff({ states, ...edit }: ShownEdit): Promise<void> {
    if (!states) return this.openText(`${edit.path}.diff`, edit.diff);
    const name = fileName(edit.path);
    const { uri, text, isThere } = await this.fileNow(edit.uri);
    if (states.after === null ? isThere : states.after !== text) {
      const after = this.virtual(edit.path, states.after ?? "");
      return this.diff(edit.path, states.before, after, t("{0} (as edited; changed since)", name));
    }
    if (!isThere) return this.diff(edit.path, states.before, this.virtual(edit.path, ""), t("{0} (deleted)", name));
    const title = edit.created ? t("{0} (created by Strata)", name) : t("{0} (edited by Strata)", name);
    await this.diff(edit.path, states.before, uri, title);
  }

  /** A file as it is now beside what it was before a turn. @param since what is said of that, in its title */
  async openTurnDiff(since: string, file: ShownFile): Promise<void> {
    const { path, before, diffs } = file;
    if (before === undefined) return this.openText(`${path}.diff`, diffs.join("\n"));
    const { uri, isThere, isLost } = await this.fileNow(file.uri);
    if (isLost) throw new SessionError(lostWords([path]));
    await this.diff(path, before, isThere ? uri : this.virtual(path, ""), t("{0} ({1})", fileName(path), since));
  }

  async openTurnDiffs(title: string, files: readonly ShownFile[]): Promise<void> {
    const shown: [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined][] = [];
    const lost: string[] = [];
    for (const { path, before, diffs, ...file } of files) {
      const { uri, isThere, isLost } = await this.fileNow(file.uri);
      if (isLost) lost.push(path);
      else if (before === undefined) shown.push([uri, undefined, this.virtual(`${uri.path}.diff`, diffs.join("\n"))]);
      // By the same path: else the editor takes it for renamed.
      else shown.push([uri, before === null ? undefined : this.virtual(uri.path, before), isThere ? uri : undefined]);
    }
    if (shown.length > 0) await vscode.commands.executeCommand("vscode.changes", title, shown);
    if (lost.length > 0) throw new SessionError(lostWords(lost));
  }

  /** @param name a file name, for its tab */
  async openText(name: string, text: string): Promise<void> {
    const left = text.length - MAX_CHARACTERS;
    const note = t("{0} more characters", countText(left));
    const shown = left > 0 ? `${text.slice(0, MAX_CHARACTERS)}\n… ${note}` : text;
    await vscode.window.showTextDocument(this.virtual(name, shown), { preview: true });
  }

  openMarkdown = (name: string, text: string): Promise<void> => showMarkdown(this.virtual(name, text));

  openTask = (task: BackgroundTask): void => this.terminals.openTask(task);

  openTerminal = (command: string, cwd: string | undefined) => this.terminals.openTerminal(command, cwd);

  /** Does not wait for its end: a connection check or a dialog may take minutes. */
  act(action: keyof typeof commands | "new-rules"): void {
    const [command, ...args] = action === "new-rules" ? newRules() : commands[action];
    void vscode.commands.executeCommand(command, ...args);
  }

  dispose(): void {
    this.provider.dispose();
    this.texts.clear();
  }

  private async diff(path: string, before: string | null, now: vscode.Uri, title: string): Promise<void> {
    await vscode.commands.executeCommand("vscode.diff", this.virtual(path, before ?? ""), now, visibleLine(title));
  }

  /**
   * `text` undefined: absent, binary, or too large to compare; `isLost`: the file is unknown now (a closed document that was
   * never saved, a closed folder).
   */
  private async fileNow(name: string) {
    const parsed = vscode.Uri.parse(name);
    const ref = await this.files.refIfAny(parsed);
    if (!ref) return { uri: parsed, text: undefined, isThere: false, isLost: true };
    const isThere = (await this.files.stat(ref)) !== undefined;
    const file = await unlessFileError(this.files.read(ref, 8 * 1024 * 1024), undefined);
    return { uri: this.files.documents.uriOf(ref), text: file?.kind === "text" ? file.text : undefined, isThere };
  }

  /** A read-only document; its name gives it the language of the file. */
  private virtual(path: string, text: string): vscode.Uri {
    this.shown += 1;
    const query = `${this.shown}`;
    this.texts.set(query, text);
    this.kept += text.length;
    for (const [oldest, { length }] of this.texts) {
      if (this.kept <= MAX_KEPT_CHARACTERS) break;
      this.texts.delete(oldest);
      this.kept -= length;
    }
    return vscode.Uri.from({ scheme: SCHEME, path: `/${path.replace(/^\/+/, "")}`, query });
  }
}

/** It is there once it is saved. */
function newRules(): [string, ...vscode.Uri[]] {
  const [folder] = workspaceFolders();
  return ["vscode.open", ...(folder ? [vscode.Uri.joinPath(folder.uri, LAW_FILE).with({ scheme: "untitled" })] : [])];
}

/** As a page, where VS Code's extension for that is switched on. */
export async function showMarkdown(uri: vscode.Uri): Promise<void> {
  if (vscode.extensions.getExtension(MARKDOWN)) await vscode.commands.executeCommand("markdown.showPreview", uri);
  else await vscode.window.showTextDocument(uri, { preview: true });
}

function lostWords(paths: readonly string[]): string {
  return plural(
    paths.length,
    "Not shown: {1}. It was closed without being saved, or its folder was closed. The conversation still shows its edits.",
    "Not shown: {1}. They were closed without being saved, or their folder was closed. The conversation still shows their edits.",
    listed(paths, 5),
  );
}
