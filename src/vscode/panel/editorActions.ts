/** What the panel makes the editor do. Failures reject with words for people. */
import * as vscode from "vscode";
import type { BackgroundTask } from "../../core/commands/background";
import { SessionError, unlessFileError } from "../../core/ports";
import type { FileChange } from "../../shared/toolResult";
import type { VSCodeFiles } from "../files/files";
import { changedPlaces, textBefore } from "./diffText";
import { VSCodeTerminals } from "./taskTerminal";

const SCHEME = "strata-diff";

/** VS Code's own extension that shows pages: it may be switched off. */
const MARKDOWN = "vscode.markdown-language-features";

/** Larger documents are refused by VS Code (50 MB). */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Of the newest texts: VS Code lets go of documents that are out of sight, and makes them anew from these. */
const MAX_KEPT_CHARACTERS = 4 * MAX_CHARACTERS;

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

/** An edit with what the file held before and after it, where somebody kept that. */
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
        this.texts.get(uri.query) ?? "This text is not kept any more: open it again from the panel.\n",
    });
  }

  /** @param path as FileRef.path or whatever names a file; @param line 1-based */
  async openFile(path: string, line: number | undefined): Promise<void> {
    const ref = await this.files.resolve(path);
    const stat = await this.files.stat(ref);
    if (!stat) throw new SessionError(`There is no ${path} in the workspace.`);
    const uri = this.files.documents.uriOf(ref);
    if (stat.type === "directory") {
      await vscode.commands.executeCommand("revealInExplorer", uri);
      return;
    }
    const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
    const options = line === undefined ? {} : { selection: new vscode.Range(at, at) };
    await vscode.commands.executeCommand("vscode.open", uri, { preview: true, ...options });
  }

  /** What stands now where that is what the edit left, else what it left then; of old edits what their diff says. */
  async openDiff({ states, ...edit }: ShownEdit): Promise<void> {
    const name = baseName(edit.path);
    const title = edit.created ? `${name} (created by Strata)` : `${name} (edited by Strata)`;
    const { uri, text, isThere } = await this.fileNow(edit.uri);
    const before = states ? states.before : text === undefined ? undefined : textBefore(edit.diff, text);
    const stands = states ? (states.after === null ? !isThere : states.after === text) : before !== undefined;
    if (before !== undefined && stands) {
      if (isThere) return this.diff(edit.path, before, uri, title);
      return this.diff(edit.path, before, this.virtual(edit.path, ""), `${name} (deleted)`);
    }
    const places = states ?? changedPlaces(edit.diff);
    if (places) {
      const after = this.virtual(edit.path, places.after ?? "");
      return this.diff(edit.path, places.before, after, `${name} (as edited then; it changed since)`);
    }
    await vscode.window.showTextDocument(this.virtual(`${edit.path}.diff`, edit.diff), { preview: true });
  }

  /** A file as it is now beside what it was before a turn. @param since what is said of that, in its title */
  async openTurnDiff(since: string, file: ShownFile): Promise<void> {
    const { before, now, isLost } = await this.diffSides(file);
    if (isLost) throw new SessionError(lostWords([file.path]));
    await this.diff(file.path, before, now ?? this.virtual(file.path, ""), `${baseName(file.path)} (${since})`);
  }

  async openTurnDiffs(title: string, files: readonly ShownFile[]): Promise<void> {
    const shown: [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined][] = [];
    const lost: string[] = [];
    for (const file of files) {
      const { uri, before, now, isLost } = await this.diffSides(file);
      if (isLost) {
        lost.push(file.path);
        continue;
      }
      // By the same path: else the editor takes it for renamed.
      shown.push([uri, before === null ? undefined : this.virtual(uri.path, before), now]);
    }
    if (shown.length > 0) await vscode.commands.executeCommand("vscode.changes", title, shown);
    if (lost.length > 0) throw new SessionError(lostWords(lost));
  }

  /** @param name a file name, for its tab */
  async openText(name: string, text: string): Promise<void> {
    const left = text.length - MAX_CHARACTERS;
    const shown = left > 0 ? `${text.slice(0, MAX_CHARACTERS)}\n… ${left} more characters` : text;
    await vscode.window.showTextDocument(this.virtual(name, shown), { preview: true });
  }

  async openMarkdown(name: string, text: string): Promise<void> {
    const uri = this.virtual(name, text);
    if (vscode.extensions.getExtension(MARKDOWN)) await vscode.commands.executeCommand("markdown.showPreview", uri);
    else await vscode.window.showTextDocument(uri, { preview: true });
  }

  openTask = (task: BackgroundTask): void => this.terminals.openTask(task);

  openTerminal = (command: string, cwd: string | undefined) => this.terminals.openTerminal(command, cwd);

  /** Does not wait for its end: a connection check or a dialog may take minutes. */
  act(action: keyof typeof commands): void {
    const [command, ...args] = commands[action];
    void vscode.commands.executeCommand(command, ...args);
  }

  dispose(): void {
    this.provider.dispose();
    this.texts.clear();
  }

  private async diff(path: string, before: string | null, now: vscode.Uri, title: string): Promise<void> {
    await vscode.commands.executeCommand("vscode.diff", this.virtual(path, before ?? ""), now, title);
  }

  /** `now` undefined: it is not there any more */
  private async diffSides(
    file: ShownFile,
  ): Promise<{ uri: vscode.Uri; before: string | null; now?: vscode.Uri; isLost?: boolean }> {
    const { uri, text, isThere, isLost } = await this.fileNow(file.uri);
    if (isLost) return { uri, before: null, isLost };
    if (file.before !== undefined) return { uri, before: file.before, ...(isThere ? { now: uri } : {}) };
    const before = file.diffs.reduceRight<string | undefined>(
      (after, diff) => (after === undefined ? undefined : textBefore(diff, after)),
      text,
    );
    if (before !== undefined) return { uri, before, now: uri };
    const places = file.diffs.map(diff => changedPlaces(diff));
    const side = (name: "before" | "after") => places.map(place => place?.[name] ?? "").join("\u22ef\n");
    return { uri, before: side("before"), now: this.virtual(file.path, side("after")) };
  }

  /**
   * `text` undefined: not there, no text, or too large to be compared here; `isLost`: nobody can say any more which file that
   * is (a document that was closed and never saved, a folder that was closed).
   */
  private async fileNow(
    name: string,
  ): Promise<{ uri: vscode.Uri; text: string | undefined; isThere: boolean; isLost?: boolean }> {
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

function lostWords(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(", ");
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : "";
  const are = paths.length === 1 ? "is not there any more: it was" : "are not there any more: they were";
  return `Not shown: ${shown}${more} ${are} closed without being saved, or with the folder. The cards in the conversation still show the edits.`;
}

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
