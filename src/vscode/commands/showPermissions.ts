/** "Strata: Show Permissions": what is in force and from where, and what would be decided about a command that is typed. */
import * as vscode from "vscode";
import { type TriedCommand, type TriedPlace, tryCommand } from "../../core/commands/tryCommand";
import { rulesInForce } from "../../core/permissions/levels";
import { type OverviewLine, permissionsOverview } from "../../core/permissions/overview";
import type { Sandbox, SettingsSource } from "../../core/ports";
import type { PermissionMode } from "../../shared/settingValues";
import { visibleLine } from "../../shared/shown";
import { livePicker } from "../platform/messages";

export interface ShowPermissionsDeps {
  settings: SettingsSource;
  files: TriedPlace["files"];
  shell: TriedPlace["shell"];
  ownFolders: readonly string[];
  sandbox?: Sandbox | undefined;
  trusted(): boolean;
  /** the folder in which commands begin: absolute, '/' separators; undefined: none is on this machine's disk */
  home(): string | undefined;
  /** what the workspace has that is not loaded since it is not trusted */
  heldBack(): Promise<string[]>;
}

type Item = vscode.QuickPickItem & { open?: () => Thenable<unknown> };

/** Resolves when it was closed. */
export async function showPermissions(mode: PermissionMode, deps: ShowPermissionsDeps): Promise<void> {
  const { settings, trusted } = deps;
  const state = await deps.sandbox?.state();
  const set = settings.get();
  const ready = set["bash.sandbox"] !== "off" && state?.kind === "ready";
  const sandbox = set["bash.sandbox"] === "off" ? "off" : state?.kind === "ready" ? `on (${state.name})` : "not here";
  const heldBack = trusted() ? [] : await deps.heldBack();
  const sections = permissionsOverview({ mode, settings, sandbox, heldBack, trusted: trusted() });
  const overview = sections.flatMap(({ title, lines }): Item[] => [
    { label: title, kind: vscode.QuickPickItemKind.Separator },
    ...lines.map(lineItem),
  ]);
  const confined = !ready ? undefined : set["bash.network"].length > 0 ? "online" : "offline";
  const decide = (command: string) =>
    tryCommand(
      command,
      { cwd: deps.home() ?? "/", files: deps.files, shell: deps.shell },
      {
        mode,
        trusted: trusted(),
        ownFolders: deps.ownFolders,
        grants: [],
        rules: rulesInForce(settings),
        runEverything: set["permissions.runEverything"],
        trustsAllContent: true,
      },
      confined,
    );
  await pick(overview, decide);
}

function pick(overview: readonly Item[], decide: (command: string) => Promise<TriedCommand>): Promise<void> {
  const { picker, fill } = livePicker<Item>();
  picker.title = "Permissions";
  picker.placeholder = "Type a command to see whether it would run, and why";
  fill(overview);
  let newest = 0;
  picker.onDidChangeValue(async value => {
    const mine = ++newest;
    if (!value.trim()) {
      fill(overview);
      return;
    }
    const items = await decide(value).then(triedItems, error => [tellItem(String(error))]);
    // What was typed meanwhile is answered by a later call.
    if (mine === newest) fill([...items, ...overview]);
  });
  return new Promise(resolve => {
    picker.onDidAccept(() => {
      const open = picker.selectedItems[0]?.open;
      if (!open) return;
      picker.hide();
      void open();
    });
    picker.onDidHide(() => {
      picker.dispose();
      resolve();
    });
    picker.show();
  });
}

const signs = { allow: "$(check) Runs", ask: "$(question) Asks", deny: "$(circle-slash) Never runs" };

function triedItems({ decision, rule, from, reason, programs }: TriedCommand): Item[] {
  const named = rule === undefined || reason.includes(rule) ? "" : ` (rule ${rule}${from ? ` in ${from.place}` : ""})`;
  const why = visibleLine(reason + named);
  const acting = programs.filter(({ effect }) => effect === "acts").map(({ command }) => command);
  const what = acting.length > 1 ? [{ detail: visibleLine(`Changes something: ${acting.join(" · ")}`) }] : [];
  const item = { label: signs[decision], ...(why && { description: why }), ...Object.assign({}, ...what) };
  return [separator("The command that you typed"), { ...item, alwaysShow: true }];
}

const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
const tellItem = (label: string): Item => ({ label: visibleLine(label), alwaysShow: true });

function lineItem({ label, from, detail, warning, rule }: OverviewLine): Item {
  const words = [warning, detail].filter(Boolean).join(" ");
  const shown = visibleLine(label);
  return {
    label: warning === undefined ? shown : `$(warning) ${shown}`,
    ...(from !== undefined && { description: visibleLine(from) }),
    ...(words !== "" && { detail: visibleLine(words) }),
    open: () =>
      rule?.level === "workspace"
        ? vscode.commands.executeCommand("workbench.action.openWorkspaceSettings", `strata.permissions.${rule.kind}`)
        : vscode.commands.executeCommand(
            "workbench.action.openSettings",
            rule ? `strata.permissions.${rule.kind}` : "strata.permissions",
          ),
  };
}
