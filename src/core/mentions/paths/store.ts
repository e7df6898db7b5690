/**
 * Paths in few big arrays: some 60 bytes and three per character each, where strings in maps take ten times that to search
 * through. A folder's number is lower than those of all that is in it. Pure.
 */
import { DOT, type Folded, Folder, Mark, maskOf, nameStart, pairBit, SLASH } from "./fold";
import { Growing } from "./growing";
import { Field, RECORD, Records } from "./records";
import { shapeOf, standingCost } from "./shape";

export type Kind = "file" | "folder";

const NONE = -1;

/** What is kept of entry `id`; `units` and `marks` by offset. Folders end with `/`. */
export class PathStore {
  readonly units = new Growing(Uint16Array);
  readonly marks = new Growing(Uint8Array);
  readonly records = new Records();
  /** the folder it is in; -1 at the top */
  readonly parents = new Growing(Int32Array);
  /** how many folders it is in */
  readonly depths = new Growing(Uint8Array);
  /** number of its root; 0 for what was removed */
  readonly roots = new Growing(Uint16Array);
  /** how many entries a folder has directly in it */
  private readonly children = new Growing(Uint32Array);
  private readonly perEntry = [this.parents, this.depths, this.roots, this.children];
  /** what cannot be had back from units and marks, as it was given */
  private readonly wide = new Map<number, string>();
  /** numbers of entries + 1 by hash, open addressing */
  private table = new Int32Array(1024);
  private readonly folder = new Folder();
  private last = { root: 0, folder: "", id: NONE };

  private capacity = 0;
  count = 0;
  removed = 0;
  files = 0;

  constructor(private readonly ignoreCase: boolean) {}

  kind(id: number): Kind {
    return this.units.data[this.end(id) - 1] === SLASH ? "folder" : "file";
  }

  /** As it was given, without the `/` of folders. */
  path(id: number): string {
    const given = this.wide.get(id);
    if (given !== undefined) return given;
    const [units, marks] = [this.units.data, this.marks.data];
    const [from, to] = [this.records.start(id), this.end(id)];
    const codes: number[] = [];
    for (let at = from; at < to; at++) {
      const upper = (marks[at] ?? 0) & Mark.upper;
      codes.push((units[at] ?? 0) - (upper ? 32 : 0));
    }
    if (codes.at(-1) === SLASH) codes.pop();
    return String.fromCharCode(...codes);
  }

  find(root: number, path: string, kind: Kind): number {
    const slot = this.slot(root, path, this.folder.fold(kind === "folder" ? `${path}/` : path));
    return (this.table[slot] ?? 0) - 1;
  }

  /** Does nothing for what is there already. */
  addFile(root: number, path: string): void {
    const parent = this.parentOf(root, path);
    const before = this.count;
    this.insert(root, path, "file", parent);
    this.files += this.count - before;
  }

  /** And the folders that nothing is in any more. */
  remove(id: number): void {
    if (this.kind(id) === "folder") {
      for (let at = this.count - 1; at > id; at--) if (this.isIn(at, id)) this.drop(at);
    }
    let parent = this.parents.data[id] ?? NONE;
    this.drop(id);
    while (parent !== NONE && this.children.data[parent] === 0) {
      const next = this.parents.data[parent] ?? NONE;
      this.drop(parent);
      parent = next;
    }
  }

  /** Gives back what was reserved for more. */
  trim(): void {
    this.capacity = Math.ceil(this.count * 1.05);
    for (const array of this.perEntry) array.trim(this.capacity);
    this.records.trim(this.capacity);
    this.units.trim(Math.ceil(this.units.length * 1.05));
    this.marks.trim(Math.ceil(this.marks.length * 1.05));
  }

  private isIn(id: number, folder: number): boolean {
    if (this.roots.data[id] === 0) return false;
    let at = id;
    while (at > folder) at = this.parents.data[at] ?? NONE;
    return at === folder;
  }

  private drop(id: number): void {
    if (this.roots.data[id] === 0) return;
    if (this.kind(id) === "file") this.files--;
    const parent = this.parents.data[id] ?? NONE;
    if (parent !== NONE) this.children.data[parent] = (this.children.data[parent] ?? 1) - 1;
    this.roots.data[id] = 0;
    this.records.forget(id);
    this.wide.delete(id);
    this.removed++;
    if (this.last.id === id) this.last = { root: 0, folder: "", id: NONE };
  }

  private parentOf(root: number, path: string): number {
    const slash = path.lastIndexOf("/");
    if (slash <= 0) return NONE;
    const folder = path.slice(0, slash);
    if (this.last.root === root && this.last.folder === folder) return this.last.id;
    const known = this.find(root, folder, "folder");
    const id = known === NONE ? this.insert(root, folder, "folder", this.parentOf(root, folder)) : known;
    this.last = { root, folder, id };
    return id;
  }

