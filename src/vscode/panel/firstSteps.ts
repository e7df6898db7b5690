/** Whether a model is being set up in this workspace: from the first time that none was there until one has answered. */
import type * as vscode from "vscode";

const SETTING_UP = "strata.settingUp";

export class FirstSteps {
  constructor(
    private readonly state: Pick<vscode.Memento, "get" | "update">,
    private readonly onDone: () => void,
  ) {}

  /**
   * @param isTrusted a workspace that is not trusted yet may set a model that nobody sees: no one is set up anew for that
   * @returns whether no model has answered since there was none
   */
  areOpen(model: "none" | "ready", isTrusted: boolean): boolean {
    if (model === "none" && isTrusted && !this.open) void this.state.update(SETTING_UP, true);
    return model === "none" || this.open;
  }

  /** A model answered. */
  done(): void {
    if (!this.open) return;
    void this.state.update(SETTING_UP, undefined);
    this.onDone();
  }

  private get open(): boolean {
    return this.state.get<boolean>(SETTING_UP) === true;
  }
}
