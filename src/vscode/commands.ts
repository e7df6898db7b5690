/** What each command does: one row a command. */
import * as vscode from "vscode";
import { modeDescriptions, type PermissionMode, permissionModeSchema } from "../shared/settings";
import type { CommandName } from "./commandNames";
import type { VSCodeFiles } from "./files";
import type { ModelSetup } from "./modelSetup";
import { wordsFor } from "./panel/dispatch";
import type { PanelHost } from "./panel/host";
import type { Sessions } from "./panel/sessions";
import { revealView } from "./panel/view";
import { selectionMention } from "./selection";

export interface CommandDeps {
  sessions: Sessions;
  panel: PanelHost;
  files: VSCodeFiles;
  setup: ModelSetup;
  channel: vscode.LogOutputChannel;
  /** undefined: messages can be sent; else why not */
  whyNot(): string | undefined;
}

type Commands = Record<CommandName, (argument: unknown) => Promise<void>>;

export function createCommands(deps: CommandDeps): Commands {
  const { sessions, panel, setup, channel } = deps;
  return {
    async newSession() {
      await panel.sendSnapshot(await sessions.create());
      await revealView();
    },
    sessions: () => pickSession(deps),
    openPanel: revealView,
    askAboutSelection: argument => askAboutSelection(questionOf(argument), deps),
    stop: async () => sessions.current?.stop(),
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
export async function runCommand(commands: Commands, name: CommandName, argument: unknown): Promise<void> {
  try {
    await commands[name](argument);
  } catch (error) {
    void vscode.window.showErrorMessage(wordsFor(error));
  }
}

/** `question` or `{ question }`; undefined: none was given */
function questionOf(argument: unknown): string | undefined {
  const question =
    typeof argument === "object" && argument !== null && "question" in argument ? argument.question : argument;
  return typeof question === "string" && question.trim() ? question.trim() : undefined;
}

/** Puts the mention into the composer, or sends it with a question that was given. */
async function askAboutSelection(question: string | undefined, deps: CommandDeps): Promise<void> {
  const mention = selectionMention(uri => deps.files.pathOf(uri));
  if (mention === undefined) {
    const message = "Open a file and select what you want to ask about: only files on disk can be mentioned.";
    void vscode.window.showInformationMessage(message);
    return;
  }
  await revealView();
  const refusal = deps.whyNot();
  if (question === undefined || refusal) {
    deps.panel.compose(question === undefined ? `${mention} ` : `${mention} ${question}`);
    return;
  }
  const session = await deps.sessions.show();
  await session.submit(`${mention} ${question}`);
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
