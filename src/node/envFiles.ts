/** The `.env` files and private keys of a workspace, in any of its folders, for their secrets. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { EnvFiles, Logger } from "../core/ground/ports";
import { mapBounded } from "../shared/async";
import { isEnvFile, isKeyFile } from "../shared/envFile";
import { errorMessage } from "../shared/errorMessage";
import { PathCache } from "./disk";
import { decode } from "./encoding";
import { readRegular } from "./readRegular";

/** of all roots together; the nearest come first, and what others made comes last */
const MAX_FOLDERS = 5_000;
/** of those that are made between two looks through the workspace */
const MAX_FRESH = 100;
const MAX_BYTES = 256 * 1024;
const AT_ONCE = 16;
/** Dependencies and folders with a dot (`.venv`): large, and seldom with files of people. */
const LATER = /^(?:\..*|node_modules|bower_components|vendor|venv|__pycache__|target|Pods)$/;

interface EnvFolder {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly later: readonly string[];
}

interface NodeEnvFilesOptions {
  roots(): readonly { path: string }[];
  logger: Logger;
  /** how many folders are looked through */
  maxFolders?: number;
}

export class NodeEnvFiles implements EnvFiles {
  // An unreadable file counts as empty: no tool can read it either.
  private readonly folders = new PathCache<EnvFolder>({ files: [], folders: [], later: [] }, (...failure) =>
    this.unreadable(...failure),
  );
  private readonly texts = new PathCache<string | undefined>(undefined, (...failure) => this.unreadable(...failure));
  /** folders that were made since the workspace was looked through: a program is being set up in them */
  private readonly fresh = new Set<string>();
  private walked = false;
  /** the first folder beyond the limit */
  private beyond: string | undefined;

  constructor(private readonly options: NodeEnvFilesOptions) {}

  async read(scope: "workspace" | "known"): Promise<string[]> {
    const paths = scope === "workspace" ? await this.find() : await this.lookAgain();
    const texts = await mapBounded(paths, AT_ONCE, path => this.texts.get(path, () => readText(path)));
    return texts.filter(text => text !== undefined);
  }

  private async find(): Promise<string[]> {
    const files: string[] = [];
    let level = this.options.roots().map(root => root.path);
    let later: string[] = [];
    let room = this.options.maxFolders ?? MAX_FOLDERS;
    this.fresh.clear();
    this.walked = true;
    while (level.length > 0 && room > 0) {
      const looked = level.slice(0, room);
      const found = await mapBounded(looked, AT_ONCE, path => this.folders.get(path, () => list(path)));
      room -= found.length;
      for (const folder of found) for (const file of folder.files) files.push(file);
      const next = [...level.slice(looked.length), ...found.flatMap(folder => folder.folders)];
      later = [...later, ...found.flatMap(folder => folder.later)];
      level = next.length > 0 ? next : later.splice(0);
    }
    this.endedAt(level[0] ?? later[0]);
    return files;
  }

  /** Told once for each place. */
  private endedAt(path: string | undefined): void {
    if (path !== undefined && path !== this.beyond)
      this.options.logger.log("warning", "too many folders to look through all for secrets", { first: path });
    this.beyond = path;
  }

  /** Where files were, and in what was made below those folders and the roots since. */
  private async lookAgain(): Promise<string[]> {
    const withFiles = [...this.folders.known].filter(([, { value }]) => value.files.length > 0).map(([path]) => path);
    // Folders of one level became known in the order in which the disk answered.
    const paths = [...new Set([...this.options.roots().map(root => root.path), ...withFiles.sort(), ...this.fresh])];
    const files: string[] = [];
    for (let level = paths; level.length > 0; ) {
      const found = await mapBounded(level, AT_ONCE, path => this.folders.get(path, () => list(path)));
      for (const folder of found) for (const file of folder.files) files.push(file);
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

async function list(path: string): Promise<EnvFolder> {
  const entries = await readdir(path, { withFileTypes: true });
  const names = (fits: (entry: Dirent) => boolean) =>
    entries
      .filter(fits)
      .map(({ name }) => join(path, name))
      .sort();
  return {
    files: names(entry => !entry.isDirectory() && (isEnvFile(entry.name) || isKeyFile(entry.name))),
    folders: names(entry => entry.isDirectory() && !LATER.test(entry.name)),
    // Of a repository's own folder nothing is anybody's file.
    later: names(entry => entry.isDirectory() && LATER.test(entry.name) && entry.name.toLowerCase() !== ".git"),
  };
}

async function readText(path: string): Promise<string | undefined> {
  const bytes = await readRegular(path, MAX_BYTES);
  return bytes && (await decode(bytes))?.text;
}
