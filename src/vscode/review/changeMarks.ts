/**
 * How an editor shows changes that wait for a review: lines in the colour of a diff, what stood there behind the line and under
 * the mouse, and Keep and Undo over each.
 */

import * as vscode from "vscode";
import type { ReviewChange } from "../../core/changes/review/sessionReview";
import { plural, t } from "../../shared/l10n";
import type { ReviewFile } from "../../shared/panelSnapshot";
import { visibleLine, visibleText } from "../../shared/shown";

const MAX_LINE_CHARACTERS = 100;
const MAX_HOVER_LINES = 60;

/** What can be done from a hover: nothing else in it is a command. */
const enabledCommands = ["strata.reviewKeep", "strata.reviewUndo"];

export interface FileChanges {
  /** as the session names the file */
  uri: string;
  changes: readonly ReviewChange[];
}

export class ChangeMarks implements vscode.Disposable {
  private readonly lines = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("diffEditor.insertedLineBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.addedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly removed = vscode.window.createTextEditorDecorationType({
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.deletedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    after: { color: new vscode.ThemeColor("descriptionForeground"), margin: "0 0 0 2em", fontStyle: "italic" },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

  show(editor: vscode.TextEditor, { uri, changes }: FileChanges): void {
    const { document } = editor;
    editor.setDecorations(
      this.lines,
      changes
        .filter(change => change.count > 0)
        .map(change => ({ range: linesOf(document, change), hoverMessage: hover(document, uri, change) })),
    );
    editor.setDecorations(
      this.removed,
      changes
        .filter(change => change.removed.length > 0)
        .map(change => ({
          range: endOfLine(document, change.count > 0 ? change.first : change.first - 1),
          hoverMessage: hover(document, uri, change),
          renderOptions: { after: { contentText: removedText(change) } },
        })),
    );
  }

  clear(editor: vscode.TextEditor): void {
    editor.setDecorations(this.lines, []);
    editor.setDecorations(this.removed, []);
  }

  dispose(): void {
    this.lines.dispose();
    this.removed.dispose();
  }
}

/** Keep and Undo over each change, and which of them it is. */
export function changeLenses({ uri, changes }: FileChanges): vscode.CodeLens[] {
  return changes.flatMap(({ first, id, seq }, index) => {
    const range = new vscode.Range(first, 0, first, 0);
    const lens = (title: string, command: string, tooltip: string, seen: unknown[]) =>
      new vscode.CodeLens(range, { title, command, tooltip, arguments: seen });
    const title = t("{0} of {1} in this file", index + 1, changes.length);
    const seen = [{ uri, seq }, id];
    return [
      lens(t("$(check) Keep change"), "strata.reviewKeep", t("Keep this change as reviewed. Others still wait"), seen),
      lens(t("$(discard) Undo change"), "strata.reviewUndo", t("Undo this change; what you typed since stays"), seen),
      lens(title, "strata.reviewNext", t("Go to the next change to review"), []),
    ];
  });
}

export const linesOf = (document: vscode.TextDocument, { first, count: many }: ReviewChange): vscode.Range =>
  document.validateRange(new vscode.Range(first, 0, first + many - 1, Number.MAX_SAFE_INTEGER));

function endOfLine(document: vscode.TextDocument, line: number): vscode.Range {
  const at = Math.max(0, Math.min(line, document.lineCount - 1));
  return new vscode.Range(document.lineAt(at).range.end, document.lineAt(at).range.end);
}

/** "was: const a = 1;", "removed: …, and 3 more lines" */
function removedText({ count: many, removed }: ReviewChange): string {
  const [only = "", ...others] = removed.map(line => line.trim()).filter(line => line !== "");
  const line = visibleLine(only);
  const cut = line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line;
  const shown =
    only === ""
      ? plural(removed.length, "1 empty line", "{0} empty lines")
      : others.length === 0
        ? cut
        : plural(others.length, "{1} … and 1 more line", "{1} … and {0} more lines", cut);
  return many > 0 ? t("was: {0}", shown) : t("removed: {0}", shown);
}

function hover(document: vscode.TextDocument, uri: string, { id, seq, removed }: ReviewChange): vscode.MarkdownString {
  const text = new vscode.MarkdownString("", true);
  text.isTrusted = { enabledCommands };
  const link = (command: string) => `command:${command}?${encodeURIComponent(JSON.stringify([{ uri, seq }, id]))}`;
  text.appendMarkdown(
    t(
      "Changed by Strata · not reviewed: [$(check) Keep change]({0}) · [$(discard) Undo change]({1})",
      link("strata.reviewKeep"),
      link("strata.reviewUndo"),
    ),
  );
  if (removed.length > 0) {
    const left = removed.length - MAX_HOVER_LINES;
    const shown = removed.slice(0, MAX_HOVER_LINES).map(visibleText).join("\n");
    text.appendMarkdown(`\n\n${t("Before:")}`);
    text.appendCodeblock(shown, document.languageId);
    if (left > 0) text.appendMarkdown(plural(left, "and 1 more line", "and {0} more lines"));
  }
  return text;
}

/** A sign on files with changes to review, wherever VS Code lists files: the explorer, tabs, lists of open editors. */
export class FileBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private readonly registration = vscode.window.registerFileDecorationProvider(this);
  /** by the editor's name */
  private badged = new Map<string, vscode.FileDecoration>();

  /** @param files as the editor names each, with what waits in it */
  show(files: readonly { place: vscode.Uri; file: ReviewFile }[]): void {
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
