/**
 * `strata.*` settings as VS Code has them, restricted ones left out by trust, and the administrator's above them. Rules of all
 * levels add up: VS Code would let the workspace's stand in for the person's.
 */

import * as vscode from "vscode";
import { SessionError, type SettingsLayer, type SettingsSource } from "../../core/ground/ports";
import { complaintsOf, type ManagedFile, managedLayer, mergeLayers } from "../../core/permissions/levels";
import { defined } from "../../shared/defined";
import { errorMessage } from "../../shared/errorMessage";
import { issueWords } from "../../shared/issueWords";
import { t } from "../../shared/l10n";
import type { SettingName, Settings } from "../../shared/settings";
import { defaultSettings, mayWorkspaceSet, settingNames, settingsSchema } from "../../shared/settings";
import { settingsIn } from "../../shared/settingsIn";

/** Where the administrator's settings stand. */
interface ManagedSource {
  read(): ManagedFile | undefined;
  /** @returns ends it */
  watch(onChange: () => void): () => void;
}

/** The model of the demo's window. No setting is written for it: it stands above the person's until they set a model. */
interface DemoModel {
  name: string;
  baseUrl: string;
  /** the person set a model, here or in another window: it stays so */
  end(): void;
}

/** In the person's settings. @param value undefined: the default */
export async function save<N extends SettingName>(name: N, value: Settings[N] | undefined): Promise<void> {
  await vscode.workspace.getConfiguration("strata").update(name, value, vscode.ConfigurationTarget.Global);
}

export class VSCodeSettings implements SettingsSource, vscode.Disposable {
  private all: SettingsLayer[] = [];
  private current: Settings;
  private readonly told = new Set<string>();
  private readonly changed = new vscode.EventEmitter<Settings>();
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;

  /** @param warn is told once of each value and rule that cannot be used */
  constructor(
    private readonly warn: (message: string) => void,
    private readonly managed?: ManagedSource,
    private demo?: DemoModel,
  ) {
    this.current = this.load();
    this.subscription = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration(event => {
        // As the last of what says which model it is, the name is set.
        if (this.demo && event.affectsConfiguration("strata.model.name")) this.leaveDemo();
        else if (event.affectsConfiguration("strata")) this.reload();
      }),
      // VS Code says so with a change of the settings, but only where the workspace has some.
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.reload()),
      new vscode.Disposable(managed?.watch(() => this.reload()) ?? (() => undefined)),
    );
  }

  get(): Settings {
    return this.current;
  }

  layers(): readonly SettingsLayer[] {
    return this.all;
  }

  async allow(rules: readonly string[]): Promise<void> {
    const configuration = vscode.workspace.getConfiguration("strata");
    const before = configuration.inspect<string[]>("permissions.allow")?.globalValue ?? [];
    try {
      await save("permissions.allow", [...new Set([...before, ...rules])]);
    } catch (error) {
      const why = errorMessage(error);
      this.warn(t("The rule could not be saved in your settings ({0}). It applies to this conversation only.", why));
    }
  }

  /** @throws SessionError where they cannot be written: the settings are as they were */
  async bind(level: "user" | "workspace", change: (entries: readonly unknown[]) => unknown[]): Promise<void> {
    const configuration = vscode.workspace.getConfiguration("strata");
    const found = configuration.inspect<unknown>("permissions.bindings");
    const before = (level === "user" ? found?.globalValue : found?.workspaceValue) ?? [];
    const place = level === "user" ? t("your settings") : workspacePlace();
    if (!Array.isArray(before))
      throw new SessionError(t("strata.permissions.bindings in {0} is no list. Mend it there first.", place));
    const after = change(before);
    const target = level === "user" ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
    try {
      await configuration.update("permissions.bindings", after.length > 0 ? after : undefined, target);
    } catch (error) {
      throw new SessionError(t("Nothing was changed: {0} cannot be written ({1}).", place, errorMessage(error)));
    }
  }

  /** A model was set up, also one that was set before. */
  leaveDemo(): void {
    if (!this.demo) return;
    this.demo.end();
    this.demo = undefined;
    this.reload();
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private reload(): void {
    this.current = this.load();
    this.changed.fire(this.current);
  }

  private load(): Settings {
    const managed = this.managed?.read();
    const layers = writtenLevels().map(level => this.checked(level));
    const demo = this.demo && demoSettings(this.demo);
    for (const { values } of layers) for (const name of Object.keys(demo ?? {})) delete values[name as SettingName];
    if (demo) layers.push({ level: "user", place: t("your settings"), values: demo });
    if (managed) layers.push(managedLayer(managed));
    for (const complaint of complaintsOf(layers)) this.tell(complaint);
    this.all = layers;
    return mergeLayers(layers);
  }

  /** Those of a workspace that is not trusted VS Code leaves out. */
  private checked({ level, place, values: written, unknown }: WrittenLevel): SettingsLayer {
    const values: Record<string, unknown> = {};
    let problem: string | undefined;
    for (const complaint of unknown) this.tell(complaint);
    for (const name of settingNames) {
      if (written[name] === undefined) continue;
      const schema = settingsSchema.shape[name];
      const parsed = schema.safeParse(written[name], { error: issueWords });
      if (level === "workspace" && !mayWorkspaceSet(name, written[name]))
        this.tell(
          t("This workspace sets strata.{0}, which only your own settings may do. Your own setting applies.", name),
        );
      else if (parsed.success) values[name] = parsed.data;
      // A list that forbids may have forbidden anything.
      else if (name === "permissions.ask" || name === "permissions.deny" || name === "permissions.bindings")
        problem = t("strata.{0} is not a list of rules", name);
      else {
        const why = name === "permissions.allow" ? t("it is no list of rules") : parsed.error.issues[0]?.message;
        this.tell(t("The setting strata.{0} is invalid ({1}), so its default is used.", name, why ?? ""));
        values[name] = defaultSettings[name];
      }
    }
    return { level, place, values, ...defined({ problem }) };
  }

  private tell(message: string): void {
    if (this.told.has(message)) return;
    this.told.add(message);
    this.warn(message);
  }
}

