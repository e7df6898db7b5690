/** Where VS Code says what a person should come back for: the status bar, and notifications. */
import * as vscode from "vscode";
import { t } from "../../../shared/l10n";
import { visibleLine } from "../../../shared/shown";
import { inform } from "../../platform/messages";
import type { Status } from "./attention";

interface StatusLook {
  text: string;
  says: string;
  colour?: string;
}

const looks = (): Record<Status["kind"], StatusLook> => ({
  asking: {
    text: `$(question) ${t("Strata: waiting for you")}`,
    says: t("The agent has a question"),
    colour: "statusBarItem.warningBackground",
  },
  failed: {
    text: `$(error) ${t("Strata: failed")}`,
    says: t("The turn failed"),
    colour: "statusBarItem.errorBackground",
  },
  paused: { text: `$(debug-pause) ${t("Strata: paused")}`, says: t("The turn paused") },
  running: { text: `$(loading~spin) ${t("Strata: working")}`, says: t("The agent is working") },
  done: { text: `$(check) ${t("Strata: done")}`, says: t("The turn is done") },
});

export class AttentionSigns implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("strata.status", vscode.StatusBarAlignment.Left);

  constructor() {
    this.item.name = "Strata";
  }

  showStatus = (status: Status | undefined): void => {
    const { item } = this;
    if (!status) {
      item.hide();
      return;
    }
    const { text, says, colour } = looks()[status.kind];
    item.text = text;
    item.tooltip = `${says}: ${visibleLine(status.title) || "Untitled"}`;
    item.backgroundColor = colour ? new vscode.ThemeColor(colour) : undefined;
    item.command = openCommand(status.sessionId);
    item.show();
  };

  notify = (message: string, sessionId: string): void => {
    const { command, arguments: given } = openCommand(sessionId);
    void inform(message, t("Show")).then(chosen => {
      if (chosen) void vscode.commands.executeCommand(command, ...given);
    });
  };

  dispose(): void {
    this.item.dispose();
  }
}

const openCommand = (sessionId: string) => ({
  title: t("Show"),
  command: "strata.openPanel",
  arguments: [sessionId],
});
