/** What in the folders of a workspace is secret or protected: looked for anew before each command, and cheaply. */
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isEnvExample, isEnvFile } from "../../shared/envFile";
import { isProtectedName } from "./places";

/** folders below a root */
const DEPTH = 5;
/** of all roots; the nearest come first */
const MAX_FOLDERS = 1_500;
/** What others made, and folders with a dot: large, and not where people put what is looked for. */
const PASSED_OVER = /^(?:\..*|node_modules|bower_components|vendor|venv|__pycache__|target|Pods)$/;

interface Folder {
  mtime: bigint;
  folders: readonly string[];
  env: readonly string[];
  guarded: readonly string[];
}

interface Found {
  /** `.env` files */
  env: string[];
  /** what is protected, and exists */
  guarded: string[];
}

export class WorkspaceScan {
  private readonly known = new Map<string, Folder>();

  /** A folder whose names have not changed is not read again: a look at 1,000 of them takes some milliseconds. */
  look(roots: readonly string[]): Found {
    const found: Found = { env: [], guarded: [] };
    const seen = new Set<string>();
    let level = [...roots];
    for (let depth = 0; depth <= DEPTH && level.length > 0; depth += 1) {
      const next: string[] = [];
      for (const path of level) {
        if (seen.size >= MAX_FOLDERS) break;
        if (seen.has(path)) continue;
        seen.add(path);
        const folder = this.folder(path);
        if (!folder) continue;
        found.env.push(...folder.env);
        found.guarded.push(...folder.guarded);
        next.push(...folder.folders);
      }
      level = next;
    }
    for (const path of this.known.keys()) if (!seen.has(path)) this.known.delete(path);
    return found;
  }

  private folder(path: string): Folder | undefined {
    try {
      const { mtimeNs: mtime } = lstatSync(path, { bigint: true });
      const known = this.known.get(path);
      if (known?.mtime === mtime) return known;
      const folder = readFolder(path, mtime);
      this.known.set(path, folder);
      return folder;
    } catch {
      // gone, or not ours to read: then a command cannot read it either
      return undefined;
    }
  }
}

function readFolder(path: string, mtime: bigint): Folder {
  const entries = readdirSync(path, { withFileTypes: true });
  const pathOf = ({ name }: Dirent) => join(path, name);
  return {
    mtime,
    folders: entries.filter(entry => entry.isDirectory() && !PASSED_OVER.test(entry.name)).map(pathOf),
    env: entries
      .filter(entry => !entry.isDirectory() && isEnvFile(entry.name) && !isEnvExample(entry.name))
      .map(pathOf),
    guarded: entries.filter(({ name }) => isProtectedName(name)).map(pathOf),
  };
}
