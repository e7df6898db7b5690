/** Writing that is on disk when it resolves. */
import { randomUUID } from "node:crypto";
import { chmod, type FileHandle, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errno, isMissing } from "../errno";

/** Sessions are for their owner's eyes only. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** Makes the names in a folder durable. Windows has no such thing: there, a renamed file is. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a folder and those above it. Existing ones keep their mode. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
}

/** As makeFolder; one that is there already is closed to everybody else, where it is ours. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolder(path);
  if (process.platform === "win32" || ((await stat(path)).mode & 0o077) === 0) return;
  try {
    await chmod(path, FOLDER_MODE);
  } catch (error) {
    // another person's folder that we may write: what we make in it is closed by itself
    if (errno(error) !== "EPERM") throw error;
  }
}

/** undefined: there is none */
export async function readOr(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Old or new, never half: a temporary file takes the place of the old one. */
export async function writeWhole(path: string, data: string | Uint8Array, { sync }: { sync: boolean }): Promise<void> {
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`);
  let handle: FileHandle | undefined;
  try {
    handle = await open(temporary, "wx", FILE_MODE);
    await handle.writeFile(data);
    if (sync) await handle.datasync();
    await handle.close();
    handle = undefined;
    await rename(temporary, path);
  } catch (error) {
    await handle?.close();
    await rm(temporary, { force: true });
    throw error;
  }
  if (sync) await syncFolder(dirname(path));
}
