/** What stands around the conversation, for the panel: workspace, model, things to try. */
import * as vscode from "vscode";
import { compactAt } from "../../core/compaction/budget";
import { foldLimit } from "../../core/compaction/fold";
import { type Models, NoModelError, type SettingsSource } from "../../core/ports";
import { defined } from "../../shared/defined";
import { writeMention } from "../../shared/mentions/write";
import type { PanelSurroundings } from "../../shared/panelSnapshot";
import type { SessionModel } from "../../shared/sessionModel";
import { DEFAULT_WINDOW } from "../../shared/settings";
import { isNameable, workspaceFolders } from "../editor/documents";
import type { LastActiveEditor } from "../editor/lastActiveEditor";
import { heldBackFiles } from "../files/heldBack";
import { listEntries } from "../files/storedFiles";
import type { FirstSteps } from "./firstSteps";

/** The model that `npm start` brings (scripts/offline-model): a script, and the panel says so. */
const OFFLINE_MODEL = "offline-model";

interface SurroundingsDeps {
  models: Models;
  /** what the session that is shown has chosen for itself */
  choice(): SessionModel;
  settings: SettingsSource;
  /** the path of a file as its mentions have it, without waiting */
  pathOf(uri: vscode.Uri): string;
  inUse: LastActiveEditor;
  firstSteps: Pick<FirstSteps, "areOpen">;
  /** whether the model's server has a key, or needs none */
  hasKey(): Promise<boolean>;
  focusView(): boolean;
  /** what all sessions take on disk, where that is more than they should */
  storage(): PanelSurroundings["storage"];
}

export async function panelSurroundings(deps: SurroundingsDeps): Promise<PanelSurroundings> {
  const folders = workspaceFolders();
  const workspace = folders.length === 0 ? "none" : vscode.workspace.isTrusted ? "trusted" : "untrusted";
  const [model, suggestions, heldBack] = await Promise.all([
    modelState(deps),
    workspace === "none" ? [] : suggest(deps),
    workspace === "untrusted" ? heldBackFiles() : [],
  ]);
  const storage = deps.storage();
  const settingUp = deps.firstSteps.areOpen(model.state) ? { key: await deps.hasKey() } : undefined;
  const { "context.foldAt": foldAt } = deps.settings.get();
  const contextWindow = model.state === "ready" ? model.contextWindow : DEFAULT_WINDOW;
  return {
    workspace,
    folders: folders.map(folder => folder.name),
    model,
    suggestions,
    budget: { compactAt: compactAt(1), foldAt: foldAt === null ? null : Math.floor(foldLimit(foldAt, contextWindow)) },
    ...defined({
      heldBack: heldBack.length > 0 ? heldBack : undefined,
      settingUp,
      focusView: deps.focusView() ? true : undefined,
      storage,
    }),
  };
}

/** Why no message can be sent now; undefined: it can. */
export function whyNot(): string | undefined {
  if (workspaceFolders().length > 0) return undefined;
  return "No folder is open. Open one, then send the message again.";
}

async function modelState({ models, choice, settings }: SurroundingsDeps): Promise<PanelSurroundings["model"]> {
  try {
    const { name, address, contextWindow, seesImages = true } = await models.connect(choice());
    const effort = choice().reasoning ?? settings.get()["model.reasoning"];
    const local = /^https?:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(address);
    const offline = name === OFFLINE_MODEL && local;
    const known = {
      ...(seesImages ? {} : { seesPictures: false as const }),
      ...(effort === "default" ? {} : { effort }),
    };
    return { state: "ready", name, address, contextWindow, offline, ...known };
  } catch (error) {
    if (!(error instanceof NoModelError)) throw error;
    // The panel shows the steps itself.
    const isUnset = !(choice().name ?? settings.get()["model.name"]).trim();
    return { state: "none", message: isUnset ? "No model yet." : error.message };
  }
}

/** Files in the root folder that say how the project is tested. */
const testFiles = ["package.json", "pyproject.toml", "Cargo.toml", "go.mod", "pom.xml", "build.gradle", "Makefile"];

/** At most three, for this workspace. */
async function suggest({ pathOf, inUse }: SurroundingsDeps): Promise<string[]> {
  const [folder] = workspaceFolders();
  if (!folder) return [];
  const names = new Set((await listEntries(folder.uri)).map(([name]) => name));
  const active = inUse.active()?.uri;
  // Commands run on this machine's disk.
  const canTest = folder.uri.scheme === "file" && testFiles.some(name => names.has(name));
  return [
    ...(canTest ? ["Run the tests and fix what fails"] : []),
    ...(active && isNameable(active) ? [`Explain ${writeMention(pathOf(active))}`] : []),
    "Explain how this project is built and where to start reading",
    ...(names.has(".git") ? ["Review the uncommitted changes"] : []),
  ].slice(0, 3);
}
