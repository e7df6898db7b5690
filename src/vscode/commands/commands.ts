/** What each command does: one row a command. */
import * as vscode from "vscode";
import { wordsReport } from "../../core/ledger/report";
import { commentAt } from "../../core/mentions/inDocument";
import { mentionedAttachments } from "../../core/mentions/message";
import type { Clock, Logger } from "../../core/ports";
import type { Session } from "../../core/session/session";
import { skillsReport } from "../../core/skills/report";
import { oneLine } from "../../core/text/format";
import { reportPage } from "../../core/text/report";
import { noCompactionTo } from "../../shared/compactionLine";
import { count } from "../../shared/format";
import { t } from "../../shared/l10n";
import { fileName } from "../../shared/paths";
import { modeDescriptions, type PermissionMode, permissionModes } from "../../shared/settingValues";
import { isNameable, notebookAround } from "../editor/documents";
import type { LastActiveEditor } from "../editor/lastActiveEditor";
import { lineMention, selectedLines } from "../editor/selectionText";
import type { VSCodeFiles } from "../files/files";
import { mentionPathOf } from "../mentions/near";
import { commentSyntaxes } from "../mentions/places";
import { errorText } from "../panel/dispatch";
import type { EditorActions } from "../panel/editorActions";
import type { FocusView } from "../panel/focusView";
import { beginCompaction, openPreview, openTurnReport } from "../panel/handlers";
import { mentionOfPlace } from "../panel/mentionHandlers";
import type { PanelHost } from "../panel/panelHost";
import type { PlanDocuments } from "../panel/plans";
import type { EditProposals } from "../panel/proposals";
import type { Sessions } from "../panel/sessions";
import type { PanelTabs } from "../panel/tabs";
import { revealView } from "../panel/view";
import { choose, complain, inform } from "../platform/messages";
import { withoutIcons } from "../platform/messageText";
import { chooseInReport } from "../platform/reports";
import { timeText } from "../platform/timeText";
import type { ReviewCommands } from "../review/reviewCommands";
import { type GenerateCommitMessageDeps, generateCommitMessage } from "./commitMessage";
import type { ModelPicker } from "./modelPicker";
import type { ModelSetup } from "./modelSetup";
import { planCommands } from "./plans";
import { type ComposerDraft, sendPrompt, writePrompt } from "./prompts";
import type { EditorCommandName } from "./registration";
import type { SessionTransfer } from "./sessionTransfer";
import { type ShowHooksDeps, showHooks } from "./showHooks";
import { type ShowPermissionsDeps, showPermissions } from "./showPermissions";
import type { StorageLimit } from "./storageLimit";

interface CommandDeps {
  sessions: Sessions;
  editor: EditorActions;
  inUse: LastActiveEditor;
  proposals: Pick<EditProposals, "answer">;
  review: ReviewCommands;
  plans: PlanDocuments;
  focusView: FocusView;
  exchange: SessionTransfer;
  storageLimit: StorageLimit;
  panel: PanelHost;
  files: VSCodeFiles;
  setup: ModelSetup;
  picker: Pick<ModelPicker, "pick">;
  channel: vscode.LogOutputChannel;
  logger: Logger;
  clock: Clock;
  permissions: ShowPermissionsDeps;
  hooks: Omit<ShowHooksDeps, "editor">;
  commit: GenerateCommitMessageDeps;
  begun: ComposerDraft;
  tabs: PanelTabs;
  /** undefined: messages can be sent; else why not */
  whyNot(): string | undefined;
}

/** `more`: what a menu gives beside what it was opened on */
type Commands = Record<EditorCommandName, (argument: unknown, more: unknown) => Promise<void>>;

