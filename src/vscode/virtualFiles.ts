/**
 * Files of folders that are on no disk of this machine (a repository on the web, a database): through the editor's file
 * systems. Links are not followed there, since nothing tells where they lead.
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
  type Hash,
  type Root,
  type TextFile,
  tooLarge,
  withEdits,
} from "../core/ports";
import type { Stamp } from "../shared/toolResult";
import { encodedText, requireHolds } from "./encodings";
import { asMissing, type MayWrite, type StoredFiles } from "./storedFiles";

/** A root and the folder that it is. */
export interface VirtualRoot extends Root {
  folder: vscode.Uri;
}

export interface VirtualFilesDeps {
  roots: readonly VirtualRoot[];
  /** paths begin with the name of their root */
  named: boolean;
  hash: Hash;
  /** what bytes are as a file */
  contentOf(bytes: Uint8Array, stamp: Stamp): TextFile | BinaryFile;
}

export class VirtualFiles implements StoredFiles {
  constructor(private readonly deps: VirtualFilesDeps) {}

  get roots(): readonly VirtualRoot[] {
    return this.deps.roots;
  }

  /** `scheme://authority/path` below, beside or above a root: another place rejects with FileError NOT_FOUND. */
  async resolve(input: string): Promise<FileRef> {
    const found = /^([a-z][\w+.-]*):\/\/([^/]*)(\/.*)?$/i.exec(input);
    const [, scheme = "", authority = "", path = "/"] = found ?? [];
    if (!found || !this.roots.some(({ folder }) => folder.scheme === scheme && folder.authority === authority)) {
      throw new FileError("NOT_FOUND", `${input} is in no folder of this workspace.`);
    }
    return this.refOf(vscode.Uri.from({ scheme, authority, path: normalized(path) }));
  }

  below(root: VirtualRoot, relative: string): FileRef {
    const path = normalized(`${root.folder.path}/${relative}`);
    return this.refOf(root.folder.with({ path }));
  }

