/** An exported session's file: written as a whole or not at all, read in pieces. */
import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { StorageError } from "../core/ports";
import { errno } from "./errno";

/**
 * Writes it beside its place and renames it, over what stands there. Rejects with StorageError, and with the signal's reason:
 * then nothing changed.
 */
export async function writeExported(path: string, lines: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    // For its owner's eyes, as the session itself.
    await pipeline(lines, createWriteStream(temporary, { flags: "wx", mode: 0o600, flush: true }), { signal });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw writeError(error, path);
  }
}

const WORDS: Record<string, { code: StorageError["code"]; words: string }> = {
  ENOSPC: { code: "DISK_FULL", words: "The disk is full. Free some space, then export again." },
  EDQUOT: { code: "DISK_FULL", words: "Your disk quota is used up. Free some space, then export again." },
  EACCES: { code: "DENIED", words: "Permission denied." },
  EPERM: { code: "DENIED", words: "Permission denied." },
  EROFS: { code: "DENIED", words: "The file system is read-only." },
  ENOENT: { code: "NOT_FOUND", words: "Its folder is not there." },
};

function writeError(error: unknown, path: string): unknown {
  const known = WORDS[errno(error)];
  return known ? new StorageError(known.code, `${path} was not written. ${known.words}`) : error;
}

/** Its text, cut anywhere. Throws StorageError while iterating. */
export async function* readExported(path: string): AsyncGenerator<string> {
  try {
    for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: 1 << 18 })) yield String(chunk);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    const why = error.code === "EACCES" ? "Permission denied." : `${error.message}.`;
    throw new StorageError("IO", `${path} could not be read. ${why}`);
  }
}
