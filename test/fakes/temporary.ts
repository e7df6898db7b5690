/** Folders for tests to work in, which are gone when the tests are: also when one failed, and after the last that used them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const made: string[] = [];

/**
 * A new folder in the temporary one, removed when this process ends. What is large, or counts what is there, removes it itself.
 * @param name what stands in its name, so that one that is left tells whose it is
 * @returns its path, without links in it
 */
export function temporaryFolder(name: string): string {
  if (made.length === 0) process.once("exit", removeAll);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `strata-${name}-`)));
  made.push(folder);
  return folder;
}

/** A file with the folders that it lies in. */
export function putFile(path: string, content: string | Uint8Array, mode?: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { ...(mode !== undefined && { mode }) });
}

function removeAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
