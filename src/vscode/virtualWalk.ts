/** What is in folders on no disk of this machine: the same ignore files and exclude settings count as with ripgrep. */
import * as vscode from "vscode";
import { type FileRef, type Root, SearchError } from "../core/ports";
import { IGNORE_FILES, type IgnoreLevel, ignoreLevel, isIgnored } from "../shared/ignore";
import { pathTest } from "./textSearch";
import { rootName } from "./virtualFiles";

export interface VirtualWalkDeps {
  roots(): readonly Pick<Root, "path">[];
  /** globs, relative to each root (`files.exclude`) */
  excludes(): readonly string[];
  /** at most so many files are walked */
  most?: number;
}

/** A walk over the network is slow: a larger folder is better named more narrowly. */
const MAX_FILES = 10_000;

export interface Found {
  uri: vscode.Uri;
  /** below the folder that is searched */
  below: string;
}

export class VirtualWalk {
  constructor(private readonly deps: VirtualWalkDeps) {}

  async ignored(folder: FileRef, names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    signal.throwIfAborted();
    const uri = vscode.Uri.parse(folder.uri);
    const levels = await this.ignoreLevels(uri);
    const types = new Map(await readEntries(uri));
    signal.throwIfAborted();
    const isHidden = this.hides(uri, levels);
    return new Set(
      names.filter(given => {
        const name = given.replace(/\/$/, "");
        return isHidden(name, name !== given || isFolder(types.get(name) ?? 0));
      }),
    );
  }

  /** Files below a folder that are not ignored, in the order of their paths. Rejects with SearchError where they are too many. */
  async files(ref: FileRef, signal: AbortSignal): Promise<Found[]> {
    const found: Found[] = [];
    const most = this.deps.most ?? MAX_FILES;
    const enter = async (folder: vscode.Uri, below: string, levels: readonly IgnoreLevel[]) => {
      signal.throwIfAborted();
      const entries = await readEntries(folder);
      const isHidden = this.hides(folder, levels);
      for (const [name, type] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (isHidden(name, isFolder(type))) continue;
        const uri = vscode.Uri.joinPath(folder, name);
        if (isFolder(type)) await enter(uri, `${below}${name}/`, [await readIgnoreLevel(uri), ...levels]);
        // Links are not followed: nothing says where they lead, and they may lead round in a circle.
        else if (type === vscode.FileType.File) found.push({ uri, below: below + name });
        if (found.length > most) {
          throw new SearchError(
            `${ref.path} has more than ${most} files and is on no disk of this machine: name a folder below it.`,
          );
        }
      }
    };
    const top = vscode.Uri.parse(ref.uri);
    await enter(top, "", await this.ignoreLevels(top));
    return found;
  }

  /** Of a folder and of those above it, up to its root; the nearest first. */
  private async ignoreLevels(folder: vscode.Uri): Promise<IgnoreLevel[]> {
    const top = this.findRoot(folder)?.path ?? rootName(folder);
    const folders: vscode.Uri[] = [];
    for (let at = folder; ; at = vscode.Uri.joinPath(at, "..")) {
      folders.push(at);
      if (rootName(at) === top || at.path === "/") break;
    }
    return Promise.all(folders.map(readIgnoreLevel));
  }

  /** Whether a name in a folder is hidden, by its ignore files and the editor's settings. */
  private hides(folder: vscode.Uri, levels: readonly IgnoreLevel[]): (name: string, isFolder: boolean) => boolean {
    const excludes = this.deps.excludes().map(pathTest);
    const absolute = rootName(folder).replace(/\/$/, "");
    const root = (this.findRoot(folder)?.path ?? absolute).replace(/\/$/, "");
    return (name, isFolder) => {
      const path = `${absolute}/${name}`;
      const below = path.slice(root.length + 1);
      return name === ".git" || excludes.some(matches => matches(below)) || isIgnored(levels, path, isFolder);
    };
  }

  private findRoot(uri: vscode.Uri): Pick<Root, "path"> | undefined {
    const name = rootName(uri);
    return this.deps
      .roots()
      .filter(({ path }) => name === path || name.startsWith(path.endsWith("/") ? path : `${path}/`))
      .sort((a, b) => b.path.length - a.path.length)[0];
  }
}

const isFolder = (type: vscode.FileType) => type === vscode.FileType.Directory;

/** A folder that cannot be listed has nothing to search, as with ripgrep. */
async function readEntries(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}

async function readIgnoreLevel(folder: vscode.Uri): Promise<IgnoreLevel> {
  const names = new Set((await readEntries(folder)).map(([name]) => name));
  const texts = IGNORE_FILES.map(async ({ file }) =>
    names.has(file.split("/")[0] ?? "") ? readIfThere(vscode.Uri.joinPath(folder, file)) : "",
  );
  return ignoreLevel(rootName(folder), names.has(".git"), await Promise.all(texts));
}

async function readIfThere(uri: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return "";
  }
}
