/**
 * The calls of a file system that sessions are written with. They are passed in, so that the tests can put a disk underneath
 * that fails and loses power. Names, meanings and the codes of errors are those of `node:fs`.
 */
import * as fs from "node:fs";
import { promisify } from "node:util";

/** Sessions are for their owner's eyes only. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

export type FolderEntry = Pick<fs.Dirent, "name" | "isFile" | "isDirectory">;

// plain descriptors: a FileHandle costs about a tenth more per append
const write = promisify(fs.write);
const fsync = promisify(fs.fsync);

/** bytes: so many are read or written in less time than it takes to ask a thread for it */
export const AT_ONCE = 256 * 1024;

export type FileSystem = typeof nodeFileSystem;

/**
 * What only asks or changes a name is done at once: a trip through the thread pool takes ten times as long as the call, and an
 * edit needs a dozen of them. What waits for the disk (syncs, long reads and writes, listing, freeing a file) is not.
 */
export const nodeFileSystem = {
  /** `a`: to write at its end; `wx`: a new one. For the owner alone. */
  open: async (path: string, flags: "a" | "wx"): Promise<number> => fs.openSync(path, flags, FILE_MODE),
  close: async (fd: number): Promise<void> => fs.closeSync(fd),
  /** Writes at the end. @returns how many bytes, beginning with `from`, went out: at least one */
  write: async (fd: number, bytes: Uint8Array, from: number): Promise<number> =>
    bytes.length - from <= AT_ONCE ? fs.writeSync(fd, bytes, from) : (await write(fd, bytes, from)).bytesWritten,
  /** As `write`, at once; `position`: over the bytes there */
  writeSync: (fd: number, bytes: Uint8Array, from: number, position?: number): number =>
    fs.writeSync(fd, bytes, from, undefined, position),
  /** The bytes and the length of a file are on disk when it resolves; its name need not be. */
  fdatasync: promisify(fs.fdatasync) as (fd: number) => Promise<void>,
  ftruncate: promisify(fs.ftruncate) as (fd: number, length: number) => Promise<void>,
  async fstat(fd: number): Promise<{ size: number; identity: string }> {
    const stats = fs.fstatSync(fd, { bigint: true });
    return { size: Number(stats.size), identity: fileIdentity(stats) };
  },
  /** Tells files apart by more than their names. undefined: no file */
  identitySync(path: string): string | undefined {
    const stats = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && fileIdentity(stats);
  },
  stat: async (path: string): Promise<Pick<fs.Stats, "size" | "mtimeMs" | "mode" | "isFile">> => fs.statSync(path),
  readFile: (path: string): Promise<Buffer> => fs.promises.readFile(path),
  readdir: (path: string): Promise<FolderEntry[]> => fs.promises.readdir(path, { withFileTypes: true }),
  /** One folder, for the owner alone. */
  mkdir: async (path: string): Promise<void> => fs.mkdirSync(path, { mode: FOLDER_MODE }),
  rename: async (from: string, to: string): Promise<void> => fs.renameSync(from, to),
  /** A second name for a file. */
  link: async (from: string, to: string): Promise<void> => fs.linkSync(from, to),
  unlink: (path: string): Promise<void> => fs.promises.unlink(path),
  rmdir: (path: string): Promise<void> => fs.promises.rmdir(path),
  chmod: async (path: string, mode: number): Promise<void> => fs.chmodSync(path, mode),
  /** The names in a folder are on disk when it resolves. Windows has no such thing: there, a renamed file is. */
  async syncFolder(path: string): Promise<void> {
    if (process.platform === "win32") return;
    const folder = fs.openSync(path, "r");
    try {
      await fsync(folder);
    } finally {
      fs.closeSync(folder);
    }
  },
};

const fileIdentity = ({ dev, ino }: { dev: bigint; ino: bigint }): string => `${dev}:${ino}`;
