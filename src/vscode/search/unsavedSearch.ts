/**
 * Search that sees unsaved text: unsaved files are written, as UTF-8, to a folder laid out as the workspace and searched by the
 * same engine. Their lines come first, and replace those of the files on disk. Unsaved text of a protected file (a .env) is written only
 * when that file itself is searched, since that is asked about.
 * ripgrep searches a private copy of unsaved text, whose lines replace the file's own in its stream.
 */

import type { FileRef, GrepLine, GrepQuery, Search } from "../../core/ground/ports";
import { isIgnoredBelow } from "../../core/ground/ports/files";
import { protectedBecause } from "../../core/permissions/protectedPaths";
import { fileName, isBelow, relativeTo } from "../../shared/paths";

/** A folder for one search, that no other user can read. */
interface Scratch {
  /** absolute, '/' separators */
  readonly path: string;
  /** @param below path in it, '/' separators; folders are made */
  write(below: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

export interface VSCodeSearchDeps {
  disk: Search;
  /** The same engine without any rules of what is ignored: what it gets to see was chosen by `disk`'s. */
  engine: Search;
  /** what the editor holds unsaved, by the files on disk that it shows */
  files: { unsavedTexts(): Promise<readonly { ref: FileRef; text: string }[]> };
  newScratch(): Promise<Scratch>;
  /** absolute folders of Strata's own settings and storage, '/' separators */
  ownFolders: readonly string[];
}

interface UnsavedText {
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
    const found = await this.grepUnsaved(query, unsaved, signal);
    for (const line of found) if (onLine(line) === false) return;
    const paths = new Set(unsaved.map(({ ref }) => ref.path));
    // One file has nothing on disk that counts; it may not even be there.
    const isOne = unsaved.some(({ below }) => below === undefined);
    if (!isOne) await this.deps.disk.grep(query, line => paths.has(line.path) || onLine(line), signal);
  }

  glob: Search["glob"] = (...query) => this.deps.disk.glob(...query);

  ignored: Search["ignored"] = (...query) => this.deps.disk.ignored(...query);

  /** Unsaved texts that the search would reach; of several on one file (through links) the first. */
  private async unsavedBelow(searched: FileRef, signal: AbortSignal): Promise<UnsavedText[]> {
    const found = new Map<string, UnsavedText>();
    for (const { ref, text } of await this.deps.files.unsavedTexts()) {
      if (found.has(ref.uri)) continue;
      if (ref.uri === searched.uri) found.set(ref.uri, { ref, text, below: undefined });
      else if (isBelow(searched.absolute, ref.absolute) && !this.isProtected(ref)) {
        const below = relativeTo(searched.absolute, ref.absolute);
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

  private async grepUnsaved(query: GrepQuery, unsaved: readonly UnsavedText[], signal: AbortSignal) {
    const found: GrepLine[] = [];
    const scratch = await this.deps.newScratch();
    try {
      let place = scratch.path;
      for (const { ref, text, below } of unsaved) {
        const name = below ?? fileName(ref.absolute);
        await scratch.write(name, text);
        if (below === undefined) place = `${scratch.path}/${name}`;
      }
      const takeAll = (line: GrepLine) => found.push(line) > 0;
      await this.deps.engine.grep({ ...query, ref: { ...query.ref, absolute: place } }, takeAll, signal);
      return found;
    } finally {
      await scratch.remove();
    }
  }
}
