/**
 * `strata.*` settings as VS Code has them, restricted ones left out by trust, and the administrator's above them. Rules of all
 * levels add up: VS Code would let the workspace's stand in for the person's.
 */

import * as vscode from "vscode";
import type { SettingsLayer, SettingsSource } from "../../core/ground/ports";
import { complaintsOf, type ManagedFile, managedLayer, mergeLayers, settingsIn } from "../../core/permissions/levels";
import { errorMessage } from "../../shared/errorMessage";
import { issueWords } from "../../shared/issueWords";
import { t } from "../../shared/l10n";
import {
  mayWorkspaceSet,
  type SettingName,
  type Settings,
  settingNames,
  settingsSchema,
  workspaceSettings,
} from "../../shared/settings";

/** Where the administrator's settings stand. */
interface ManagedSource {
  read(): ManagedFile | undefined;
  /** @returns ends it */
  watch(onChange: () => void): () => void;
}

/** The model of the demo's window. No setting is written for it: it stands above the person's until they set a model. */
export interface DemoModel {
  name: string;
  baseUrl: string;
  /** the person set a model, here or in another window: it stays so */
  end(): void;
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
      await configuration.update(
        "permissions.allow",
        [...new Set([...before, ...rules])],
        vscode.ConfigurationTarget.Global,
      );
    } catch (error) {
      this.warn(
        t(
          "The rule could not be saved in your settings ({0}). It applies to this conversation only.",
          errorMessage(error),
        ),
      );
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
    const written = settingsByLevel();
    const managed = this.managed?.read();
    const { user, workspace } = this.rules(written);
    const scalars = this.scalars(written);
    for (const name of ["model.small", "summary.model"] as const) {
      const ofWorkspace = saidByWorkspace(written, name);
      if (ofWorkspace === undefined || ofWorkspace !== scalars[name]) continue;
      workspace.values[name] = scalars[name];
      delete scalars[name];
    }
    if (this.demo) Object.assign(scalars, demoSettings(this.demo));
    this.all = [
      { level: "user", place: t("your settings"), values: scalars },
      user,
      workspace,
      ...(managed ? [managedLayer(managed)] : []),
    ];
    const unknown = Object.values(written).flatMap(level => level.unknown);
    for (const complaint of [...complaintsOf(this.all), ...unknown]) this.tell(complaint);
    return mergeLayers(this.all);
  }

  /** As VS Code merged them, where a level says something. */
  private scalars(written: SettingsByLevel): Partial<Settings> {
    const configuration = vscode.workspace.getConfiguration("strata");
    const values: Record<string, unknown> = {};
    for (const name of settingNames) {
      if ((ruleSettings as readonly SettingName[]).includes(name)) continue;
      if (Object.values(written).every(level => level.values[name] === undefined)) continue;
      const schema = settingsSchema.shape[name];
      const value = this.usable(configuration.get(name), written, name);
      if (value === undefined || JSON.stringify(value) === JSON.stringify(schema.parse(undefined))) continue;
      const parsed = schema.safeParse(value, { error: issueWords });
      if (parsed.success) values[name] = parsed.data;
      else this.complain(name, parsed.error.issues[0]?.message ?? "");
    }
    return values;
  }

  /** Without what a workspace says and must not. */
  private usable(value: unknown, written: SettingsByLevel, name: SettingName): unknown {
    const ofWorkspace = saidByWorkspace(written, name);
    if (ofWorkspace === undefined || ofWorkspace !== value || mayWorkspaceSet(name, ofWorkspace)) return value;
    this.tell(
      t("This workspace sets strata.{0}, which only your own settings may do. Your own setting applies.", name),
    );
    return written.user.values[name];
  }

  /** Those of a workspace that is not trusted VS Code leaves out. */
  private rules(written: SettingsByLevel): Record<"user" | "workspace", SettingsLayer> {
    const user: SettingsLayer = { level: "user", place: t("your settings"), values: {} };
    const workspace: SettingsLayer = { level: "workspace", place: workspacePlace(), values: {} };
    for (const name of ruleSettings) {
      const ofWorkspace = workspaceSettings.includes(name) ? [written.workspace, written.folder] : [];
      for (const layer of [user, workspace]) {
        const levels = layer === user ? [written.user] : ofWorkspace;
        const said = levels.map(level => level.values[name]).filter(value => value !== undefined);
        const lists = said.map(value => settingsSchema.shape[name].safeParse(value));
        layer.values[name] = lists.flatMap(list => (list.success ? list.data : []));
        if (lists.every(list => list.success)) continue;
        // A list that would allow is left out; of one that forbids, nobody knows what it was to forbid.
        if (name === "permissions.allow") this.complain(name, t("it is no list of rules"));
        else layer.problem = t("strata.{0} is not a list of rules", name);
      }
    }
    return { user, workspace };
  }

  private complain(name: SettingName, problem: string): void {
    this.tell(t("The setting strata.{0} is invalid ({1}), so its default is used.", name, problem));
  }

  private tell(message: string): void {
    if (this.told.has(message)) return;
    this.told.add(message);
    this.warn(message);
  }
}

type SettingsByLevel = ReturnType<typeof settingsByLevel>;

/** What each level says, a window's folders together. One question: for each, VS Code copies the settings of everybody. */
function settingsByLevel() {
  const found = vscode.workspace.getConfiguration().inspect<unknown>("strata");
  return {
    user: settingsIn({ strata: found?.globalValue }, t("your settings")),
    workspace: settingsIn({ strata: found?.workspaceValue }, workspacePlace()),
    folder: settingsIn({ strata: found?.workspaceFolderValue }, workspacePlace()),
  };
}

const saidByWorkspace = ({ folder, workspace }: SettingsByLevel, name: SettingName) =>
  folder.values[name] ?? workspace.values[name];

/** What the person set for a model of theirs says nothing of the demo's, and none of theirs is asked. */
function demoSettings({ name, baseUrl }: DemoModel): Partial<Settings> {
  return {
    ...{ "model.provider": "server", "model.baseUrl": baseUrl, "model.name": name },
    ...{ "model.api": "auto", "model.protocol": "auto", "model.reasoning": "default" },
    ...{ "model.contextWindow": 0, "model.maxOutputTokens": 0 },
    ...{ "model.fallback": [], "model.small": "", "summary.model": "" },
  };
}

const ruleSettings = [
  "permissions.allow",
  "permissions.ask",
  "permissions.deny",
] as const satisfies readonly SettingName[];

function workspacePlace(): string {
  const { workspaceFile } = vscode.workspace;
  return workspaceFile ? vscode.workspace.asRelativePath(workspaceFile) : ".vscode/settings.json";
}
