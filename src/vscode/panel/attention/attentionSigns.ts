/** Where VS Code says what a person should come back for: the status bar, and notifications. */
import * as vscode from "vscode";
import { stateWord } from "../../../shared/entry";
import { t } from "../../../shared/l10n";
import { visibleLine } from "../../../shared/shown";
import { inform } from "../../platform/messages";
import type { Status } from "./attention";

const looks: Record<Status["kind"], { icon: string; colour?: string }> = {
  waiting: { icon: "question", colour: "statusBarItem.warningBackground" },
  failed: { icon: "error", colour: "statusBarItem.errorBackground" },
  paused: { icon: "debug-pause" },
  running: { icon: "loading~spin" },
  finished: { icon: "check" },
};

/** What shows it, until it is disposed of. */
export function attentionSigns() {
  const item = vscode.window.createStatusBarItem("strata.status", vscode.StatusBarAlignment.Left);
  item.name = "Strata";
  return {
    showStatus(status: Status | undefined) {
      if (!status) return item.hide();
      const { icon, colour } = looks[status.kind];
      item.text = `$(${icon}) ${t("Strata: {0}", stateWord(status.kind))}`;
      item.tooltip = visibleLine(status.title) || t("Untitled session");
      item.backgroundColor = colour ? new vscode.ThemeColor(colour) : undefined;
      item.command = openCommand(status.sessionId);
      item.show();
    },
    async notify(message: string, sessionId: string) {
      const { command, arguments: given } = openCommand(sessionId);
      if (await inform(message, t("Show"))) await vscode.commands.executeCommand(command, ...given);
    },
    dispose: () => item.dispose(),
  };
}

const openCommand = (id: string) => ({ title: t("Show"), command: "strata.openPanel", arguments: [id] });
