/** Questions about what stands in an editor: a selection, a problem, a comment; files as mentions. */
import * as vscode from "vscode";
import { mentionedAttachments } from "../../core/mentions/message";
import { isObject } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { fileName } from "../../shared/paths";
import { isNameable, notebookAround } from "../editor/documents";
import type { LastActiveEditor } from "../editor/lastActiveEditor";
import { lineMention, selectedLines } from "../editor/selectionText";
import type { VSCodeFiles } from "../files/files";
import { commentAt } from "../mentions/inDocument";
import { mentionPathOf } from "../mentions/near";
import { mentionOfPlace } from "../panel/composer/mentionHandlers";
import type { PanelHost } from "../panel/host/panelHost";
import type { Sessions } from "../panel/sessions/sessions";
import { inform } from "../platform/messages";

export interface EditorQuestionDeps {
  sessions: Sessions;
  panel: PanelHost;
  inUse: LastActiveEditor;
  files: VSCodeFiles;
  /** Takes a message for the session that is shown: what is sent before a model is there waits in it. */
  submit(text: string): Promise<void>;
  /** undefined: messages can be sent; else why not */
  whyNot(): string | undefined;
}

/** The rows of these commands. */
export const questionCommands = (deps: EditorQuestionDeps) => ({
  askAboutSelection: (argument: unknown) => askAboutSelection(stringArgument(argument, "question"), deps),
  fixProblem: (uri: unknown, range: unknown) => fixProblem(uri, range, deps),
  explainSelection: () => askAboutSelection(t("Explain this code."), deps),
  writeTests: () => askAboutSelection(t("Write tests for this code, in the style of this project's tests."), deps),
  addFile: (argument: unknown, more: unknown) => addFiles(argument, more, deps),
  askAboutComment: () => askAboutComment(deps),
});

/** `"words"` or `{ [name]: "words" }`; undefined: none were given */
export function stringArgument(argument: unknown, name: "question" | "guidance"): string | undefined {
  const named = isObject(argument) ? argument[name] : argument;
  return typeof named === "string" && named.trim() ? named.trim() : undefined;
}

/** What cannot be sent now stands in the composer, where it says why. */
async function sendOrCompose(message: string, deps: EditorQuestionDeps): Promise<void> {
  if (deps.whyNot()) deps.panel.compose(message);
  else await deps.submit(message);
}

/** Puts the selection's mention into the composer, or sends it with a question that was given. */
async function askAboutSelection(question: string | undefined, deps: EditorQuestionDeps): Promise<void> {
  const mention = selectionMention(deps);
  if (mention === undefined)
    return void inform(
      t("Open a file and select what you want to ask about. Only files and unsaved documents can be mentioned."),
    );
  if (question === undefined) deps.panel.compose(`${mention} `);
  else await sendOrCompose(`${mention} ${question}`, deps);
}

/**
 * Asks to fix what an editor marks there. The problem goes along as an attachment: its words are a program's, so they
 * must not stand in the message as the person's own.
 * @param uri with `range`: of a quick fix; without: where the cursor is
 */
async function fixProblem(uri: unknown, range: unknown, deps: EditorQuestionDeps): Promise<void> {
  const mention =
    uri instanceof vscode.Uri && range instanceof vscode.Range
      ? lineMention(mentionPathOf(uri, deps.files), selectedLines(range.start, range.end))
      : selectionMention(deps);
  if (mention === undefined) return void inform(t("Place the cursor on the problem that you want to have fixed."));
  await sendOrCompose(`${mention} @problems ${t("Fix the problem here.")}`, deps);
}

/** The selection, or the cursor's line, of the active editor; undefined: no file is there to be named. */
function selectionMention({ inUse, files }: EditorQuestionDeps): string | undefined {
  const active = inUse.active();
  if (!active || !isNameable(active.uri)) return undefined;
  const { uri, editor } = active;
  const path = mentionPathOf(uri, files);
  // Lines of a cell are not lines of the notebook.
  if (!editor || notebookAround(uri)) return lineMention(path);
  return lineMention(path, selectedLines(editor.selection.start, editor.selection.end));
}

/** Asks what the comment at the cursor says, with its file and lines. */
async function askAboutComment(deps: EditorQuestionDeps): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const comment = editor && isNameable(editor.document.uri) && findComment(editor);
  if (!editor || !comment) return void inform(t("Place the cursor in the comment that you want to ask about."));
  const { document } = editor;
  const lines = selectedLines(document.positionAt(comment.start), document.positionAt(comment.end));
  const text = `${lineMention(mentionPathOf(document.uri, deps.files), lines)}\n\n${comment.text}`;
  // A diff or the terminal's output goes out by the words of the person alone, and who wrote the comment may not have meant
  // that: the composer shows what would be attached.
  if (mentionedAttachments(comment.text).length > 0) deps.panel.compose(text);
  else await sendOrCompose(text, deps);
}

function findComment({ document, selection }: vscode.TextEditor): ReturnType<typeof commentAt> {
  const comment = commentAt(document.getText(), document.offsetAt(selection.active), document.languageId);
  return comment?.text ? comment : undefined;
}

/**
 * Puts files and folders into the composer, as mentions.
 * @param argument the item that was clicked in a menu
 * @param more all items that are selected in the explorer
 */
async function addFiles(argument: unknown, more: unknown, deps: EditorQuestionDeps): Promise<void> {
  const { files, inUse, panel } = deps;
  const mentions = new Set<string>();
  const left: vscode.Uri[] = [];
  for (const uri of chosenUris(argument, more, inUse)) {
    const ref = await files.refIfAny(uri);
    const mention = ref && (await mentionOfPlace(ref, files));
    if (mention === undefined) left.push(uri);
    else mentions.add(mention);
  }
  const [first] = left;
  if (first) {
    const [name, more] = [fileName(first.path), left.length - 1];
    const only = t("{0} cannot be mentioned: only files and folders in this workspace can.", name);
    const all = t("{0} and {1} more cannot be mentioned: only files and folders in this workspace can.", name, more);
    void inform(more === 0 ? only : all);
  } else if (mentions.size === 0) void inform(t("To mention files, open one or select them in the explorer."));
  for (const mention of mentions) panel.compose(`${mention} `);
}

function chosenUris(argument: unknown, more: unknown, inUse: LastActiveEditor): vscode.Uri[] {
  const selected = Array.isArray(more) ? more.filter(each => each instanceof vscode.Uri) : [];
  if (selected.length > 0) return selected;
  const one = argument instanceof vscode.Uri ? argument : inUse.uri();
  return one ? [one] : [];
}