export function createCommands(deps: CommandDeps): Commands {
  const { sessions, panel, setup, picker, channel, exchange, storageLimit, proposals, review } = deps;
  const sending = new WeakSet<vscode.TextDocument>();
  return {
    newSession: async () => showSession(await sessions.create(), panel),
    sessions: () => pickSession(deps),
    openPanel: argument => openPanel(argument, deps),
    askAboutSelection: argument => askAboutSelection(stringArgument(argument, "question"), deps),
    addFile: (argument, more) => addFiles(argument, more, deps),
    askAboutComment: () => askAboutComment(deps),
    writePrompt: () => writePrompt(deps.begun),
    sendPrompt: resource => sendPrompt(resource, { ...deps, sending }),
    stop: async () => sessions.current?.stop(),
    acceptProposal: async resource => proposals.answer(resource, "allow"),
    rejectProposal: async resource => proposals.answer(resource, "deny"),
    reviewNext: () => review.go("next"),
    reviewPrevious: () => review.go("previous"),
    reviewKeep: (uri, id) => review.one("keep", uri, id),
    reviewUndo: (uri, id) => review.one("undo", uri, id),
    reviewKeepFile: resource => review.file("keep", resource),
    reviewUndoFile: resource => review.file("undo", resource),
    reviewKeepAll: () => review.all("keep"),
    reviewUndoAll: () => review.all("undo"),
    reviewRedo: () => review.redo(),
    ...planCommands(deps),
    toggleFocusView: async () => deps.focusView.set(!deps.focusView.on),
    explainTurn: async () => openTurnReport(await sessions.show(), undefined, deps.editor),
    async compact(argument) {
      const session = await sessions.show();
      await revealView();
      await beginCompaction(session, stringArgument(argument, "guidance"), deps.logger);
    },
    undoCompaction: () => undoOrRedoCompaction(sessions, "undo"),
    redoCompaction: () => undoOrRedoCompaction(sessions, "redo"),
    previewCompaction: async () => openPreview(await sessions.show(), deps.editor),
    showWords: async () => showWords(await sessions.show()),
    exportSession: async argument => exchange.exportSession(await sessions.show(), uriArgument(argument)),
    async importSession(argument) {
      const id = await exchange.importSession(uriArgument(argument));
      if (id !== undefined) await showSession(await sessions.openById(id), panel);
    },
    generateCommitMessage: argument => generateCommitMessage(argument, deps.commit),
    removeSessions: () => storageLimit.removeSessions(sessions.current?.id),
    setMode: () => pickMode(sessions),
    showContext: async () => deps.tabs.show("context", t("Context")),
    showSettings: async () => deps.tabs.show("settings", t("Strata Settings")),
    showPermissions: async () => showPermissions((await sessions.show()).mode, deps.permissions),
    async showMcpServers() {
      panel.showServers();
      await revealView();
    },
    showSkills: async () =>
      deps.editor.openMarkdown(...reportPage(skillsReport(await (await sessions.show()).skills.read()))),
    showHooks: () => showHooks({ ...deps.hooks, editor: deps.editor }),
    chooseModel: () => picker.pick(),
    setApiKey: () => setup.setKey(),
    clearApiKey: () => setup.clearKey(),
    checkModelConnection: () => setup.check(),
    showLog: async () => channel.show(),
    help: () => openGuide("trouble.md"),
  };
}

/** Runs a command; what fails is told to the user. */
export async function runCommand(
  commands: Commands,
  name: EditorCommandName,
  ...given: [unknown, unknown]
): Promise<void> {
  try {
    await commands[name](...given);
  } catch (error) {
    void complain(errorText(error));
  }
}

/** `"words"` or `{ [name]: "words" }`; undefined: none were given */
function stringArgument(argument: unknown, name: "question" | "guidance"): string | undefined {
  const named =
    typeof argument === "object" && argument !== null ? new Map(Object.entries(argument)).get(name) : argument;
  return typeof named === "string" && named.trim() ? named.trim() : undefined;
}

/** The file that a caller names; undefined: the user is asked. From a menu comes what it was opened on, which is no file. */
const uriArgument = (argument: unknown) => (argument instanceof vscode.Uri ? argument : undefined);

/** @param argument the session to show; else the one that was */
async function openPanel(argument: unknown, { sessions, panel }: CommandDeps): Promise<void> {
  if (typeof argument === "string" && argument !== sessions.current?.id)
    await panel.sendSnapshot(await sessions.openById(argument));
  await revealView();
}

async function showSession(session: Session, panel: PanelHost): Promise<void> {
  await panel.sendSnapshot(session);
  await revealView();
}

async function pickSession({ sessions, panel, clock }: CommandDeps): Promise<void> {
  const list = await sessions.list();
  if (list.length === 0) return void inform("There are no sessions in this workspace yet.");
  const items = list.map(({ id, title, updated, turns, running }) => {
    const waits = sessions.waiting.includes(id);
    return {
      id,
      label: `${waits ? "$(question) " : running ? "$(loading~spin) " : ""}${withoutIcons(title) || "Untitled"}`,
      description: `${waits ? "waiting for you · " : ""}${count(turns, "turn")} · ${timeText(updated, clock.now())}`,
      picked: id === sessions.current?.id,
    };
  });
  const chosen = await choose(items, { title: "Sessions", placeHolder: "Open a session" });
  if (chosen) await showSession(await sessions.openById(chosen.id), panel);
}

async function pickMode(sessions: Sessions): Promise<void> {
  const session = await sessions.show();
  const items = permissionModes.map((mode: PermissionMode) => {
    const [name = mode, ...words] = modeDescriptions[mode].split(": ");
    return { mode, label: name, detail: words.join(": "), description: mode === session.mode ? "now" : "" };
  });
  const placeHolder = "What may the agent do without asking?";
  const more = { mode: undefined, label: "$(shield) Show all rules and where they come from…" };
  const chosen = await choose([...items, more], { title: "Mode of this session", placeHolder });
  if (chosen?.mode) await session.setMode(chosen.mode);
  else if (chosen) await vscode.commands.executeCommand("strata.showPermissions");
}

async function undoOrRedoCompaction(sessions: Sessions, way: "undo" | "redo"): Promise<void> {
  const session = await sessions.show();
  // Nothing failed where there is none: no error.
  if (!session.compaction.undoable[way]) void inform(noCompactionTo(way));
  else await (way === "undo" ? session.compaction.undo() : session.compaction.redo());
}

