/** What a person does in a review: goes from change to change, keeps, takes back; one change, a file, or all. */

import * as vscode from "vscode";
import type { Session } from "../../core/agent/session/session";
import type { ReviewChange, SeenChange } from "../../core/changes/review/sessionReview";
import { eachFile } from "../../core/changes/review/waiting";
import { SessionError } from "../../core/ground/ports";
import { SerialQueue } from "../../shared/async";
import { isObject } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import type { VSCodeFiles } from "../files/files";
import type { FileChanges } from "./changeMarks";
import type { Review } from "./review";

type ReviewAction = "keep" | "undo";

const nothingWaits = () => t("Nothing waits for a review.");

export class ReviewCommands {
  /** Keys come faster than they are done: each finds the cursor where the one before left it. */
  private readonly queue = new SerialQueue();

  constructor(private readonly deps: { review: Review; files: VSCodeFiles }) {}

  /** To the next change, or the one before; behind the last of a file, into the next file. */
  go(direction: "next" | "previous"): Promise<void> {
    return this.queue.run(() => this.goNow(direction));
  }

  /** @param seen with `id`: of a lens or a hover; without: where the cursor is */
  one(way: ReviewAction, seen: unknown, id: unknown): Promise<void> {
    return this.queue.run(() => this.oneNow(way, seen, id));
  }

  /** All changes of a file: of the one that a menu was opened on, that the panel names, or that is active. */
  async file(way: ReviewAction, resource: unknown): Promise<void> {
    const named = resource instanceof vscode.Uri ? resource : vscode.window.activeTextEditor?.document.uri;
    const ref = named && (await this.deps.files.refIfAny(named));
    if (!ref) throw new SessionError(t("Open the changed file first."));
    if (way === "undo") await this.deps.review.lookAnew();
    const seen = this.deps.review.files.find(({ uri }) => uri === ref.uri);
    if (!seen) throw new SessionError(t("Nothing of this file waits for a review."));
    await this.act(way, seen);
  }

  /** All files, as they are counted. What cannot be done of some does not stop the others. */
  async all(way: ReviewAction): Promise<void> {
    const { review } = this.deps;
    if (way === "undo") await review.lookAnew();
    const { files } = review;
    const session = this.session();
    if (files.length === 0) throw new SessionError(nothingWaits());
    if (way === "keep") return eachFile(files, file => session.review.keep(file));
    await session.review.undoAll(files);
  }

  /** Of the active file what was undone last, else of any; where it stands is shown. */
  redo(): Promise<void> {
    return this.queue.run(async () => {
      const active = vscode.window.activeTextEditor?.document.uri;
      const ref = active && (await this.deps.files.refIfAny(active));
      const { uri, before } = await this.session().review.redo(ref?.uri);
      await this.deps.review.look();
      if (before !== null && uri !== ref?.uri) await this.open(uri);
    });
  }

  private async goNow(direction: "next" | "previous"): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const here = editor && (await this.deps.review.changesOf(editor.document));
    const line = editor?.selection.active.line ?? 0;
    const found =
      direction === "next"
        ? here?.changes.find(({ first }) => lineOf(first, editor) > line)
        : here?.changes.findLast(({ first }) => lineOf(first, editor) < line);
    if (editor && found) return goTo(editor, found);
    // In a file that no editor shows, another program may have taken its changes away.
    await this.deps.review.lookAnew();
    const next = this.fileAfter(here?.uri, direction);
    if (next === undefined) throw new SessionError(nothingWaits());
    const opened = await this.open(next);
    const all = (await this.deps.review.changesOf(opened.document))?.changes ?? [];
    const change = direction === "next" ? all[0] : all.at(-1);
    if (change) goTo(opened, change);
  }

  private async oneNow(way: ReviewAction, seen: unknown, id: unknown): Promise<void> {
    const { review } = this.deps;
    const editor = vscode.window.activeTextEditor;
    if (isSeen(seen) && typeof id === "string") return this.act(way, seen, id);
    const here = editor && (await review.changesOf(editor.document));
    const change = here && changeAt(here, editor.selection.active.line);
    if (!here || !change) throw new SessionError(t("The cursor is in no change that waits. Go to the next one first."));
    // As it was marked, or counted.
    const { seq } = review.files.find(({ uri }) => uri === here.uri) ?? change;
    await this.act(way, { uri: here.uri, seq }, change.id);
    const left = (await review.changesOf(editor.document))?.changes ?? [];
    const next = left.find(({ first }) => first >= change.first) ?? left.at(-1);
    if (next && vscode.window.activeTextEditor === editor) goTo(editor, next);
  }

  private session(): Session {
    const { session } = this.deps.review;
    if (!session) throw new SessionError(nothingWaits());
    return session;
  }

  private async act(way: ReviewAction, seen: SeenChange, id?: string): Promise<void> {
    const { review } = this.session();
    // Kept is what a person saw; what is taken back is what stands there.
    await (way === "keep" ? review.keep(seen, id) : review.undo(seen.uri, id));
    await this.deps.review.look();
  }

  private fileAfter(uri: string | undefined, direction: "next" | "previous"): string | undefined {
    const { files } = this.deps.review;
    const shown = files.filter(({ kind, why }) => kind !== "deleted" && why === undefined);
    const at = shown.findIndex(file => file.uri === uri);
    const step = direction === "next" ? 1 : -1;
    if (at < 0) return direction === "next" ? shown[0]?.uri : shown.at(-1)?.uri;
    return shown[(at + step + shown.length) % shown.length]?.uri;
  }

  private async open(uri: string): Promise<vscode.TextEditor> {
    const ref = await this.deps.files.refIfAny(vscode.Uri.parse(uri));
    if (!ref) throw new SessionError(t("The file with the change is in no folder that is open."));
    return vscode.window.showTextDocument(this.deps.files.documents.uriOf(ref), { preview: true });
  }
}

/** Of a lens or a hover. */
const isSeen = (seen: unknown): seen is SeenChange =>
  isObject(seen) && typeof seen.uri === "string" && typeof seen.seq === "number";

/** Lines that were removed at the end stood behind the last one. */
const lineOf = (first: number, editor: vscode.TextEditor | undefined) =>
  Math.min(first, (editor?.document.lineCount ?? first + 1) - 1);

function goTo(editor: vscode.TextEditor, { first }: ReviewChange): void {
  const at = new vscode.Position(lineOf(first, editor), 0);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Removed lines have none of their own: on either side of them is near enough. */
function changeAt({ changes }: FileChanges, line: number): ReviewChange | undefined {
  return (
    changes.find(({ first, count: many }) => line >= first && line < first + many) ??
    changes.find(({ first, count: many }) => many === 0 && (line === first || line === first - 1))
  );
}
