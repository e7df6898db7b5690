/**
 * Files with changes that nobody kept: how the editor names them, and a word of each change of them, whoever makes it. Documents
 * tell of themselves; of files that no editor shows, the workspace's watcher does.
 */
import * as vscode from "vscode";
import { isBelow } from "../../shared/paths";
import type { VSCodeFiles } from "../files/files";

export class FollowedFiles implements vscode.Disposable {
  /** the editor's name of a file → the session's; both lead to it */
  private readonly names = new Map<string, string>();
  /** the session's name → where it is */
  private places = new Map<string, vscode.Uri>();
  private watching: vscode.Disposable | undefined;

  /** @param onChange a file changed, one of these or another; by its name in the session */
  constructor(
    private readonly files: VSCodeFiles,
    private readonly onChange: (uri: string) => void,
  ) {}

  /** These, from now on. @param uris as the session names them */
  async follow(uris: readonly string[]): Promise<void> {
    const places = new Map<string, vscode.Uri>();
    for (const uri of uris) places.set(uri, this.places.get(uri) ?? (await this.find(uri)));
    this.places = places;
    this.names.clear();
    for (const [uri, place] of places)
      for (const name of [vscode.Uri.parse(uri), place]) this.names.set(name.toString(), uri);
    if (uris.length > 0) this.watching ??= this.watch();
  }

  /** The session's name of what the editor names so; of files that are not followed (yet), what it most likely is. */
  named(place: vscode.Uri): string {
    const name = place.toString();
    return this.names.get(name) ?? name;
  }

  /** Where a file is, as the editor names it: links on the way to the workspace's folder are not followed. */
  placeOf(uri: string): vscode.Uri {
    return this.places.get(uri) ?? vscode.Uri.parse(uri);
  }

  dispose(): void {
    this.watching?.dispose();
  }

  private async find(uri: string): Promise<vscode.Uri> {
    const named = vscode.Uri.parse(uri);
    const ref = await this.files.refIfAny(named);
    return ref ? this.files.documents.uriOf(ref) : named;
  }

  private watch(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*");
    const file = (place: vscode.Uri) => this.onChange(this.named(place));
    const fileOrFolder = (place: vscode.Uri) => {
      file(place);
      this.changedBelow(place);
    };
    watcher.onDidChange(file);
    // Of a folder that goes or comes as a whole, nothing is said of what is in it.
    watcher.onDidDelete(fileOrFolder);
    watcher.onDidCreate(fileOrFolder);
    return vscode.Disposable.from(
      watcher,
      vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => file(notebook.uri)),
    );
  }

  private changedBelow({ scheme, path }: vscode.Uri): void {
    for (const [uri, place] of this.places)
      if (place.scheme === scheme && isBelow(path, place.path)) this.onChange(uri);
  }
}
