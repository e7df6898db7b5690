/** The folder of one session: what its files are called and how they are put there for good. Whether one may is asked elsewhere. */
import { dirname, join } from "node:path";
import { type SessionFileName, type SessionFolderName, StorageError } from "../../core/ground/ports";
import { isSessionFileName, orphanName } from "../../core/ground/ports/storage";
import { fileNames, isFile, isTemporary, makeFolder, readOr, removeQuietly, replaceFile, treeBytes } from "../disk";
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

  /** @param mayMove throws where it may not */
  async setAside(name: SessionFileName, mayMove: () => Promise<void>): Promise<string> {
    const from = this.path(name);
    if (!(await isFile(this.fs, from))) throw new StorageError("NOT_FOUND", `There is no ${name} in this session.`);
    const orphans = join(this.folder, "orphans");
    await makeFolder(this.fs, orphans);
    const free = orphanName(name, new Set((await this.fs.readdir(orphans)).map(entry => entry.name)));
    await mayMove();
    const to = join(orphans, free);
    await this.fs.rename(from, to);
    try {
      // in this order: a power cut leaves it under one name or under both
      await this.fs.syncFolder(orphans);
      await this.fs.syncFolder(dirname(from));
    } catch (error) {
      // If even that fails, it stays in `orphans`: not lost, and out of the way.
      await this.fs.rename(to, from).catch(() => undefined);
      throw error;
    }
    return `orphans/${free}`;
  }

  /** Names of files that can be read, and of orphans; sorted. */
  async list(name: Exclude<SessionFolderName, "blobs">): Promise<string[]> {
    const names = await fileNames(this.fs, join(this.folder, name));
    const shown = name === "orphans" ? (file: string) => !isTemporary(file) : isNumbered(name);
    return names.filter(shown).sort();
  }

  bytes(): Promise<number> {
    return treeBytes(this.fs, this.folder);
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

function isNumbered(folder: string): (file: string) => boolean {
  return file => isSessionFileName(`${folder}/${file}`);
}
