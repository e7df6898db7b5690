/** The files and folders of a workspace folder, to be found by a few letters of their path. Pure. */
import { canBeMentioned } from "../../shared/mentions/write";
import type { PathEntry, Query } from "./pathScore";
import {
  compose,
  fold,
  isAsciiIn,
  lettersOf,
  match,
  origins,
  parseQuery,
  placePoints,
  points,
  stepPoints,
} from "./pathScore";

export interface Place {
  /** opaque: the workspace folder */
  root: string;
  /** relative to it, with `/`, no `/` at its ends */
  path: string;
}

/** Files that are likely to be meant, beside the typed letters. */
export interface Nearness {
  /** the file the text is in, or the active editor: what lies near it counts more, itself no more than its neighbours */
  current?: Place;
  open: readonly Place[];
  /** newest first */
  recent: readonly Place[];
}

export interface PathMatch extends Place {
  kind: "file" | "folder";
  /** higher is better; compares only with others of the same query */
  score: number;
  /** UTF-16 offsets in `path` that matched, ascending */
  positions: number[];
}

/** No file system has longer paths. */
const MAX_PATH = 4096;
/** The library ranks so many entries of a search: those that a look at their letters finds the most promising. */
const MAX_RANKED = 500;
const RANKS = 5;
interface PathContext {
  /** the current file's folder, with `/` at its end; undefined: there is no current file */
  folder: string | undefined;
  /** points of open and used files, by number of entry */
  liked: ReadonlyMap<number, number>;
}

/** `search` knows no case and no accents; what is open or near is found by its name as the file system has it: NFC or NFD, in any case only with `ignoreCase`. */
export class PathIndex {
  /** of files and, with `/` at their ends, of folders */
  private readonly paths: string[] = [];
  /** the number of each in the list, by how it compares in the file system */
  private readonly ids = new Map<string, number>();
  /** `lettersOf` each path, and `lettersOf` each name */
  private readonly letters: number[] = [];
  private readonly nameLetters: number[] = [];
  /** Of each name its length and, behind that, its first letter: most of a search is decided without looking at texts. */
  private readonly starts: number[] = [];

  constructor(
    private readonly root: string,
    private readonly options: { ignoreCase?: boolean } = {},
  ) {}

