/** An exported session's file: written as a whole or not at all, read in pieces. */
import { constants, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { StorageError } from "../core/ground/ports";
import { asSentence } from "../shared/format";
import { t } from "../shared/l10n";
import { temporaryBeside } from "./disk";
import { errno, storageError } from "./errno";

/**
 * Writes it beside its place and renames it, over what stands there. Rejects with StorageError, and with the signal's reason:
 * then nothing changed.
 * @param mode absent: for its owner's eyes, as the session itself
 */
export async function writeExported(
  path: string,
  lines: AsyncIterable<string> | Iterable<string | Uint8Array>,
  signal?: AbortSignal,
  mode = 0o600,
): Promise<void> {
  const temporary = temporaryBeside(path);
  try {
    const file = createWriteStream(temporary, { flags: "wx", mode, flush: true });
    await pipeline(lines, file, { ...(signal && { signal }) });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw signal?.aborted || errno(error) === "" ? error : storageError(error, t("{0} was not written.", path));
  }
}

/** Its text, cut anywhere. Throws StorageError while iterating. */
export async function* readExported(path: string): AsyncGenerator<string> {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for somebody at its other end for ever.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stream = handle.createReadStream({ encoding: "utf8", highWaterMark: 1 << 18 });
    if (!(await handle.stat()).isFile()) {
      stream.destroy();
      throw new StorageError("IO", t("{0} could not be read. It is not a regular file.", path));
    }
    for await (const chunk of stream) yield String(chunk);
  } catch (error) {
    if (!(error instanceof Error) || errno(error) === "") throw error;
    const why = errno(error) === "EACCES" ? t("Permission denied.") : asSentence(error.message);
    throw new StorageError("IO", t("{0} could not be read. {1}", path, why));
  }
}
