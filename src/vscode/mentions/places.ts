/** What mentions need of the editor: the window's files, and what is at a place. */
import * as vscode from "vscode";
import { mapBounded } from "../../shared/async";
import { isWithin } from "../../shared/paths";
import { workspaceFolders } from "../editor/documents";
import { uniqueNames, walkFolder } from "../files/storedFiles";
import type { Place } from "./pathIndex";
import type { EntryKind, MentionFolder } from "./workspace";

/** Folders on disk, by absolute, native paths; other paths are relative to the folder, '/' separators. */
export interface DiskPlaces {
  names(folders: readonly string[]): string[];
  files(folder: string, onFile: (path: string) => boolean, signal: AbortSignal): Promise<void>;
  /** whether a path lies in one of the workspace's folders when links are followed */
  isInside(path: string): Promise<boolean>;
}

export class MentionPlaces {
  constructor(
    private readonly disk: DiskPlaces,
    private readonly opened: () => readonly { uri: vscode.Uri }[] = workspaceFolders,
  ) {}

  /** The workspace's folders with their names, in order. */
  folders(): MentionFolder[] {
    const uris = this.opened().map(({ uri }) => uri);
    const names = uris.every(isOnDisk) ? this.disk.names(uris.map(({ fsPath }) => fsPath)) : uniqueNames(uris);
    return uris.map((uri, index) => ({ uri: uri.toString(), name: names[index] ?? "" }));
  }

  async files(root: string, onFile: (path: string) => boolean, signal: AbortSignal): Promise<void> {
    const uri = vscode.Uri.parse(root);
    if (isOnDisk(uri)) return this.disk.files(uri.fsPath, onFile, signal);
    for await (const { below } of walkFolder(uri, signal)) if (!onFile(below)) return;
  }

  /** undefined: there is nothing, or it is outside of the workspace */
  kindsOf(places: readonly Place[]): Promise<(EntryKind | undefined)[]> {
    return mapBounded(places, MAX_CONCURRENT_STATS, async place => {
      const uri = uriOf(place);
      try {
        const { type } = await vscode.workspace.fs.stat(uri);
        if (!(await this.isInside(uri))) return undefined;
        if (type & vscode.FileType.Directory) return "folder";
        return type & vscode.FileType.File ? "file" : undefined;
      } catch {
        // It cannot be looked at: nothing is known.
        return undefined;
      }
    });
  }

  /** Places outside of the workspace have no mention, also where a link leads there. */
  private async isInside(uri: vscode.Uri): Promise<boolean> {
    if (isOnDisk(uri)) return this.disk.isInside(uri.fsPath);
    return this.opened().some(({ uri: folder }) => isWithin(`${folder}`, `${uri}`));
  }
}

const isOnDisk = ({ scheme }: vscode.Uri) => scheme === "file";

/** Files that are looked at at the same time. */
const MAX_CONCURRENT_STATS = 16;

export const uriOf = ({ root, path }: Place): vscode.Uri =>
  path === "" ? vscode.Uri.parse(root) : vscode.Uri.joinPath(vscode.Uri.parse(root), path);
