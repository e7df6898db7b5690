/** A sign on files with changes to review, wherever VS Code lists files: the explorer, tabs, lists of open editors. */
import * as vscode from "vscode";
import { plural, t } from "../../shared/l10n";
import type { ReviewFile } from "../../shared/panelSnapshot";

/** A file as the editor names it, with what waits in it. */
interface FileBadge {
  place: vscode.Uri;
  file: ReviewFile;
}

export class FileBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private readonly registration = vscode.window.registerFileDecorationProvider(this);
  /** by the editor's name */
  private badged = new Map<string, vscode.FileDecoration>();

  show(files: readonly FileBadge[]): void {
    const before = this.badged;
    this.badged = new Map(files.map(({ place, file }) => [place.toString(), decoration(file)]));
    const names = new Set([...before.keys(), ...this.badged.keys()]);
    const changed = [...names].filter(name => before.get(name)?.tooltip !== this.badged.get(name)?.tooltip);
    if (changed.length > 0) this.changed.fire(changed.map(name => vscode.Uri.parse(name)));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return this.badged.get(uri.toString());
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

function decoration({ changes, why }: ReviewFile): vscode.FileDecoration {
  const what =
    why === undefined
      ? plural(changes, "{0} change by Strata to review", "{0} changes by Strata to review")
      : t("Changes by Strata to review");
  const badge = new vscode.FileDecoration("±", what, new vscode.ThemeColor("charts.blue"));
  badge.propagate = true;
  return badge;
}
