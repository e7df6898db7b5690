/** Indexes of the workspace's files, made anew when files came or went. Why: C-180. */

import type { Stopwatch, Timer } from "../../core/ground/ports";
import { PathIndex } from "../../core/mentions/pathIndex";
import { errorMessage } from "../../shared/errorMessage";
import { t } from "../../shared/l10n";

export interface FileListsDeps {
  /** Files below a root that are not ignored, relative to it; `onFile` says false when it has enough. */
  files(root: string, onFile: (path: string) => boolean, signal: AbortSignal): Promise<void>;
  /** Names that differ in case only are the same. */
  ignoreCase: boolean;
  clock: Timer & Stopwatch;
  log(message: string): void;
  /** at most so many paths of a workspace are listed */
  most?: number;
}

/** Paths of all roots together: more would take over 150 MB of memory. */
const MAX_FILES = 300_000;

/** A list is made anew after this long without a change, ms; where changes never end, this long after the first one. */
const QUIET_MS = 1_000;
const MOST_MS = 10_000;
/** Between lists there are so many times what the last one took: a build takes no more of the processor by them. */
const REST = 4;

class RootList {
  /** of the last list that ended well; of the first one, what it has so far */
  index: PathIndex | undefined;
  /** One ended, well or not. */
  isListed = false;
  /** paths of the newest list */
  count = 0;
  running: AbortController | undefined;
  /** something changed that the newest list may not have: since when */
  changed: number | undefined;
  /** when the next list may begin at the earliest */
  rested = 0;
  callOff: (() => void) | undefined;

  end(): void {
    this.callOff?.();
    this.running?.abort();
  }
}

export class FileLists {
  private readonly lists = new Map<string, RootList>();
  private told = false;
  private whole = Promise.withResolvers<void>();

  constructor(private readonly deps: FileListsDeps) {}

  /** Lists roots that are new; what is none of these any more is forgotten. */
  keep(roots: readonly string[]): void {
    for (const [root, list] of this.lists) {
      if (roots.includes(root)) continue;
      list.end();
      this.lists.delete(root);
    }
    for (const root of roots) {
      if (this.lists.has(root)) continue;
      const list = new RootList();
      this.lists.set(root, list);
      void this.make(root, list);
    }
    this.noteWhole();
  }

  /** undefined: none of its files was found yet */
  indexOf(root: string): PathIndex | undefined {
    return this.lists.get(root)?.index;
  }

  /** A root has no list yet. */
  get indexing(): boolean {
    return [...this.lists.values()].some(({ isListed }) => !isListed);
  }

  /** Resolves once every root has a list. */
  async allListed(): Promise<void> {
    if (this.indexing) await this.whole.promise;
  }

  private noteWhole(): void {
    if (this.indexing) return;
    this.whole.resolve();
    this.whole = Promise.withResolvers();
  }

  /** Something came or went in a root, or is ignored from now on. */
  changed(root: string): void {
    const list = this.lists.get(root);
    if (!list) return;
    list.changed ??= this.deps.clock.steady();
    if (!list.running) this.wait(root, list, QUIET_MS);
  }

  /** Somebody asks: what is out of date is made anew behind the answer. @returns whether something is */
  hurry(): boolean {
    const behind = [...this.lists].filter(([, { changed, running }]) => changed !== undefined || running);
    for (const [root, list] of behind) if (!list.running) this.wait(root, list, 0);
    return behind.length > 0;
  }

  dispose(): void {
    this.keep([]);
  }

  private wait(root: string, list: RootList, quiet: number): void {
    const { clock } = this.deps;
    const now = clock.steady();
    const due = Math.min(now + quiet, (list.changed ?? now) + MOST_MS);
    list.callOff?.();
    list.callOff = clock.after(Math.max(0, due - now, list.rested - now), () => void this.make(root, list));
  }

  private async make(root: string, list: RootList): Promise<void> {
    const { clock, ignoreCase, files, log } = this.deps;
    const controller = new AbortController();
    const { signal } = controller;
    const from = clock.steady();
    Object.assign(list, { running: controller, changed: undefined, count: 0 });
    const most = (this.deps.most ?? MAX_FILES) - [...this.lists.values()].reduce((sum, { count }) => sum + count, 0);
    const index = new PathIndex(root, { ignoreCase });
    list.index ??= index;
    const take = (path: string) => {
      if (signal.aborted) return false;
      if (list.count >= most) return this.cut();
      list.count += 1;
      index.add([path]);
      return true;
    };
    try {
      await files(root, take, signal);
      if (!signal.aborted) list.index = index;
    } catch (error) {
      if (!signal.aborted) log(t("The files of {0} could not be listed: {1}", root, errorMessage(error)));
    }
    if (signal.aborted) return;
    const now = clock.steady();
    list.running = undefined;
    list.isListed = true;
    this.noteWhole();
    list.rested = now + REST * (now - from);
    if (list.changed !== undefined) this.wait(root, list, QUIET_MS);
  }

  private cut(): false {
    const most = this.deps.most ?? MAX_FILES;
    if (!this.told)
      this.deps.log(t("This workspace has more than {0} files: completion of mentions knows no more of them.", most));
    this.told = true;
    return false;
  }
}
