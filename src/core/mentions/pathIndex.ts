/** The files and folders of a workspace folder, to be found by a few letters of their path. Pure. */
import fuzzysort from "fuzzysort";
import { canBeMentioned } from "../../shared/mentions/write";
import { compose, fold, lettersOf, origins, PathStore, similarityTo, TOP } from "./pathStore";

type Kind = "file" | "folder";

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
  /** higher is better; compares only with others of the same query */
  score: number;
  /** UTF-16 offsets in `path` that matched, ascending */
  positions: number[];
}

/** No file system has longer paths, and nobody types longer queries. */
const MAX_PATH = 4096;
const MAX_QUERY = 1024;
/** The library ranks so many entries of a search: those that a look at their letters finds the most promising. */
const MAX_RANKED = 800;
/** So many removed entries are kept at most beside as many as are there. */
const MAX_REMOVED = 5000;

/** What counts beside the library's score, which is 1 at most. Only the proportions matter. */
const points = {
  text: 600,
  /** of a query with folders: how much the name counts in it; of a match across folders and name, how much it counts */
  nameShare: 0.6,
  acrossShare: 0.6,
  inName: 60,
  /** all letters stand where words begin */
  initials: 100,
  /** the name is what was typed, is it but for its ending, begins with it */
  name: 130,
  stem: 100,
  prefix: 40,
  /** a capital letter typed as one */
  sameCase: 12,
  /** each character of the name that was not typed, and the most they cost */
  unmatched: 3,
  unmatchedMost: 90,
  /** each folder above, each character of their names, and the most they cost */
  folder: 6,
  folderCharacter: 1,
  folderMost: 120,
  isFolder: 90,
  open: 60,
  recent: 60,
  /** less for each that was used later */
  recentLess: 4,
  /** by steps up and down the tree from the current file's folder */
  near: [80, 56, 38, 26, 18, 12, 8, 5, 3, 2],
};

/** What was typed, in parts. */
interface Query {
  text: string;
  /** before and after the last `/`, one at the very end left aside */
  head: string;
  tail: string;
  foldedTail: string;
  letters: number;
  tailLetters: number;
  wantsFolder: boolean;
}

/** What is near, by number of entry. */
interface Around {
  /** the current file's folder */
  folder: number | undefined;
  /** that folder and those above it, innermost first; undefined: there is no current file */
  above: ReadonlyMap<number, number> | undefined;
  /** points of what is open or was used */
  liked: ReadonlyMap<number, number>;
}

/**
 * Names compare without regard to case and accents in `search`; in `kindOf` they are the same if they are so in the
 * file system: however composed (NFC, NFD), in any case only with `ignoreCase`.
 */
export class PathIndex {
  private store: PathStore;

  constructor(
    private readonly root: string,
    { ignoreCase = false }: { ignoreCase?: boolean } = {},
  ) {
    this.store = new PathStore(ignoreCase);
  }

  /**
   * Adding what is there already changes nothing. What cannot be mentioned (a line break in its name) is left out.
   * @param paths of files, relative to the root, with `/`; their folders are derived
   */
  add(paths: Iterable<string>): void {
    for (const path of paths) if (path.length <= MAX_PATH && canBeMentioned(path)) this.store.add(path);
  }

  /** @param path of a file, or of a folder, which goes with all below it; folders left empty go too */
  remove(path: string): void {
    const { store } = this;
    const id = store.find(path);
    if (id === undefined) return;
    store.remove(id);
    if (store.removed < MAX_REMOVED || store.removed * 2 < store.count) return;
    this.store = new PathStore(store.ignoreCase);
    for (let at = 0; at < store.count; at++) {
      if (!store.isRemoved(at) && !store.isFolder(at)) this.store.add(store.folders(at) + store.name(at));
    }
  }

  /** Nothing more comes for now. */
  trim(): void {
    this.store.trim();
  }

  /** `path` may end with `/`; then it can be a folder only. */
  kindOf(path: string): Kind | undefined {
    const id = this.store.find(path);
    return id === undefined ? undefined : this.kind(id);
  }

