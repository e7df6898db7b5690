/**
 * Files and folders in few arrays: some 80 bytes each, where an object with its path in a map takes three times that. Each is
 * a number; a folder's is lower than those of all that is in it. Pure.
 */

/** The parent of what lies at the top. */
export const TOP = -1;
/** In place of the number of children. */
const FILE = -1;
const REMOVED = -2;

export class PathStore {
  /** of entries, those that were removed too */
  count = 0;
  removed = 0;
  private readonly names: string[] = [];
  private parents = new Int32Array(1024);
  /** how many entries a folder has directly in it */
  private children = new Int32Array(1024);
  private ownLetters = new Int32Array(1024);
  private allLetters = new Int32Array(1024);
  /** numbers of entries + 1 by hash of parent and name, open addressing */
  private table = new Int32Array(4096);
  private last = { folder: "", id: TOP };

  /** @param ignoreCase names that differ in case only are the same */
  constructor(readonly ignoreCase: boolean) {}

  name(id: number): string {
    return this.names[id] ?? "";
  }

  parent(id: number): number {
    return this.parents[id] ?? TOP;
  }

  isFolder(id: number): boolean {
    return (this.children[id] ?? FILE) >= 0;
  }

  isRemoved(id: number): boolean {
    return this.children[id] === REMOVED;
  }

  /** `lettersOf` its name. */
  nameLetters(id: number): number {
    return this.ownLetters[id] ?? 0;
  }

  /** `lettersOf` its path. */
  letters(id: number): number {
    return this.allLetters[id] ?? 0;
  }

  /** Of the folders above, with `/` at the end; "" at the top. */
  folders(id: number): string {
    let path = "";
    for (let at = this.parent(id); at !== TOP; at = this.parent(at)) path = `${this.names[at]}/${path}`;
    return path;
  }

  /** undefined: it is not there. @param path may end with `/` */
  find(path: string): number | undefined {
    let id = TOP;
    for (const name of path.replace(/\/$/, "").split("/")) {
      id = (this.table[this.slot(id, name)] ?? 0) - 1;
      if (id < 0) return undefined;
    }
    return path.endsWith("/") && !this.isFolder(id) ? undefined : id;
  }

  /** Does nothing for what is there already. @param path of a file */
  add(path: string): void {
    const slash = path.lastIndexOf("/");
    const folder = slash > 0 ? path.slice(0, slash) : "";
    if (this.last.folder !== folder || folder === "") this.last = { folder, id: this.addFolder(folder) };
    this.insert(this.last.id, path.slice(slash + 1), FILE);
  }

  /** With all that is in it, and the folders that nothing is in any more. */
  remove(id: number): void {
    if (this.isFolder(id)) {
      for (let at = this.count - 1; at > id; at--) if (!this.isRemoved(at) && this.isIn(at, id)) this.drop(at);
    }
    let folder = this.parent(id);
    this.drop(id);
    for (; folder !== TOP && this.children[folder] === 0; folder = this.parent(folder)) this.drop(folder);
    this.last = { folder: "", id: TOP };
  }

  /** Gives back what is reserved for more. */
  trim(): void {
    this.resize(Math.max(1024, Math.ceil(this.count * 1.02)));
  }

  private isIn(id: number, folder: number): boolean {
    let at = id;
    while (at > folder) at = this.parent(at);
    return at === folder;
  }

  private drop(id: number): void {
    const parent = this.parent(id);
    if (parent !== TOP) this.children[parent] = (this.children[parent] ?? 1) - 1;
    this.children[id] = REMOVED;
    this.names[id] = "";
    this.removed++;
  }

  private addFolder(path: string): number {
    return path === "" ? TOP : path.split("/").reduce((parent, name) => this.insert(parent, name, 0), TOP);
  }

  private insert(parent: number, name: string, children: number): number {
    if ((this.count + 1) * 2 > this.table.length) this.rehash();
    const slot = this.slot(parent, name);
    const known = (this.table[slot] ?? 0) - 1;
    if (known >= 0) {
      // A folder came in the place of a file.
      if (children === 0 && !this.isFolder(known)) this.children[known] = 0;
      return known;
    }
    if (this.count === this.parents.length) this.resize(Math.ceil(this.count * 1.3));
    const id = this.count++;
    this.table[slot] = id + 1;
    this.names[id] = name;
    this.parents[id] = parent;
    this.children[id] = children;
    this.ownLetters[id] = lettersOf(fold(name));
    const isAtTop = parent === TOP && children === FILE;
    this.allLetters[id] = this.nameLetters(id) | this.letters(parent) | (isAtTop ? 0 : lettersOf("/"));
    if (parent !== TOP) this.children[parent] = (this.children[parent] ?? 0) + 1;
    return id;
  }

  private resize(size: number): void {
    const resized = (data: Int32Array) => {
      const next = new Int32Array(size);
      next.set(data.subarray(0, this.count));
      return next;
    };
    this.parents = resized(this.parents);
    this.children = resized(this.children);
    this.ownLetters = resized(this.ownLetters);
    this.allLetters = resized(this.allLetters);
  }

