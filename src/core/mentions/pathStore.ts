/**
 * Files and folders in few arrays: some 80 bytes each, where an object with its path in a map takes three times that. Each is
 * a number; a folder's is lower than those of all that is in it. Pure.
 */
import { compose, fold, lettersOf } from "./pathText";

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
