/** `strata.*` settings as VS Code has them: user, workspace and folder already merged, restricted ones left out by trust. */
import * as vscode from "vscode";
import type { SettingsSource } from "../../core/ports";
import { type SettingName, type Settings, settingsSchema } from "../../shared/settings";

const names = Object.keys(settingsSchema.shape) as SettingName[];

export class VSCodeSettings implements SettingsSource, vscode.Disposable {
  private current: Settings;
  private readonly told = new Set<string>();
  private readonly changed = new vscode.EventEmitter<Settings>();
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;

  /** @param warn is told once of each value that cannot be used */
  constructor(private readonly warn: (message: string) => void) {
    this.current = this.load();
    this.subscription = vscode.workspace.onDidChangeConfiguration(event => {
      if (!event.affectsConfiguration("strata")) return;
      this.current = this.load();
      this.changed.fire(this.current);
    });
  }

  get(): Settings {
    return this.current;
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private load(): Settings {
    const configuration = vscode.workspace.getConfiguration("strata");
    const values: Record<string, unknown> = {};
    for (const name of names) {
      const parsed = settingsSchema.shape[name].safeParse(configuration.get(name));
      if (parsed.success) values[name] = parsed.data;
      else this.complain(name, parsed.error.issues[0]?.message ?? "it is not valid");
    }
    return settingsSchema.parse(values);
  }

  private complain(name: SettingName, problem: string): void {
    const message = `The setting strata.${name} cannot be used (${problem}), so its default stands in for it.`;
    if (this.told.has(message)) return;
    this.told.add(message);
    this.warn(message);
  }
}
