/** Folders for what nobody else on this machine is to read. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withSlashes } from "./paths";

/** Makes the folder and those above it that are missing, for this user alone (0700; on Windows as its parent is). */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Removes the folder with all that is in it; nothing happens where there is none. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

// A folder for a moment: texts that a search needs as files, and that no other user is to read.

interface ScratchFolder {
  /** absolute, '/' separators */
  readonly path: string;
  /** @param below path in it, '/' separators; folders are made */
  write(below: string, text: string): Promise<void>;
  /** with all that is in it */
  remove(): Promise<void>;
}

/** @param path absolute, native: nothing is there yet */
export async function newScratchFolder(path: string): Promise<ScratchFolder> {
  await makePrivateFolder(path);
  return {
    path: withSlashes(path),
    async write(below, text) {
      const file = join(path, below);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { mode: 0o600 });
    },
    remove: () => removeFolder(path),
  };
}
