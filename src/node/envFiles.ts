/** The `.env` files of a workspace: in its roots and a few folders deep, for what is secret in them. */
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { EnvFiles, Logger, Root } from "../core/ports";
import { mapBounded } from "../shared/async";
import { isEnvFile } from "../shared/envFile";
import { errorMessage } from "../shared/errorMessage";
import { decode } from "./encoding";
import { isMissing } from "./errno";

/** folders below a root */
const DEPTH = 4;
/** of all roots together; the nearest come first */
const MAX_FOLDERS = 1_000;
/** of those that are made between two looks through the workspace */
const MAX_FRESH = 100;
const MAX_BYTES = 256 * 1024;
const AT_ONCE = 16;
/** What others made, and folders with a dot (`.git`, `.venv`): large, and not where people put secrets. */
const PASSED_OVER = /^(?:\..*|node_modules|bower_components|vendor|venv|__pycache__|target|Pods)$/;

interface Folder {
  version: string;
  files: string[];
  folders: string[];
}

interface NodeEnvFilesOptions {
  roots(): readonly Pick<Root, "path">[];
  logger: Pick<Logger, "log">;
}

export class NodeEnvFiles implements EnvFiles {
  private readonly folders = new Map<string, Folder>();
  private readonly texts = new Map<string, { version: string; text: string }>();
  /** folders that were made since the workspace was looked through: a program is being set up in them */
  private readonly fresh = new Set<string>();
  private walked = false;

  constructor(private readonly options: NodeEnvFilesOptions) {}

  async read(scope: "workspace" | "known"): Promise<string[]> {
    const paths = scope === "workspace" ? await this.find() : await this.lookAgain();
    const texts = await mapBounded(paths, AT_ONCE, path => this.text(path));
    return texts.filter(text => text !== undefined);
  }

  private async find(): Promise<string[]> {
    const files: string[] = [];
    let level = this.options.roots().map(root => root.path);
    let room = MAX_FOLDERS;
    this.fresh.clear();
    this.walked = true;
    for (let depth = 0; depth <= DEPTH && level.length > 0; depth += 1) {
      const found = await mapBounded(level.slice(0, room), AT_ONCE, path => this.list(path));
      room -= found.length;
      files.push(...found.flatMap(folder => folder.files));
      level = found.flatMap(folder => folder.folders);
    }
    return files;
  }

  /** Where files were, and in what was made below those folders and the roots since. */
  private async lookAgain(): Promise<string[]> {
    const withFiles = [...this.folders].filter(([, { files }]) => files.length > 0).map(([path]) => path);
    // Folders of one level became known in the order in which the disk answered.
    const known = withFiles.sort();
    const paths = [...new Set([...this.options.roots().map(root => root.path), ...known, ...this.fresh])];
    const files: string[] = [];
    for (let level = paths, depth = 0; depth <= DEPTH && level.length > 0; depth += 1) {
      const found = await mapBounded(level, AT_ONCE, path => this.list(path));
      files.push(...found.flatMap(folder => folder.files));
      const made = found.flatMap(({ folders }) => folders).filter(path => !this.folders.has(path));
      level = this.walked ? made.slice(0, MAX_FRESH - this.fresh.size) : [];
      for (const path of level) this.fresh.add(path);
    }
    return files;
  }

  /** Empty where it cannot be read: then no tool can read what is in it either. */
  private async list(path: string): Promise<Folder> {
    try {
      const version = folderVersion(await stat(path, { bigint: true }));
      const known = this.folders.get(path);
      if (known?.version === version) return known;
      const entries = await readdir(path, { withFileTypes: true });
      const folder = { version, ...sorted(path, entries) };
      this.folders.set(path, folder);
      return folder;
    } catch (error) {
      this.unreadable(path, error);
      this.folders.delete(path);
      return { version: "", files: [], folders: [] };
    }
  }

  private async text(path: string): Promise<string | undefined> {
    try {
      const stats = await stat(path, { bigint: true });
      if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
      const version = folderVersion(stats);
      const known = this.texts.get(path);
      if (known?.version === version) return known.text;
      const text = decode(await readFile(path))?.text;
      if (text !== undefined) this.texts.set(path, { version, text });
      return text;
    } catch (error) {
      this.unreadable(path, error);
      this.texts.delete(path);
      return undefined;
    }
  }

  private unreadable(path: string, error: unknown): void {
    if (isMissing(error)) return;
    this.options.logger.log("debug", "not looked through for secrets", { path, reason: errorMessage(error) });
  }
}

function sorted(path: string, entries: readonly Dirent[]): Pick<Folder, "files" | "folders"> {
  const names = (fits: (entry: Dirent) => boolean) =>
    entries
      .filter(fits)
      .map(({ name }) => join(path, name))
      .sort();
  return {
    files: names(entry => !entry.isDirectory() && isEnvFile(entry.name)),
    folders: names(entry => entry.isDirectory() && !PASSED_OVER.test(entry.name)),
  };
}

const folderVersion = (stats: { ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }) =>
  [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");
