/** The files and folders of a workspace folder, to be found by a few letters of their path. Pure. */
import fuzzysort from "fuzzysort";
import { canBeMentioned } from "../../shared/mentions/write";
import { compose, type FoldedPath, fold, lettersOf, origins, similarityTo } from "./pathText";

export type Kind = "file" | "folder";

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
const MAX_RANKED = 1500;

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

interface Entry extends FoldedPath {
  /** a folder's ends with `/` */
  path: string;
  /** `lettersOf` all of it */
  letters: number;
  parent: Entry | undefined;
  /** how many entries a folder has directly in it */
  children: number;
}

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

/** What is near, as entries. */
interface Around {
  folder: Entry | undefined;
  /** the current file's folders, innermost first; undefined: there is no current file */
  above: ReadonlyMap<Entry | undefined, number> | undefined;
  /** points of what is open or was used */
  liked: ReadonlyMap<Entry, number>;
}

/**
 * Names compare without regard to case and accents in `search`; in `kindOf` they are the same if they are so in the
 * file system: however composed (NFC, NFD), in any case only with `ignoreCase`.
 */
export class PathIndex {
  /** by path as the file system compares it, folders with `/` at the end */
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly root: string,
    private readonly options: { ignoreCase?: boolean } = {},
  ) {}

  /**
   * Adding what is there already changes nothing. What cannot be mentioned (a line break in its name) is left out.
   * @param paths of files, relative to the root, with `/`; their folders are derived
   */
  add(paths: Iterable<string>): void {
    for (const path of paths) if (path.length <= MAX_PATH && canBeMentioned(path)) this.insert(path);
  }

  /** @param path of a file, or of a folder, which goes with all below it; folders left empty go too */
  remove(path: string): void {
    const entry = this.find(path);
    if (!entry) return;
    this.entries.delete(this.keyOf(entry.path));
    if (kindOf(entry) === "folder") {
      for (const [key, each] of this.entries) if (isBelow(each, entry)) this.entries.delete(key);
    }
    for (let folder = entry.parent; folder && --folder.children === 0; folder = folder.parent) {
      this.entries.delete(this.keyOf(folder.path));
    }
  }

  /** `path` may end with `/`; then it can be a folder only. */
  kindOf(path: string): Kind | undefined {
    const entry = this.find(path);
    return entry && kindOf(entry);
  }

  /** Best first. An empty query gives what is open, was recently used and lies near the current file. */
  search(typed: string, near: Nearness, limit: number): PathMatch[] {
    const query = queryOf(typed);
    if (!query) return [];
    const around = this.around(near);
    const found: { entry: Entry; score: number; at: number }[] = [];
    for (const entry of this.candidates(query, around)) {
      const text = query.text === "" ? { score: 0 } : match(entry, query);
      if (text) found.push({ entry, score: text.score + placePoints(entry, query, around), at: found.length });
    }
    found.sort((a, b) => b.score - a.score || a.entry.path.length - b.entry.path.length || a.at - b.at);
    return found.slice(0, limit).map(({ entry, score }) => this.matchOf(entry, score, match(entry, query)?.positions));
  }

  /** What is named like a path that is not there, best first, without positions. */
  nearest(path: string, limit: number): PathMatch[] {
    const similarity = similarityTo(fold(path));
    const found: { entry: Entry; score: number }[] = [];
    for (const entry of this.entries.values()) {
      const score = similarity(entry);
      if (score !== undefined) found.push({ entry, score });
    }
    found.sort((a, b) => b.score - a.score || a.entry.path.length - b.entry.path.length);
    return found.slice(0, limit).map(({ entry, score }) => this.matchOf(entry, score));
  }

  private matchOf(entry: Entry, score: number, positions: readonly number[] = []): PathMatch {
    const path = entry.path.replace(/\/$/, "");
    const inPath = origins(path, positions).filter(at => at < path.length);
    return { root: this.root, path, kind: kindOf(entry), score, positions: inPath };
  }

  /** What can match, the most promising first where that is too much to rank; what is near is always there. */
  private candidates(query: Query, { folder, liked }: Around): Entry[] {
    const ranks: Entry[][] = Array.from({ length: RANKS }, () => []);
    for (const entry of this.entries.values()) {
      if ((entry.letters & query.letters) !== query.letters) continue;
      const isNear = folder !== undefined && entry.parent === folder;
      const rank = isNear || liked.has(entry) ? 0 : rankOf(entry, query);
      ranks[rank]?.push(entry);
    }
    const found: Entry[] = [];
    for (const rank of ranks) {
      const room = MAX_RANKED - found.length;
      if (room <= 0) break;
      found.push(...(rank.length > room ? shortest(rank, room) : rank));
    }
    return found;
  }

  private around({ current, open, recent }: Nearness): Around {
    const liked = new Map<Entry, number>();
    const like = ({ root, path }: Place, plus: number) => {
      const entry = root === this.root ? this.find(path) : undefined;
      if (entry) liked.set(entry, (liked.get(entry) ?? 0) + plus);
    };
    for (const place of open) like(place, points.open);
    for (const [at, place] of recent.entries()) like(place, Math.max(0, points.recent - at * points.recentLess));
    if (current?.root !== this.root) return { folder: undefined, above: undefined, liked };
    const folder = this.folderAround(current.path);
    const above = new Map<Entry | undefined, number>();
    for (let each = folder; each; each = each.parent) above.set(each, above.size);
    above.set(undefined, above.size);
    return { folder, above, liked };
  }

  /** The folder a file is in, or the nearest one above it that is there. */
  private folderAround(path: string): Entry | undefined {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = this.entries.get(this.keyOf(path.slice(0, slash + 1)));
      if (folder) return folder;
    }
    return undefined;
  }

  private find(path: string): Entry | undefined {
    const key = this.keyOf(path);
    return this.entries.get(key) ?? this.entries.get(`${key}/`);
  }

  private keyOf(path: string): string {
    return this.options.ignoreCase ? compose(path).toLowerCase() : compose(path);
  }

  private insert(path: string): Entry {
    const key = this.keyOf(path);
    const known = this.entries.get(key);
    if (known) return known;
    const slash = path.lastIndexOf("/", path.length - 2);
    const parent = slash > 0 ? this.insert(path.slice(0, slash + 1)) : undefined;
    if (parent) parent.children++;
    const folded = fold(path);
    const name = folded.lastIndexOf("/", folded.length - 2) + 1;
    const nameLetters = lettersOf(folded, name);
    const letters = nameLetters | (parent?.letters ?? 0);
    const entry = { path, folded, name, letters, nameLetters, parent, children: 0 };
    this.entries.set(key, entry);
    return entry;
  }
}

