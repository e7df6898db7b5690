/** Lists of the workspace's files, given away part by part as the search engine finds them. */
import type { FilesParams, FilesResult } from "../../shared/mentions/serverProtocol";

export interface FileListsDeps {
  /** Files below a root that are not ignored, relative to it; `onFile` says false when it has enough. */
  files(root: string, onFile: (path: string) => boolean, signal: AbortSignal): Promise<void>;
  /** Is told once when a workspace has more files than are listed. */
  onCut(most: number): void;
  /** at most so many paths of a workspace are listed */
  most?: number;
}

/** Paths of all roots together: some 150 MB of memory in the server would be the rest. */
const MAX_FILES = 300_000;
const PART = 5_000;

interface Listing {
  number: number;
  parts: string[][];
  /** paths so far */
  count: number;
  done: boolean;
  failure: unknown;
  controller: AbortController;
  /** whoever waits for a part */
  wake: (() => void) | undefined;
}

export class FileLists {
  private readonly listings = new Map<string, Listing>();
  private readonly counts = new Map<string, number>();
  /** roots that there are; undefined: not told yet */
  private kept: ReadonlySet<string> | undefined;
  private told = false;

  constructor(private readonly deps: FileListsDeps) {}

  /** The next part of a list; a number that is new begins one. Rejects with what kept the files from being listed. */
  async next({ root, list }: FilesParams): Promise<FilesResult> {
    let listing = this.listings.get(root);
    if (listing?.number !== list) {
      // Who asked has not heard yet that it is gone.
      if (this.kept && !this.kept.has(root)) return { paths: [], done: true };
      listing?.controller.abort();
      listing = this.begin(root, list);
    }
    while (listing.parts.length === 0 && !listing.done) await wakened(listing);
    const paths = listing.parts.shift() ?? [];
    const done = listing.done && listing.parts.length === 0;
    if (done) this.end(root, listing);
    return { paths, done };
  }

  /** Of roots that are none of these nothing is listed any more, and what they had counts no more. */
  keep(roots: readonly string[]): void {
    this.kept = new Set(roots);
    for (const [root, { controller }] of this.listings) {
      if (this.kept.has(root)) continue;
      controller.abort();
      this.listings.delete(root);
    }
    for (const root of this.counts.keys()) if (!this.kept.has(root)) this.counts.delete(root);
  }

  /** Whoever asked is gone; roots may be too. */
  reset(): void {
    for (const { controller } of this.listings.values()) controller.abort();
    this.listings.clear();
    this.counts.clear();
  }

  private begin(root: string, number: number): Listing {
    const controller = new AbortController();
    const listing: Listing = {
      number,
      parts: [],
      count: 0,
      done: false,
      failure: undefined,
      controller,
      wake: undefined,
    };
    this.listings.set(root, listing);
    this.counts.delete(root);
    const most = (this.deps.most ?? MAX_FILES) - [...this.counts.values()].reduce((sum, count) => sum + count, 0);
    const take = (path: string) => {
      if (listing.count >= most) {
        this.cut();
        return false;
      }
      listing.count += 1;
      const part = listing.parts.at(-1);
      if (part && part.length < PART) part.push(path);
      else listing.parts.push([path]);
      listing.wake?.();
      return true;
    };
    this.deps
      .files(root, take, controller.signal)
      .catch(error => {
        listing.failure = error;
      })
      .finally(() => {
        listing.done = true;
        if (!controller.signal.aborted) this.counts.set(root, listing.count);
        listing.wake?.();
      });
    return listing;
  }

  private end(root: string, listing: Listing): void {
    if (this.listings.get(root) === listing) this.listings.delete(root);
    if (listing.failure !== undefined) throw listing.failure;
  }

  private cut(): void {
    if (this.told) return;
    this.told = true;
    this.deps.onCut(this.deps.most ?? MAX_FILES);
  }
}

function wakened(listing: Listing): Promise<void> {
  return new Promise(resolve => {
    listing.wake = () => {
      listing.wake = undefined;
      resolve();
    };
  });
}

/** Of more than so many a new list is quicker than looking at each. */
const MAX_LEFT = 100;
const MAX_QUESTIONS = 500;

/**
 * Each folder is asked about once: of all that a build or an installation puts into an ignored one nothing else is asked.
 * @param paths relative to a root, '/' separators
 * @returns undefined: there are too many to tell
 */
export async function unignored(
  paths: Iterable<string>,
  isIgnored: (path: string) => Promise<boolean>,
): Promise<string[] | undefined> {
  const known = new Map<string, boolean>();
  const left: string[] = [];
  for (const path of paths) {
    let ignored = false;
    for (const above of [...foldersOf(path), path]) {
      if (!known.has(above) && known.size === MAX_QUESTIONS) return undefined;
      ignored = known.get(above) ?? (await isIgnored(above));
      known.set(above, ignored);
      if (ignored) break;
    }
    if (ignored) continue;
    if (left.length === MAX_LEFT) return undefined;
    left.push(path);
  }
  return left;
}

/** `a/b/c` lies in `a` and `a/b`. */
function foldersOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, depth) => names.slice(0, depth + 1).join("/"));
}
