/** Files on disk, that the editor reaches by a file system of its own: a test decides how long its reads and writes take. */
import { readFile, stat, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import type { FileRef } from "../../src/core/ground/ports";
import { NodeFiles } from "../../src/node/files";

export class SlowDisk implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;
  /** Awaited before a file is written. */
  slowWrite: (() => Promise<void>) | undefined;
  /** The same before one is read. */
  slowRead: (() => Promise<void>) | undefined;
  readonly scheme = "slow";

  /** As Strata reaches the same files: at once, under the names that the editor has for them. */
  files(folders: readonly string[]): NodeFiles {
    const { scheme } = this;
    return new (class extends NodeFiles {
      override async resolve(input: string): Promise<FileRef> {
        const ref = await super.resolve(input);
        return { ...ref, uri: vscode.Uri.file(ref.absolute).with({ scheme }).toString() };
      }
    })(folders);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat({ path }: vscode.Uri): Promise<vscode.FileStat> {
    const { mtime, size } = await stat(path).catch(() => missing(path));
    return { type: vscode.FileType.File, ctime: 0, mtime: mtime.getTime(), size };
  }

  async readFile({ path }: vscode.Uri): Promise<Uint8Array> {
    await this.slowRead?.();
    return readFile(path);
  }

  async writeFile({ path }: vscode.Uri, bytes: Uint8Array): Promise<void> {
    await this.slowWrite?.();
    await writeFile(path, bytes);
  }

  // No test needs these.
  readDirectory = missing;
  createDirectory = missing;
  delete = missing;
  rename = missing;

  // Last: it has all that VS Code looks for by now.
  private readonly registered = vscode.workspace.registerFileSystemProvider(this.scheme, this);

  dispose(): void {
    this.registered.dispose();
  }
}

function missing(at?: string | vscode.Uri): never {
  throw vscode.FileSystemError.FileNotFound(at);
}