const kindOf = ({ path }: Entry): Kind => (path.endsWith("/") ? "folder" : "file");

function isBelow(entry: Entry, folder: Entry): boolean {
  let at = entry.parent;
  while (at && at !== folder) at = at.parent;
  return at === folder;
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
function rankOf({ path, folded, name, nameLetters }: Entry, { foldedTail, tailLetters, wantsFolder }: Query): number {
  if (wantsFolder && !path.endsWith("/")) return 4;
  if (folded.startsWith(foldedTail, name)) return 1;
  if ((nameLetters & tailLetters) !== tailLetters) return 4;
  return folded.charCodeAt(name) === foldedTail.charCodeAt(0) || folded.includes(foldedTail, name) ? 2 : 3;
}

/** Those with the shortest paths. */
function shortest(entries: readonly Entry[], count: number): Entry[] {
  const counts: number[] = [];
  for (const { path } of entries) counts[path.length] = (counts[path.length] ?? 0) + 1;
  let [length, sum] = [0, 0];
  while (sum < count) sum += counts[length++] ?? 0;
  return entries.filter(({ path }) => path.length < length).slice(0, count);
}

/** How well the letters fit; undefined where the entry does not have them in that order. */
function match(entry: Entry, query: Query): { score: number; positions: readonly number[] } | undefined {
  const { text, head, tail, wantsFolder } = query;
  const path = compose(entry.path);
  const name = path.lastIndexOf("/", path.length - 2) + 1;
  const inName = wantsFolder && kindOf(entry) === "file" ? null : single(tail, path.slice(name).replace(/\/$/, ""));
  const inFolders = inName && head !== "" ? single(head, path.slice(0, Math.max(0, name - 1))) : null;
  if (inName && (head === "" || inFolders)) {
    const positions = [...(inFolders?.indexes ?? []), ...inName.indexes.map(at => at + name)];
    const share = inFolders ? points.nameShare : 1;
    const score = share * inName.score + (1 - share) * (inFolders?.score ?? 0);
    const initials = inName.indexes.filter(at => beginsWord(inName.target, at)).length / tail.length;
    return { score: points.text * score + points.inName + points.initials * initials, positions };
  }
  const across = single(text, path);
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
function placePoints(entry: Entry, { tail, foldedTail, wantsFolder }: Query, { above, liked }: Around): number {
  const folders = entry.path.split("/").length - (kindOf(entry) === "folder" ? 2 : 1);
  const name = entry.folded.slice(entry.name).replace(/\/$/, "");
  let sum = namePoints(name, foldedTail, kindOf(entry)) + (liked.get(entry) ?? 0);
  for (const char of tail) if (/\p{Lu}/u.test(char) && entry.path.includes(char, entry.name)) sum += points.sameCase;
  sum -= Math.min(points.unmatchedMost, Math.max(0, name.length - tail.length) * points.unmatched);
  sum -= Math.min(points.folderMost, folders * points.folder + entry.name * points.folderCharacter);
  if (kindOf(entry) === "folder" && !wantsFolder) sum -= points.isFolder;
  if (!above) return sum;
  let [steps, folder] = [0, entry.parent];
  for (; !above.has(folder); folder = folder?.parent) steps++;
  return sum + (points.near[steps + (above.get(folder) ?? 0)] ?? 0);
}

function namePoints(name: string, typed: string, kind: Kind): number {
  if (typed === "" || !name.startsWith(typed)) return 0;
  if (name === typed && kind === "file") return points.name;
  return name.replace(/(?<=.)\.[^.]*$/, "") === typed ? points.stem : points.prefix;
}
