/** The folder of one session: what its files are called and how they are put there for good. Whether one may is asked elsewhere. */
import { dirname, join } from "node:path";
import { type SessionFileName, StorageError } from "../../core/ground/ports";
import { isSessionFileName } from "../../core/ground/ports/storage";
import { fileNames, isTemporary, makeFolder, readOr, removeQuietly, replaceFile } from "../disk";
import { unlessMissing } from "../errno";
import type { FileSystem } from "../fileSystem";

export class SessionFolder {
  constructor(
    private readonly fs: FileSystem,
    readonly folder: string,
  ) {}

  /** @throws StorageError IO: not a name of a session's file */
  path(name: string): string {
    if (!isSessionFileName(name)) throw new StorageError("IO", `${name} is no file of a session.`);
    return join(this.folder, name);
  }

  async read(name: SessionFileName): Promise<string | undefined> {
    return (await readOr(this.fs, this.path(name)))?.toString("utf8");
  }

  async readPart(
    name: SessionFileName,
    start: number,
    end: number,
  ): Promise<{ bytes: Uint8Array; size: number } | undefined> {
    return unlessMissing(this.fs.readPart(this.path(name), start, end), undefined);
  }

  /** As replaceFile. */
  async replace(name: SessionFileName, text: string, mayReplace: () => Promise<void>): Promise<void> {
    const path = this.path(name);
    if (name.includes("/")) await makeFolder(this.fs, dirname(path));
    await replaceFile(this.fs, path, text, mayReplace);
  }

  /** The names of archives, sorted. */
  async archives(): Promise<string[]> {
    const names = await fileNames(this.fs, join(this.folder, "archive"));
    return names.filter(name => isSessionFileName(`archive/${name}`)).sort();
  }

  /**
   * Removes what is not finished. Before anything is read by who gets the lock: what the one before was about to put in the
   * place of a file can no longer come.
   */
  async tidy(): Promise<void> {
    for (const folder of this.folders) {
      const names = (await fileNames(this.fs, folder)).filter(isTemporary);
      for (const name of names) await removeQuietly(this.fs, join(folder, name));
    }
  }

  /** Makes the names there durable, also those of a process that died before it could. */
  async settle(): Promise<void> {
    for (const folder of this.folders) await unlessMissing(this.fs.syncFolder(folder), undefined);
  }

  /** with files that are written as a whole */
  private get folders(): string[] {
    return [this.folder, join(this.folder, "archive")];
  }
}
