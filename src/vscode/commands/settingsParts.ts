/** The page of settings, put together: rows, what is known beside them, and what it opens. */
import * as vscode from "vscode";
import type { AgentPorts } from "../../core/agent/session/openSession";
import type { SettingsAct } from "../../shared/settingsProtocol";
import type { FoundLine } from "../../shared/startProtocol";
import { errorText } from "../panel/dispatch";
import type { EditorActions } from "../panel/editorActions";
import type { Sessions } from "../panel/sessions";
import { editSetting, settingRows, writeSetting } from "../panel/settingRows";
import type { SettingsDeps } from "../panel/settingsHandlers";
import type { PanelTabs } from "../panel/tabs";
import { complain } from "../platform/messages";
import type { VSCodeSettings } from "../platform/settings";
import { decideHooks, type ShowHooksDeps, showHooks } from "./showHooks";
import { permissionsNow, type ShowPermissionsDeps, tryCommand } from "./showPermissions";

interface SettingsParts {
  ports: Pick<AgentPorts, "storage"> & { settings: VSCodeSettings };
  sessions: Sessions;
  tabs: PanelTabs;
  editor: EditorActions;
  permissions: ShowPermissionsDeps;
  hooks: Omit<ShowHooksDeps, "editor">;
  found: SettingsDeps["found"];
}

export function settingsParts(parts: SettingsParts): SettingsDeps {
  const { ports, sessions, tabs, permissions, found } = parts;
  const deps = { settings: ports.settings, trusted: permissions.trusted };
  return {
    rows: () => settingRows(deps),
    wantedPage: () => tabs.wantedPage,
    write: (name, value) => writeSetting(name, value, deps),
    edit: editSetting,
    async permissions() {
      const { sections } = await permissionsNow((await sessions.show()).mode, permissions);
      return sections.map(({ title, lines }) => ({ kind: title, title, lines: lines.map(plainLine) }));
    },
    found,
    storage: ports.storage,
    decideHooks: path => decideHooks(path, { ...parts.hooks, editor: parts.editor }),
    act: act => acts[act](parts).then(undefined, error => complain(errorText(error))),
  };
}

/** Without what only the editor's list can do with it. */
const plainLine = ({
  label,
  from,
  detail,
  warnings,
}: Omit<FoundLine, "warnings"> & { warnings?: readonly string[] }) => ({
  label,
  ...(from === undefined ? {} : { from }),
  ...(detail === undefined ? {} : { detail }),
  ...(warnings === undefined ? {} : { warnings: [...warnings] }),
});

const command = (name: string) => async () => vscode.commands.executeCommand(name);

const acts: Record<SettingsAct, (parts: SettingsParts) => Promise<unknown>> = {
  "try-command": async ({ sessions, permissions }) => tryCommand((await sessions.show()).mode, permissions),
  "review-hooks": ({ hooks, editor }) => showHooks({ ...hooks, editor }),
  "open-log": command("strata.showLog"),
  "log-level": command("workbench.action.setLogLevel"),
  "remove-sessions": command("strata.removeSessions"),
  "restore-session": command("strata.restoreSession"),
};
