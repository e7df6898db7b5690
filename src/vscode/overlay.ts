/**
 * Lines found in unsaved text, put into the engine's stream where it would give them if that text were on disk. Pure.
 */
import type { GrepLine } from "../core/ports";

type OnLine = (line: GrepLine) => boolean | undefined;

/**
 * Takes the engine's lines of what is on disk, file by file, and gives those that count. Where the engine goes by path, so does
 * what comes out; where it searches files side by side, their order is the engine's, and a file of which only the unsaved
 * text has hits stands before the first one that comes after it by path.
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
    private readonly onLine: OnLine,
  ) {
    const files = new Map<string, GrepLine[]>();
    for (const line of found) {
      const lines = files.get(line.path);
      if (lines) lines.push(line);
      else files.set(line.path, [line]);
    }
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
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at += 1) {
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
