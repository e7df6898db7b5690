/** The workspace's files on disk, without an editor. */
import { createHash } from "node:crypto";
import type { BigIntStats, Dirent } from "node:fs";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFile, readFileSync, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type ApplyEdits,
  type ApplyOutcome,
  type BinaryFile,
  type DirectoryEntry,
  FileError,
  type FileRef,
  type FileStat,
  type Files,
  type Root,
  type TextFile,
} from "../core/ground/ports";
import { tooLarge, unlessFileError, withEdits } from "../core/ground/ports/files";
import { KeyedQueue, mapBounded } from "../shared/async";
import { innermostRoot } from "../shared/paths";
import type { Stamp } from "../shared/toolResult";
import { DirectoryHandle, isOpenedAt, OPEN_SAFELY } from "./directoryHandle";
import { type DecodedText, decode, encodeChange, encodeNew, mediaTypeOf } from "./encoding";
import { errno, fileError, ifThere, isMissing, unlessFails, unlessMissing } from "./errno";
import { AT_ONCE } from "./fileSystem";
import { fileRef, nodeRoots, realPath, withSlashes } from "./paths";
import { createFile, type PreviousFile, removeFile, replaceContent, requireWritable } from "./writeFile";

/** As large as any file that is read: it is made smaller before it is sent. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const readAll: (fd: number) => Promise<Buffer> = promisify(readFile);
/** At most so many stat calls at once: enough to keep the disk busy. */
const STATS_AT_ONCE = 32;
/** A file that another program puts a new one in the place of is opened anew, as often. */
const MAX_OPENS = 5;

export class NodeFiles implements Files {
  readonly roots: readonly Root[];
  private readonly writes = new KeyedQueue();

  /**
   * @param folders the workspace's folders; relative ones are taken from the current directory
   * @param onWritten told of each text that was written here, with the file's absolute path
   * @param encoding what files are in (`files.encoding`), where settings say it
   * @param known the encoding that was guessed for a file, by its absolute path: it stays its own
   */
  constructor(
    folders: readonly string[],
    private readonly onWritten?: (path: string, text: string) => void,
    private readonly encoding?: string,
    private readonly known = new Map<string, string>(),
  ) {
    this.roots = nodeRoots(folders);
  }

  async resolve(input: string): Promise<FileRef> {
    try {
      const absolute = this.absolute(input);
      // Windows signs in to whatever machine is named: that is asked about before anybody looks.
      if (/^\\\\/.test(absolute) && !innermostRoot(this.roots, withSlashes(absolute)))
        return fileRef(this.roots, absolute);
      const real = await realPath(absolute);
      const hasOtherNames = namesOf(real) > 1;
      return { ...fileRef(this.roots, real), ...(hasOtherNames && { hasOtherNames }) };
    } catch (error) {
      throw fileError(error, input, "read");
    }
  }

  async stat(ref: FileRef): Promise<FileStat | undefined> {
    try {
      const stats = ifThere(() => statSync(ref.absolute, { throwIfNoEntry: false }));
      return stats && { type: fileType(stats), size: stats.size, mtime: stats.mtimeMs, mode: stats.mode & 0o777 };
    } catch (error) {
      throw fileError(error, ref.path, "read");
    }
  }

  async read(ref: FileRef, maxBytes: number): Promise<TextFile | BinaryFile> {
    const { bytes, stats } = await load(ref, maxBytes);
    const stamp = toStamp({ bytes, stats });
    const file = await this.contentOf(bytes, stamp, this.known.get(ref.absolute));
    return file.kind === "text" ? { ...file, stamp: this.noted(ref.absolute, file, stamp) } : file;
  }

  recall(uri: string, { encoding }: Stamp): void {
    if (encoding === undefined || !uri.startsWith("file:")) return;
    this.known.set(withSlashes(fileURLToPath(uri)), encoding);
  }

  private async contentOf(content: Uint8Array, stamp: Stamp, own?: string): Promise<TextFile | BinaryFile> {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const decoded = await decode(bytes, this.encoding, own);
    if (decoded) return { kind: "text", ...decoded, stamp, from: "disk", ...(decoded.reading && { bytes }) };
    const mediaType = mediaTypeOf(bytes);
    const attach = mediaType?.startsWith("image/") && bytes.length <= MAX_IMAGE_BYTES;
    return {
      kind: "binary",
      size: bytes.length,
      stamp,
      ...(mediaType && { mediaType }),
      ...(attach && { bytes }),
    };
  }

