/** What each command does: one row a command. */
import * as vscode from "vscode";
import { commentAt } from "../core/mentions/inDocument";
import { mentionedAttachments } from "../core/mentions/message";
import type { Logger } from "../core/ports";
import { noCompactionTo } from "../shared/compactionLine";
import { modeDescriptions, type PermissionMode, permissionModeSchema } from "../shared/settings";
import type { CommandName } from "./commandNames";
import { isNameable } from "./documents";
import type { VSCodeFiles } from "./files";
import type { LastActiveEditor } from "./lastActiveEditor";
import { mentionPathOf } from "./mentions/near";
import { commentSyntaxes } from "./mentions/places";
import type { ModelSetup } from "./modelSetup";
import { beginCompaction, type MarkdownEditor, openPreview } from "./panel/contextHandlers";
import { errorText } from "./panel/dispatch";
import { mentionOfPlace } from "./panel/mentionHandlers";
import type { PanelHost } from "./panel/panelHost";
import type { Sessions } from "./panel/sessions";
import { revealView } from "./panel/view";
import { sendPrompt, writePrompt } from "./prompts";
import type { Proposals } from "./proposals";
import { selectionMention } from "./selection";
import { lineMention, selectedLines } from "./selectionText";
import type { SessionTransfer } from "./sessionTransfer";
import type { StorageLimit } from "./storageLimit";

export interface CommandDeps {
  sessions: Sessions;
  editor: MarkdownEditor;
  inUse: LastActiveEditor;
  proposals: Pick<Proposals, "answer">;
  exchange: SessionTransfer;
  storageLimit: StorageLimit;
  panel: PanelHost;
  files: VSCodeFiles;
  setup: ModelSetup;
  channel: vscode.LogOutputChannel;
  logger: Logger;
  /** undefined: messages can be sent; else why not */
  whyNot(): string | undefined;
}

/** `more`: what a menu gives beside what it was opened on */
type Commands = Record<CommandName, (argument: unknown, more: unknown) => Promise<void>>;

export function createCommands(deps: CommandDeps): Commands {
  const { sessions, panel, setup, channel, exchange, storageLimit } = deps;
  const sending = new WeakSet<vscode.TextDocument>();
  return {
    async newSession() {
      await panel.sendSnapshot(await sessions.create());
      await revealView();
    },
    sessions: () => pickSession(deps),
    openPanel: revealView,
    askAboutSelection: argument => askAboutSelection(stringArgument(argument, "question"), deps),
    addFile: (argument, more) => addFile(argument, more, deps),
    askAboutComment: () => askAboutComment(deps),
    writePrompt,
    sendPrompt: resource => sendPrompt(resource, { ...deps, sending }),
    stop: async () => sessions.current?.stop(),
    acceptProposal: async resource => deps.proposals.answer(resource, "allow"),
    rejectProposal: async resource => deps.proposals.answer(resource, "deny"),
    async compact(argument) {
      const session = await sessions.show();
      await revealView();
      await beginCompaction(session, stringArgument(argument, "guidance"), deps.logger);
    },
    undoCompaction: () => undoOrRedoCompaction(sessions, "undo"),
    redoCompaction: () => undoOrRedoCompaction(sessions, "redo"),
    previewCompaction: async () => openPreview(await sessions.show(), deps.editor),
    exportSession: async argument => exchange.exportSession(await sessions.show(), uriArgument(argument)),
    importSession: argument => openImported(uriArgument(argument), deps),
    removeSessions: () => storageLimit.removeSessions(sessions.current?.id),
    setMode: () => pickMode(sessions),
    chooseModel: () => setup.chooseModel(),
    setApiKey: () => setup.setKey(),
    clearApiKey: () => setup.clearKey(),
    checkModelConnection: () => setup.check(),
    async showLog() {
      channel.show();
    },
  };
}

/** Runs a command; what fails is told to the user. */
export async function runCommand(
  commands: Commands,
  name: CommandName,
  argument: unknown,
  more?: unknown,
): Promise<void> {
  try {
    await commands[name](argument, more);
  } catch (error) {
    void vscode.window.showErrorMessage(errorText(error));
  }
}

async function undoOrRedoCompaction(sessions: Sessions, way: "undo" | "redo"): Promise<void> {
  const session = await sessions.show();
  // Nothing failed where there is none: no error.
  if (!session.compactions[way]) void vscode.window.showInformationMessage(noCompactionTo(way));
  else await (way === "undo" ? session.undoCompaction() : session.redoCompaction());
}

/** `"words"` or `{ [name]: "words" }`; undefined: none were given */
function stringArgument(argument: unknown, name: "question" | "guidance"): string | undefined {
  const named =
    typeof argument === "object" && argument !== null ? new Map(Object.entries(argument)).get(name) : argument;
  return typeof named === "string" && named.trim() ? named.trim() : undefined;
}

/** The file that a caller names; undefined: the user is asked. From a menu comes what it was opened on, which is no file. */
const uriArgument = (argument: unknown) => (argument instanceof vscode.Uri ? argument : undefined);

async function openImported(source: vscode.Uri | undefined, { exchange, panel, sessions }: CommandDeps): Promise<void> {
  const id = await exchange.importSession(source);
  if (id === undefined) return;
  await panel.sendSnapshot(await sessions.openById(id));
  await revealView();
}

