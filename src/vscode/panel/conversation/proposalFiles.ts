/**
 * The texts of proposals as files in memory, so that VS Code's diff editor can show them and a person can change them.
 * Nothing of them is on disk. It is there from activation on, and small: a window that was reloaded may have the tab of a
 * proposal that is nobody's any more.
 * A proposal is a file in memory, since a diff editor edits files only.
 */
import * as vscode from "vscode";
import type { Clock } from "../../../core/ground/ports";
import { t } from "../../../shared/l10n";
import { openTabs, savedWith } from "../../editor/documents";
import { DocumentFiles } from "./planFiles";

export const PROPOSAL_SCHEME = "strata-proposal";

/** Makes VS Code decode a file as what it is, where settings (`files.encoding`) would have it otherwise. */
const BOM = "\uFEFF";

/** What the tab of a proposal says that is not open any more. */
export const closedProposal = () => t("This proposal is closed: it was answered, or its turn has ended.");

/** After this an editor that was brought back with its window has what a person had typed in it, too. */
const RESTORED_MS = 1_000;

interface MemoryFile {
  /** it cannot be changed in an editor */
  isReadOnly?: boolean;
  content: Uint8Array;
  /** ms since the epoch */
  mtime: number;
}

export class ProposalFiles extends DocumentFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly files = new Map<string, MemoryFile>();
  private readonly subscriptions: vscode.Disposable;
  private callOff: (() => void) | undefined;

  constructor(private readonly clock: Clock) {
    super();
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.registerFileSystemProvider(PROPOSAL_SCHEME, this, { isCaseSensitive: true }),
      vscode.workspace.onDidOpenTextDocument(document => this.watchDead(document)),
      new vscode.Disposable(() => this.callOff?.()),
      this.changes,
    );
    for (const document of vscode.workspace.textDocuments) this.watchDead(document);
  }

  /** @returns the text as the editor will have it */
  async put(uri: vscode.Uri, text: string, { isReadOnly = false } = {}): Promise<string> {
    const content = new TextEncoder().encode(text);
    const isPlain = (await vscode.workspace.decode(content, { uri })) === text;
    this.files.set(uriKey(uri), { ...memoryFile(isPlain ? text : BOM + text, this.clock.now()), isReadOnly });
    return new TextDecoder().decode(content);
  }

  /** As it was put or saved last; undefined: it is not there. */
  textOf(uri: vscode.Uri): string | undefined {
    const file = this.files.get(uriKey(uri));
    return file && new TextDecoder().decode(file.content);
  }

  remove(uri: vscode.Uri): void {
    this.files.delete(uriKey(uri));
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { content, mtime, isReadOnly } = this.files.get(uriKey(uri)) ?? memoryFile(`${closedProposal()}\n`, 0);
    const permissions = isReadOnly ? { permissions: vscode.FilePermission.Readonly } : {};
    return { type: vscode.FileType.File, ctime: 0, mtime, size: content.length, ...permissions };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return (this.files.get(uriKey(uri)) ?? memoryFile(`${closedProposal()}\n`, 0)).content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    // Else a person would think that it is saved now.
    const why = t("This proposal is closed: it was answered, or its turn has ended. Nothing was saved.");
    if (!this.files.has(uriKey(uri))) throw vscode.FileSystemError.NoPermissions(why);
    this.files.set(uriKey(uri), { content, mtime: this.clock.now() });
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  private watchDead({ uri }: vscode.TextDocument): void {
    if (uri.scheme !== PROPOSAL_SCHEME || this.files.has(uriKey(uri))) return;
    this.callOff?.();
    this.callOff = this.clock.after(RESTORED_MS, () => this.closeDead());
  }

  /** Tabs that VS Code brought back, with the window for example. One in which a person had typed stays: that is theirs. */
  private closeDead(): void {
    const { textDocuments } = vscode.workspace;
    const closed = textDocuments.filter(({ uri, isDirty }) => !isDirty && !this.files.has(uriKey(uri)));
    const clean = new Set(closed.map(({ uri }) => uri.toString()));
    const dead = openTabs().filter(tab => !tab.isDirty && clean.has(proposalInTab(tab)?.toString() ?? ""));
    if (dead.length > 0) void vscode.window.tabGroups.close(dead, true);
  }
}

const uriKey = ({ authority, path }: vscode.Uri) => `${authority}${path}`;

const memoryFile = (text: string, mtime: number): MemoryFile => ({ content: new TextEncoder().encode(text), mtime });

/**
 * How a proposal's file is named: people see its path, and that it is not the file itself.
 * @param id tells one from another: small letters, digits, `-`, `_`
 */
export function proposalUri(id: string, path: string): vscode.Uri {
  const shown = `/${t("Proposed by Strata")}/${path.replace(/^\/+/, "")}`;
  return vscode.Uri.from({ scheme: PROPOSAL_SCHEME, authority: id, path: shown });
}

/** The proposal that a tab shows, alone or as the right side of a diff. */
export function proposalInTab({ input }: vscode.Tab): vscode.Uri | undefined {
  const uri = savedWith(input);
  return uri?.scheme === PROPOSAL_SCHEME ? uri : undefined;
}
