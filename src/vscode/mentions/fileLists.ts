/** Indexes of the workspace's files: made when they are asked for, and anew when they are asked for later. Why: C-180. */
import type { Stopwatch } from "../../core/ground/ports";
import { errorMessage } from "../../shared/errorMessage";
import { t } from "../../shared/l10n";
import { PathIndex } from "./pathIndex";

export interface FileListsDeps {
  /** Files below a root that are not ignored, relative to it; `onFile` says false when it has enough. */
  files(root: string, onFile: (path: string) => boolean, signal: AbortSignal): Promise<void>;
  /** Names that differ in case only are the same. */
  ignoreCase: boolean;
  clock: Stopwatch;
  log(message: string): void;
  most?: number;
}

/** Paths of all roots together: more would take over 150 MB of memory. */
const MAX_FILES = 300_000;
/** A list counts for so long, ms; one that took long, for so many times as long as it took. */
const FRESH_MS = 1_000;
const REST = 4;

class RootList {
  /** of the last list that ended well; of the first one, what it has so far */
  index: PathIndex | undefined;
  /** One ended, well or not. */
  isListed = false;
  count = 0;
  /** when the next one may be made */
  due = 0;
  running: Promise<void> | undefined;
  readonly end = new AbortController();
}

export class FileLists {
  private readonly lists = new Map<string, RootList>();
  private isCutTold = false;

  constructor(private readonly deps: FileListsDeps) {}

  /** Lists anew, behind the answer, the roots that are out of date. @param roots all there are: others are forgotten */
  refresh(roots: readonly string[]): void {
    for (const [root, list] of this.lists) {
      if (roots.includes(root)) continue;
      list.end.abort();
      this.lists.delete(root);
    }
    for (const root of roots) {
      const list = this.lists.get(root) ?? new RootList();
      this.lists.set(root, list);
      if (list.running || this.deps.clock.steady() < list.due) continue;
      list.running = this.make(root, list).finally(() => {
        list.running = undefined;
      });
    }
  }

  /** undefined: none of its files was found yet */
  indexOf = (root: string): PathIndex | undefined => this.lists.get(root)?.index;

  /** A root has no list yet. */
  get isFirst(): boolean {
    return [...this.lists.values()].some(({ isListed }) => !isListed);
  }

  /** A list is made now. */
  get isListing(): boolean {
    return [...this.lists.values()].some(({ running }) => running);
  }

  /** Resolves once the lists that are made now are whole. */
  async listed(): Promise<void> {
    await Promise.all([...this.lists.values()].map(({ running }) => running));
  }

  dispose(): void {
    this.refresh([]);
  }

  /** Never rejects. */
  private async make(root: string, list: RootList): Promise<void> {
    const { clock, ignoreCase, files, log, most = MAX_FILES } = this.deps;
    const { signal } = list.end;
    const from = clock.steady();
    list.count = 0;
    const left = most - [...this.lists.values()].reduce((sum, { count }) => sum + count, 0);
    const index = new PathIndex(root, { ignoreCase });
    list.index ??= index;
    const take = (path: string) => {
      if (signal.aborted) return false;
      if (list.count >= left) return this.cut(most);
      list.count += 1;
      index.add([path]);
      return true;
    };
    try {
      await files(root, take, signal);
      list.index = index;
    } catch (error) {
      if (!signal.aborted) log(t("The files of {0} could not be listed: {1}", root, errorMessage(error)));
    }
    list.isListed = true;
    const now = clock.steady();
    list.due = now + Math.max(FRESH_MS, REST * (now - from));
  }

  private cut(most: number): false {
    if (!this.isCutTold)
      this.deps.log(t("This workspace has more than {0} files: completion of mentions knows no more of them.", most));
    this.isCutTold = true;
    return false;
  }
}
