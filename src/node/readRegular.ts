/** Files that we read by ourselves, because of their names: a repository may have put a pipe or a link to a device there. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { isOpenedAt } from "./directoryHandle";

/** Without it, opening a pipe would wait for a writer for ever. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/**
 * The first bytes of a file, at most so many, and the size of the whole. undefined: it is a folder, a pipe or a device. Rejects
 * with the system's error.
 * @param real its path as `realpath` gave it, where that was judged: undefined too if the path leads elsewhere by now
 */
export async function readHead(path: string, maxBytes: number, real?: string) {
  const fd = openSync(path, constants.O_RDONLY | NO_WAIT);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() || (real !== undefined && !isOpenedAt(fd, real))) return undefined;
    const wanted = Buffer.alloc(Math.min(stats.size, maxBytes));
    let length = 0;
    while (length < wanted.length) {
      const left = wanted.length - length;
      const bytesRead = readSync(fd, wanted, length, left, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { bytes: wanted.subarray(0, length), size: stats.size };
  } finally {
    closeSync(fd);
  }
}

/** A hash of its first bytes, at most so many, in little memory; else as `readHead`. */
export async function hashHead(path: string, maxBytes: number): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | NO_WAIT);
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const hash = createHash("sha256");
    const parts = handle.createReadStream({ start: 0, end: maxBytes - 1, autoClose: false, highWaterMark: 1 << 20 });
    for await (const part of parts) hash.update(part);
    return hash.digest("hex");
  } finally {
    await handle.close();
  }
}

/** As `readHead`, the whole file; undefined too where it has more. */
export async function readRegular(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const head = await readHead(path, maxBytes);
  return head && head.size <= maxBytes ? head.bytes : undefined;
}
