/** What lies near the current file counts more. Pure. */
import { points } from "./points";
import type { PathStore } from "./store";

/** Points by entry for being near one folder; made anew only for another folder, or where entries came or went. */
export class NearPoints {
  private made: { folder: number; root: number; count: number; removed: number } | undefined;
  private points = new Uint8Array(0);
  /** how many folders an entry has in common with those around the current file, itself included */
  private shared = new Uint8Array(0);

  constructor(private readonly store: PathStore) {}

  /** @param folder the current file's; -1 at the top of its root, which is 0 where there is no current file */
  of(root: number, folder: number): Uint8Array {
    const { count, removed } = this.store;
    const { made } = this;
    if (made?.folder === folder && made.root === root && made.count === count && made.removed === removed) {
      return this.points;
    }
    this.made = { folder, root, count, removed };
    if (this.points.length < count) {
      this.points = new Uint8Array(Math.ceil(count * 1.1));
      this.shared = new Uint8Array(this.points.length);
    }
    if (root === 0) this.points.fill(0);
    else this.fill(root, folder);
    return this.points;
  }

  private fill(root: number, folder: number): void {
    const { store, shared } = this;
    const around = new Uint8Array(store.count);
    for (let at = folder; at >= 0; at = store.parents.data[at] ?? -1) around[at] = 1;
    const depth = folder < 0 ? 0 : (store.depths.data[folder] ?? 0) + 1;
    for (let id = 0; id < store.count; id++) {
      const parent = store.parents.data[id] ?? -1;
      const above = parent < 0 ? 0 : (shared[parent] ?? 0);
      shared[id] = around[id] === 1 ? above + 1 : above;
      const steps = depth - above + (store.depths.data[id] ?? 0) - above;
      this.points[id] = store.roots.data[id] === root ? (points.near[steps] ?? 0) : 0;
    }
  }
}
