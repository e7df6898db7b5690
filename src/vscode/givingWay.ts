/**
 * Formatters and code actions may keep a save waiting for seconds. What another program writes into the file meanwhile, VS Code
 * writes over where the size stayed the same. No listener can stop a save; but the last one can have it write what stands on
 * disk: then nothing is lost, and the edit is made anew on that.
 */
import * as vscode from "vscode";
import { planLines } from "../core/edits/editEngine";

export class GivingWay implements vscode.Disposable {
  private readonly subscription: vscode.Disposable;
  private theirs: string | undefined;
  /** The document took over what another program wrote: what was to be saved is not in it any more. */
  gaveWay = false;

  /**
   * VS Code asks listeners in the order in which they came, after its formatters: so this one is made right before the save.
   * (After 1.5 s of others it is not asked any more.)
   * @param newer what the save would write over, in the document's line ends; undefined: nothing
   */
  constructor(document: vscode.TextDocument, newer: () => Promise<string | undefined>) {
    const edits = async () => {
      this.theirs = await newer();
      return this.theirs === undefined ? [] : editsTo(document, this.theirs);
    };
    this.subscription = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument(event => {
        // Where somebody types meanwhile, VS Code drops the edits.
        if (event.document === document) event.waitUntil(edits());
      }),
      vscode.workspace.onDidChangeTextDocument(event => {
        if (event.document === document && document.getText() === this.theirs) this.gaveWay = true;
      }),
    );
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

const editsTo = (document: vscode.TextDocument, text: string) =>
  planLines(document.getText(), text).edits.map(({ start, end, text: replacement }) =>
    vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), replacement),
  );
