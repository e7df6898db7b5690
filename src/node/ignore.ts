/** Ignore files on disk (shared/ignore.ts says what they mean). */
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { IGNORE_FILES, type IgnoreLevel, ignoreLevel, isIgnored } from "../shared/ignore";
import { errno, isMissing } from "./errno";
import { withSlashes } from "./paths";

/** What is ignored below one folder. Read anew for each question: ignore files change while an agent works. */
export class IgnoreRules {
  private constructor(private readonly levels: readonly IgnoreLevel[]) {}

  /** @param folder absolute, native */
  static async at(folder: string): Promise<IgnoreRules> {
    const folders: string[] = [];
    for (let at = folder; ; at = dirname(at)) {
      folders.push(at);
      if (dirname(at) === at) break;
    }
    return new IgnoreRules(await Promise.all(folders.map(readLevel)));
  }

  /** @param path absolute, '/' separators, in the folder */
  ignores(path: string, isFolder: boolean): boolean {
    return isIgnored(this.levels, path, isFolder);
  }
}

async function readLevel(folder: string): Promise<IgnoreLevel> {
  const [hasGit, ...texts] = await Promise.all([
    exists(join(folder, ".git")),
    ...IGNORE_FILES.map(({ file }) => readIfThere(join(folder, file))),
  ]);
  return ignoreLevel(withSlashes(folder), hasGit, texts);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error) || errno(error) === "EACCES") return false;
    throw error;
  }
}

/** What can't be read ignores nothing, as with ripgrep. */
async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error) || ["EACCES", "EISDIR", "EPERM"].includes(errno(error))) return "";
    throw error;
  }
}
