/** Lists of mentions where the editor opens none by itself. */
import * as vscode from "vscode";
import { type SyntaxOf, typedMention } from "../../core/mentions/inDocument";
import { isDocTag } from "../../shared/mentions/lookalikes";

export interface OffersDeps {
  /** the document's mentions count */
  needs(document: vscode.TextDocument): boolean;
  /** how its language writes comments, once it is known */
  syntaxOf: SyntaxOf;
}

/**
 * Where `@` is a letter of words (CSS, SCSS, Less), the editor does not ask because of it: it would list something for the
 * word, and in comments it does not by its settings.
 */
export class Offers implements vscode.Disposable {
  private readonly subscription: vscode.Disposable;

  constructor(private readonly deps: OffersDeps) {
    this.subscription = vscode.workspace.onDidChangeTextDocument(change => this.typed(change));
  }

  /** Who typed an `@` before there was anybody to answer gets the list now. */
  late(): void {
    const editor = vscode.window.activeTextEditor;
    // Version 1 is as it was opened: nobody typed there.
    if (!editor || editor.document.version === 1) return;
    if (this.isMention(editor.document, editor.selection.active)) list();
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private typed({ document, contentChanges: [change, ...more] }: vscode.TextDocumentChangeEvent): void {
    if (change?.text !== "@" || more.length > 0 || vscode.window.activeTextEditor?.document !== document) return;
    const after = document.positionAt(change.rangeOffset + 1);
    const word = document.getWordRangeAtPosition(after);
    const isLetter = word?.start.isBefore(after) ?? false;
    if (!isLetter || isDocTag(document.lineAt(after).text.slice(0, after.character))) return;
    const asks = vscode.workspace.getConfiguration("editor", document).get<boolean>("suggestOnTriggerCharacters");
    if (asks !== false && this.isMention(document, after)) list();
  }

  private isMention(document: vscode.TextDocument, at: vscode.Position): boolean {
    if (!this.deps.needs(document)) return false;
    const { syntaxOf } = this.deps;
    return typedMention(document.getText(), document.offsetAt(at), document.languageId, syntaxOf) !== undefined;
  }
}

/** As if the editor had asked by itself: it does not say so where there is nothing. */
function list(): void {
  void vscode.commands.executeCommand("editor.action.triggerSuggest", { auto: true });
}