  refOf(uri: vscode.Uri): FileRef {
    const absolute = rootName(uri);
    const root = this.roots
      .filter(({ path }) => absolute === path || absolute.startsWith(path.endsWith("/") ? path : `${path}/`))
      .sort((a, b) => b.path.length - a.path.length)[0];
    if (!root) return { uri: uri.toString(), absolute, path: absolute, relative: absolute, inside: false };
    const relative = absolute.slice(root.path.length).replace(/^\//, "") || ".";
    const path = this.deps.named ? `${root.name}:${relative}` : relative;
    return { uri: uri.toString(), absolute, path, relative, inside: true };
  }

  async stat(ref: FileRef): Promise<FileStat | undefined> {
    try {
      const { type, size, mtime } = await vscode.workspace.fs.stat(vscode.Uri.parse(ref.uri));
      return { type: fileType(type), size, mtime };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw failure(error, ref.path, "read");
    }
  }

  async read(ref: FileRef, maxBytes: number): Promise<TextFile | BinaryFile> {
    const stat = await this.stat(ref);
    if (!stat) throw new FileError("NOT_FOUND", `There is no ${ref.path}.`);
    if (stat.type === "directory") throw new FileError("IO", `${ref.path} is a folder, not a file.`);
    // Some file systems do not know sizes and say 0.
    if (stat.size > maxBytes) throw tooLarge(ref, stat.size, maxBytes);
    const bytes = await this.load(ref);
    if (bytes.length > maxBytes) throw tooLarge(ref, bytes.length, maxBytes);
    return this.deps.contentOf(bytes, this.createStamp(bytes, stat.mtime));
  }

  async list(ref: FileRef): Promise<DirectoryEntry[]> {
    const stat = await this.stat(ref);
    if (!stat) throw new FileError("NOT_FOUND", `There is no ${ref.path}.`);
    if (stat.type !== "directory") throw new FileError("IO", `${ref.path} is a file, not a folder.`);
    const folder = vscode.Uri.parse(ref.uri);
    try {
      const entries = await vscode.workspace.fs.readDirectory(folder);
      const listed = await Promise.all(entries.map(([name, type]) => describe(folder, name, type)));
      return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      throw failure(error, ref.path, "read");
    }
  }

  /** These file systems have no compare and swap: check and write follow each other at once. */
  async apply({ ref, base, edits }: ApplyEdits, mayWrite?: MayWrite): Promise<ApplyOutcome> {
    await this.requireWritable(ref);
    if (base === null) {
      const text = withEdits("", edits, ref.path);
      const { stamp } = await this.replace(ref, null, await encodedText(text, "utf8"));
      return stamp ? { kind: "applied", stamp, text, saved: true } : { kind: "stale" };
    }
    const file = await this.read(ref, Number.MAX_SAFE_INTEGER).catch(asMissing);
    if (!file || file.stamp.sha256 !== base) return { kind: "stale" };
    if (file.kind === "binary") throw new FileError("IO", `${ref.path} is not a text file.`);
    const text = withEdits(file.text, edits, ref.path);
    await requireHolds(edits, file.encoding === "latin1" ? "iso88591" : file.encoding, ref.path);
    const bytes = file.encoding === "latin1" ? latin1(text) : await encodedText(text, file.encoding);
    const { stamp } = await this.replace(ref, base, bytes, mayWrite);
    return stamp ? { kind: "applied", stamp, text, saved: true } : { kind: "stale" };
  }

  async removeFile(ref: FileRef, base: string): Promise<"removed" | "stale"> {
    await this.requireWritable(ref);
    const before = await this.load(ref).catch(asMissing);
    if (!before || this.deps.hash.sha256(before) !== base) return "stale";
    try {
      await vscode.workspace.fs.delete(vscode.Uri.parse(ref.uri));
      return "removed";
    } catch (error) {
      throw failure(error, ref.path, "write");
    }
  }

  async replace(
    ref: FileRef,
    base: string | null,
    bytes: Uint8Array,
    mayWrite: MayWrite = () => true,
  ): Promise<{ stamp: Stamp | null }> {
    await this.requireWritable(ref);
    const before = await this.load(ref).catch(asMissing);
    if ((before ? this.deps.hash.sha256(before) : null) !== base || !mayWrite()) return { stamp: null };
    return { stamp: await this.write(ref, bytes) };
  }

  async requireWritable(ref: FileRef): Promise<void> {
    const { scheme } = vscode.Uri.parse(ref.uri);
    if (vscode.workspace.fs.isWritableFileSystem(scheme) !== false) return;
    throw new FileError("READ_ONLY", `${ref.path} was not changed: its file system (${scheme}) is read-only.`);
  }

  private async load(ref: FileRef): Promise<Uint8Array> {
    try {
      return await vscode.workspace.fs.readFile(vscode.Uri.parse(ref.uri));
    } catch (error) {
      throw failure(error, ref.path, "read");
    }
  }

  private async write(ref: FileRef, bytes: Uint8Array): Promise<Stamp> {
    try {
      const uri = vscode.Uri.parse(ref.uri);
      await vscode.workspace.fs.writeFile(uri, bytes);
      return this.createStamp(bytes, (await vscode.workspace.fs.stat(uri)).mtime);
    } catch (error) {
      throw failure(error, ref.path, "write");
    }
  }

  private createStamp(bytes: Uint8Array, mtime: number): Stamp {
    return { mtime, sha256: this.deps.hash.sha256(bytes), dirty: false };
  }
}

/** Every character of such a text is one byte, those without a meaning too. */
const latin1 = (text: string) => Uint8Array.from(text, character => character.charCodeAt(0));

/** A URI as people write it: `scheme://authority/path`, nothing escaped, no slash at the end. */
export function rootName({ scheme, authority, path }: vscode.Uri): string {
  return `${scheme}://${authority}${path.length > 1 ? path.replace(/\/$/, "") : "/"}`;
}

/** An absolute path without `.`, `..` and doubled slashes. */
function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
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

function isMissing(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && MISSING.has(error.code);
}

function failure(error: unknown, path: string, doing: "read" | "write"): FileError {
  if (error instanceof FileError) return error;
  const code = error instanceof vscode.FileSystemError ? error.code : "";
  const words = error instanceof Error ? error.message : String(error);
  if (doing === "read" && MISSING.has(code)) return new FileError("NOT_FOUND", `There is no ${path}.`);
  if (code === "NoPermissions") {
    return doing === "read"
      ? new FileError("IO", `${path} can't be read: permission denied.`)
      : new FileError("READ_ONLY", `${path} was not changed: no permission to write it.`);
  }
  if (code === "Unavailable") return new FileError("IO", `${path} can't be reached now: ${words}`);
  return new FileError("IO", `${path} can't be ${doing === "read" ? "read" : "written"}: ${words}`);
}
