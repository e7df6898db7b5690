/**
 * Search that sees unsaved text: unsaved files are written, as UTF-8, to a folder laid out as the workspace and searched by the
 * same engine. Their lines replace those of the files on disk. Unsaved text of a protected file (a .env) is written only
 * when that file itself is searched, since that is asked about.
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
    const overlay = new Overlay(new Set(unsaved.map(({ ref }) => ref.path)), found, onLine);
    // One file has nothing on disk that counts; it may not even be there.
    const isOne = unsaved.some(({ below }) => below === undefined);
    if (!isOne) await this.deps.disk.grep(query, overlay.take, signal);
    overlay.end();
  }

  glob: Search["glob"] = (...query) => this.deps.disk.glob(...query);

  globIgnored: Search["globIgnored"] = async (...query) =>
    (await this.deps.disk.globIgnored?.(...query)) ?? { count: 0 };

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

  private async grepUnsaved(
    query: GrepQuery,
    unsaved: readonly UnsavedText[],
    signal: AbortSignal,
  ): Promise<GrepLine[]> {
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

/**
 * Merges lines found in unsaved text into the engine's stream of lines on disk, file by file. Pure. Keeps the engine's order
 * by path; a file with hits only in its unsaved text comes before the next one by path.
 */
export class Overlay {
  /** of each unsaved file with hits its lines, by path; the next one is the last */
  private readonly waiting: { path: string; lines: GrepLine[] }[];
  private path: string | undefined;
  private isStandIn = false;
  private enough = false;

  /**
   * @param unsaved paths of all files of which the editor has unsaved text: lines of these on disk do not count
   * @param found lines of the unsaved texts, those of a file together
   */
  constructor(
    private readonly unsaved: ReadonlySet<string>,
    found: readonly GrepLine[],
    private readonly onLine: (line: GrepLine) => boolean | undefined,
  ) {
    const files = Map.groupBy(found, ({ path }) => path);
    this.waiting = [...files].map(([path, lines]) => ({ path, lines })).sort((a, b) => comparePaths(b.path, a.path));
  }

  /** The next line of what is on disk; false: enough. */
  readonly take = (line: GrepLine): boolean => {
    if (line.path !== this.path) this.enter(line.path);
    if (this.enough) return false;
    if (!this.isStandIn) this.give(line);
    return !this.enough;
  };

  /** The engine is done: what has not been given yet. */
  end(): void {
    for (let next = this.waiting.pop(); next && !this.enough; next = this.waiting.pop()) this.giveAll(next.lines);
  }

  private enter(path: string): void {
    this.path = path;
    this.isStandIn = this.unsaved.has(path);
    for (let next = this.waiting.at(-1); next && comparePaths(next.path, path) <= 0; next = this.waiting.at(-1)) {
      this.waiting.pop();
      this.giveAll(next.lines);
    }
  }

  private giveAll(lines: readonly GrepLine[]): void {
    for (const line of lines) this.give(line);
  }

  private give(line: GrepLine): void {
    if (!this.enough) this.enough = this.onLine(line) === false;
  }
}

/** As ripgrep sorts paths: folder by folder, names by their code points. */
export function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  for (let at = 0; at < left.length && at < right.length; at += 1) {
    const order = compareNames(left[at] ?? "", right[at] ?? "");
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareNames(a: string, b: string): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const order = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Halves of surrogate pairs stand for the highest code points. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
