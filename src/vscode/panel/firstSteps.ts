/** Whether a model is being set up in this workspace: from the first time that none was there until one has answered. */
import type * as vscode from "vscode";

const SETTING_UP = "strata.settingUp";

export class FirstSteps {
  constructor(
    private readonly state: Pick<vscode.Memento, "get" | "update">,
    private readonly onDone: () => void,
  ) {}

  /** @returns whether they are still to be shown */
  areOpen(model: "none" | "ready"): boolean {
    if (model === "none" && !this.open) void this.state.update(SETTING_UP, true);
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
