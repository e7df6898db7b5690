/** "Strata: Show Permissions": what is in force and from where, and what would be decided about a command that is typed. */
import type * as vscode from "vscode";
import { type InForce, tryInForce } from "../../core/commands/tryCommand";
import type { Sandbox } from "../../core/ground/ports";
import type { Report } from "../../core/ground/text/report";
import { permissionsReport } from "../../core/permissions/overview";
import { t } from "../../shared/l10n";
import type { PermissionMode } from "../../shared/settingValues";
import { livePicker } from "../platform/messages";
import { chooseInReport } from "../platform/reports";

export interface ShowPermissionsDeps extends Omit<InForce, "cwd" | "sandbox"> {
  sandbox?: Sandbox | undefined;
  trusted(): boolean;
  /** the folder in which commands begin: absolute, '/' separators; undefined: none is on this machine's disk */
  home(): string | undefined;
}

/** Resolves when it was closed. */
export async function showPermissions(mode: PermissionMode, deps: ShowPermissionsDeps): Promise<void> {
  const actions = [{ label: t("Try a command…"), action: "try" as const }];
  const report: Report<"try"> = { ...(await permissionsNow(mode, deps)), actions };
  if (!(await chooseInReport(report, t("What is in force, and where it is set")))) return;
  const at = { mode, trusted: deps.trusted() };
  await askCommand(command => tryInForce(command, { ...deps, cwd: deps.home() ?? "/" }, at));
}

async function permissionsNow(mode: PermissionMode, deps: ShowPermissionsDeps): Promise<Report> {
  const { settings } = deps;
  const trusted = deps.trusted();
  const found = await deps.sandbox?.state();
  const isOff = settings.get()["bash.sandbox"] === "off";
  const isReady = found?.kind === "ready";
  const sandbox = isOff ? t("off") : isReady ? t("on ({0})", found.name) : t("not available here");
  return permissionsReport({ mode, settings, sandbox, trusted });
}

function askCommand(decide: (command: string) => ReturnType<typeof tryInForce>): Promise<void> {
  const { picker, fill } = livePicker();
  picker.title = t("Permissions");
  picker.placeholder = t("Type a command to see whether it would run, and why");
  let newest = 0;
  picker.onDidChangeValue(async value => {
    const mine = ++newest;
    if (!value.trim()) return fill([]);
    const item = await decide(value).then(triedItem, error => ({ label: String(error), alwaysShow: true }));
    // What was typed meanwhile is answered by a later call.
    if (mine === newest) fill([item]);
  });
  return new Promise(resolve => {
    picker.onDidHide(() => {
      picker.dispose();
      resolve();
    });
    picker.show();
  });
}

const signs = () => ({
  allow: `$(check) ${t("Runs")}`,
  ask: `$(question) ${t("Asks")}`,
  deny: `$(circle-slash) ${t("Never runs")}`,
});

function triedItem({ decision, why, programs }: Awaited<ReturnType<typeof tryInForce>>): vscode.QuickPickItem {
  const acting = programs.filter(({ effect }) => effect === "acts").map(({ command }) => command);
  const detail = acting.length > 1 ? t("Changes something: {0}", acting.join(" · ")) : "";
  return { label: signs()[decision], description: why, detail, alwaysShow: true };
}
