/**
 * What a search meets by links: a file elsewhere in the workspace is told once, under the link's path; what a link outside leads to
 * is not, since nobody was asked about it.
 */
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FileRef, GrepLine, Root } from "../core/ground/ports";
import { escapeGlob } from "../shared/glob";
import { isWithin } from "../shared/paths";
import { fileRef, withSlashes } from "./paths";

/** Lines of files that may be told under their own names yet. */
const MAX_HELD = 20_000;

export class SearchedLinks {
  /** a folder below the one that is searched → where it is; undefined: nowhere that is searched */
  private readonly folders = new Map<string, string | undefined>();
  private readonly told = new Set<string>();
  private readonly held = new Map<string, GrepLine[]>();
  private count = 0;

  /** @param folder absolute, its own links followed, '/' separators */
  constructor(
    private readonly folder: string,
    private readonly roots: readonly Root[],
  ) {}

  /** Where a file below the folder really is; the same where no link leads there; undefined: outside, or nowhere. */
  real(below: string): string | undefined {
    return this.find(below)?.real;
  }

  /** The same, with the time of its last change: the one look at a file tells both. */
  find(below: string): { real: string; mtime: number } | undefined {
    const path = `${this.folder.replace(/\/$/, "")}/${below}`;
    return this.at(this.folderOf(dirname(path)), basename(path));
  }

  isOwn = (below: string, real: string): boolean => real === `${this.folder.replace(/\/$/, "")}/${below}`;

  private refOf = (real: string): FileRef => fileRef(this.roots, real);

  /** The file is told under this real path; false: it was already. */
  tell(real: string): boolean {
    const isNew = !this.told.has(real);
    this.told.add(real);
    return isNew;
  }

  /** A line of a file that a link leads to waits: the file may come under its own name. */
  hold(real: string, line: GrepLine): void {
    this.count += 1;
    if (this.count > MAX_HELD || this.told.has(real)) return;
    const lines = this.held.get(real) ?? [];
    // One link is enough.
    if (lines[0] && lines[0].path !== line.path) return;
    lines.push({ ...line, file: this.refOf(real) });
    this.held.set(real, lines);
  }

  /** Lines of files that did not come under their own names. */
  *left(): Generator<GrepLine> {
    for (const [real, lines] of this.held) if (this.tell(real)) yield* lines;
  }

  private folderOf(path: string): string | undefined {
    if (path.length <= this.folder.length) return this.folder;
    if (!this.folders.has(path)) this.folders.set(path, this.at(this.folderOf(dirname(path)), basename(path))?.real);
    return this.folders.get(path);
  }

  private at(folder: string | undefined, name: string): { real: string; mtime: number } | undefined {
    if (folder === undefined) return undefined;
    const path = `${folder.replace(/\/$/, "")}/${name}`;
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (!stats?.isSymbolicLink()) return stats && { real: path, mtime: stats.mtimeMs };
      const real = this.within(realpathSync.native(path));
      return real === undefined ? undefined : { real, mtime: statSync(real).mtimeMs };
    } catch {
      return undefined;
    }
  }

  private within(native: string): string | undefined {
    const real = withSlashes(native);
    return [this.folder, ...this.roots.map(root => root.path)].some(each => isWithin(each, real)) ? real : undefined;
  }
}

/** Globs that keep a search out of what links right in the folder lead to outside: it may be a whole disk. Relative to `cwd`. */
export function linksOutside(folder: string, prefix: string, roots: readonly Root[]): string[] {
  const isOutside = (name: string) => {
    try {
      const real = withSlashes(realpathSync.native(join(folder, name)));
      return (
        statSync(real).isDirectory() && ![folder, ...roots.map(root => root.path)].some(each => isWithin(each, real))
      );
    } catch {
      return false;
    }
  };
  try {
    const links = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isSymbolicLink());
    const front = prefix.split("/").slice(1).map(escapeGlob);
    return links.filter(({ name }) => isOutside(name)).map(({ name }) => `!/${[...front, escapeGlob(name)].join("/")}`);
  } catch {
    return [];
  }
}