/** Puts the mention into the composer, or sends it with a question that was given. */
async function askAboutSelection(question: string | undefined, deps: CommandDeps): Promise<void> {
  const mention = selectionMention(uri => mentionPathOf(uri, deps.files), deps.inUse);
  if (mention === undefined) {
    const message =
      "Open a file and select what you want to ask about: only files and unsaved documents can be mentioned.";
    void vscode.window.showInformationMessage(message);
    return;
  }
  if (question !== undefined) return sendOrCompose(`${mention} ${question}`, deps);
  await revealView();
  deps.panel.compose(`${mention} `);
}

async function askAboutComment(deps: CommandDeps): Promise<void> {
  const message = await commentMessage(uri => mentionPathOf(uri, deps.files));
  if (message === undefined) {
    void vscode.window.showInformationMessage("Put the cursor into the comment that you want to ask about.");
    return;
  }
  if (!message.attaches) return sendOrCompose(message.text, deps);
  // A diff or the terminal's output goes out by the words of the person alone: the composer shows what would be attached.
  await revealView();
  deps.panel.compose(message.text);
}

/** What cannot be sent now stands in the composer, where it says why. */
async function sendOrCompose(message: string, { panel, sessions, whyNot }: CommandDeps): Promise<void> {
  await revealView();
  if (whyNot()) panel.compose(message);
  else await (await sessions.show()).submit(message);
}

/** Puts mentions into the composer. */
async function addFile(argument: unknown, more: unknown, deps: CommandDeps): Promise<void> {
  const { mentions, left } = await mentionsFromArguments(argument, more, deps);
  const why = whyLeft(mentions, left);
  if (why !== undefined) void vscode.window.showInformationMessage(why);
  if (mentions.length === 0) return;
  await revealView();
  deps.panel.compose(`${mentions.join(" ")} `);
}

async function pickSession({ sessions, panel }: CommandDeps): Promise<void> {
  const list = await sessions.list();
  if (list.length === 0) {
    void vscode.window.showInformationMessage("There are no sessions in this workspace yet.");
    return;
  }
  const items = list.map(({ id, title, updated, turns, running }) => ({
    id,
    label: `${running ? "$(loading~spin) " : ""}${title || "Untitled"}`,
    description: `${turns} ${turns === 1 ? "turn" : "turns"} · ${new Date(updated).toLocaleString()}`,
    picked: id === sessions.current?.id,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: "Sessions", placeHolder: "Open a session" });
  if (!chosen) return;
  await panel.sendSnapshot(await sessions.openById(chosen.id));
  await revealView();
}

async function pickMode(sessions: Sessions): Promise<void> {
  const session = await sessions.show();
  const items = permissionModeSchema.options.map((mode: PermissionMode) => {
    const [name = mode, ...words] = modeDescriptions[mode].split(": ");
    return { mode, label: name, detail: words.join(": "), description: mode === session.mode ? "now" : "" };
  });
  const placeHolder = "What may the agent do without asking?";
  const chosen = await vscode.window.showQuickPick(items, { title: "Mode of this session", placeHolder });
  if (chosen) await session.setMode(chosen.mode);
}

/** "Add File to Strata": what is selected in the explorer, a tab or the active editor's file, as mentions in the composer. */

/**
 * The mentions of what a menu was opened on, and how many things there have none.
 * @param argument what a menu gives first: the item that was clicked
 * @param more what the explorer gives then: all selected items, that one among them
 */
export async function mentionsFromArguments(
  argument: unknown,
  more: unknown,
  { files, inUse }: { files: VSCodeFiles; inUse: Pick<LastActiveEditor, "uri"> },
): Promise<{ mentions: string[]; left: vscode.Uri[] }> {
  const mentions: string[] = [];
  const left: vscode.Uri[] = [];
  for (const uri of chosenUris(argument, more, inUse)) {
    const ref = await files.refIfAny(uri);
    const mention = ref && (await mentionOfPlace(ref, files));
    if (mention === undefined) left.push(uri);
    else mentions.push(mention);
  }
  return { mentions: [...new Set(mentions)], left };
}

/** Why nothing is said of some files; undefined: all of them are mentioned. */
export function whyLeft(mentions: readonly string[], left: readonly vscode.Uri[]): string | undefined {
  const [first] = left;
  if (!first) return mentions.length > 0 ? undefined : "Open a file, or choose files in the explorer, to mention them.";
  const name = first.path.slice(first.path.lastIndexOf("/") + 1);
  const others = left.length === 1 ? "" : ` and ${left.length - 1} more`;
  return `${name}${others} cannot be mentioned: only files and folders in the folders of this workspace can.`;
}

function chosenUris(argument: unknown, more: unknown, inUse: Pick<LastActiveEditor, "uri">): vscode.Uri[] {
  const selected = Array.isArray(more) ? more.filter(each => each instanceof vscode.Uri) : [];
  if (selected.length > 0) return selected;
  const one = argument instanceof vscode.Uri ? argument : inUse.uri();
  return one ? [one] : [];
}

/** "Ask About This Comment": what the comment at the cursor says, with its file and lines. */

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
  const [code, offset, { languageId }] = [document.getText(), document.offsetAt(selection.active), document];
  const { [languageId]: syntax } = await commentSyntaxes(languageId);
  const comment = commentAt(code, offset, syntax);
  if (!comment?.text) return undefined;
  const lines = selectedLines(document.positionAt(comment.start), document.positionAt(comment.end));
  const text = `${lineMention(pathOf(document.uri), lines)}\n\n${comment.text}`;
  return { text, attaches: mentionedAttachments(comment.text).length > 0 };
}
