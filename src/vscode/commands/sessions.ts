/** Commands about sessions: new ones, other ones, in tabs, exported, imported, brought back. */
import * as vscode from "vscode";
import type { Session } from "../../core/agent/session/session";
import type { Clock, SessionStorage } from "../../core/ground/ports";
import { formatClockTime } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import type { PanelHost } from "../panel/host/panelHost";
import type { PanelTabs } from "../panel/pages/tabs";
import type { Sessions } from "../panel/sessions/sessions";
import { choose, inform } from "../platform/messages";
import { withoutIcons } from "../platform/messageText";
import type { SessionTransfer } from "./sessionTransfer";
import type { StorageLimit } from "./storageLimit";

export interface SessionCommandDeps {
  sessions: Sessions;
  storage: SessionStorage;
  panel: PanelHost;
  tabs: PanelTabs;
  exchange: SessionTransfer;
  storageLimit: StorageLimit;
  clock: Clock;
}

export const sessionCommands = (deps: SessionCommandDeps) => {
  const { sessions, panel, tabs, exchange, storageLimit } = deps;
  return {
    newSession: async () => panel.sendSnapshot(await sessions.create()),
    sessions: async () => panel.show("sessions"),
    showContext: async () => panel.show("context"),
    sessionsWaiting: async () => panel.show("sessions"),
    openPanel: (argument: unknown) => openPanel(argument, deps),
    async openInTab() {
      const { id, history } = sessions.current ?? (await sessions.show());
      if (tabs.showSession(id, history.conversation.title)) panel.draftMoved(id);
    },
    newSessionTab: async () => void tabs.showSession(undefined, ""),
    restoreSession: () => restoreSession(deps),
    async exportSession(argument: unknown) {
      const { id, history } = await sessions.show();
      await exchange.exportSession({ id, title: history.conversation.title }, uriArgument(argument));
    },
    async importSession(argument: unknown) {
      const id = await exchange.importSession(uriArgument(argument));
      if (id !== undefined) await showSession(await sessions.openById(id), deps);
    },
    removeSessions: () => storageLimit.removeSessions(sessions.current?.id),
  };
};

/** The file that a caller names; undefined: the user is asked. From a menu comes what it was opened on, which is no file. */
const uriArgument = (argument: unknown) => (argument instanceof vscode.Uri ? argument : undefined);

/** @param argument the session to show; else the one that was */
async function openPanel(argument: unknown, deps: SessionCommandDeps): Promise<void> {
  if (typeof argument === "string") await showSession(await deps.sessions.openById(argument), deps);
}

async function showSession(session: Session, { panel, sessions }: SessionCommandDeps): Promise<void> {
  await panel.sendSnapshot(session);
  await (sessions.placeOf(session.id) ?? sessions.side).reveal();
}

/** Brings a deleted session back, and shows it. */
async function restoreSession(deps: SessionCommandDeps): Promise<void> {
  const { sessions, storage, clock } = deps;
  const deleted = await storage.deleted();
  if (deleted.length === 0) return void inform(t("The trash is empty."));
  const items = deleted.map(({ key, deleted: at, meta: { title, turns } }) => ({
    ...{ key, label: withoutIcons(title) || t("Untitled session") },
    description: `${plural(turns, "1 turn", "{0} turns")} · ${t("deleted {0}", formatClockTime(at, clock.now()))}`,
  }));
  const chosen = await choose(items, { title: t("Restore Session"), placeHolder: t("Deleted in the last 30 days") });
  if (chosen) await showSession(await sessions.openById(await storage.restore(chosen.key)), deps);
}
