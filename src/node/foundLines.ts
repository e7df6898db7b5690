/** Between what ripgrep prints and who asked: which files count, under which names, and which have to be read in another way. */
import type { GrepLine, GrepQuery } from "../core/ground/ports";
import type { PathTest } from "../shared/glob";
import { pathBelow } from "../shared/paths";
import type { SearchedLinks } from "./searchedLinks";

interface LineSearch {
  query: GrepQuery;
  /** the path below the folder that is searched, of one that ripgrep printed; undefined: it is a file that is searched */
  below: ((printed: string) => string) | undefined;
  /** by the path below the folder */
  accepts: PathTest;
  links: SearchedLinks | undefined;
  /** returns false to end the search */
  onLine(line: GrepLine): boolean | undefined;
}

export class FoundLines {
  ended = false;
  /** files that are not UTF-8, as ripgrep printed them: it is to read them again */
  readonly others = new Set<string>();
  private isAgain = false;
  private printed = "";
  /** where it really is, where a link leads there */
  private linked: string | undefined;
  private lines = new Set<number>();
  /** lines of `others` that were plain, and are given */
  private readonly given = new Map<string, Set<number>>();

  constructor(private readonly wanted: LineSearch) {}

  /** From now on `others` are read, each by its encoding. */
  again(): void {
    this.isAgain = true;
  }

  name(printed: string): string | undefined {
    const { query, below, accepts, links } = this.wanted;
    this.printed = printed;
    this.linked = undefined;
    this.lines = new Set();
    if (!this.isAgain && this.others.has(printed)) return undefined;
    if (!below) return query.ref.path;
    const path = below(printed);
    if (!accepts(path)) return undefined;
    if (links) {
      const real = links.real(path);
      if (real === undefined) return undefined;
      if (links.isOwn(path, real)) links.tell(real);
      else this.linked = real;
    }
    return pathBelow(query.ref.path, path);
  }

  line(line: GrepLine, isText: boolean): boolean {
    if (!this.isAgain && (!isText || this.others.has(this.printed))) {
      this.others.add(this.printed);
      this.given.set(this.printed, this.lines);
      return true;
    }
    if (line.line > 0 && this.isAgain && this.given.get(this.printed)?.has(line.line)) return true;
    this.lines.add(line.line);
    if (this.linked === undefined) return this.give(line);
    this.wanted.links?.hold(this.linked, line);
    return true;
  }

  /** Of these only the ASCII was searched. */
  untold(files: readonly string[]): void {
    const { query, below, accepts } = this.wanted;
    for (const printed of files)
      if (!below) query.onUntold?.(query.ref.path);
      else if (accepts(below(printed))) query.onUntold?.(pathBelow(query.ref.path, below(printed)));
  }

  /** What links lead to, and no file was told for. */
  end(): void {
    for (const line of this.wanted.links?.left() ?? []) if (this.ended || !this.give(line)) return;
  }

  private give(line: GrepLine): boolean {
    this.ended = this.wanted.onLine(line) === false;
    return !this.ended;
  }
}
