/** What mentions need of the editor: the window's files, what stands at a place. */
import * as vscode from "vscode";
import type { Place } from "../../core/mentions/pathIndex";
import { mapBounded } from "../../shared/async";
import { workspaceFolders } from "../editor/documents";
import { uniqueNames, walkFolder } from "../files/storedFiles";
import type { PlaceLook, ShownLines } from "./documents";
import type { MentionFolder } from "./workspace";

/** Folders on disk, by absolute, native paths; other paths are relative to the folder, '/' separators. */
export interface DiskPlaces {
  names(folders: readonly string[]): string[];
  files(folder: string, onFile: (path: string) => boolean, signal: AbortSignal): Promise<void>;
  /** whether a path lies in one of the workspace's folders when links are followed */
  isInside(path: string): Promise<boolean>;
}

export class MentionPlaces {
  /** @param opened the workspace's folders */
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

  /** What is outside of the workspace has no mention, also where a link leads there. */
  async isInside(uri: vscode.Uri): Promise<boolean> {
    return isOnDisk(uri) ? this.disk.isInside(uri.fsPath) : vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  }
}

const isOnDisk = ({ scheme }: vscode.Uri) => scheme === "file";

/** Of a larger file no lines are shown, in bytes. */
const MAX_SHOWN_BYTES = 1_000_000;
/** Files that are looked at at the same time. */
const MAX_CONCURRENT_STATS = 16;
const MAX_LINE_LENGTH = 200;
const BINARY_BYTES = 8_000;

type Stat = Omit<PlaceLook, "lines">;

export class MentionAnswers {
  constructor(private readonly places: Pick<MentionPlaces, "isInside">) {}

  look(places: readonly Place[], lines?: ShownLines): Promise<(PlaceLook | undefined)[]> {
    return mapBounded(places, MAX_CONCURRENT_STATS, async place => {
      const uri = uriOf(place);
      const stat = await this.statOf(uri);
      return stat && lines ? shownOf(uri, stat, lines) : stat ? { ...stat, lines: [] } : undefined;
    });
  }

  /** undefined: there is nothing, or it lies outside of the workspace */
  private async statOf(uri: vscode.Uri): Promise<Stat | undefined> {
    try {
      const { type, size, mtime } = await vscode.workspace.fs.stat(uri);
      if (!(await this.places.isInside(uri))) return undefined;
      if (type & vscode.FileType.Directory) return { kind: "folder", size, mtime };
      return type & vscode.FileType.File ? { kind: "file", size, mtime } : undefined;
    } catch {
      // Whatever keeps it from being looked at: nothing can be said of it.
      return undefined;
    }
  }
}

export function uriOf({ root, path }: Place): vscode.Uri {
  return path === "" ? vscode.Uri.parse(root) : vscode.Uri.joinPath(vscode.Uri.parse(root), path);
}

async function shownOf(uri: vscode.Uri, stat: Stat, { first, most }: ShownLines): Promise<PlaceLook> {
  if (stat.kind === "folder") {
    const entries = await vscode.workspace.fs.readDirectory(uri);
    const names = entries.map(([name, type]) => (type & vscode.FileType.Directory ? `${name}/` : name)).sort();
    const shown = names.length > most ? [...names.slice(0, Math.max(0, most - 1)), "…"] : names;
    return { ...stat, size: names.length, lines: shown };
  }
  const text = stat.size > MAX_SHOWN_BYTES ? undefined : await textOf(uri);
  const shown = text?.split(/\r?\n/).slice(first - 1, first - 1 + most) ?? [];
  while (shown.at(-1)?.trim() === "") shown.pop();
  const cut = (line: string) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line);
  return { ...stat, lines: shown.map(cut) };
}

/** Unsaved text is what counts. undefined: it is no text */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const name = uri.toString();
  const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === name);
  if (open) return open.getText();
  const bytes = await vscode.workspace.fs.readFile(uri);
  return bytes.subarray(0, BINARY_BYTES).includes(0) ? undefined : vscode.workspace.decode(bytes, { uri });
}
