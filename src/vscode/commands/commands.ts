/** What each command of package.json does: one row a command, which a test holds to it. */
import * as vscode from "vscode";
import { type Clock, type Logger, SessionError } from "../../core/ground/ports";
import { listPrompts } from "../../core/log/findRecords";
import { defined } from "../../shared/defined";
import { noCompactionTo } from "../../shared/entry";
import { formatClockTime } from "../../shared/format";
import { t } from "../../shared/l10n";
import { toolSections } from "../../shared/panelProtocol";
import { permissionModes } from "../../shared/settingValues";
import { listCommands } from "../../shared/slashCommand";
import { type EditorActions, showMarkdown } from "../panel/conversation/editorActions";
import type { PlanDocuments } from "../panel/conversation/plans";
import type { EditProposals } from "../panel/conversation/proposals";
import { beginCompaction } from "../panel/handlers";
import { errorText } from "../panel/host/dispatch";
import type { FocusView } from "../panel/pages/view";
import type { Sessions } from "../panel/sessions/sessions";
import { openInView, openPreview, openTurnReport } from "../panel/shownRows";
import { choose, complain, inform } from "../platform/messages";
import { withoutIcons } from "../platform/messageText";
import type { ReviewFindings } from "../review/findings";
import type { ReviewCommands } from "../review/reviewCommands";
import { takeComment } from "../review/reviewComments";
import { type GenerateCommitMessageDeps, generateCommitMessage } from "./commitMessage";
import { type EditorQuestionDeps, questionCommands, stringArgument } from "./editorQuestions";
import type { ModelPicker } from "./modelPicker";
import { type ModelSetup, modelWays } from "./modelSetup";
import { modeItem, planCommands } from "./plans";
import { type ComposerDraft, sendPrompt, writePrompt } from "./prompts";
import { type SessionCommandDeps, sessionCommands } from "./sessions";

interface CommandDeps extends EditorQuestionDeps, SessionCommandDeps {
  editor: EditorActions;
  proposals: EditProposals;
  review: ReviewCommands;
  findings: ReviewFindings;
  plans: PlanDocuments;
  focusView: FocusView;
  setup: ModelSetup;
  picker: ModelPicker;
  channel: vscode.LogOutputChannel;
  logger: Logger;
  clock: Clock;
  commit: GenerateCommitMessageDeps;
  begun: ComposerDraft;
  /** the folder of a new demo */
  newDemo(): Promise<vscode.Uri>;
}

/** `more`: what a menu gives beside what it was opened on */
type Commands = Record<string, (argument: unknown, more: unknown) => Promise<void>>;

export function createCommands(deps: CommandDeps): Commands {
  const { sessions, setup, picker, channel, proposals, review } = deps;
  const sending = new WeakSet<vscode.TextDocument>();
  return {
    ...sessionCommands(deps),
    ...questionCommands(deps),
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
    reviewChanges: () => deps.findings.review(),
    addComment: async reply => takeComment(reply, deps.files, text => deps.panel.compose(text)),
    ...planCommands(deps),
    toggleFocusView: async () => deps.focusView.set(!deps.focusView.on),
    find: async () => deps.panel.find(),
    prompts: () => pickPrompt(deps),
    explainTurn: async () => openTurnReport(await sessions.show(), undefined, deps.editor),
    instructionsInView: () => askInView(deps),
    async compact(argument) {
      const session = await sessions.show();
      await beginCompaction(session, defined({ guidance: stringArgument(argument, "guidance") }), deps.logger);
    },
    undoCompaction: () => undoOrRedoCompaction(sessions, "undo"),
    redoCompaction: () => undoOrRedoCompaction(sessions, "redo"),
    previewCompaction: async () => openPreview(await sessions.show(), deps.editor),
    generateCommitMessage: argument => generateCommitMessage(argument, deps.commit),
    setMode: () => pickMode(sessions),
    nextMode: async () => (await sessions.show()).nextMode(),
    showSettings: openSettings,
    showTools: async section => deps.tabs.showTools(toolSections.find(each => each === section)),
    getStarted: async () => openWalkthrough(),
    tryDemo: async () => openDemo(await deps.newDemo()),
    async chooseModel(argument) {
      // A list of VS Code's leaves the focus anywhere.
      if (await picker.pick(modelWays.find(way => way === argument))) await sessions.active.reveal();
    },
    setApiKey: () => setup.setKey(),
    clearApiKey: () => setup.clearKey(),
    checkModelConnection: () => setup.check(),
    showLog: async () => channel.show(),
    showHelp: () => deps.editor.openMarkdown(...helpPage()),
    help: page => openGuide(page === "context.md" ? page : "trouble.md"),
  };
}

/** A sentence to look for, at first what an editor has selected; none: all instructions of the newest request are listed. */
async function askInView({ sessions, editor, inUse }: CommandDeps): Promise<void> {
  const active = inUse.active()?.editor;
  const sentence = await vscode.window.showInputBox({
    title: t("Which Instructions Were in View"),
    prompt: t("A sentence of a rules file, a skill, a plan or a message of yours. Leave it empty to list all."),
    value: active && !active.selection.isEmpty ? active.document.getText(active.selection).slice(0, 1_000) : "",
  });
  if (sentence !== undefined) await openInView(await sessions.show(), {}, editor, sentence.trim() || undefined);
}