  /** @returns its stamp, which says the encoding where nothing in the bytes does */
  private noted(path: string, { encoding, reading }: DecodedText, stamp: Stamp): Stamp {
    this.known.delete(path);
    if (reading !== "guessed") return stamp;
    this.known.set(path, encoding);
    return { ...stamp, encoding };
  }

  /** @param mayWrite asked at the very moment of a change of what is there; false is as if the file had changed */
  apply(change: ApplyEdits, mayWrite?: () => boolean): Promise<ApplyOutcome> {
    return this.write(change.ref, async () => {
      const made = await (change.base === null
        ? create(change, this.encoding)
        : this.swap(change, change.base, mayWrite));
      if (made.kind === "applied") this.onWritten?.(change.ref.absolute, made.text);
      return made;
    });
  }

  private async swap(
    { ref, edits }: ApplyEdits,
    base: string,
    mayWrite: (() => boolean) | undefined,
  ): Promise<ApplyOutcome> {
    const before = await loadIfThere(ref);
    if (!before) return { kind: "stale" };
    const stamp = toStamp(before);
    if (stamp.sha256 !== base) return { kind: "stale" };
    const decoded = await decode(before.bytes, this.encoding, this.known.get(ref.absolute));
    if (!decoded) throw new FileError("IO", `${ref.path} is not a text file.`);
    const text = withEdits(decoded.text, edits, ref.path);
    const bytes = encodeChange({ ...decoded, bytes: before.bytes, newText: text, path: ref.path });
    if (bytes.equals(before.bytes))
      return { kind: "applied", stamp: this.noted(ref.absolute, decoded, stamp), text, saved: true };
    const made = applied(await replaceContent(ref.absolute, bytes, before, mayWrite), bytes, text);
    if (made.kind === "stale") return made;
    return { ...made, stamp: this.noted(ref.absolute, { ...decoded, text }, made.stamp) };
  }

  removeFile(ref: FileRef, base: string): Promise<"removed" | "stale"> {
    return this.write(ref, async () => {
      // Its other names, if it has some, stay.
      const before = await loadIfThere({ ...ref, hasOtherNames: true });
      if (!before || toStamp(before).sha256 !== base) return "stale";
      return (await unlessMissing(removeFile(ref.absolute, before), false)) ? "removed" : "stale";
    });
  }

  /**
   * The whole file, as bytes, in place of what has the sha256 `base` (null: of nothing): for text in an encoding that only
   * the editor knows. `stamp` null: the base moved, and nothing was written. `mayWrite` as for `apply`.
   */
  replace(ref: FileRef, base: string | null, content: Uint8Array, mayWrite?: () => boolean) {
    return this.write(ref, async () => {
      const bytes = Buffer.from(content);
      const before = base === null ? undefined : await loadIfThere(ref);
      if (base !== null && (!before || toStamp(before).sha256 !== base)) return { stamp: null };
      const stats = await (before
        ? replaceContent(ref.absolute, bytes, before, mayWrite)
        : createFile(ref.absolute, bytes));
      return { stamp: stats ? toStamp({ bytes, stats }) : null };
    });
  }

  async list(ref: FileRef): Promise<DirectoryEntry[]> {
    try {
      const folder = await DirectoryHandle.open(ref.absolute);
      if (!folder) throw new LeadsElsewhere(ref);
      try {
        const entries = await readdir(folder.at("."), { withFileTypes: true });
        const listed = await mapBounded(entries, STATS_AT_ONCE, entry => describe(folder, entry));
        return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
      } finally {
        folder.close();
      }
    } catch (error) {
      if (isMissing(error) && (await this.stat(ref))) throw new FileError("IO", `${ref.path} is a file, not a folder.`);
      throw fileError(error, ref.path, "read");
    }
  }

  /** For an editor that writes the file itself: rejects with FileError READ_ONLY. A missing file is none. */
  async requireWritable(ref: FileRef): Promise<void> {
    try {
      requireWritable(ref.absolute, await stat(ref.absolute, { bigint: true }));
    } catch (error) {
      if (!isMissing(error)) throw fileError(error, ref.path, "write");
    }
  }

  /**
   * For an editor that writes the file itself, at `path`. false: the path leads elsewhere by now, or other files would change
   * that the person was not asked about.
   */
  async leadsTo(ref: FileRef, path: string): Promise<boolean> {
    const now = await unlessFileError(this.resolve(path), undefined);
    return now?.uri === ref.uri && (!now.hasOtherNames || ref.hasOtherNames === true);
  }

  /** One after the other on a file. */
  private write<T>(ref: FileRef, task: () => Promise<T>): Promise<T> {
    return this.writes.run(ref.uri, async () => {
      try {
        return await task();
      } catch (error) {
        throw fileError(error, ref.path, "write");
      }
    });
  }

