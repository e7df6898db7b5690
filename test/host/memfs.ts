/** A file system in memory that VS Code knows under a scheme of its own: what a folder on no disk is to an extension. */
import * as vscode from "vscode";

type Entry = { type: vscode.FileType.Directory } | { type: vscode.FileType.File; bytes: Uint8Array; mtime: number };

const { FileSystemError, FileType } = vscode;

export class MemoryFileSystem implements vscode.FileSystemProvider {
  private readonly entries = new Map<string, Entry>([["/", { type: FileType.Directory }]]);
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private time = Date.now();
  readonly onDidChangeFile = this.changes.event;
  /** Awaited before a file is written: a file system that is slow. */
  slow: ((uri: vscode.Uri) => Promise<void>) | undefined;
  /** The same before one is read. */
  slowRead: ((uri: vscode.Uri) => Promise<void>) | undefined;

  /** Writes as another program would, folders above included. */
  put(uri: vscode.Uri, content: string | Uint8Array): void {
    const parts = uri.path.split("/");
    for (let depth = 2; depth < parts.length; depth += 1) {
      this.entries.set(parts.slice(0, depth).join("/"), { type: FileType.Directory });
    }
    this.write(uri, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }

  bytes({ path }: vscode.Uri): Uint8Array | undefined {
    const found = this.entries.get(path);
    return found?.type === FileType.File ? found.bytes : undefined;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const found = this.entry(uri);
    return found.type === FileType.Directory
      ? { type: found.type, ctime: 0, mtime: 0, size: 0 }
      : { type: found.type, ctime: 0, mtime: found.mtime, size: found.bytes.length };
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    if (this.entry(uri).type !== FileType.Directory) throw FileSystemError.FileNotADirectory(uri);
    const prefix = `${uri.path.replace(/\/$/, "")}/`;
    return [...this.entries].flatMap(([path, { type }]): [string, vscode.FileType][] => {
      const name = path.startsWith(prefix) ? path.slice(prefix.length) : "";
      return name === "" || name.includes("/") ? [] : [[name, type]];
    });
  }

  createDirectory(uri: vscode.Uri): void {
    if (this.entries.has(uri.path)) throw FileSystemError.FileExists(uri);
    this.requireFolder(uri);
    this.entries.set(uri.path, { type: FileType.Directory });
  }

  readFile(uri: vscode.Uri): Uint8Array | Promise<Uint8Array> {
    return this.slowRead ? this.slowRead(uri).then(() => this.read(uri)) : this.read(uri);
  }

  private read(uri: vscode.Uri): Uint8Array {
    const found = this.entry(uri);
    if (found.type === FileType.Directory) throw FileSystemError.FileIsADirectory(uri);
    return found.bytes;
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array): void | Promise<void> {
    return this.slow ? this.slow(uri).then(() => this.write(uri, bytes)) : this.write(uri, bytes);
  }

  private write(uri: vscode.Uri, bytes: Uint8Array): void {
    this.requireFolder(uri);
    this.time += 10;
    const type = this.entries.has(uri.path) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    this.entries.set(uri.path, { type: FileType.File, bytes: Uint8Array.from(bytes), mtime: this.time });
    this.changes.fire([{ type, uri }]);
  }

  delete(uri: vscode.Uri): void {
    this.entry(uri);
    for (const path of this.entries.keys()) {
      if (path === uri.path || path.startsWith(`${uri.path}/`)) this.entries.delete(path);
    }
    this.changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    const found = this.entry(from);
    this.entries.delete(from.path);
    this.entries.set(to.path, found);
    this.changes.fire([
      { type: vscode.FileChangeType.Deleted, uri: from },
      { type: vscode.FileChangeType.Created, uri: to },
    ]);
  }

  private entry(uri: vscode.Uri): Entry {
    const found = this.entries.get(uri.path.length > 1 ? uri.path.replace(/\/$/, "") : uri.path);
    if (!found) throw FileSystemError.FileNotFound(uri);
    return found;
  }

  private requireFolder(uri: vscode.Uri): void {
    const parent = uri.path.slice(0, uri.path.lastIndexOf("/")) || "/";
    const found = this.entries.get(parent);
    if (!found) throw FileSystemError.FileNotFound(uri);
    if (found.type !== FileType.Directory) throw FileSystemError.FileNotADirectory(uri);
  }
}
