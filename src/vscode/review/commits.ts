/** What is committed was looked at: its marks go. As VS Code's git extension tells it, where that is there. */
import * as vscode from "vscode";
import { gitApi, type Repository } from "../attachments/gitExtension";

interface RepositoryState {
  readonly HEAD: { readonly commit?: string } | undefined;
  readonly workingTreeChanges: readonly { readonly uri: vscode.Uri }[];
  readonly indexChanges: readonly { readonly uri: vscode.Uri }[];
  readonly mergeChanges: readonly { readonly uri: vscode.Uri }[];
  /** by a newer extension; an older one has them among the changes */
  readonly untrackedChanges?: readonly { readonly uri: vscode.Uri }[];
  readonly onDidChange: vscode.Event<void>;
}

type Followed = Repository & { readonly state: RepositoryState };

/** Of a repository in which a commit came: whether git has nothing to say of a file. */
type IsClean = (uri: vscode.Uri) => boolean;

const KEY = "strata.reviewHeads";
const lists = ["workingTreeChanges", "indexChanges", "mergeChanges", "untrackedChanges"] as const;

/**
 * Tells of each commit, of those too that came while the window was closed.
 * @param heads remembers which commit each repository had
 */
export class Commits implements vscode.Disposable {
  private readonly controller = new AbortController();
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly followed = new Set<string>();
  private following: Promise<void> | undefined;

  constructor(
    private readonly heads: Pick<vscode.Memento, "get" | "update">,
    private readonly committed: (isClean: IsClean) => Promise<void>,
  ) {}

  /** From now on. Nothing happens where there is no git. */
  follow(): Promise<void> {
    this.following ??= this.begin();
    return this.following;
  }

  dispose(): void {
    this.controller.abort();
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private async begin(): Promise<void> {
    const api = await gitApi(this.controller.signal);
    if (this.controller.signal.aborted || "nothing" in api) return;
    for (const repository of api.repositories) this.add(repository);
    this.subscriptions.push(api.onDidOpenRepository(repository => this.add(repository)));
  }

  private add(repository: Repository): void {
    const followed = repository as Followed;
    const root = followed.rootUri.toString();
    if (this.followed.has(root)) return;
    this.followed.add(root);
    this.subscriptions.push(followed.state.onDidChange(() => void this.look(root, followed)));
    void this.look(root, followed);
  }

  private async look(root: string, { state, rootUri }: Followed): Promise<void> {
    const commit = state.HEAD?.commit;
    const heads = this.heads.get<Record<string, string>>(KEY) ?? {};
    const before = heads[root];
    if (commit === undefined || before === commit) return;
    await this.heads.update(KEY, { ...heads, [root]: commit });
    if (before === undefined) return;
    const changed = new Set(lists.flatMap(list => (state[list] ?? []).map(({ uri }) => uri.toString())));
    const prefix = `${rootUri.path.replace(/\/$/, "")}/`;
    await this.committed(
      uri => uri.scheme === rootUri.scheme && uri.path.startsWith(prefix) && !changed.has(uri.toString()),
    );
  }
}
