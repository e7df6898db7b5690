/** What each command does: one row a command. */
import * as vscode from "vscode";
import type { Logger } from "../core/ports";
import { noCompactionTo } from "../shared/compactionLine";
import { modeDescriptions, type PermissionMode, permissionModeSchema } from "../shared/settings";
import { mentionsOf, whyLeft } from "./addFiles";
import { commentMessage } from "./askAboutComment";
import type { CommandName } from "./commandNames";
import type { EditorInUse } from "./editorInUse";
import type { Exchange } from "./exchange";
import type { VSCodeFiles } from "./files";
import { mentionPathOf } from "./mentions/near";
import type { ModelSetup } from "./modelSetup";
import { beginCompaction, type MarkdownEditor, openPreview } from "./panel/contextHandlers";
import { wordsFor } from "./panel/dispatch";
import type { PanelHost } from "./panel/host";
import type { Sessions } from "./panel/sessions";
import { revealView } from "./panel/view";
import { sendPrompt, writePrompt } from "./prompts";
import type { Proposals } from "./proposals";
import { selectionMention } from "./selection";
import type { StorageLimit } from "./storageLimit";

export interface CommandDeps {
  sessions: Sessions;
  editor: MarkdownEditor;
  inUse: EditorInUse;
  proposals: Pick<Proposals, "answer">;
  exchange: Exchange;
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
    askAboutSelection: argument => askAboutSelection(wordsOf(argument, "question"), deps),
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
      await beginCompaction(session, wordsOf(argument, "guidance"), deps.logger);
    },
    undoCompaction: () => takeBack(sessions, "undo"),
    redoCompaction: () => takeBack(sessions, "redo"),
    previewCompaction: async () => openPreview(await sessions.show(), deps.editor),
    exportSession: async argument => exchange.exportSession(await sessions.show(), uriOf(argument)),
    importSession: argument => openImported(uriOf(argument), deps),
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
    void vscode.window.showErrorMessage(wordsFor(error));
  }
}

async function takeBack(sessions: Sessions, way: "undo" | "redo"): Promise<void> {
  const session = await sessions.show();
  // Nothing failed where there is none: no error.
  if (!session.compactions[way]) void vscode.window.showInformationMessage(noCompactionTo(way));
  else await (way === "undo" ? session.undoCompaction() : session.redoCompaction());
}

/** `"words"` or `{ [name]: "words" }`; undefined: none were given */
function wordsOf(argument: unknown, name: "question" | "guidance"): string | undefined {
  const named =
    typeof argument === "object" && argument !== null ? new Map(Object.entries(argument)).get(name) : argument;
  return typeof named === "string" && named.trim() ? named.trim() : undefined;
}

/** The file that a caller names; undefined: the user is asked. From a menu comes what it was opened on, which is no file. */
const uriOf = (argument: unknown) => (argument instanceof vscode.Uri ? argument : undefined);

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
  const { mentions, left } = await mentionsOf(argument, more, deps);
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
