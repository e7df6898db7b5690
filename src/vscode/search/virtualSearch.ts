/**
 * Searching what is on no disk of this machine: folders of other file systems, and documents that were never saved. They are
 * copied to a folder of their own, as the editor has them, and searched there by the same engine.
 */
import * as vscode from "vscode";
import { type FileRef, type Files, type Root, type Search, SearchError } from "../../core/ground/ports";
import { unlessFileError } from "../../core/ground/ports/files";
import { protectedBecause } from "../../core/permissions/protectedPaths";
import { mapBounded } from "../../shared/async";
import { fileName, innermostRoot, pathBelow, relativeTo } from "../../shared/paths";
import { isUntitled } from "../editor/documents";
import { walkFolder } from "../files/storedFiles";
import type { VSCodeSearchDeps } from "./unsavedSearch";

interface VirtualSearchDeps extends Pick<VSCodeSearchDeps, "newScratch" | "ownFolders"> {
  files: Pick<Files, "stat" | "read"> & { readonly roots: readonly Root[] };
  /** searches folders on disk; those of `root` are a workspace's */
  engine(root: Root): Search;
  /** at most so many files are copied */
  most?: number;
}

/** A larger file is not searched. */
const MAX_BYTES = 2_000_000;
const READS_AT_ONCE = 16;
/** A copy over the network is slow: a larger folder is better named more narrowly. */
const MAX_FILES = 10_000;
const IGNORE_FILES = [".rgignore", ".ignore", ".gitignore"];
const isIgnoreFile = (path: string) => IGNORE_FILES.includes(fileName(path));

/** Parts of a place that are copied: the text of all files, their names, or nothing; with each the text of ignore files. */
type CopiedPart = "texts" | "names" | "ignored";

export class VirtualSearch implements Search {
  constructor(private readonly deps: VirtualSearchDeps) {}

  grep: Search["grep"] = (query, onLine, signal) =>
    this.inCopy(query.ref, "texts", signal, (engine, ref) => engine.grep({ ...query, ref }, onLine, signal));

  /** Times are those of the copies. */
  glob: Search["glob"] = (folder, pattern, signal) =>
    this.inCopy(folder, "names", signal, (engine, ref) => engine.glob(ref, pattern, signal));

  ignored: Search["ignored"] = (folder, names, signal) =>
    this.inCopy(folder, "ignored", signal, (engine, ref) => engine.ignored(ref, names, signal));

  private async inCopy<T>(
    place: FileRef,
    part: CopiedPart,
    signal: AbortSignal,
    work: (engine: Search, ref: FileRef) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const isFolder = await this.isFolder(place);
    const root = innermostRoot(this.deps.files.roots, place.absolute)?.path ?? place.absolute;
    const below = isFolder ? relativeTo(root, place.absolute) : fileName(place.absolute);
    const scratch = await this.deps.newScratch();
    const copy = async ({ ref, to, text }: CopiedFile) => {
      signal.throwIfAborted();
      const content = text ? await this.textOf(ref, isFolder) : "";
      if (content !== undefined) await scratch.write(to, content);
    };
    try {
      // Ignore files above the copy are not of this workspace.
      await scratch.write(".git/HEAD", "");
      const files = isFolder ? await this.filesOf(place, below, part, signal) : [{ ref: place, to: below, text: true }];
      await mapBounded(files, READS_AT_ONCE, copy);
      const engine = this.deps.engine({ name: "", path: scratch.path, uri: vscode.Uri.file(scratch.path).toString() });
      return await work(engine, { ...place, absolute: [scratch.path, below].filter(Boolean).join("/") });
    } finally {
      await scratch.remove();
    }
  }

  /** @param top the folder's path below its root */
  private async filesOf(place: FileRef, top: string, part: CopiedPart, signal: AbortSignal): Promise<CopiedFile[]> {
    const folder = vscode.Uri.parse(place.uri);
    const files = ignoreFiles(place, folder, top);
    if (part === "ignored") return files;
    const { most = MAX_FILES } = this.deps;
    const tooMany = `${place.path} has more than ${most} files and is on no disk of this machine: name a folder below it.`;
    let count = 0;
    for await (const { uri, below } of walkFolder(folder, signal)) {
      // Those of the folder itself are there already.
      if (IGNORE_FILES.includes(below)) continue;
      const ref = { ...place, uri: uri.toString(), absolute: pathBelow(place.absolute, below) };
      const to = [top, below].filter(Boolean).join("/");
      files.push({ ref: { ...ref, relative: to, path: to }, to, text: part === "texts" || isIgnoreFile(to) });
      count += 1;
      if (count > most) throw new SearchError(tooMany);
    }
    return files;
  }

  private async isFolder(ref: FileRef): Promise<boolean> {
    if (isUntitled(ref)) return false;
    const stat = await this.deps.files.stat(ref);
    if (!stat) throw new SearchError(`There is no ${ref.path} to search.`);
    return stat.type === "directory";
  }

  /** undefined: gone, too large, no text, or protected and not asked for by name: then it is written to no disk */
  private async textOf(ref: FileRef, isFound: boolean): Promise<string | undefined> {
    if (isFound && protectedBecause(ref, this.deps.ownFolders) !== undefined) return undefined;
    const file = await unlessFileError(this.deps.files.read(ref, MAX_BYTES), undefined);
    return file?.kind === "text" ? file.text : undefined;
  }
}

/** `to`: its place in the copy */
type CopiedFile = { ref: FileRef; to: string; text: boolean };

/** Ignore files of the folder and of those above it, up to its root: most are not there. */
function ignoreFiles(place: FileRef, folder: vscode.Uri, top: string): CopiedFile[] {
  const parts = top === "" ? [] : top.split("/");
  return [...parts, ""].flatMap((_, up) => {
    const above = vscode.Uri.joinPath(folder, ...parts.slice(0, up).map(() => ".."));
    const to = parts.slice(0, parts.length - up);
    return IGNORE_FILES.map(name => {
      const uri = vscode.Uri.joinPath(above, name).toString();
      return { ref: { ...place, uri, relative: name }, to: [...to, name].join("/"), text: true };
    });
  });
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

/** What the editor hides from lists and searches: globs, relative to each root. Those that depend on a sibling (`when`) are the explorer's affair. */
export function excludedGlobs(): string[] {
  const settings = ["files.exclude", "search.exclude"].map(
    name => vscode.workspace.getConfiguration().get<Record<string, unknown>>(name) ?? {},
  );
  return [...new Set(settings.flatMap(globs => Object.keys(globs).filter(glob => globs[glob] === true)))];
}