/** VS Code's Settings, filtered to Strata's. @param name of one of them, without `strata.` */
async function openSettings(name: unknown): Promise<void> {
  const words = typeof name === "string" ? ` strata.${name}` : "";
  await vscode.commands.executeCommand("workbench.action.openSettings", `@ext:strata-agent.strata${words}`);
}

/** The extension's name, and the walkthrough's in package.json. */
const WALKTHROUGH = "strata-agent.strata#start";
const openWalkthrough = () => void vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH);

/**
 * In a window of its own. On the desktop with its file open: that also starts Strata there, which shows itself. In a browser a file
 * would go to a window of its own. VS Code before 1.102 opens none.
 */
async function openDemo(folder: vscode.Uri): Promise<void> {
  const files = vscode.env.uiKind === vscode.UIKind.Desktop ? [vscode.Uri.joinPath(folder, "src/invoice.js")] : [];
  const how = { forceNewWindow: true, noRecentEntry: true, filesToOpen: files };
  await vscode.commands.executeCommand("vscode.openFolder", folder, how);
}

/** Runs a command; what fails is told to the user. */
export async function runCommand(commands: Commands, name: string, ...given: [unknown, unknown]): Promise<void> {
  try {
    await commands[name]?.(...given);
  } catch (error) {
    void complain(errorText(error));
  }
}

async function pickMode(sessions: Sessions): Promise<void> {
  const session = sessions.show();
  const placeHolder = t("What may the agent do without asking?");
  const more = { mode: undefined, label: `$(shield) ${t("Show all rules and where they come from…")}` };
  const items = session.then(({ mode: now }) => [
    ...permissionModes.map(mode => ({ ...modeItem(mode), description: mode === now ? t("in use") : "" })),
    more,
  ]);
  const chosen = await choose(items, { title: t("Mode of this session"), placeHolder });
  if (chosen?.mode) await (await session).setMode(chosen.mode);
  else if (chosen) await vscode.commands.executeCommand("strata.showTools", "permissions");
}

async function undoOrRedoCompaction(sessions: Sessions, way: "undo" | "redo"): Promise<void> {
  const session = await sessions.show();
  // Nothing failed where there is none: no error.
  if (!session.compaction.undoable[way]) void inform(noCompactionTo(way));
  else await (way === "undo" ? session.compaction.undo() : session.compaction.redo());
}

async function openGuide(page: "trouble.md" | "context.md"): Promise<void> {
  const own = vscode.extensions.getExtension("strata-agent.strata");
  if (!own) return;
  await showMarkdown(vscode.Uri.joinPath(own.extensionUri, "docs/guide", page));
}

const LABEL_CHARS = 120;

async function pickPrompt(deps: CommandDeps): Promise<void> {
  const chosen = await choose(promptItems(deps), { title: t("Prompts"), placeHolder: t("Go to a prompt") });
  if (chosen) await deps.panel.reveal(chosen.key, chosen.seq);
}

async function promptItems({ sessions, clock }: CommandDeps) {
  const { prompts, missing } = await listPrompts((await sessions.show()).history);
  if (missing.length > 0)
    void complain(t("Some older prompts are not listed: part of the session's log cannot be read."));
  if (prompts.length === 0) throw new SessionError(t("No prompts in this session yet."));
  return prompts.toReversed().map(({ key, seq, ts, text }) => ({
    ...{ key, seq },
    label: withoutIcons(text.trim().replace(/\s+/g, " ").slice(0, LABEL_CHARS)) || t("(picture)"),
    description: formatClockTime(ts, clock.now()),
  }));
}

type KeyRow = readonly [keys: string, does: string];

const table = (title: string, rows: readonly KeyRow[]) =>
  [
    ...[`## ${title}`, "", "| | |", "|---|---|"],
    ...rows.map(([key, does]) => `| \`${key.replaceAll(",", "` `")}\` | ${does} |`),
  ].join("\n");

const keyTables = () => [
  table(t("In the panel"), [
    ["Esc", t("Close what is open, else stop the agent")],
    ["Tab", t("Go to the next group of controls")],
    ["Alt+↑,Alt+↓", t("Go to your previous or next message")],
    ["Ctrl+F,F3,Shift+F3", t("Find in the conversation; next and previous match")],
  ]),
  table(t("Where you write"), [
    ["Enter", t("Send")],
    ["Alt+Enter", t("Send after this turn")],
    ["Shift+Enter", t("New line")],
    ["↑", t("Bring your last message back, in an empty box")],
    ["Ctrl+Shift+V", t("Paste as plain text")],
  ]),
  table(t("When Strata asks"), [
    ["Ctrl+Enter", t("Allow, or send the answer")],
    ["Esc", t("Deny, or leave the form")],
    ["1–9", t("Choose the option with this number")],
  ]),
  table(t("In lists and menus"), [
    ["↑,↓,Home,End", t("Go from row to row")],
    ["←,→", t("Go from button to button, or open and close a row")],
    ["Alt+↑,Alt+↓", t("Move a waiting message up or down")],
    ["F2,Del,Shift+F10", t("Rename or delete a session, or show more actions")],
  ]),
];

/** @returns a name for its tab, and Markdown */
function helpPage(): [name: string, text: string] {
  const rows = listCommands().map(({ name, after, meaning }): KeyRow => [`/${name} ${after}`.trim(), meaning]);
  const more = t("On a Mac Ctrl is ⌘. The keys of commands are in VS Code's keyboard shortcuts, under “Strata”.");
  return [`${t("Help")}.md`, [`# ${t("Help")}`, table(t("Commands"), rows), ...keyTables(), more].join("\n\n")];
}