  /** Where in the table the entry stands or would stand. What was removed keeps its place: others stand behind it. */
  private slot(parent: number, name: string): number {
    const mask = this.table.length - 1;
    const key = this.keyOf(name);
    for (let slot = hash(parent, key) & mask; ; slot = (slot + 1) & mask) {
      const id = (this.table[slot] ?? 0) - 1;
      if (id < 0 || (this.parents[id] === parent && this.keyOf(this.name(id)) === key)) return slot;
    }
  }

  /** Names are the same however they are composed: macOS gives them decomposed. */
  private keyOf(name: string): string {
    return this.ignoreCase ? compose(name).toLowerCase() : compose(name);
  }

  private rehash(): void {
    this.table = new Int32Array(this.table.length * 2);
    for (let id = 0; id < this.count; id++) {
      if (!this.isRemoved(id)) this.table[this.slot(this.parent(id), this.name(id))] = id + 1;
    }
  }
}

/** FNV-1a, its high bits folded in, since tables take the low ones. */
function hash(parent: number, key: string): number {
  let sum = Math.imul(parent + 2, 0x9e3779b1) ^ 0x811c9dc5;
  for (let at = 0; at < key.length; at++) sum = Math.imul(sum ^ key.charCodeAt(at), 0x01000193);
  return (sum ^ (sum >>> 15)) >>> 0;
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);
export const compose = (text: string) => (isAscii(text) ? text : text.normalize("NFC"));

/** Without capitals and accents, composed (macOS gives names decomposed). */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const bare = text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  return bare.normalize("NFC").toLowerCase();
}

/** A bit for each letter, one for all digits, one for other ASCII, one for all else: 31 at most. */
export function lettersOf(folded: string, from = 0): number {
  let bits = 0;
  for (let at = from; at < folded.length; at++) {
    const code = folded.charCodeAt(at);
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
    else bits |= 1 << (code >= 48 && code <= 57 ? 26 : code < 128 ? 27 : 28);
  }
  return bits;
}

/** From offsets in the composed path to offsets in the path as it is. */
export function origins(path: string, positions: readonly number[]): readonly number[] {
  if (isAscii(path)) return positions;
  const found: number[] = [];
  for (let at = 0; at < path.length; at++) found[path.slice(0, at + 1).normalize("NFC").length - 1] ??= at;
  return positions.flatMap(at => found[at] ?? []);
}

/** What a slip in the name costs, another ending, and what a folder in common counts. */
const SLIP = 10;
const ENDING = 8;
const COMMON = 4;
/** Separators and letters of its ending that one of two names may have more than the other. */
const MAX_LONGER = 12;
const MAX_NAME = 200;

/** Without what is neither letter nor digit: `path-index.ts` and `pathIndex.ts` are the same. */
interface Segment {
  stem: string;
  ending: string;
}

/**
 * How alike paths are to one that is not there: a slip of the fingers, another ending, another folder. The higher the more;
 * undefined where the name differs in too many letters.
 */
export function similarityTo(
  path: string,
): (name: string, letters: number, folders: () => string) => number | undefined {
  const folders = segmentsOf(path.replaceAll("\\", "/").replace(/^(?:\.{0,2}\/)+/, ""));
  const wanted = folders.pop();
  if (!wanted || wanted.stem.length > MAX_NAME) return () => undefined;
  const most = Math.min(3, 1 + Math.floor(wanted.stem.length / 5));
  const length = wanted.stem.length + wanted.ending.length;
  const letters = lettersOf(wanted.stem);
  return (name, nameLetters, around) => {
    if (countBits(letters & ~nameLetters) > most || Math.abs(name.length - length) > most + MAX_LONGER)
      return undefined;
    const own = segmentOf(fold(name));
    if (countBits(lettersOf(own.stem) & ~letters) > most) return undefined;
    const slips = distance(wanted.stem, own.stem, most);
    if (slips === undefined) return undefined;
    const above = new Set(segmentsOf(fold(around())).map(whole));
    const common = folders.filter(folder => above.has(whole(folder))).length;
    return COMMON * common - SLIP * slips - (own.ending === wanted.ending ? 0 : ENDING);
  };
}

function segmentsOf(path: string): Segment[] {
  return path
    .split("/")
    .map(segmentOf)
    .filter(segment => whole(segment) !== "");
}

function segmentOf(name: string): Segment {
  const dot = name.lastIndexOf(".");
  const letters = (part: string) => part.replace(/[^a-z0-9\u0080-\uffff]+/g, "");
  return { stem: letters(dot > 0 ? name.slice(0, dot) : name), ending: dot > 0 ? letters(name.slice(dot)) : "" };
}

const whole = ({ stem, ending }: Segment) => stem + ending;

/** Letters put in, left out, replaced or swapped; undefined where that is more than `most`. */
function distance(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined;
  let twoAbove: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const here = [row];
    for (let at = 1; at <= other.length; at++) {
      const same = one[row - 1] === other[at - 1] ? 0 : 1;
      let least = Math.min((above[at] ?? 0) + 1, (here[at - 1] ?? 0) + 1, (above[at - 1] ?? 0) + same);
      if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) {
        least = Math.min(least, (twoAbove[at - 2] ?? 0) + 1);
      }
      here.push(least);
    }
    if (Math.min(...here) > most) return undefined;
    [twoAbove, above] = [above, here];
  }
  const slips = above[other.length] ?? 0;
  return slips <= most ? slips : undefined;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
