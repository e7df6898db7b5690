/**
 * Searching what is on no disk of this machine: folders of other file systems, file by file, and documents that were never
 * saved. The same ignore files and exclude settings count as with ripgrep; a folder too large to be walked is refused.
 */
import * as vscode from "vscode";
import {
  type Clock,
  type FileRef,
  type Files,
  type GrepLine,
  type GrepQuery,
  type Patterns,
  type Root,
  type Search,
  SearchError,
} from "../../core/ground/ports";
import { unlessFileError } from "../../core/ground/ports/files";
import type { PathTest } from "../../shared/glob";
import { IGNORE_FILES, type IgnoreLevel, ignoreLevel, isIgnored } from "../../shared/ignore";
import { innermostRoot, pathBelow } from "../../shared/paths";
import { isUntitled } from "../editor/documents";
import { listEntries, rootName } from "../files/storedFiles";
import { pathTest, textSearch } from "./textSearch";

interface VirtualSearchDeps {
  files: Pick<Files, "stat" | "read"> & { readonly roots: readonly Root[] };
  /** globs, relative to each root (`files.exclude`) */
  excludes(): readonly string[];
  patterns: Patterns;
  clock: Clock;
  /** at most so many files are walked */
  most?: number;
}

const MAX_BYTES = 2_000_000;
const READS_AT_ONCE = 16;

export class VirtualSearch implements Search {
  private readonly walked: VirtualWalk;

  constructor(private readonly deps: VirtualSearchDeps) {
    this.walked = new VirtualWalk({ ...deps, roots: () => deps.files.roots });
  }

  async grep(query: GrepQuery, onLine: (line: GrepLine) => boolean | undefined, signal: AbortSignal): Promise<void> {
    const search = textSearch(query, this.deps.patterns, this.deps.clock);
    signal.throwIfAborted();
    const { ref } = query;
    for (const group of chunks((await this.isFolder(ref)) ? await this.below(ref, search.wants, signal) : [ref])) {
      const texts = await Promise.all(group.map(file => this.textOf(file)));
      for (const [index, text] of texts.entries()) {
        // A file may take long, and the editor's own process searches: others get their turn, Stop too.
        await new Promise(resolve => setImmediate(resolve));
        signal.throwIfAborted();
        const path = group[index]?.path ?? "";
        const lines = text === undefined ? [] : search.linesOf(text, path);
        for (const line of lines) if (onLine(line) === false) return;
      }
    }
  }

  async glob(ref: FileRef, pattern: string, signal: AbortSignal): Promise<{ path: string; mtime: number }[]> {
    const wants = pathTest(pattern);
    signal.throwIfAborted();
    if (!(await this.isFolder(ref))) throw new SearchError(`${ref.path} is a file; name the folder to look in.`);
    const files: { path: string; mtime: number }[] = [];
    for (const group of chunks(await this.below(ref, wants, signal))) {
      files.push(...(await Promise.all(group.map(withMtime))).flat());
      signal.throwIfAborted();
    }
    return files.sort((a, b) => b.mtime - a.mtime || (a.path < b.path ? -1 : 1));
  }

  ignored: Search["ignored"] = (...query) => this.walked.ignored(...query);

  private async isFolder(ref: FileRef): Promise<boolean> {
    if (isUntitled(ref)) return false;
    const stat = await this.deps.files.stat(ref);
    if (!stat) throw new SearchError(`There is no ${ref.path} to search.`);
    return stat.type === "directory";
  }

  private async below(ref: FileRef, wants: PathTest, signal: AbortSignal): Promise<FileRef[]> {
    const found = (await this.walked.files(ref, signal)).filter(({ below }) => wants(below));
    return found.map(({ uri, below }) => ({
      ...ref,
      uri: uri.toString(),
      absolute: rootName(uri),
      path: pathBelow(ref.path, below),
    }));
  }

  /** undefined: it is gone, too large or no text */
  private async textOf(ref: FileRef): Promise<string | undefined> {
    const file = await unlessFileError(this.deps.files.read(ref, MAX_BYTES), undefined);
    return file?.kind === "text" ? file.text : undefined;
  }
}

function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += READS_AT_ONCE) yield items.slice(at, at + READS_AT_ONCE);
}

/** None: gone since it was found. */
async function withMtime({ path, uri }: FileRef): Promise<{ path: string; mtime: number }[]> {
  try {
    return [{ path, mtime: (await vscode.workspace.fs.stat(vscode.Uri.parse(uri))).mtime }];
  } catch {
    return [];
  }
}

/** Each place is searched by what reaches it. */
export function routedSearch(disk: Search, elsewhere: Search): Search {
  const of = ({ uri }: FileRef) => (uri.startsWith("file:") ? disk : elsewhere);
  return {
    grep: (query, ...rest) => of(query.ref).grep(query, ...rest),
    glob: (ref, ...rest) => of(ref).glob(ref, ...rest),
    ignored: (folder, ...rest) => of(folder).ignored(folder, ...rest),
  };
}

/** A walk over the network is slow: a larger folder is better named more narrowly. */
const MAX_FILES = 10_000;

interface FolderFile {
  uri: vscode.Uri;
  /** below the folder that is searched */
  below: string;
}

export class VirtualWalk {
  constructor(
    private readonly deps: Pick<VirtualSearchDeps, "excludes" | "most"> & { roots(): readonly Pick<Root, "path">[] },
  ) {}

  async ignored(folder: FileRef, names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    signal.throwIfAborted();
    const uri = vscode.Uri.parse(folder.uri);
    const levels = await this.ignoreLevels(uri);
    const types = new Map(await listEntries(uri));
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
  async files(ref: FileRef, signal: AbortSignal): Promise<FolderFile[]> {
    const found: FolderFile[] = [];
    const most = this.deps.most ?? MAX_FILES;
    const enter = async (folder: vscode.Uri, below: string, levels: readonly IgnoreLevel[]) => {
      signal.throwIfAborted();
      const entries = await listEntries(folder);
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
    return innermostRoot(this.deps.roots(), rootName(uri));
  }
}

const isFolder = (type: vscode.FileType) => type === vscode.FileType.Directory;

async function readIgnoreLevel(folder: vscode.Uri): Promise<IgnoreLevel> {
  const names = new Set((await listEntries(folder)).map(([name]) => name));
  const texts = IGNORE_FILES.map(async ({ file }) =>
    names.has(file.split("/")[0] ?? "") ? readIfThere(vscode.Uri.joinPath(folder, file)) : "",
  );
  return ignoreLevel(rootName(folder), names.has(".git"), await Promise.all(texts));
}

/** No ignore file that somebody wrote has more. */
const MAX_IGNORE_BYTES = 4 * 1024 * 1024;

async function readIfThere(uri: vscode.Uri): Promise<string> {
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > MAX_IGNORE_BYTES) return "";
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return "";
  }
}

/** What the editor hides from lists and searches: globs, relative to each root. Those that depend on a sibling (`when`) are the explorer's affair. */
export function excludedGlobs(): string[] {
  const settings = ["files.exclude", "search.exclude"].map(
    name => vscode.workspace.getConfiguration().get<Record<string, unknown>>(name) ?? {},
  );
  return [...new Set(settings.flatMap(globs => Object.keys(globs).filter(glob => globs[glob] === true)))];
}