  /** What cannot be mentioned (a line break in its name) is left out. @param paths of files, relative to the root, with `/`; their folders are derived */
  add(paths: Iterable<string>): void {
    for (const path of paths) {
      if (path.length > MAX_PATH || !canBeMentioned(path)) continue;
      for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 2) + 1) {
        const each = path.slice(0, end);
        const key = this.keyOf(each);
        // The folders around it are there, too.
        if (this.ids.has(key)) break;
        const name = fold(nameOf(each));
        this.ids.set(key, this.paths.push(each) - 1);
        this.letters.push(lettersOf(fold(each)));
        this.nameLetters.push(lettersOf(name));
        this.starts.push((name.length << 16) | name.charCodeAt(0));
      }
    }
  }

  /** Best first. An empty query gives files that are open, were used recently and lie near the current one. */
  search(typed: string, near: Nearness, limit: number): PathMatch[] {
    const query = parseQuery(typed);
    if (!query) return [];
    const around = this.around(near);
    const found: PathHit[] = [];
    for (const id of this.candidates(query, around)) {
      const entry = this.entry(id);
      const text = query.text === "" ? { score: 0, positions: [] } : match(entry, query);
      if (!text) continue;
      const near = stepPoints(entry.folders, around.folder) + (around.liked.get(id) ?? 0);
      found.push({ id, entry, score: text.score + placePoints(entry, query) + near, positions: text.positions });
    }
    return this.best(found, limit);
  }

  private best(found: PathHit[], limit: number): PathMatch[] {
    const length = ({ folders, name }: PathEntry) => folders.length + name.length;
    const inOrder = (a: PathHit, b: PathHit) => ((this.paths[a.id] ?? "") < (this.paths[b.id] ?? "") ? -1 : 1);
    found.sort((a, b) => b.score - a.score || length(a.entry) - length(b.entry) || inOrder(a, b));
    return found.slice(0, limit).map(({ entry: { folders, name, kind }, score, positions }) => {
      const path = folders + name;
      return { root: this.root, path, kind, score, positions: origins(path, positions).filter(at => at < path.length) };
    });
  }

  private entry(id: number): PathEntry {
    const path = this.paths[id] ?? "";
    return { folders: folderOf(path), name: nameOf(path), kind: path.endsWith("/") ? "folder" : "file" };
  }

  /** What can match, the most promising first where that is too much to rank; what is near is always there. */
  private candidates(query: Query, { folder, liked }: PathContext): number[] {
    const ranks: number[][] = Array.from({ length: RANKS }, () => []);
    for (let id = 0; id < this.paths.length; id++) {
      if (((this.letters[id] ?? 0) & query.letters) !== query.letters) continue;
      const isNear = liked.has(id) || (folder !== undefined && isDirectlyIn(folder, this.paths[id] ?? ""));
      ranks[isNear ? 0 : this.rank(id, query)]?.push(id);
    }
    const found: number[] = [];
    for (const rank of ranks) {
      const room = MAX_RANKED - found.length;
      if (room <= 0) break;
      found.push(...(rank.length > room ? shortest(rank, id => (this.starts[id] ?? 0) >> 16, room) : rank));
    }
    return found;
  }

  /** How promising an entry is that has all letters: 1 is best. */
  private rank(id: number, { foldedTail, tailLetters, wantsFolder }: Query): number {
    const letters = this.nameLetters[id] ?? 0;
    if ((letters & tailLetters) !== tailLetters || (wantsFolder && !this.paths[id]?.endsWith("/"))) return 4;
    const begins = ((this.starts[id] ?? 0) & 0xffff) === foldedTail.charCodeAt(0);
    if (foldedTail.length < 2) return begins ? 1 : 2;
    const path = this.paths[id] ?? "";
    const name = isAsciiIn(letters) ? nameOf(path).toLowerCase() : fold(nameOf(path));
    if (begins) return name.startsWith(foldedTail) ? 1 : 2;
    return name.includes(foldedTail) ? 2 : 3;
  }

  private around({ current, open, recent }: Nearness): PathContext {
    const liked = new Map<number, number>();
    const like = ({ root, path }: Place, plus: number) => {
      const id = root === this.root ? this.ids.get(this.keyOf(path)) : undefined;
      if (id !== undefined) liked.set(id, (liked.get(id) ?? 0) + plus);
    };
    for (const place of open) like(place, points.open);
    for (const [at, place] of recent.entries()) like(place, Math.max(0, points.recent - at * points.recentLess));
    return { folder: current?.root === this.root ? folderOf(current.path) : undefined, liked };
  }

  /** Names are the same however they are composed: macOS gives them decomposed. */
  private keyOf = (path: string): string => (this.options.ignoreCase ? compose(path).toLowerCase() : compose(path));
}

/** Of the folders around, with `/` at the end; "" at the top. */
const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);

/** @param folder with `/` at its end; "": at the top */
function isDirectlyIn(folder: string, path: string): boolean {
  if (!path.startsWith(folder) || path.length === folder.length) return false;
  const end = path.indexOf("/", folder.length);
  return end < 0 || end === path.length - 1;
}

/** A folder's without its `/`. */
function nameOf(path: string): string {
  const end = path.endsWith("/") ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

interface PathHit {
  id: number;
  entry: PathEntry;
  score: number;
  /** in the composed path */
  positions: readonly number[];
}

function shortest(ids: readonly number[], lengthOf: (id: number) => number, count: number): number[] {
  const counts: number[] = [];
  for (const id of ids) counts[lengthOf(id)] = (counts[lengthOf(id)] ?? 0) + 1;
  let [length, sum] = [0, 0];
  while (sum < count) sum += counts[length++] ?? 0;
  return ids.filter(id => lengthOf(id) < length).slice(0, count);
}
