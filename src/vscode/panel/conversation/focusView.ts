/** Whether the panel hides the work: remembered over reloads, for all panels of the window. */
import type * as vscode from "vscode";

const FOCUS_VIEW = "strata.focusView";

export class FocusView {
  constructor(
    private readonly state: vscode.Memento,
    private readonly onChange: () => void,
  ) {}

  get on(): boolean {
    return this.state.get(FOCUS_VIEW) === true;
  }

  set(on: boolean): void {
    void this.state.update(FOCUS_VIEW, on);
    this.onChange();
  }
}