type WrittenLevel = ReturnType<typeof writtenLevels>[number];

/** What each level says, the weakest first, a window's folders together. One question: for each, VS Code copies the settings of everybody. */
function writtenLevels() {
  const all = vscode.workspace.getConfiguration();
  const found = all.inspect<unknown>("strata");
  const at = (level: "user" | "workspace", place: string, strata: unknown) => {
    return { level, place, ...settingsIn({ strata }, place) };
  };
  const user = at("user", t("your settings"), found?.globalValue);
  const place = workspacePlace();
  const ofWorkspace = [found?.workspaceValue, found?.workspaceFolderValue].map(each => at("workspace", place, each));
  // What holds in all profiles is not told with those of a profile that sets others: it is in what VS Code merged.
  const merged = settingsIn({ strata: all.get("strata") }, "").values;
  for (const name of settingNames) {
    if ([user, ...ofWorkspace].some(({ values }) => values[name] !== undefined)) continue;
    if (JSON.stringify(merged[name]) !== JSON.stringify(defaultSettings[name])) user.values[name] = merged[name];
  }
  return [user, ...ofWorkspace];
}

/** What the person set for a model of theirs says nothing of the demo's, and none of theirs is asked. */
function demoSettings({ name, baseUrl }: DemoModel): Partial<Settings> {
  return {
    ...{ "model.provider": "server", "model.baseUrl": baseUrl, "model.name": name },
    ...{ "model.api": "auto", "model.protocol": "auto", "model.reasoning": "default" },
    ...{ "model.contextWindow": 0, "model.maxOutputTokens": 0 },
    ...{ "model.fallback": [], "model.small": "", "summary.model": "" },
  };
}

function workspacePlace(): string {
  const { workspaceFile } = vscode.workspace;
  return workspaceFile ? vscode.workspace.asRelativePath(workspaceFile) : ".vscode/settings.json";
}
