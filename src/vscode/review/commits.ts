/**
 * What is committed was looked at: its marks go. What the newest commit holds is looked up whenever it may matter, so commits
 * count that nobody saw: of another window, or while a session was not open. By VS Code's git extension, where that is there.
 */
import type * as vscode from "vscode";
import type { NewestCommit } from "../../core/changes/review/sessionReview";
import type { NothingToAttach } from "../../core/ground/ports";
import { isBelow } from "../../shared/paths";
import type { GitApi, Repository } from "../attachments/gitExtension";

interface RepositoryChange {
  readonly uri: vscode.Uri;
}

/** What is used beside of a repository. */
interface FollowedRepository extends Repository {
  readonly state: {
    /** undefined: not read yet; no `commit`: there is none so far */
    readonly HEAD: { readonly commit?: string } | undefined;
    readonly indexChanges: readonly RepositoryChange[];
    readonly workingTreeChanges: readonly RepositoryChange[];
    readonly mergeChanges: readonly RepositoryChange[];
    readonly untrackedChanges?: readonly RepositoryChange[];
    readonly onDidChange: vscode.Event<void>;
  };
  /** Rejects with `gitErrorCode` "UnknownPath" where the tree does not have it. */
  getObjectDetails(treeish: string, path: string): Promise<unknown>;
  show(ref: string, path: string): Promise<string>;
  log(options: { maxEntries: number; path: string }): Promise<readonly { readonly commitDate?: Date }[]>;
}

/** The newest commit that changed a file, as of a HEAD. */
interface Newest {
  head: string;
  /** undefined: none did */
  time: Promise<number | undefined>;
}

interface CommitsDeps {
  /** Where there is no git, that costs nothing: it is asked again and again. */
  api(signal: AbortSignal): Promise<GitApi | NothingToAttach>;
  /** What is committed, or differs from that, is another. */
  onChange(): void;
  failed(error: unknown): void;
}

export class Commits implements vscode.Disposable {
  private readonly controller = new AbortController();
  private subscriptions: vscode.Disposable[] = [];
  /** by root */
  private readonly followed = new Map<string, { repository: FollowedRepository; subscription: vscode.Disposable }>();
  /** by root: names of the files that are not as they were committed, as far as git has looked */
  private readonly differing = new Map<string, ReadonlySet<string>>();
  /** by file */
  private readonly newest = new Map<string, Newest>();
  private state: "idle" | "begins" | "follows" | "failed" = "idle";

  constructor(private readonly deps: CommitsDeps) {}

  /** From now on, where there is git; else it may be there the next time. */
  async follow(): Promise<void> {
    if (this.state !== "idle" || this.controller.signal.aborted) return;
    this.state = "begins";
    try {
      this.state = (await this.begin()) ? "follows" : "idle";
    } catch (error) {
      this.state = "failed";
      if (!this.controller.signal.aborted) this.deps.failed(error);
    }
  }

  /**
   * undefined: the file is in no repository, no commit ever had it, or it is not as it was committed.
   * @param isGone there is no such file: the newest commit need not have it
   */
  async of(uri: vscode.Uri, isGone: boolean): Promise<NewestCommit | undefined> {
    const repository = this.around(uri);
    const head = repository?.state.HEAD?.commit;
    if (!repository || head === undefined || this.differs(repository, uri)) return undefined;
    const time = await this.timeOf(repository, uri, head, isGone);
    if (time === undefined) return undefined;
    // There was a commit of it: where this one does not have it, that took it away.
    return { time, text: () => repository.show(head, uri.fsPath).catch(() => null) };
  }

  dispose(): void {
    this.controller.abort();
    this.stop();
  }

  /** false: there is no git */
  private async begin(): Promise<boolean> {
    const api = await this.deps.api(this.controller.signal);
    if (this.controller.signal.aborted || "nothing" in api) return false;
    this.stop();
    this.subscriptions = [
      api.onDidOpenRepository(repository => this.add(repository as FollowedRepository)),
      api.onDidCloseRepository(({ rootUri }) => this.remove(rootUri.toString())),
    ];
    for (const repository of api.repositories) this.add(repository as FollowedRepository);
    return true;
  }

  private add(repository: FollowedRepository): void {
    const root = repository.rootUri.toString();
    this.followed.get(root)?.subscription.dispose();
    const changed = () => {
      this.differing.delete(root);
      this.deps.onChange();
    };
    this.followed.set(root, { repository, subscription: repository.state.onDidChange(changed) });
    changed();
  }

  private remove(root: string): void {
    this.followed.get(root)?.subscription.dispose();
    this.followed.delete(root);
    this.differing.delete(root);
    // Git may have been switched off: what is there when it is on again is another API.
    if (this.followed.size === 0 && this.state === "follows") this.state = "idle";
  }

  private stop(): void {
    for (const { subscription } of this.followed.values()) subscription.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
    this.subscriptions = [];
    this.followed.clear();
  }

  /** The innermost. */
  private around(uri: vscode.Uri): FollowedRepository | undefined {
    return [...this.followed.values()]
      .map(({ repository }) => repository)
      .filter(({ rootUri }) => uri.scheme === rootUri.scheme && isBelow(rootUri.path, uri.path))
      .sort((a, b) => b.rootUri.path.length - a.rootUri.path.length)[0];
  }

  /** Most files that wait are in git's list of changes: nobody has to ask for each. */
  private differs(repository: FollowedRepository, uri: vscode.Uri): boolean {
    const root = repository.rootUri.toString();
    const known = this.differing.get(root) ?? changedIn(repository);
    this.differing.set(root, known);
    return known.has(uri.toString());
  }

  private timeOf(repository: FollowedRepository, { fsPath }: vscode.Uri, head: string, isGone: boolean) {
    const name = `${fsPath} ${isGone}`;
    const known = this.newest.get(name);
    if (known?.head === head) return known.time;
    const time = newestOf(repository, fsPath, head, isGone).catch(() => {
      this.newest.delete(name);
      return undefined;
    });
    this.newest.set(name, { head, time });
    return time;
  }
}

/** For a file that no commit ever had, the log would be read to its end: ignored files are in no list of changes either. */
async function newestOf(repository: FollowedRepository, path: string, head: string, isGone: boolean) {
  if (!isGone && !(await hasFile(repository, path, head))) return undefined;
  const [commit] = await repository.log({ maxEntries: 1, path });
  return commit?.commitDate?.getTime();
}

async function hasFile(repository: FollowedRepository, path: string, head: string): Promise<boolean> {
  try {
    await repository.getObjectDetails(head, path);
    return true;
  } catch (error) {
    if (error instanceof Object && "gitErrorCode" in error && error.gitErrorCode === "UnknownPath") return false;
    throw error;
  }
}

/** Names of files, as git's own list of changes has them. */
function changedIn({ state }: FollowedRepository): ReadonlySet<string> {
  const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges = [] } = state;
  const all = [indexChanges, workingTreeChanges, mergeChanges, untrackedChanges];
  return new Set(all.flatMap(changes => changes.map(({ uri }) => uri.toString())));
}
