/** "Ask About This Comment": what the comment at the cursor says, with its file and lines. */
import * as vscode from "vscode";
import { commentAt } from "../core/mentions/inDocument";
import { mentionedAttachments } from "../core/mentions/message";
import { isNameable } from "./documents";
import { commentSyntaxes } from "./mentions/languages";
import { mentionOf, selectedLines } from "./selectionText";

export interface CommentMessage {
  text: string;
  /** Words of the comment name something to attach, as `@changes` does: who wrote them may not have meant that. */
  attaches: boolean;
}

/** The message; undefined: the cursor is in no comment. */
export async function commentMessage(pathOf: (uri: vscode.Uri) => string): Promise<CommentMessage | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !isNameable(editor.document.uri)) return undefined;
  const { document, selection } = editor;
  const [text, offset, { languageId }] = [document.getText(), document.offsetAt(selection.active), document];
  const { [languageId]: syntax } = await commentSyntaxes(languageId);
  const comment = commentAt(text, offset, syntax);
  if (!comment?.text) return undefined;
  const lines = selectedLines(document.positionAt(comment.start), document.positionAt(comment.end));
  const message = `${mentionOf(pathOf(document.uri), lines)}\n\n${comment.text}`;
  return { text: message, attaches: mentionedAttachments(comment.text).length > 0 };
}
