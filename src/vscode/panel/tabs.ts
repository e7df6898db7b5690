/** Pages of the panel in tabs of the editor: one of each, which comes to the front where it is open already. */
import * as vscode from "vscode";
import type { PanelPageName } from "./panelPage";
import { fillWebview, type WebviewPageDeps } from "./webviewPage";

const VIEW_TYPE = "strata.page";

export class PanelTabs implements vscode.Disposable {
  private readonly open = new Map<PanelPageName, vscode.WebviewPanel>();

  constructor(private readonly deps: WebviewPageDeps) {}

  /** @param title of the tab */
  show(name: PanelPageName, title: string): void {
    const shown = this.open.get(name);
    if (shown) {
      shown.reveal();
      return;
    }
    const tab = vscode.window.createWebviewPanel(VIEW_TYPE, title, vscode.ViewColumn.Active, {
      retainContextWhenHidden: true,
    });
    this.open.set(name, tab);
    tab.iconPath = vscode.Uri.joinPath(this.deps.extensionUri, "media", "strata.svg");
    tab.onDidDispose(() => this.open.delete(name));
    fillWebview(tab.webview, tab.onDidDispose, name, this.deps);
  }

  dispose(): void {
    for (const tab of this.open.values()) tab.dispose();
  }
}
