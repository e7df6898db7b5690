/**
 * Files as they are stored, without what the editor holds of them: on this machine's disk, or in another file system of the
 * editor (a repository on the web, a database).
 */
import * as vscode from "vscode";
import {
  type ApplyEdits,
  type ApplyOutcome,
  type BinaryFile,
  type DirectoryEntry,
  FileError,
  type FileRef,
  type FileStat,
  type Files,
  type Hash,
  type Root,
  type TextEdit,
  type TextFile,
} from "../../core/ground/ports";
import { isOnDisk, tooLarge, withEdits } from "../../core/ground/ports/files";
import { defined } from "../../shared/defined";
import { errorMessage } from "../../shared/errorMessage";
import { innermostRoot, normalPath } from "../../shared/paths";
import type { Stamp } from "../../shared/toolResult";
import { workspaceFolders } from "../editor/documents";
import { encodedText, requireHolds } from "../editor/encodings";

/** Asked at the very moment that a stored file is changed: false is as if it had changed meanwhile, and nothing is written. */
type MayWrite = () => boolean;

/** Files are removed by the editor, which knows the trash. */
export interface StoredFiles extends Omit<Files, "removeFile"> {
  /** Rejects with FileError READ_ONLY. A file that is not there may be written. */
  requireWritable(ref: FileRef): Promise<void>;
  /**
   * The whole file, as bytes, in place of what has the sha256 `base` (null: of nothing); `stamp` null: the base moved, and
   * nothing was written.
   */
  replace(ref: FileRef, base: string | null, bytes: Uint8Array, mayWrite?: MayWrite): Promise<{ stamp: Stamp | null }>;
  apply(change: ApplyEdits, mayWrite?: MayWrite): Promise<ApplyOutcome>;
  /** For what the editor writes itself, at `path`. false: it leads elsewhere by now, or other files would change. */
  leadsTo(ref: FileRef, path: string): Promise<boolean>;
}

export interface DiskFiles extends StoredFiles {
  /** What bytes are as a file, wherever they come from. */
  contentOf(bytes: Uint8Array, stamp: Stamp): Promise<TextFile | BinaryFile>;
  /** The bytes of a changed text that came with its bytes. Rejects with FileError what its encoding cannot hold. */
  changed(file: TextFile, newText: string, ref: FileRef): Promise<Uint8Array>;
}

/** For `catch` of a read: undefined where there is no such file; other failures are thrown on. */
export function asMissing(error: unknown): undefined {
  if (error instanceof FileError && error.code === "NOT_FOUND") return undefined;
  throw error;
}

/** What became of a change that `replace` was to make. */
export const outcome = (text: string, { stamp }: { stamp: Stamp | null }): ApplyOutcome =>
  stamp ? { kind: "applied", stamp, text, saved: true } : { kind: "stale" };

/** The workspace's folders, each in the file system that has it; their roots are in the workspace's order. */
export class StoredFolders {
  readonly roots: readonly Root[];
  private readonly disk: DiskFiles;
  private readonly virtual: VirtualFiles;

  /**
   * @param folders the workspace's as they were opened
   * @param createDisk files below the folders given (absolute paths), under names of their own where others are in the
   * workspace too
   */
  constructor(
    folders: readonly vscode.Uri[],
    createDisk: (folders: readonly string[], names?: readonly string[]) => DiskFiles,
    hash: Hash,
  ) {
    const names = uniqueNames(folders);
    const named = folders.map((folder, index) => ({ folder, name: names[index] ?? "" }));
    const { true: local = [], false: others = [] } = Object.groupBy(named, ({ folder }) => `${isFile(folder)}`);
    const paths = local.map(({ folder }) => folder.fsPath);
    const diskNames = local.map(({ name }) => name);
    this.disk = createDisk(paths, others.length > 0 && local.length > 0 ? diskNames : undefined);
    const roots = others.map(({ folder, name }) => ({ name, path: rootName(folder), uri: folder.toString(), folder }));
    this.virtual = new VirtualFiles(roots, folders.length > 1, hash, this.disk);
    const [onDisk, elsewhere] = [[...this.disk.roots], [...roots]];
    this.roots = folders.flatMap(folder => {
      const shownAs = workspaceFolders().find(({ uri }) => uri.toString() === folder.toString())?.name;
      const [root] = (isFile(folder) ? onDisk : elsewhere).splice(0, 1);
      return root ? [{ ...root, ...(shownAs !== root.name && defined({ shownAs })) }] : [];
    });
  }