  /** Best first. An empty query gives what is open, was recently used and lies near the current file. */
  search(typed: string, near: Nearness, limit: number): PathMatch[] {
    const query = queryOf(typed);
    if (!query) return [];
    const around = this.around(near);
    const found: Found[] = [];
    for (const id of this.candidates(query, around)) {
      const entry = this.entry(id);
      const text = query.text === "" ? { score: 0, positions: [] } : match(entry, query);
      if (!text) continue;
      const score = text.score + placePoints(entry, query) + this.nearPoints(id, around);
      found.push({ id, entry, score, positions: text.positions });
    }
    return this.best(found, limit);
  }

  /** What is named like a path that is not there, best first, without positions. */
  nearest(path: string, limit: number): PathMatch[] {
    const { store } = this;
    const similarity = similarityTo(fold(path));
    const found: Found[] = [];
    for (let id = 0; id < store.count; id++) {
      if (store.isRemoved(id)) continue;
      const score = similarity(store.name(id), store.nameLetters(id), () => store.folders(id));
      if (score !== undefined) found.push({ id, entry: this.entry(id), score, positions: [] });
    }
    return this.best(found, limit);
  }

  private best(found: Found[], limit: number): PathMatch[] {
    const length = ({ folders, name }: Entry) => folders.length + name.length;
    found.sort((a, b) => b.score - a.score || length(a.entry) - length(b.entry) || a.id - b.id);
    return found.slice(0, limit).map(({ entry: { folders, name, kind }, score, positions }) => {
      const path = folders + name;
      return { root: this.root, path, kind, score, positions: origins(path, positions).filter(at => at < path.length) };
    });
  }

  private kind(id: number): Kind {
    return this.store.isFolder(id) ? "folder" : "file";
  }

  private entry(id: number): Entry {
    return { folders: this.store.folders(id), name: this.store.name(id), kind: this.kind(id) };
  }

  /** What can match, the most promising first where that is too much to rank; what is near is always there. */
  private candidates(query: Query, { folder, liked }: Around): number[] {
    const { store } = this;
    const ranks: number[][] = Array.from({ length: RANKS }, () => []);
    for (let id = 0; id < store.count; id++) {
      if ((store.letters(id) & query.letters) !== query.letters || store.isRemoved(id)) continue;
      const isNear = (folder !== undefined && store.parent(id) === folder) || liked.has(id);
      ranks[isNear ? 0 : rankOf(store, id, query)]?.push(id);
    }
    const found: number[] = [];
    for (const rank of ranks) {
      const room = MAX_RANKED - found.length;
      if (room <= 0) break;
      found.push(...(rank.length > room ? shortest(rank, id => store.name(id).length, room) : rank));
    }
    return found;
  }

  private around({ current, open, recent }: Nearness): Around {
    const liked = new Map<number, number>();
    const like = ({ root, path }: Place, plus: number) => {
      const id = root === this.root ? this.store.find(path) : undefined;
      if (id !== undefined) liked.set(id, (liked.get(id) ?? 0) + plus);
    };
    for (const place of open) like(place, points.open);
    for (const [at, place] of recent.entries()) like(place, Math.max(0, points.recent - at * points.recentLess));
    if (current?.root !== this.root) return { folder: undefined, above: undefined, liked };
    const folder = this.folderAround(current.path);
    const above = new Map<number, number>();
    for (let at = folder; at !== TOP; at = this.store.parent(at)) above.set(at, above.size);
    above.set(TOP, above.size);
    return { folder, above, liked };
  }

  /** The folder a file is in, or the nearest one above it that is there. */
  private folderAround(path: string): number {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = this.store.find(path.slice(0, slash + 1));
      if (folder !== undefined) return folder;
    }
    return TOP;
  }

  private nearPoints(id: number, { above, liked }: Around): number {
    const sum = liked.get(id) ?? 0;
    if (!above) return sum;
    let [steps, folder] = [0, this.store.parent(id)];
    for (; !above.has(folder); folder = this.store.parent(folder)) steps++;
    return sum + (points.near[steps + (above.get(folder) ?? 0)] ?? 0);
  }
}

/** What is looked at letter by letter. */
interface Entry {
  /** those above, with `/` at the end; "" at the top */
  folders: string;
  name: string;
  kind: Kind;
}

interface Found {
  id: number;
  entry: Entry;
  score: number;
  /** in the composed path */
  positions: readonly number[];
}

/**
 * `./` and `/` at its beginning count for nothing, `\` as `/`; blanks only separate, so that `my no` finds `my notes.md` and
 * `my-notes.md`.
 * @returns undefined where nothing can match: `../x` lies outside
 */
