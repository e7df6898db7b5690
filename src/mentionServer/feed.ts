/** Keeps the indexes in step with the workspace: asks for lists of files part by part, so that questions are answered between. */
import { PathIndex } from "../core/mentions/pathIndex";
import type { ChangedParams, FilesParams, FilesResult } from "../shared/mentions/serverProtocol";
import type { Workspace } from "./workspace";

export interface FeedDeps {
  workspace: Workspace;
  files(params: FilesParams): Promise<FilesResult>;
  /** a list is whole, or paths came or went */
  onChange(): void;
  log(message: string): void;
}

interface Listing {
  number: number;
  /** what came and went meanwhile: the list may be older */
  missed: ChangedParams[];
  /** what it lists has changed since: another one is due */
  again: boolean;
  ended: PromiseWithResolvers<void>;
}

export class Feed {
  private numbers = 0;
  private readonly listings = new Map<string, Listing>();
  /** roots of which a whole list is there */
  private readonly whole = new Set<string>();

  constructor(private readonly deps: FeedDeps) {}

  /** A list of some root is not whole yet. */
  get indexing(): boolean {
    return this.deps.workspace.folders.some(({ uri }) => this.listings.has(uri) && !this.whole.has(uri));
  }

  /** Resolves when the lists that are being made are whole, or cannot be. */
  async listed(): Promise<void> {
    await Promise.all([...this.listings.values()].map(({ ended }) => ended.promise));
  }

  /**
   * Lists a root anew; until that is done the old index answers. A list under way is ended first: where lists are due all
   * the time, as while something is built, none would ever be whole.
   */
  async list(root: string): Promise<void> {
    const running = this.listings.get(root);
    if (running) {
      running.again = true;
      return;
    }
    const listing: Listing = { number: ++this.numbers, missed: [], again: false, ended: Promise.withResolvers() };
    this.listings.set(root, listing);
    const isCurrent = () => this.listings.get(root) === listing && this.deps.workspace.has(root);
    const { workspace } = this.deps;
    const index = new PathIndex(root, { ignoreCase: workspace.ignoreCase });
    // The first one answers with what it has so far.
    if (!workspace.indexOf(root)) workspace.setIndex(root, index);
    try {
      for (let done = false; !done; ) {
        const part = await this.deps.files({ root, list: listing.number });
        if (!isCurrent()) return;
        index.add(part.paths);
        done = part.done;
      }
      index.trim();
      workspace.setIndex(root, index);
      this.whole.add(root);
      for (const change of listing.missed) workspace.change(change);
    } catch (error) {
      // What belongs to a folder that is gone ends so.
      if (isCurrent())
        this.deps.log(`The files of ${root} could not be listed: ${error instanceof Error ? error.message : error}`);
    } finally {
      listing.ended.resolve();
      if (this.listings.get(root) === listing) {
        this.listings.delete(root);
        this.deps.onChange();
        if (listing.again && this.deps.workspace.has(root)) void this.list(root);
      }
    }
  }

  change(change: ChangedParams): void {
    for (const root of this.deps.workspace.around(change.root)) this.listings.get(root)?.missed.push(change);
    this.deps.workspace.change(change);
    this.deps.onChange();
  }

  /** Roots that are no longer there are forgotten. */
  forget(): void {
    for (const root of this.whole) if (!this.deps.workspace.has(root)) this.whole.delete(root);
    for (const root of this.listings.keys()) if (!this.deps.workspace.has(root)) this.listings.delete(root);
  }
}
