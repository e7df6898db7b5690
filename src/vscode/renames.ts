/** Where files went that were renamed or moved in the editor while the window was open. */
import * as vscode from "vscode";

/** More than a session renames; the oldest are forgotten. */
const MOST = 1_000;

export class Renames implements vscode.Disposable {
  /** old URI → new URI of a file or folder, oldest first */
  private readonly moved = new Map<string, string>();
  private readonly subscription: vscode.Disposable;

  constructor() {
    this.subscription = vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) this.remember(oldUri.toString(), newUri.toString());
    });
  }

  /** undefined: nobody said that it was renamed */
  of(uri: string): vscode.Uri | undefined {
    let at = uri;
    // A name may have been given back and taken again: every rename counts once.
    for (let hops = 0; hops < this.moved.size; hops += 1) {
      const next = this.next(at);
      if (next === undefined) break;
      at = next;
    }
    return at === uri ? undefined : vscode.Uri.parse(at);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private next(uri: string): string | undefined {
    for (let end = uri.length; end > 0; end = uri.lastIndexOf("/", end - 1)) {
      const target = this.moved.get(uri.slice(0, end));
      if (target !== undefined) return target + uri.slice(end);
    }
    return undefined;
  }

  private remember(from: string, to: string): void {
    this.moved.delete(from);
    this.moved.set(from, to);
    // What is there now was not renamed away.
    this.moved.delete(to);
    const [oldest] = this.moved.keys();
    if (this.moved.size > MOST && oldest !== undefined) this.moved.delete(oldest);
  }
}