  async resolve(input: string): Promise<FileRef> {
    const { roots } = this.virtual;
    if (roots.length === 0) return this.disk.resolve(input);
    if (/^[a-z][\w+.-]+:\/\//i.test(input)) return this.virtual.resolve(input);
    const named = this.roots.length > 1 && roots.find(root => input.startsWith(`${root.name}:`));
    if (named) return this.virtual.below(named, input.slice(named.name.length + 1));
    const [first] = this.roots;
    const virtualFirst = roots.find(root => root.uri === first?.uri);
    const isRelative = !/^(?:[/\\~]|[a-z]:[/\\])/i.test(input);
    const namesDisk = this.roots.some(root => isOnDisk(root) && input.startsWith(`${root.name}:`));
    if (virtualFirst && isRelative && !namesDisk) return this.virtual.below(virtualFirst, input);
    return this.disk.resolve(input);
  }

  recall(uri: string, stamp: Stamp): void {
    this.disk.recall?.(uri, stamp);
  }

  /** The file that an editor shows. Rejects with FileError for what is in no folder. */
  resolveUri(uri: vscode.Uri): Promise<FileRef> {
    return isFile(uri) ? this.disk.resolve(uri.fsPath) : this.virtual.resolve(rootName(uri));
  }

  /** The file system that has the file. */
  of(ref: FileRef): StoredFiles {
    return isOnDisk(ref) ? this.disk : this.virtual;
  }
}

const isFile = ({ scheme }: vscode.Uri) => scheme === "file";

/** A root and the folder that it is. */
interface VirtualRoot extends Root {
  folder: vscode.Uri;
}

/** Through the editor's file systems. Links are not followed there, since nothing tells where they lead. */
class VirtualFiles implements StoredFiles {
  /** @param named paths begin with the name of their root */
  constructor(
    readonly roots: readonly VirtualRoot[],
    private readonly named: boolean,
    private readonly hash: Hash,
    private readonly disk: Pick<DiskFiles, "contentOf" | "changed">,
  ) {}

  /** `scheme://authority/path` below, beside or above a root: another place rejects with FileError NOT_FOUND. */
  async resolve(input: string): Promise<FileRef> {
    const found = /^([a-z][\w+.-]*):\/\/([^/]*)(\/.*)?$/i.exec(input);
    const [, scheme = "", authority = "", path = "/"] = found ?? [];
    if (!found || !this.roots.some(({ folder }) => folder.scheme === scheme && folder.authority === authority))
      throw new FileError("NOT_FOUND", `${input} is in no folder of this workspace.`);
    return this.refOf(vscode.Uri.from({ scheme, authority, path: normalPath(path) }));
  }

  below(root: VirtualRoot, relative: string): FileRef {
    const path = normalPath(`${root.folder.path}/${relative}`);
    return this.refOf(root.folder.with({ path }));
  }