async function compose(text: string, { panel }: CommandDeps): Promise<void> {
  await revealView();
  panel.compose(text);
}

/** What cannot be sent now stands in the composer, where it says why. */
async function sendOrCompose(message: string, deps: CommandDeps): Promise<void> {
  if (deps.whyNot()) return compose(message, deps);
  await revealView();
  await (await deps.sessions.show()).submit(message);
}

/** Puts the selection's mention into the composer, or sends it with a question that was given. */
async function askAboutSelection(question: string | undefined, deps: CommandDeps): Promise<void> {
  const mention = selectionMention(deps);
  if (mention === undefined)
    return void inform(
      "Open a file and select what you want to ask about. Only files and unsaved documents can be mentioned.",
    );
  if (question === undefined) await compose(`${mention} `, deps);
  else await sendOrCompose(`${mention} ${question}`, deps);
}

/** The selection, or the cursor's line, of the active editor; undefined: no file is there to be named. */
function selectionMention({ inUse, files }: CommandDeps): string | undefined {
  const active = inUse.active();
  if (!active || !isNameable(active.uri)) return undefined;
  const { uri, editor } = active;
  const path = mentionPathOf(uri, files);
  // Lines of a cell are not lines of the notebook.
  if (!editor || notebookAround(uri)) return lineMention(path);
  return lineMention(path, selectedLines(editor.selection.start, editor.selection.end));
}

/** Asks what the comment at the cursor says, with its file and lines. */
async function askAboutComment(deps: CommandDeps): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const comment = editor && isNameable(editor.document.uri) && (await findComment(editor));
  if (!editor || !comment) return void inform("Place the cursor in the comment that you want to ask about.");
  const { document } = editor;
  const lines = selectedLines(document.positionAt(comment.start), document.positionAt(comment.end));
  const text = `${lineMention(mentionPathOf(document.uri, deps.files), lines)}\n\n${comment.text}`;
  // A diff or the terminal's output goes out by the words of the person alone, and who wrote the comment may not have meant
  // that: the composer shows what would be attached.
  if (mentionedAttachments(comment.text).length > 0) await compose(text, deps);
  else await sendOrCompose(text, deps);
}

async function findComment({ document, selection }: vscode.TextEditor): Promise<ReturnType<typeof commentAt>> {
  const [text, offset, { languageId }] = [document.getText(), document.offsetAt(selection.active), document];
  const { [languageId]: syntax } = await commentSyntaxes(languageId);
  const comment = commentAt(text, offset, syntax);
  return comment?.text ? comment : undefined;
}

/**
 * Puts files and folders into the composer, as mentions.
 * @param argument the item that was clicked in a menu
 * @param more all items that are selected in the explorer
 */
async function addFiles(argument: unknown, more: unknown, deps: CommandDeps): Promise<void> {
  const { files, inUse } = deps;
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
    const name = fileName(first.path);
    const others = left.length === 1 ? "" : ` and ${left.length - 1} more`;
    void inform(`${name}${others} cannot be mentioned: only files and folders in this workspace can.`);
  } else if (mentions.size === 0) void inform("To mention files, open one or select them in the explorer.");
  if (mentions.size > 0) await compose(`${[...mentions].join(" ")} `, deps);
}

function chosenUris(argument: unknown, more: unknown, inUse: LastActiveEditor): vscode.Uri[] {
  const selected = Array.isArray(more) ? more.filter(each => each instanceof vscode.Uri) : [];
  if (selected.length > 0) return selected;
  const one = argument instanceof vscode.Uri ? argument : inUse.uri();
  return one ? [one] : [];
}

async function openGuide(page: "trouble.md"): Promise<void> {
  const own = vscode.extensions.getExtension("strata-agent.strata");
  if (!own) return;
  const uri = vscode.Uri.joinPath(own.extensionUri, "docs/guide", page);
  // VS Code's own extension that shows pages may be switched off.
  if (vscode.extensions.getExtension("vscode.markdown-language-features"))
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  else await vscode.window.showTextDocument(uri, { preview: true });
}

const marks = [
  {
    mark: "pinned",
    label: "$(pin) Pin",
    detail: "The model sees this from the next request on, and compactions keep it",
  },
  { mark: "struck", label: "$(circle-slash) Take back", detail: "The model is told that this no longer applies" },
  { mark: "none", label: "$(circle-outline) Neither", detail: "As it was before" },
] as const;

const TITLE_CHARACTERS = 60;

/** Resolves when it was closed. */
async function showWords({ words }: Session): Promise<void> {
  const report = wordsReport(await words.list());
  const said = await chooseInReport(report, "Choose what to pin or take back");
  if (!said) return;
  const items = marks.filter(({ mark }) => mark !== said.mark);
  const title = oneLine(said.text, TITLE_CHARACTERS);
  const chosen = await choose(items, { title, placeHolder: "What should happen to this?" });
  if (chosen) await words.mark(said, chosen.mark);
}
