/** The `.env` files and private keys of a workspace: in its roots and a few folders deep, for what is secret in them. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { EnvFiles, Logger, Root } from "../core/ports";
import { mapBounded } from "../shared/async";
import { isEnvFile, isKeyFile } from "../shared/envFile";
import { errorMessage } from "../shared/errorMessage";
import { PathCache } from "./disk";
import { decode } from "./encoding";
import { readRegular } from "./readRegular";

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
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

interface NodeEnvFilesOptions {
  roots(): readonly Pick<Root, "path">[];
  logger: Pick<Logger, "log">;
}

export class NodeEnvFiles implements EnvFiles {
  // What cannot be read is taken for empty: no tool can read what is in it either.
  private readonly folders = new PathCache<Folder>({ files: [], folders: [] }, (...failure) =>
    this.unreadable(...failure),
  );
  private readonly texts = new PathCache<string | undefined>(undefined, (...failure) => this.unreadable(...failure));
  /** folders that were made since the workspace was looked through: a program is being set up in them */
  private readonly fresh = new Set<string>();
  private walked = false;

  constructor(private readonly options: NodeEnvFilesOptions) {}

  async read(scope: "workspace" | "known"): Promise<string[]> {
    const paths = scope === "workspace" ? await this.find() : await this.lookAgain();
    const texts = await mapBounded(paths, AT_ONCE, path => this.texts.get(path, () => readText(path)));
    return texts.filter(text => text !== undefined);
  }

  private async find(): Promise<string[]> {
    const files: string[] = [];
    let level = this.options.roots().map(root => root.path);
    let room = MAX_FOLDERS;
    this.fresh.clear();
    this.walked = true;
    for (let depth = 0; depth <= DEPTH && level.length > 0; depth += 1) {
      const found = await mapBounded(level.slice(0, room), AT_ONCE, path => this.folders.get(path, () => list(path)));
      room -= found.length;
      files.push(...found.flatMap(folder => folder.files));
      level = found.flatMap(folder => folder.folders);
    }
    return files;
  }

  /** Where files were, and in what was made below those folders and the roots since. */
  private async lookAgain(): Promise<string[]> {
    const withFiles = [...this.folders.known].filter(([, { value }]) => value.files.length > 0).map(([path]) => path);
    // Folders of one level became known in the order in which the disk answered.
    const paths = [...new Set([...this.options.roots().map(root => root.path), ...withFiles.sort(), ...this.fresh])];
    const files: string[] = [];
    for (let level = paths, depth = 0; depth <= DEPTH && level.length > 0; depth += 1) {
      const found = await mapBounded(level, AT_ONCE, path => this.folders.get(path, () => list(path)));
      files.push(...found.flatMap(folder => folder.files));
      const made = found.flatMap(({ folders }) => folders).filter(path => !this.folders.known.has(path));
      level = this.walked ? made.slice(0, MAX_FRESH - this.fresh.size) : [];
      for (const path of level) this.fresh.add(path);
    }
    return files;
  }

  private unreadable(path: string, error: unknown): void {
    this.options.logger.log("debug", "not looked through for secrets", { path, reason: errorMessage(error) });
  }
}

async function list(path: string): Promise<Folder> {
  const entries = await readdir(path, { withFileTypes: true });
  const names = (fits: (entry: Dirent) => boolean) =>
    entries
      .filter(fits)
      .map(({ name }) => join(path, name))
      .sort();
  return {
    files: names(entry => !entry.isDirectory() && (isEnvFile(entry.name) || isKeyFile(entry.name))),
    folders: names(entry => entry.isDirectory() && !PASSED_OVER.test(entry.name)),
  };
}

async function readText(path: string): Promise<string | undefined> {
  const bytes = await readRegular(path, MAX_BYTES);
  return bytes && decode(bytes)?.text;
}