  private absolute(input: string): string {
    if (input === "~" || /^~[\\/]/.test(input)) return join(homedir(), input.slice(1));
    if (isAbsolute(input)) return resolve(input);
    const named = this.roots.length > 1 && this.roots.find(root => input.startsWith(`${root.name}:`));
    if (named) return resolve(named.path, `./${input.slice(named.name.length + 1)}`);
    const [first] = this.roots;
    if (!first) throw new FileError("NOT_FOUND", `No folder is open, so ${input} has no place. Give an absolute path.`);
    return resolve(first.path, input);
  }
}

/** 0: it is no file, or cannot be looked at. */
function namesOf(path: string): number {
  const stats = unlessFails(() => lstatSync(path), undefined);
  return stats?.isFile() ? stats.nlink : 0;
}

function fileType(entry: { isFile(): boolean; isDirectory(): boolean }): FileStat["type"] {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "directory" : "other";
}

/** Links are listed as what they lead to; one that leads nowhere is "other". */
async function describe(folder: DirectoryHandle, entry: Dirent): Promise<DirectoryEntry> {
  if (entry.isDirectory()) return { name: entry.name, type: "directory", size: 0 };
  try {
    const stats = await stat(folder.at(entry.name));
    const type = fileType(stats);
    return { name: entry.name, type, size: type === "directory" ? 0 : stats.size };
  } catch {
    // gone since it was listed, a link to nothing, or not ours to look at: its name is all there is to say
    return { name: entry.name, type: "other", size: 0 };
  }
}

async function load(ref: FileRef, maxBytes: number): Promise<PreviousFile> {
  try {
    for (let tries = 0; tries < MAX_OPENS; tries += 1) {
      const fd = openFile(ref);
      try {
        if (!isOpenedAt(fd, ref.absolute)) continue;
        const stats = fstatSync(fd, { bigint: true });
        if (stats.isDirectory()) throw new FileError("IO", `${ref.path} is a folder, not a file.`);
        if (!stats.isFile())
          throw new FileError("IO", `${ref.path} is a device, a pipe or a socket, not a regular file.`);
        if (stats.size > BigInt(maxBytes)) throw tooLarge(ref, Number(stats.size), maxBytes);
        const bytes = stats.size <= AT_ONCE ? readFileSync(fd) : await readAll(fd);
        if (bytes.length > maxBytes) throw tooLarge(ref, bytes.length, maxBytes);
        return { bytes, stats };
      } finally {
        closeSync(fd);
      }
    }
    throw new LeadsElsewhere(ref);
  } catch (error) {
    throw fileError(error, ref.path, "read");
  }
}

function openFile(ref: FileRef): number {
  try {
    return openSync(ref.absolute, constants.O_RDONLY | OPEN_SAFELY);
  } catch (error) {
    throw errno(error) === "ELOOP" ? new LeadsElsewhere(ref) : error;
  }
}

/** What would be read or listed is not what was asked about. */
class LeadsElsewhere extends FileError {
  constructor({ path }: FileRef) {
    super("IO", `${path} leads elsewhere than a moment ago: a link was put in its way. Try again.`);
  }
}

/** For a change: undefined too where the path leads elsewhere by now, or other files would change that the person was not asked about. */
async function loadIfThere(ref: FileRef): Promise<PreviousFile | undefined> {
  try {
    const before = await load(ref, Number.MAX_SAFE_INTEGER);
    return before.stats.nlink > 1n && !ref.hasOtherNames ? undefined : before;
  } catch (error) {
    if (error instanceof LeadsElsewhere || (error instanceof FileError && error.code === "NOT_FOUND")) return undefined;
    throw error;
  }
}

function toStamp({ bytes, stats }: { bytes: Buffer; stats: BigIntStats }): Stamp {
  return { mtime: Number(stats.mtimeNs / 1000n) / 1000, sha256: sha256Hex(bytes), dirty: false };
}

const sha256Hex = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

async function create({ ref, edits, as }: ApplyEdits, set: string | undefined): Promise<ApplyOutcome> {
  const text = withEdits("", edits, ref.path);
  const had = as && { text: as.text, isBytes: (bytes: Buffer) => sha256Hex(bytes) === as.sha256 };
  const bytes = encodeNew(text, ref.path, set, had);
  return applied(await createFile(ref.absolute, bytes, as?.mode), bytes, text);
}

const applied = (stats: BigIntStats | undefined, bytes: Buffer, text: string): ApplyOutcome =>
  stats ? { kind: "applied", stamp: toStamp({ bytes, stats }), text, saved: true } : { kind: "stale" };
