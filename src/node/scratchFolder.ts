/** A folder for a moment: texts that a search needs as files, and that no other user is to read. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withSlashes } from "./paths";
import { makePrivateFolder, removeFolder } from "./privateFolder";

export interface ScratchFolder {
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
