/**
 * Search that sees unsaved text: what the editor holds is written to a folder of its own, laid out as in the workspace, and
 * searched by the same engine; its lines come where the engine would give them if the text were saved, in the place of those
 * of the files on disk. Unsaved text of a protected file (a .env) is written only when that file itself is searched, which
 * is asked about. It is written as UTF-8: also of a file in an encoding that the engine cannot read, what the editor shows
 * is found.
 */
import { protectedBecause } from "../../core/permissions/policy";
import { type FileRef, type GrepLine, type GrepQuery, isIgnoredBelow, type Search } from "../../core/ports";
import { Overlay } from "../overlay";

/** A folder for one search, that no other user can read. */
export interface Scratch {
  /** absolute, '/' separators */
  readonly path: string;
  /** @param below path in it, '/' separators; folders are made */
  write(below: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

export interface VSCodeSearchDeps {
  disk: Search;
  /** The same engine without any rules of what is ignored: what it gets to see was chosen by `disk`'s. */
  engine: Pick<Search, "grep">;
  /** what the editor holds unsaved, by the files on disk that it shows */
  files: { unsavedTexts(): Promise<readonly { ref: FileRef; text: string }[]> };
  newScratch(): Promise<Scratch>;
  /** absolute folders of Strata's own settings and storage, '/' separators */
  ownFolders: readonly string[];
}

interface Unsaved {
  ref: FileRef;
  text: string;
  /** below the folder that is searched; undefined: it is the file that is searched */
  below: string | undefined;
}

export class VSCodeSearch implements Search {
  constructor(private readonly deps: VSCodeSearchDeps) {}

  async grep(query: GrepQuery, onLine: (line: GrepLine) => boolean | undefined, signal: AbortSignal): Promise<void> {
    const unsaved = await this.unsavedBelow(query.ref, signal);
    if (unsaved.length === 0) return this.deps.disk.grep(query, onLine, signal);
    const found: GrepLine[] = [];
    await this.grepUnsaved(query, unsaved, line => void found.push(line), signal);
    const overlay = new Overlay(new Set(unsaved.map(({ ref }) => ref.path)), found, onLine);
    // One file has nothing on disk that counts; it may not even be there.
    const isOne = unsaved.some(({ below }) => below === undefined);
    if (!isOne) await this.deps.disk.grep(query, overlay.take, signal);
    overlay.end();
  }

  glob(ref: FileRef, pattern: string, signal: AbortSignal): Promise<{ path: string; mtime: number }[]> {
    return this.deps.disk.glob(ref, pattern, signal);
  }

  ignored(folder: FileRef, names: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    return this.deps.disk.ignored(folder, names, signal);
  }

  /** Unsaved texts that the search would reach; of several on one file (through links) the first. */
  private async unsavedBelow(searched: FileRef, signal: AbortSignal): Promise<Unsaved[]> {
    const found = new Map<string, Unsaved>();
    const prefix = searched.absolute.endsWith("/") ? searched.absolute : `${searched.absolute}/`;
    for (const { ref, text } of await this.deps.files.unsavedTexts()) {
      if (found.has(ref.uri)) continue;
      if (ref.uri === searched.uri) found.set(ref.uri, { ref, text, below: undefined });
      else if (ref.absolute.startsWith(prefix) && !this.isProtected(ref)) {
        const below = ref.absolute.slice(prefix.length);
        if (!(await isIgnoredBelow(this.deps.disk, searched, below, signal))) found.set(ref.uri, { ref, text, below });
      }
    }
    return [...found.values()];
  }

  /** By what the file is: that it lies outside the workspace was asked about with the search. */
  private isProtected(ref: FileRef): boolean {
    const relative = ref.inside ? ref.relative : ref.absolute;
    return protectedBecause({ ...ref, inside: true, relative }, this.deps.ownFolders) !== undefined;
  }

  private async grepUnsaved(
    query: GrepQuery,
    unsaved: readonly Unsaved[],
    onLine: (line: GrepLine) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const scratch = await this.deps.newScratch();
    try {
      let place = scratch.path;
      for (const { ref, text, below } of unsaved) {
        const name = below ?? ref.absolute.slice(ref.absolute.lastIndexOf("/") + 1);
        await scratch.write(name, text);
        if (below === undefined) place = `${scratch.path}/${name}`;
      }
      const takeAll = (line: GrepLine) => {
        onLine(line);
        return true;
      };
      await this.deps.engine.grep({ ...query, ref: { ...query.ref, absolute: place } }, takeAll, signal);
    } finally {
      await scratch.remove();
    }
  }
}