  private insert(root: number, path: string, kind: Kind, parent: number): number {
    const folded = this.folder.fold(kind === "folder" ? `${path}/` : path);
    if ((this.count + 1) * 2 > this.table.length) this.rehash();
    const slot = this.slot(root, path, folded);
    if (this.table[slot] !== 0) return (this.table[slot] ?? 0) - 1;
    this.table[slot] = this.count + 1;
    const id = this.count++;
    this.reserve();
    this.parents.data[id] = parent;
    this.depths.data[id] = parent === NONE ? 0 : Math.min(255, (this.depths.data[parent] ?? 0) + 1);
    if (parent !== NONE) this.children.data[parent] = (this.children.data[parent] ?? 0) + 1;
    this.roots.data[id] = root;
    this.children.data[id] = 0;
    if (!folded.plain) this.wide.set(id, path);
    this.describe(id, folded);
    this.units.append(folded.units, folded.length);
    this.marks.append(folded.marks, folded.length);
    return id;
  }

  private reserve(): void {
    if (this.count <= this.capacity) return;
    this.capacity = Math.max(64, Math.ceil(this.capacity * 1.5));
    for (const array of this.perEntry) array.reach(this.capacity);
    this.records.reach(this.capacity);
  }

  /** Before its units are appended. */
  private describe(id: number, { units, marks, length }: Folded): void {
    const name = nameStart(units, 0, length);
    const isFolder = units[length - 1] === SLASH;
    const words = this.records.words.data;
    const at = id * RECORD;
    let [stem, before] = [isFolder ? length - 1 : length, 0];
    for (let unitAt = 0; unitAt < length; unitAt++) {
      const unit = units[unitAt] ?? 0;
      const bit = maskOf(unit);
      const inName = unitAt >= name;
      const all = at + (inName ? Field.name : Field.folders);
      words[all] = (words[all] ?? 0) | bit;
      if (((marks[unitAt] ?? 0) & Mark.kinds) !== Mark.inWord) words[all + 1] = (words[all + 1] ?? 0) | bit;
      if (unitAt > 0) {
        const pair = pairBit(before, unit);
        const word = at + (inName ? Field.namePairs : Field.folderPairs) + (pair >>> 5);
        words[word] = (words[word] ?? 0) | (1 << (pair & 31));
      }
      before = unit;
      if (unit === DOT && unitAt > name) stem = unitAt;
    }
    const cost = standingCost(this.depths.data[id] ?? 0, name, isFolder);
    words[at + Field.shape] = shapeOf(units[name] ?? 0, length - name, cost);
    words[at + Field.start] = this.units.length;
    words[at + Field.sizes] = length | (name << 16);
    words[at + Field.stem] = stem - name;
  }

  private end(id: number): number {
    return this.records.start(id) + this.records.size(id);
  }

  /** Where in the table the entry stands or would stand. */
  private slot(root: number, path: string, folded: Folded): number {
    const mask = this.table.length - 1;
    let slot = hash(folded.units, 0, folded.length, root) & mask;
    for (;;) {
      const entry = this.table[slot] ?? 0;
      if (entry === 0 || this.is(entry - 1, root, path, folded)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private is(id: number, root: number, path: string, { units, marks, length, plain }: Folded): boolean {
    if (this.roots.data[id] !== root || this.records.size(id) !== length) return false;
    const given = this.wide.get(id);
    if (plain !== (given === undefined)) return false;
    const start = this.records.start(id);
    for (let at = 0; at < length; at++) if (this.units.data[start + at] !== units[at]) return false;
    if (given !== undefined) return this.sameName(given) === this.sameName(path);
    if (this.ignoreCase) return true;
    for (let at = 0; at < length; at++) if (this.marks.data[start + at] !== marks[at]) return false;
    return true;
  }

  private sameName(path: string): string {
    const composed = path.normalize("NFC");
    return this.ignoreCase ? composed.toLowerCase() : composed;
  }

  private rehash(): void {
    const table = new Int32Array(this.table.length * 2);
    for (let id = 0; id < this.count; id++) {
      const root = this.roots.data[id] ?? 0;
      if (root === 0) continue;
      const start = this.records.start(id);
      let slot = hash(this.units.data, start, this.records.size(id), root) & (table.length - 1);
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
      table[slot] = id + 1;
    }
    this.table = table;
  }
}

/** FNV-1a over units, its high bits folded in, since tables take the low ones. */
function hash(units: Uint16Array, from: number, length: number, root: number): number {
  let sum = 0x811c9dc5 ^ root;
  for (let at = from; at < from + length; at++) sum = Math.imul(sum ^ (units[at] ?? 0), 0x01000193);
  return (sum ^ (sum >>> 15)) >>> 0;
}
