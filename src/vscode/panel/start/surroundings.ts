/** The surroundings of the conversation, for the panel: workspace, model, settings. */
import * as vscode from "vscode";
import { type Models, NoModelError, type SettingsSource } from "../../../core/ground/ports";
import { defined } from "../../../shared/defined";
import { t } from "../../../shared/l10n";
import type { PanelSurroundings } from "../../../shared/panelSnapshot";
import type { SessionModel } from "../../../shared/sessionModel";
import { effortWords } from "../../../shared/settingValues";
import { workspaceFolders } from "../../editor/documents";

/** The model of the demo and of `npm start` (scripts/offline-model): a script, and the panel says so. */
const OFFLINE_MODEL = "offline-model";

export const isOffline = (name: string, address: string): boolean =>
  name === OFFLINE_MODEL && /^https?:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(address);

interface SurroundingsDeps {
  models: Models;
  /** what the session that is shown has chosen for itself */
  choice(): SessionModel;
  settings: SettingsSource;
  /** hears whether a model is there */
  saw(state: PanelSurroundings["model"]["state"]): void;
  focusView(): boolean;
  /** what all sessions take on disk, where that is more than they should */
  storage(): PanelSurroundings["storage"];
}

export async function panelSurroundings(deps: SurroundingsDeps): Promise<PanelSurroundings> {
  const folders = workspaceFolders();
  const workspace = folders.length === 0 ? "none" : vscode.workspace.isTrusted ? "trusted" : "untrusted";
  const model = await modelState(deps);
  const storage = deps.storage();
  deps.saw(model.state);
  return {
    workspace,
    folders: folders.map(folder => folder.name),
    model,
    ...defined({ focusView: deps.focusView() ? true : undefined, storage }),
  };
}

/** Why no message can be sent now; undefined: it can. */
export function whyNot(): string | undefined {
  if (workspaceFolders().length > 0) return undefined;
  return t("No folder is open. Open one, then send the message again.");
}

type ModelDeps = Pick<SurroundingsDeps, "models" | "choice" | "settings">;

export async function modelState({ models, choice, settings }: ModelDeps): Promise<PanelSurroundings["model"]> {
  try {
    const { name, address, seesImages = true, ...connection } = await models.connect(choice());
    const learnt = await connection.learnWindow?.();
    const contextWindow = learnt ?? connection.contextWindow;
    const effort = choice().reasoning ?? settings.get()["model.reasoning"];
    const offline = isOffline(name, address);
    const known = {
      ...(connection.isWindowGuessed && learnt === undefined ? { isWindowGuessed: true as const } : {}),
      ...(seesImages ? {} : { seesPictures: false as const }),
      ...(effort === "default" ? {} : { effort: effortWords(effort).name }),
    };
    return { state: "ready", name, address, contextWindow, offline, ...known };
  } catch (error) {
    if (!(error instanceof NoModelError)) throw error;
    // The panel shows the steps itself.
    const isUnset = !(choice().name ?? settings.get()["model.name"]).trim();
    return { state: "none", message: isUnset ? t("No model yet.") : error.message };
  }
}
