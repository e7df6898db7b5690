/**
 * Where the files of a workspace are stored: its folders on this machine's disk, and those that only the editor can reach.
 * Each file is the affair of one of the two; together they have the workspace's roots, in its order.
 */
import type * as vscode from "vscode";
import {
  type ApplyEdits,
  type ApplyOutcome,
  type BinaryFile,
  type DirectoryEntry,
  type FileRef,
  type FileStat,
  type Hash,
  isOnDisk,
  type Root,
  type TextFile,
} from "../core/ports";
import type { Stamp } from "../shared/toolResult";
import { uniqueNames } from "./folderNames";
import type { DiskFiles, MayWrite, StoredFiles } from "./storedFiles";
import { rootName, VirtualFiles } from "./virtualFiles";

export interface RoutedFilesDeps {
  /** the workspace's folders as they were opened */
  folders: readonly vscode.Uri[];
  /** files below the folders given (absolute paths), under names of their own where others are in the workspace too */
  disk(folders: readonly string[], names?: readonly string[]): DiskFiles;
  hash: Hash;
}

export class RoutedFiles implements StoredFiles {
  readonly roots: readonly Root[];
  private readonly disk: DiskFiles;
  private readonly virtual: VirtualFiles;

  constructor({ folders, disk, hash }: RoutedFilesDeps) {
    const names = uniqueNames(folders);
    const isVirtual = folders.some(folder => folder.scheme !== "file");
    const local = folders.filter(folder => folder.scheme === "file");
    const localNames = names.filter((_, index) => folders[index]?.scheme === "file");
    const paths = local.map(folder => folder.fsPath);
    this.disk = isVirtual && local.length > 0 ? disk(paths, localNames) : disk(paths);
    const others = folders.flatMap((folder, index) =>
      folder.scheme === "file"
        ? []
        : [{ name: names[index] ?? "", path: rootName(folder), uri: folder.toString(), folder }],
    );
    const contentOf = (bytes: Uint8Array, stamp: Stamp) => this.disk.contentOf(bytes, stamp);
    this.virtual = new VirtualFiles({ roots: others, named: folders.length > 1, hash, contentOf });
    const onDisk = [...this.disk.roots];
    const elsewhere = [...others];
    this.roots = folders.flatMap(folder => (folder.scheme === "file" ? onDisk : elsewhere).splice(0, 1));
  }

  async resolve(input: string): Promise<FileRef> {
    const { roots } = this.virtual;
    if (roots.length === 0) return this.disk.resolve(input);
    if (/^[a-z][\w+.-]+:\/\//i.test(input)) return this.virtual.resolve(input);
    const named = this.roots.length > 1 && roots.find(root => input.startsWith(`${root.name}:`));
    if (named) return this.virtual.below(named, input.slice(named.name.length + 1));
    const [first] = this.roots;
    const virtualFirst = roots.find(root => root === first);
    const isRelative = !/^(?:[/\\~]|[a-z]:[/\\])/i.test(input);
    const namesDisk = this.roots.some(root => isOnDisk(root) && input.startsWith(`${root.name}:`));
    return virtualFirst && isRelative && !namesDisk
      ? this.virtual.below(virtualFirst, input)
      : this.disk.resolve(input);
  }

  /** The file that an editor shows. Rejects with FileError for what is in no folder. */
  resolveUri(uri: vscode.Uri): Promise<FileRef> {
    return uri.scheme === "file" ? this.disk.resolve(uri.fsPath) : this.virtual.resolve(rootName(uri));
  }

  stat(ref: FileRef): Promise<FileStat | undefined> {
    return this.of(ref).stat(ref);
  }

  read(ref: FileRef, maxBytes: number): Promise<TextFile | BinaryFile> {
    return this.of(ref).read(ref, maxBytes);
  }

  list(ref: FileRef): Promise<DirectoryEntry[]> {
    return this.of(ref).list(ref);
  }

  apply(change: ApplyEdits, mayWrite?: MayWrite): Promise<ApplyOutcome> {
    return this.of(change.ref).apply(change, mayWrite);
  }

  removeFile(ref: FileRef, base: string): Promise<"removed" | "stale"> {
    return this.of(ref).removeFile(ref, base);
  }

  replace(ref: FileRef, base: string | null, bytes: Uint8Array, mayWrite?: MayWrite): Promise<{ stamp: Stamp | null }> {
    return this.of(ref).replace(ref, base, bytes, mayWrite);
  }

  requireWritable(ref: FileRef): Promise<void> {
    return this.of(ref).requireWritable(ref);
  }

  private of(ref: FileRef): StoredFiles {
    return isOnDisk(ref) ? this.disk : this.virtual;
  }
}
