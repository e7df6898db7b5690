/** The files and folders of a workspace, to be found by a few letters of their path. Pure. */
import { foldedParts } from "./paths/fold";
import { Searcher } from "./paths/searcher";
import { similar } from "./paths/similar";
import { type Kind, PathStore } from "./paths/store";
import { canBeMentioned } from "./write";

/** A file or folder. */
export interface Place {
  /** opaque: the workspace folder */
  root: string;
  /** relative to it, with `/`, no `/` at its ends */
  path: string;
}

/** What is likely to be meant beside what is typed. */
export interface Nearness {
  /** the file the text is in, or the active editor: what lies near it counts more, itself no more than its neighbours */
  current?: Place;
  open: readonly Place[];
  /** newest first */
  recent: readonly Place[];
}

export interface PathMatch extends Place {
  kind: Kind;
  /** higher is better; compares only with others of the same search */
  score: number;
  /** UTF-16 offsets in `path` that matched, ascending */
  positions: number[];
}

/** No file system has longer paths. */
const LONGEST = 4096;
/** So many removed entries are kept at most beside as many as are there. */
const REMOVED = 5000;
/** Answers of `nearest` that are kept. */
const ANSWERS = 200;

/**
 * Names compare without regard to case and accents in `search`; in `kindOf` they are the same if they are so in the
 * file system: however composed (NFC, NFD), in any case only with `ignoreCase`.
 */
export class PathIndex {
  private store: PathStore;
  private searcher: Searcher;
  /** numbers of roots, from 1 */
  private readonly roots = new Map<string, number>();
  /** of `nearest`, by path and limit, until something changes: all names are compared for each */
  private readonly answers = new Map<string, readonly PathMatch[]>();

  constructor(private readonly how: { ignoreCase?: boolean } = {}) {
    this.store = new PathStore(how.ignoreCase ?? false);
    this.searcher = new Searcher(this.store);
  }

  /** How many files it has. */
  get files(): number {
    return this.store.files;
  }

  /**
   * Adding what is there already changes nothing. What cannot be mentioned (a line break in its name) is left out.
   * @param paths files relative to the root, with `/`; their folders are derived
   */
  add(root: string, paths: Iterable<string>): void {
    const number = this.roots.get(root) ?? this.roots.size + 1;
    this.roots.set(root, number);
    this.answers.clear();
    const before = this.store.count;
    for (const path of paths) {
      if (path.length <= LONGEST && canBeMentioned(path)) this.store.addFile(number, path);
    }
    if (this.store.count - before > REMOVED) this.store.trim();
  }

  /** @param path of a file, or of a folder, which goes with all below it; folders left empty go too */
  remove(root: string, path: string): void {
    const id = this.find(root, path);
    if (id < 0) return;
    this.store.remove(id);
    this.answers.clear();
    this.compact();
  }

  /** `path` may end with `/`; then it can be a folder only. */
  kindOf(root: string, path: string): Kind | undefined {
    const id = this.find(root, path);
    return id < 0 ? undefined : this.store.kind(id);
  }

  /** Best first. An empty query gives what is open, was recently used and lies near the current file. */
  search(query: string, near: Nearness, limit: number): PathMatch[] {
    const number = (place: Place) => this.find(place.root, place.path);
    const { current } = near;
    const root = current ? (this.roots.get(current.root) ?? 0) : 0;
    const found = this.searcher.search(query, limit, {
      ...{ root, folder: current ? this.folderOf(current) : -1 },
      ...{ open: near.open.map(number), recent: near.recent.map(number) },
    });
    return found.map(({ id, score, positions }) => {
      const path = this.store.path(id);
      return { ...this.place(id, path), score, positions: inPath(path, positions) };
    });
  }

  /** What is named like a path that is not there, best first, without positions. */
  nearest(path: string, limit: number): readonly PathMatch[] {
    const question = `${limit} ${path}`;
    const known = this.answers.get(question);
    if (known) return known;
    const found = similar(this.store, path, limit).map(({ id, score }) => ({
      ...this.place(id, this.store.path(id)),
      ...{ score, positions: [] },
    }));
    if (this.answers.size >= ANSWERS) this.answers.clear();
    this.answers.set(question, found);
    return found;
  }

  private place(id: number, path: string): Place & { kind: Kind } {
    const number = this.store.roots.data[id];
    const root = [...this.roots].find(([, its]) => its === number)?.[0] ?? "";
    return { root, path, kind: this.store.kind(id) };
  }

  private find(root: string, path: string): number {
    const number = this.roots.get(root);
    if (number === undefined) return -1;
    if (path.endsWith("/")) return this.store.find(number, path.slice(0, -1), "folder");
    const file = this.store.find(number, path, "file");
    return file >= 0 ? file : this.store.find(number, path, "folder");
  }

  /** The folder a file is in, or the nearest one above it that is there. */
  private folderOf({ root, path }: Place): number {
    const number = this.roots.get(root) ?? 0;
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = this.store.find(number, path.slice(0, slash), "folder");
      if (folder >= 0) return folder;
    }
    return -1;
  }

  /** Leaves out what was removed, where that is much. */
  private compact(): void {
    const { store } = this;
    if (store.removed < REMOVED || store.removed * 2 < store.count) return;
    this.store = new PathStore(this.how.ignoreCase ?? false);
    this.searcher = new Searcher(this.store);
    for (let id = 0; id < store.count; id++) {
      const root = store.roots.data[id] ?? 0;
      if (root > 0 && store.kind(id) === "file") this.store.addFile(root, store.path(id));
    }
    this.store.trim();
  }
}

/** From offsets in what is compared to offsets in the path; the `/` that ends a folder is not in it. */
function inPath(path: string, positions: readonly number[]): number[] {
  if (/^[\0-~]*$/.test(path)) return positions.filter(at => at < path.length);
  const origin: number[] = [];
  for (const { at, folded } of foldedParts(path)) for (let unit = 0; unit < folded.length; unit++) origin.push(at);
  return [...new Set(positions.flatMap(at => origin[at] ?? []))];
}
