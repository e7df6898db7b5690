/**
 * Searching what is on no disk of this machine: folders of other file systems, file by file, and documents that were never
 * saved. The same ignore files and exclude settings count as with ripgrep; a folder too large to be walked is refused.
 */
import * as vscode from "vscode";
import {
  FileError,
  type FileRef,
  type Files,
  type GrepLine,
  type GrepQuery,
  type Patterns,
  type Root,
  type Search,
  SearchError,
} from "../core/ports";
import { pathTest, textSearch } from "./textSearch";
import { isUntitled } from "./untitled";
import { rootName } from "./virtualFiles";
import { VirtualWalk } from "./virtualWalk";

export interface VirtualSearchDeps {
  files: Pick<Files, "stat" | "read"> & { readonly roots: readonly Root[] };
  /** globs, relative to each root (`files.exclude`) */
  excludes(): readonly string[];
  patterns: Patterns;
  /** at most so many files are walked */
  most?: number;
}

const MAX_BYTES = 2_000_000;
const READS_AT_ONCE = 16;

export class VirtualSearch implements Search {
  private readonly walked: VirtualWalk;

  constructor(private readonly deps: VirtualSearchDeps) {
    const { excludes, most } = deps;
    this.walked = new VirtualWalk({ roots: () => deps.files.roots, excludes, ...(most !== undefined && { most }) });
  }

  async grep(query: GrepQuery, onLine: (line: GrepLine) => boolean | undefined, signal: AbortSignal): Promise<void> {
    const search = textSearch(query, this.deps.patterns);
    signal.throwIfAborted();
    const { ref } = query;
    const single = isUntitled(ref) || (await this.kindOf(ref)) !== "directory";
    const found = single
      ? undefined
      : (await this.walked.files(ref, signal)).filter(({ below }) => search.wants(below));
    const refs = found?.map(({ uri, below }) => ({
      ...ref,
      uri: uri.toString(),
      absolute: rootName(uri),
      path: pathBelow(ref, below),
    }));
    for (const group of chunks(refs ?? [ref])) {
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
    if (isUntitled(ref) || (await this.kindOf(ref)) !== "directory") {
      throw new SearchError(`${ref.path} is a file; name the folder to look in.`);
    }
    const found = (await this.walked.files(ref, signal)).filter(({ below }) => wants(below));
    const files: { path: string; mtime: number }[] = [];
    for (const group of chunks(found)) {
      const times = await Promise.all(group.map(({ uri }) => fileMtime(uri)));
      signal.throwIfAborted();
      for (const [index, { below }] of group.entries()) {
        const mtime = times[index];
        if (mtime !== undefined) files.push({ path: pathBelow(ref, below), mtime });
      }
    }
    return files.sort((a, b) => b.mtime - a.mtime || (a.path < b.path ? -1 : 1));
  }

  ignored(folder: FileRef, names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    return this.walked.ignored(folder, names, signal);
  }

  private async kindOf(ref: FileRef): Promise<string> {
    const stat = await this.deps.files.stat(ref);
    if (!stat) throw new SearchError(`There is no ${ref.path} to search.`);
    return stat.type;
  }

  /** undefined: it is gone, too large or no text */
  private async textOf(ref: FileRef): Promise<string | undefined> {
    try {
      const file = await this.deps.files.read(ref, MAX_BYTES);
      return file.kind === "text" ? file.text : undefined;
    } catch (error) {
      if (error instanceof FileError) return undefined;
      throw error;
    }
  }
}

/** The name for people of something below a folder. */
function pathBelow({ path }: FileRef, below: string): string {
  if (path === ".") return below;
  if (path.endsWith(":.")) return path.slice(0, -1) + below;
  return path.endsWith("/") ? path + below : `${path}/${below}`;
}

function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += READS_AT_ONCE) yield items.slice(at, at + READS_AT_ONCE);
}

/** undefined: gone since it was found */
async function fileMtime(uri: vscode.Uri): Promise<number | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).mtime;
  } catch {
    return undefined;
  }
}

/** Each place is searched by what reaches it. */
export class RoutedSearch implements Search {
  constructor(
    private readonly disk: Search,
    private readonly elsewhere: Search,
  ) {}

  grep(query: GrepQuery, onLine: (line: GrepLine) => boolean | undefined, signal: AbortSignal): Promise<void> {
    return this.of(query.ref).grep(query, onLine, signal);
  }

  glob(ref: FileRef, pattern: string, signal: AbortSignal): Promise<{ path: string; mtime: number }[]> {
    return this.of(ref).glob(ref, pattern, signal);
  }

  ignored(folder: FileRef, names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    return this.of(folder).ignored(folder, names, signal);
  }

  private of(ref: FileRef): Search {
    return ref.uri.startsWith("file:") ? this.disk : this.elsewhere;
  }
}