  refOf(uri: vscode.Uri): FileRef {
    const absolute = rootName(uri);
    const root = innermostRoot(this.roots, absolute);
    if (!root) return { uri: uri.toString(), absolute, path: absolute, relative: absolute, inside: false };
    const relative = absolute.slice(root.path.length).replace(/^\//, "") || ".";
    const path = this.named ? `${root.name}:${relative}` : relative;
    return { uri: uri.toString(), absolute, path, relative, inside: true };
  }

  async stat(ref: FileRef): Promise<FileStat | undefined> {
    return this.requireStat(ref).catch(asMissing);
  }

  private async requireStat(ref: FileRef): Promise<FileStat> {
    const { type, size, mtime } = await attempt(vscode.workspace.fs.stat(vscode.Uri.parse(ref.uri)), ref, "read");
    return { type: fileType(type), size, mtime };
  }

  async read(ref: FileRef, maxBytes: number): Promise<TextFile | BinaryFile> {
    const stat = await this.requireStat(ref);
    if (stat.type === "directory") throw new FileError("IO", `${ref.path} is a folder, not a file.`);
    // Some file systems do not know sizes and say 0.
    if (stat.size > maxBytes) throw tooLarge(ref, stat.size, maxBytes);
    const bytes = await this.load(ref);
    if (bytes.length > maxBytes) throw tooLarge(ref, bytes.length, maxBytes);
    return this.disk.contentOf(bytes, this.createStamp(bytes, stat.mtime));
  }

  async list(ref: FileRef): Promise<DirectoryEntry[]> {
    const stat = await this.requireStat(ref);
    if (stat.type !== "directory") throw new FileError("IO", `${ref.path} is a file, not a folder.`);
    const folder = vscode.Uri.parse(ref.uri);
    const entries = await attempt(vscode.workspace.fs.readDirectory(folder), ref, "read");
    const listed = await Promise.all(entries.map(([name, type]) => describe(folder, name, type)));
    return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** These file systems have no compare and swap: check and write follow each other at once. */
  async apply({ ref, base, edits }: ApplyEdits, mayWrite?: MayWrite): Promise<ApplyOutcome> {
    await this.requireWritable(ref);
    if (base === null) {
      const text = withEdits("", edits, ref.path);
      return outcome(text, await this.replace(ref, null, await encodedText(text, "utf8")));
    }
    const file = await this.read(ref, Number.MAX_SAFE_INTEGER).catch(asMissing);
    if (!file || file.stamp.sha256 !== base) return { kind: "stale" };
    if (file.kind === "binary") throw new FileError("IO", `${ref.path} is not a text file.`);
    const text = withEdits(file.text, edits, ref.path);
    return outcome(text, await this.replace(ref, base, await this.bytesOf(file, edits, text, ref), mayWrite));
  }

  private async bytesOf(file: TextFile, edits: readonly TextEdit[], text: string, ref: FileRef): Promise<Uint8Array> {
    if (file.bytes) return this.disk.changed(file, text, ref);
    await requireHolds(edits, file.encoding, ref.path);
    return encodedText(text, file.encoding);
  }

  async replace(ref: FileRef, base: string | null, bytes: Uint8Array, mayWrite: MayWrite = () => true) {
    await this.requireWritable(ref);
    const before = await this.load(ref).catch(asMissing);
    if ((before ? this.hash.sha256(before) : null) !== base || !mayWrite()) return { stamp: null };
    const uri = vscode.Uri.parse(ref.uri);
    await attempt(vscode.workspace.fs.writeFile(uri, bytes), ref, "write");
    const { mtime } = await attempt(vscode.workspace.fs.stat(uri), ref, "write");
    return { stamp: this.createStamp(bytes, mtime) };
  }

  async requireWritable(ref: FileRef): Promise<void> {
    const { scheme } = vscode.Uri.parse(ref.uri);
    if (vscode.workspace.fs.isWritableFileSystem(scheme) !== false) return;
    throw new FileError("READ_ONLY", `${ref.path} was not changed: its file system (${scheme}) is read-only.`);
  }

  /** Nothing tells. */
  async leadsTo(): Promise<boolean> {
    return true;
  }

  private async load(ref: FileRef): Promise<Uint8Array> {
    return attempt(vscode.workspace.fs.readFile(vscode.Uri.parse(ref.uri)), ref, "read");
  }

  private createStamp(bytes: Uint8Array, mtime: number): Stamp {
    return { mtime, sha256: this.hash.sha256(bytes), dirty: false };
  }
}

/** A folder that is gone or cannot be listed has nothing in it: reading it later says why. */
export async function listEntries(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}

const SKIPPED = new Set([".git", "node_modules"]);

/** All files below a folder, in the order of their paths. Links are not followed: nothing says where they lead. */
export async function* walkFolder(
  folder: vscode.Uri,
  signal: AbortSignal,
  top = "",
): AsyncGenerator<{ uri: vscode.Uri; below: string }> {
  signal.throwIfAborted();
  for (const [name, type] of (await listEntries(folder)).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [uri, below] = [vscode.Uri.joinPath(folder, name), top + name];
    // A file system may give any name: none leads out of the folder.
    if (SKIPPED.has(name) || /^\.\.?$|[/\\]/.test(name)) continue;
    if (type === vscode.FileType.Directory) yield* walkFolder(uri, signal, `${below}/`);
    else if (type === vscode.FileType.File) yield { uri, below };
  }
}

/** A URI as people write it: `scheme://authority/path`, nothing escaped, no slash at the end. */
export function rootName({ scheme, authority, path }: vscode.Uri): string {
  return `${scheme}://${authority}${path.length > 1 ? path.replace(/\/$/, "") : "/"}`;
}

function fileType(type: vscode.FileType): FileStat["type"] {
  if (type & vscode.FileType.Directory) return "directory";
  return type & vscode.FileType.File ? "file" : "other";
}

async function describe(folder: vscode.Uri, name: string, kind: vscode.FileType): Promise<DirectoryEntry> {
  const type = fileType(kind);
  if (type !== "file") return { name, type, size: 0 };
  try {
    return { name, type, size: (await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, name))).size };
  } catch {
    // gone since it was listed, or not ours to look at: its name is all there is to say
    return { name, type: "other", size: 0 };
  }
}

/** A part of the path that is a file counts as missing too, as on a disk. */
const MISSING = new Set(["FileNotFound", "FileNotADirectory"]);

/** Rejects with FileError: NOT_FOUND only where something is read. */
async function attempt<T>(work: Thenable<T>, { path }: FileRef, doing: "read" | "write"): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof vscode.FileSystemError ? error.code : "";
    const isRead = doing === "read";
    if (isRead && MISSING.has(code)) throw new FileError("NOT_FOUND", `There is no ${path}.`);
    if (code === "NoPermissions" && isRead) throw new FileError("IO", `${path} can't be read: permission denied.`);
    if (code === "NoPermissions")
      throw new FileError("READ_ONLY", `${path} was not changed: no permission to write it.`);
    const cannot = code === "Unavailable" ? "reached now" : isRead ? "read" : "written";
    throw new FileError("IO", `${path} can't be ${cannot}: ${errorMessage(error)}`);
  }
}

/** What `name:path` addresses in several folders: the last part of each one's path, numbered where two are the same. */
export function uniqueNames(folders: readonly vscode.Uri[]): string[] {
  const names = new Set<string>();
  return folders.map(({ path, authority, scheme }) => {
    const base = path.split("/").findLast(part => part !== "") ?? (authority || scheme);
    let name = base;
    for (let n = 2; names.has(name); n += 1) name = `${base}-${n}`;
    names.add(name);
    return name;
  });
}
