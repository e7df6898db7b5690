/** Settings as rows of a page, from the manifest's words in the person's language and from where VS Code found each value. */
import * as vscode from "vscode";
import { SessionError } from "../../core/ground/ports";
import { issueWords } from "../../shared/issueWords";
import { t } from "../../shared/l10n";
import { type SettingName, settingNames, settingsSchema, workspaceSettings } from "../../shared/settings";
import type { SettingRow } from "../../shared/settingsProtocol";
import type { VSCodeSettings } from "../platform/settings";
import { choiceLabels, pageOfSetting, settingTitles } from "./settingWords";

interface ManifestSetting {
  type: string | string[];
  enum?: unknown[];
  enumDescriptions?: string[];
  markdownEnumDescriptions?: string[];
  markdownDescription?: string;
  minimum?: number;
  maximum?: number;
}

interface SettingRowsDeps {
  settings: Pick<VSCodeSettings, "get" | "layers">;
  trusted(): boolean;
}

type InspectedValue = ReturnType<vscode.WorkspaceConfiguration["inspect"]>;

const readConfiguration = () =>
  vscode.workspace.getConfiguration("strata", vscode.workspace.workspaceFolders?.[0]?.uri ?? null);

export function settingRows(deps: SettingRowsDeps): SettingRow[] {
  const configuration = readConfiguration();
  const own = vscode.extensions.getExtension("strata-agent.strata")?.packageJSON;
  const manifest: Record<string, ManifestSetting | undefined> = own?.contributes?.configuration?.properties ?? {};
  return settingNames.map(name => rowOf(name, manifest[`strata.${name}`], configuration.inspect(name), deps));
}

function rowOf(
  name: SettingName,
  described: ManifestSetting | undefined,
  found: InspectedValue,
  { settings, trusted }: SettingRowsDeps,
): SettingRow {
  const managed = settings.layers().find(({ level }) => level === "managed");
  // Rules of all levels add up: the administrator's take nothing away from the person's own.
  const isRules = /^permissions\.(allow|ask|deny)$/.test(name);
  const isManaged = !isRules && managed?.values[name] !== undefined;
  const source = isManaged ? "managed" : sourceOf(name, found);
  const value = isRules ? valueAt(source, found) : settings.get()[name];
  const words = described?.markdownEnumDescriptions ?? described?.enumDescriptions ?? [];
  const labels = choiceLabels(name);
  const choices = described?.enum?.map((each, at) => ({
    value: String(each),
    label: labels[String(each)] ?? String(each),
    ...(words[at] ? { words: plainWords(words[at]) } : {}),
  }));
  return {
    ...{ name, page: pageOfSetting(name), title: settingTitles[name](), source },
    meaning: plainWords(described?.markdownDescription ?? settingsSchema.shape[name].description ?? ""),
    ...{ kind: kindOf(described, value), value: JSON.parse(JSON.stringify(value ?? null)) },
    ...(choices ? { choices } : {}),
    ...(described?.minimum === undefined ? {} : { min: described.minimum }),
    ...(described?.maximum === undefined ? {} : { max: described.maximum }),
    ...byDefault(name),
    ...lockOf(isManaged, found, trusted()),
  };
}

function byDefault(name: SettingName): Pick<SettingRow, "byDefault"> {
  const value: unknown = settingsSchema.shape[name].parse(undefined);
  return typeof value === "number" || value === null ? { byDefault: value } : {};
}

/** Restricted settings of a workspace that is not trusted do not count, wherever somebody writes them. */
function lockOf(isManaged: boolean, found: InspectedValue, trusted: boolean): { locked?: string } {
  if (isManaged) return { locked: t("Your organisation manages this setting.") };
  const ofWorkspace = found?.workspaceFolderValue ?? found?.workspaceValue;
  if (!trusted && ofWorkspace !== undefined)
    return { locked: t("This workspace sets it. Trust the workspace to use or change it.") };
  return {};
}

function sourceOf(name: SettingName, found: InspectedValue): SettingRow["source"] {
  const mayWorkspace = workspaceSettings.includes(name);
  // The settings of the only folder are the workspace's, and VS Code names them twice.
  const hasFolders = vscode.workspace.workspaceFile !== undefined;
  if (mayWorkspace && hasFolders && found?.workspaceFolderValue !== undefined) return "folder";
  if (mayWorkspace && found?.workspaceValue !== undefined) return "workspace";
  return found?.globalValue === undefined ? "default" : "user";
}

function valueAt(source: SettingRow["source"], found: InspectedValue): unknown {
  if (source === "folder") return found?.workspaceFolderValue;
  if (source === "workspace") return found?.workspaceValue;
  return source === "user" ? found?.globalValue : found?.defaultValue;
}

function kindOf(described: ManifestSetting | undefined, value: unknown): SettingRow["kind"] {
  const types = [described?.type ?? typeof value].flat();
  if (described?.enum) return "choice";
  if (types.includes("boolean")) return "switch";
  if (types.includes("integer") || types.includes("number")) return "number";
  if (types.includes("string")) return "text";
  return Array.isArray(value) && value.every(each => typeof each === "string") ? "list" : "file";
}

/** Without the marks of Markdown, of which none counts in code; other settings by the names that they have on the page. */
const plainWords = (markdown: string) =>
  markdown
    .split("`")
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/\*\*?(?=\S)|(?<=\S)\*\*?/g, "")))
    .join("")
    .replace(/#?strata\.([\w.]*\w)#?/g, (written, id: string) => {
      const name = settingNames.find(each => each === id);
      return name ? `“${settingTitles[name]()}”` : written;
    });

const knownName = (name: string): SettingName => {
  const known = settingNames.find(each => each === name);
  if (!known) throw new SessionError(t("There is no setting {0}.", name));
  return known;
};

/** Where it is written: where it was set, else for the person. */
function targetOf(name: SettingName, found: InspectedValue): vscode.ConfigurationTarget {
  const source = sourceOf(name, found);
  if (source === "folder") return vscode.ConfigurationTarget.WorkspaceFolder;
  return source === "workspace" ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
}

/** @param value undefined: as it is by default. Rejects with SessionError where it cannot be used. */
export async function writeSetting(given: string, value: unknown, deps: SettingRowsDeps): Promise<void> {
  const name = knownName(given);
  const configuration = readConfiguration();
  const found = configuration.inspect(name);
  const { locked } = rowOf(name, undefined, found, deps);
  if (locked) throw new SessionError(locked);
  if (value !== undefined) {
    const parsed = settingsSchema.shape[name].safeParse(value, { error: issueWords });
    if (!parsed.success) {
      const why = parsed.error.issues[0]?.message ?? "";
      throw new SessionError(t("{0} was not changed: {1}.", settingTitles[name](), why));
    }
  }
  await configuration.update(name, value, targetOf(name, found));
}

export async function editSetting(given: string): Promise<void> {
  const name = knownName(given);
  const ofWorkspace = ["workspace", "folder"].includes(sourceOf(name, readConfiguration().inspect(name)));
  const command = ofWorkspace ? "workbench.action.openWorkspaceSettingsFile" : "workbench.action.openSettingsJson";
  await vscode.commands.executeCommand(command, { revealSetting: { key: `strata.${name}`, edit: true } });
}
