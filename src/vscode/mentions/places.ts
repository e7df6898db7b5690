/** Where the window's files are: each folder is listed by what reaches it. */
import * as vscode from "vscode";
import { searchPattern } from "../../core/mentions/searchPattern";
import { type FileRef, isIgnoredBelow } from "../../core/ports";
import { mapBounded } from "../../shared/async";
import { workspaceFolders } from "../editor/documents";
import { rootName, uniqueNames } from "../files/storedFiles";
import { excludedGlobs, VirtualWalk } from "../search/virtualSearch";

/** Folders on disk, by absolute, native paths; other paths are relative to the folder, '/' separators. */
export interface DiskPlaces {
  names(folders: readonly string[]): string[];
  files(folder: string, onFile: (path: string) => boolean, signal: AbortSignal): Promise<void>;
  isIgnored(folder: string, path: string, signal: AbortSignal): Promise<boolean>;
  /** files below the folder that have a line of that pattern (`searchPattern`) in any case, relative to it */
  mentioning(folder: string, pattern: string, signal: AbortSignal): Promise<string[]>;
  /** whether a path lies in one of the workspace's folders when links are followed */
  isInside(path: string): Promise<boolean>;
}

/** Of files on no disk: a larger one is not read for mentions, in bytes; and how many are read at the same time. */
const LARGEST = 2_000_000;
const READS_AT_ONCE = 16;

export class MentionPlaces {
  private readonly walk = new VirtualWalk({
    roots: () => this.opened().map(({ uri }) => ({ path: rootName(uri) })),
    excludes: excludedGlobs,
  });

  /** @param opened the workspace's folders */
  constructor(
    private readonly disk: DiskPlaces,
    private readonly opened: () => readonly { uri: vscode.Uri }[] = workspaceFolders,
  ) {}

  /** The workspace's folders with their names, in order. */
  folders(): { uri: string; name: string }[] {
    const uris = this.opened().map(({ uri }) => uri);
    const names = uris.every(isOnDisk) ? this.disk.names(uris.map(({ fsPath }) => fsPath)) : uniqueNames(uris);
    return uris.map((uri, index) => ({ uri: uri.toString(), name: names[index] ?? "" }));
  }

  async files(root: string, onFile: (path: string) => boolean, signal: AbortSignal): Promise<void> {
    const uri = vscode.Uri.parse(root);
    if (isOnDisk(uri)) return this.disk.files(uri.fsPath, onFile, signal);
    const found = await this.walk.files(refOf(uri), signal);
    for (const { below } of found) if (!onFile(below)) return;
  }

  async isIgnored(root: vscode.Uri, path: string, signal: AbortSignal): Promise<boolean> {
    if (isOnDisk(root)) return this.disk.isIgnored(root.fsPath, path, signal);
    return isIgnoredBelow(this.walk, refOf(root), path, signal);
  }

  /** Files that may mention one of these places or what is in it. */
  async mentioning(places: readonly vscode.Uri[], signal: AbortSignal): Promise<vscode.Uri[]> {
    const paths = places.flatMap(place => this.pathsIn(place));
    if (paths.length === 0) return [];
    const folders = this.opened().map(({ uri }) => uri.path);
    const pattern = searchPattern(paths, folders);
    const found = this.opened().map(async ({ uri }) => {
      const files = isOnDisk(uri)
        ? this.disk.mentioning(uri.fsPath, pattern, signal)
        : this.walked(uri, new RegExp(pattern, "i"), signal);
      return (await files).map(path => vscode.Uri.joinPath(uri, path));
    });
    return (await Promise.all(found)).flat();
  }

  /** Relative to each folder that it is in: a mention may count from any of them. */
  private pathsIn(place: vscode.Uri): string[] {
    const path = place.toString();
    const roots = this.opened().map(({ uri }) => uri.toString().replace(/\/?$/, "/"));
    const below = roots.filter(root => path.startsWith(root)).map(root => decodeURIComponent(path.slice(root.length)));
    return below.map(each => each.replace(/\/$/, "")).filter(each => each !== "");
  }

  private async walked(root: vscode.Uri, pattern: RegExp, signal: AbortSignal): Promise<string[]> {
    const files = await this.walk.files(refOf(root), signal);
    const mentioning = await mapBounded(files, READS_AT_ONCE, async ({ uri }) => {
      signal.throwIfAborted();
      const text = await textIfReadable(uri);
      return text.includes("@") && pattern.test(text);
    });
    return files.flatMap(({ below }, index) => (mentioning[index] ? [below] : []));
  }

  /** What is outside of the workspace has no mention, also where a link leads there. */
  async isInside(uri: vscode.Uri): Promise<boolean> {
    return isOnDisk(uri) ? this.disk.isInside(uri.fsPath) : vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  }
}

/** Empty: it is too large, gone since it was found, or not ours to read. */
async function textIfReadable(uri: vscode.Uri): Promise<string> {
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > LARGEST) return "";
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return "";
  }
}

const isOnDisk = ({ scheme }: vscode.Uri) => scheme === "file";

function refOf(uri: vscode.Uri): FileRef {
  const name = rootName(uri);
  return { uri: uri.toString(), absolute: name, path: name, relative: name, inside: true };
}
