/** Folders for what nobody else on this machine is to read. */
import { mkdir, rm } from "node:fs/promises";

/** Makes the folder and those above it that are missing, for this user alone (0700; on Windows as its parent is). */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Removes the folder with all that is in it; nothing happens where there is none. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
