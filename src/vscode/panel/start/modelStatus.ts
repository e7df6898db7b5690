/** The model of the session that is shown, in the status bar; a click opens the list of models. */
import * as vscode from "vscode";
import type { ModelConnection } from "../../../core/ground/ports";
import { t } from "../../../shared/l10n";
import { visibleLine } from "../../../shared/shown";
import type { Sessions } from "../sessions/sessions";

interface ModelStatusDeps {
  sessions: Sessions;
  /** the model that the next message goes to; rejects where there is none */
  connect(): Promise<ModelConnection>;
  /** the session chose another */
  onChange(): void;
}

export class ModelStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("strata.model", vscode.StatusBarAlignment.Right, 90);
  private readonly unsubscribe: () => void;
  private shown = "";

  constructor(private readonly deps: ModelStatusDeps) {
    this.item.name = t("Strata: Model");
    this.item.command = { title: t("Choose Model"), command: "strata.chooseModel" };
    this.unsubscribe = deps.sessions.subscribe((session, event) => {
      const isChosen = event.type === "record" && event.record.kind === "model";
      if (isChosen) deps.onChange();
      if (isChosen || session.id !== this.shown) void this.update();
      this.shown = session.id;
    });
  }

  /** Shows what is in use now. Never rejects. */
  async update(): Promise<void> {
    try {
      const { name, address } = await this.deps.connect();
      const [which, where] = [visibleLine(name), visibleLine(address)];
      this.item.text = `$(layers) ${which}`;
      this.item.tooltip = t("Model: {0} at {1}. Click to choose another model or effort", which, where);
      this.item.show();
    } catch {
      // The panel says what is missing.
      this.item.hide();
    }
  }

  dispose(): void {
    this.unsubscribe();
    this.item.dispose();
  }
}
