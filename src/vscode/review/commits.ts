/** What is committed was looked at: its marks go. As VS Code's git extension tells it, where that is there. */
import * as vscode from "vscode";
import { gitApi, type Repository } from "../attachments/gitExtension";

/** What is used beside of a repository. */
interface Followed extends Repository {
  readonly state: {
    /** undefined: not read yet; no `commit`: there is none so far */
    readonly HEAD: { readonly commit?: string } | undefined;
    readonly onDidChange: vscode.Event<void>;
  };
  show(ref: string, path: string): Promise<string>;
}

/** Of a repository in which a commit came. */
export interface Committed {
  /** What it has of a file; null: the commit before had it, this one does not; undefined: neither has it. */
  textOf(uri: vscode.Uri): Promise<string | null | undefined>;
  has(uri: vscode.Uri): boolean;
}

const KEY = "strata.reviewHeads";

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
    private readonly onCommit: (committed: Committed) => Promise<void>,
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
    for (const repository of api.repositories) this.add(repository as Followed);
    this.subscriptions.push(api.onDidOpenRepository(repository => this.add(repository as Followed)));
  }

  private add(repository: Followed): void {
    const root = repository.rootUri.toString();
    if (this.followed.has(root)) return;
    this.followed.add(root);
    this.subscriptions.push(repository.state.onDidChange(() => void this.look(root, repository)));
    void this.look(root, repository);
  }

  private async look(root: string, repository: Followed): Promise<void> {
    const { HEAD } = repository.state;
    const heads = this.heads.get<Record<string, string>>(KEY) ?? {};
    const [before, commit] = [heads[root], HEAD?.commit ?? ""];
    if (HEAD === undefined || before === commit) return;
    await this.heads.update(KEY, { ...heads, [root]: commit });
    // Seen for the first time, it says nothing of when it was made.
    if (before === undefined) return;
    const { scheme, path } = repository.rootUri;
    const prefix = `${path.replace(/\/$/, "")}/`;
    const textAt = async (ref: string, uri: vscode.Uri) =>
      ref === "" ? undefined : repository.show(ref, uri.fsPath).catch(() => undefined);
    await this.onCommit({
      has: uri => uri.scheme === scheme && uri.path.startsWith(prefix),
      // A file that was never in a commit is not taken away by one.
      textOf: async uri =>
        (await textAt(commit, uri)) ?? ((await textAt(before, uri)) === undefined ? undefined : null),
    });
  }
}