function queryOf(typed: string): Query | undefined {
  if (typed.length > MAX_QUERY) return undefined;
  const text = compose(typed.replaceAll("\\", "/").replace(/\s+/g, "")).replace(/^(?:\.?\/)+/, "");
  if (/^\.\.\/|^\.\.$/.test(text)) return undefined;
  const wantsFolder = text.endsWith("/");
  const whole = wantsFolder ? text.slice(0, -1) : text;
  const cut = whole.lastIndexOf("/");
  const tail = whole.slice(cut + 1);
  const foldedTail = fold(tail);
  const letters = lettersOf(fold(text));
  return {
    text,
    head: whole.slice(0, Math.max(0, cut)),
    tail,
    foldedTail,
    letters,
    tailLetters: lettersOf(foldedTail),
    wantsFolder,
  };
}

const RANKS = 5;

/** How promising an entry is that has all letters: 1 is best. */
function rankOf(store: PathStore, id: number, { foldedTail, tailLetters, wantsFolder }: Query): number {
  if ((wantsFolder && !store.isFolder(id)) || (store.nameLetters(id) & tailLetters) !== tailLetters) return 4;
  const name = fold(store.name(id));
  if (name.startsWith(foldedTail)) return 1;
  return name.charCodeAt(0) === foldedTail.charCodeAt(0) || name.includes(foldedTail) ? 2 : 3;
}

function shortest(ids: readonly number[], lengthOf: (id: number) => number, count: number): number[] {
  const counts: number[] = [];
  for (const id of ids) counts[lengthOf(id)] = (counts[lengthOf(id)] ?? 0) + 1;
  let [length, sum] = [0, 0];
  while (sum < count) sum += counts[length++] ?? 0;
  return ids.filter(id => lengthOf(id) < length).slice(0, count);
}

/** How well the letters fit; undefined where the entry does not have them in that order. */
function match(entry: Entry, query: Query): { score: number; positions: readonly number[] } | undefined {
  const { text, head, tail, wantsFolder } = query;
  const [folders, name] = [compose(entry.folders), compose(entry.name)];
  const isFolder = entry.kind === "folder";
  const inName = wantsFolder && !isFolder ? null : single(tail, name);
  const inFolders = inName && head !== "" ? single(head, folders.slice(0, -1)) : null;
  if (inName && (head === "" || inFolders)) {
    const positions = [...(inFolders?.indexes ?? []), ...inName.indexes.map(at => at + folders.length)];
    const share = inFolders ? points.nameShare : 1;
    const score = share * inName.score + (1 - share) * (inFolders?.score ?? 0);
    const initials = inName.indexes.filter(at => beginsWord(name, at)).length / tail.length;
    return { score: points.text * score + points.inName + points.initials * initials, positions };
  }
  const across = single(text, folders + name + (isFolder ? "/" : ""));
  return across ? { score: points.text * points.acrossShare * across.score, positions: across.indexes } : undefined;
}

/** `prepare`: the library keeps for good what it is given as text. */
const single = (query: string, text: string) => fuzzysort.single(query, fuzzysort.prepare(text));

/** `src/fooBar-baz` at s, f, B, b */
function beginsWord(text: string, at: number): boolean {
  const [before, char] = [text.charAt(at - 1), text.charAt(at)];
  return !/[\p{L}\p{N}]/u.test(before) || (/\p{Lu}/u.test(char) && /[^\p{Lu}]/u.test(before));
}

/** What an entry counts for where it lies and what it is called, whatever letters match. */
function placePoints({ folders, name, kind }: Entry, { tail, foldedTail, wantsFolder }: Query): number {
  let sum = namePoints(fold(name), foldedTail, kind);
  for (const char of tail) if (/\p{Lu}/u.test(char) && name.includes(char)) sum += points.sameCase;
  sum -= Math.min(points.unmatchedMost, Math.max(0, name.length - tail.length) * points.unmatched);
  const depth = folders.split("/").length - 1;
  sum -= Math.min(points.folderMost, depth * points.folder + folders.length * points.folderCharacter);
  return kind === "folder" && !wantsFolder ? sum - points.isFolder : sum;
}

function namePoints(name: string, typed: string, kind: Kind): number {
  if (typed === "" || !name.startsWith(typed)) return 0;
  if (name === typed && kind === "file") return points.name;
  return name.replace(/(?<=.)\.[^.]*$/, "") === typed ? points.stem : points.prefix;
}
