/** Comments on lines that the agent changed: VS Code takes them beside the lines, and the composer has them until they are sent. */
import * as vscode from "vscode";
import { t } from "../../shared/l10n";
import { lineMention } from "../editor/selectionText";
import type { VSCodeFiles } from "../files/files";
import { mentionPathOf } from "../mentions/near";
import { linesOf } from "./changeMarks";
import type { Review } from "./review";

/** From the first change to review on: it adds a view to VS Code's panel. */
export function offerComments(review: Review): vscode.Disposable {
  let controller: vscode.CommentController | undefined;
  const looked = review.onDidLook(() => {
    if (controller || review.files.length === 0) return;
    controller = vscode.comments.createCommentController("strata.review", t("Strata Review"));
    controller.options = { prompt: t("Comment for Strata"), placeHolder: t("What should be different here?") };
    controller.commentingRangeProvider = {
      provideCommentingRanges: async document =>
        (await review.changesOf(document))?.changes.map(change => linesOf(document, change)) ?? [],
    };
  });
  return vscode.Disposable.from(looked, { dispose: () => controller?.dispose() });
}

/** @param reply what VS Code gives with the button under a comment that is written */
export function takeComment(reply: unknown, files: VSCodeFiles, compose: (text: string) => void): void {
  const { thread, text } = reply as vscode.CommentReply;
  const { start, end } = thread.range ?? new vscode.Range(0, 0, 0, 0);
  const lines = { first: start.line + 1, last: end.line + 1 };
  if (text.trim() !== "") compose(`${lineMention(mentionPathOf(thread.uri, files), lines)} ${text.trim()}\n`);
  thread.dispose();
}
