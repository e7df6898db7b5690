/**
 * What is committed was looked at: its marks go. What the newest commit holds is looked up whenever it may matter, so commits
 * count that nobody saw: of another window, or while a session was not open. By VS Code's git extension, where that is there.
 */
import * as vscode from "vscode";
import type { Committed } from "../../core/review/sessionReview";
import { gitApi, type Repository } from "../attachments/gitExtension";

interface Changed {
  readonly uri: vscode.Uri;
}

/** What is used beside of a repository. */
interface Followed extends Repository {
  readonly state: {
    /** undefined: not read yet; no `commit`: there is none so far */
    readonly HEAD: { readonly commit?: string } | undefined;
    readonly indexChanges: readonly Changed[];
    readonly workingTreeChanges: readonly Changed[];
    readonly mergeChanges: readonly Changed[];
    readonly untrackedChanges?: readonly Changed[];
    readonly onDidChange: vscode.Event<void>;
  };
  show(ref: string, path: string): Promise<string>;
  log(options: { maxEntries: number; path: string }): Promise<readonly { readonly commitDate?: Date }[]>;
}

/** The newest commit that changed a file, as of a HEAD. */
interface Newest {
  head: string;
  /** undefined: none did */
  time: Promise<number | undefined>;
}

export class Commits implements vscode.Disposable {
  private readonly controller = new AbortController();
  private readonly subscriptions: vscode.Disposable[] = [];
  /** by root */
  private readonly followed = new Map<string, Followed>();
  /** by root: names of the files that are not as they were committed, as far as git has looked */
  private readonly differing = new Map<string, ReadonlySet<string>>();
  /** by file */
  private readonly newest = new Map<string, Newest>();
  private following: Promise<void> | undefined;

  /** @param onChange what is committed, or differs from that, is another */
  constructor(private readonly onChange: () => void) {}

  /** From now on. Nothing happens where there is no git. */
  follow(): Promise<void> {
    this.following ??= this.begin();
    return this.following;
  }

  /** undefined: the file is in no repository, no commit ever had it, or it is not as it was committed. */
  async of(uri: vscode.Uri): Promise<Committed | undefined> {
    const repository = this.around(uri);
    const head = repository?.state.HEAD?.commit;
    if (!repository || head === undefined || this.differs(repository, uri)) return undefined;
    const time = await this.timeOf(repository, uri, head);
    if (time === undefined) return undefined;
    // There was a commit of it: where this one does not have it, that took it away.
    return { time, text: () => repository.show(head, uri.fsPath).catch(() => null) };
  }

  dispose(): void {
    this.controller.abort();
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private async begin(): Promise<void> {
    const api = await gitApi(this.controller.signal);
    if (this.controller.signal.aborted || "nothing" in api) return;
    for (const repository of api.repositories) this.add(repository as Followed);
    this.subscriptions.push(api.onDidOpenRepository(repository => this.add(repository as Followed)));
  }

  private add(repository: Followed): void {
    const root = repository.rootUri.toString();
    if (this.followed.has(root)) return;
    this.followed.set(root, repository);
    const changed = () => {
      this.differing.delete(root);
      this.onChange();
    };
    this.subscriptions.push(repository.state.onDidChange(changed));
    changed();
  }

  /** The innermost. */
  private around(uri: vscode.Uri): Followed | undefined {
    return [...this.followed.values()]
      .filter(({ rootUri }) => uri.scheme === rootUri.scheme && uri.path.startsWith(`${trimmed(rootUri.path)}/`))
      .sort((a, b) => b.rootUri.path.length - a.rootUri.path.length)[0];
  }

  /** Most files that wait are in git's list of changes: nobody has to ask for each. */
  private differs(repository: Followed, uri: vscode.Uri): boolean {
    const root = repository.rootUri.toString();
    const known = this.differing.get(root) ?? changedIn(repository);
    this.differing.set(root, known);
    return known.has(uri.toString());
  }

  private timeOf(repository: Followed, uri: vscode.Uri, head: string): Promise<number | undefined> {
    const name = uri.toString();
    const known = this.newest.get(name);
    if (known?.head === head) return known.time;
    const time = repository
      .log({ maxEntries: 1, path: uri.fsPath })
      .then(([commit]) => commit?.commitDate?.getTime())
      .catch(() => {
        this.newest.delete(name);
        return undefined;
      });
    this.newest.set(name, { head, time });
    return time;
  }
}

const trimmed = (path: string) => path.replace(/\/$/, "");

/** Names of files, as git's own list of changes has them. */
function changedIn({ state }: Followed): ReadonlySet<string> {
  const { indexChanges, workingTreeChanges, mergeChanges, untrackedChanges = [] } = state;
  const all = [indexChanges, workingTreeChanges, mergeChanges, untrackedChanges];
  return new Set(all.flatMap(changes => changes.map(({ uri }) => uri.toString())));
}
