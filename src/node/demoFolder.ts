/** Where the demo takes place: a copy of the sample project in the system's temporary folder. Strata's own storage is closed to the agent. */
import { realpathSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { ifThere } from "./errno";

const PREFIX = "strata-demo-";
/** What windows and the panel call it. */
const NAME = "invoice-sample";

/** A new copy each time: one that is open in another window stays as it is. */
export async function newDemoFolder(sample: string): Promise<string> {
  const folder = join(await realpath(await mkdtemp(join(tmpdir(), PREFIX))), NAME);
  const files = (await readdir(sample, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile());
  for (const { parentPath, name } of files) {
    const target = join(folder, relative(sample, parentPath), name);
    await mkdir(dirname(target), { recursive: true });
    // Written, not copied: where extensions are installed read-only, a copy would be too.
    await writeFile(target, await readFile(join(parentPath, name)));
  }
  return folder;
}

/** Whether `newDemoFolder` made it, as its place says. Reads the disk only where its name does. */
export function isDemoFolder(path: string): boolean {
  const parent = dirname(path);
  if (basename(path) !== NAME || !/^strata-demo-\w{6}$/.test(basename(parent))) return false;
  return ifThere(() => realpathSync.native(dirname(parent)) === realpathSync.native(tmpdir())) ?? false;
}
