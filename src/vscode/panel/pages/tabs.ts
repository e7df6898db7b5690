/** The panel in tabs of the editor: pages, one of each, and sessions, as many as a person opens. */
import * as vscode from "vscode";
import { t } from "../../../shared/l10n";
import type { SessionPage } from "../sessions/sessions";
import type { PanelPageName } from "./panelPage";
import { fillWebview, type WebviewPageDeps } from "./webviewPage";

type TabPageName = Exclude<PanelPageName, "chat">;
const pageNames: readonly TabPageName[] = ["found"];
const pageView = (name: TabPageName) => `strata.page.${name}`;
const SESSION_VIEW = "strata.session";
/** Tabs are cut by VS Code, titles of windows are not. */
const MAX_TITLE = 60;

export class PanelTabs implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly pages = new Map<TabPageName, vscode.WebviewPanel>();
  /** by the session that it shows now */
  private readonly sessions = new Map<vscode.WebviewPanel, SessionPage>();
  private readonly serializers: vscode.Disposable;

  constructor(private readonly deps: WebviewPageDeps) {
    const pages = pageNames.map(name =>
      vscode.window.registerWebviewPanelSerializer(pageView(name), {
        deserializeWebviewPanel: async tab => this.fillPage(name, tab),
      }),
    );
    this.serializers = vscode.Disposable.from(
      vscode.window.registerWebviewPanelSerializer(SESSION_VIEW, this),
      ...pages,
    );
  }

  /** One that is open already comes to the front. @param title of the tab */
  show(name: TabPageName, title: string): void {
    const shown = this.pages.get(name);
    if (shown) {
      shown.reveal();
      return;
    }
    this.fillPage(name, this.create(pageView(name), title));
  }

  /** The tab that shows it already comes to the front, and false comes back. @param id undefined: a new one */
  showSession(id: string | undefined, title: string): boolean {
    const shown = [...this.sessions].find(([, { last }]) => id !== undefined && last.get() === id);
    if (shown) shown[0].reveal();
    else this.fill(this.create(SESSION_VIEW, tabTitle(title)), id);
    return !shown;
  }

  /** VS Code brings a tab back after a reload of the window, with what its page remembered. */
  async deserializeWebviewPanel(tab: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = typeof state === "object" && state !== null && "sessionId" in state ? state.sessionId : undefined;
    this.fill(tab, typeof id === "string" && id !== "" ? id : undefined);
  }

  dispose(): void {
    this.serializers.dispose();
    for (const tab of [...this.pages.values(), ...this.sessions.keys()]) tab.dispose();
  }

  private create(view: string, title: string): vscode.WebviewPanel {
    const options = { retainContextWhenHidden: true };
    const tab = vscode.window.createWebviewPanel(view, title, vscode.ViewColumn.Active, options);
    tab.iconPath = vscode.Uri.joinPath(this.deps.extensionUri, "media", "strata.svg");
    return tab;
  }

  private fillPage(name: TabPageName, tab: vscode.WebviewPanel): void {
    this.pages.set(name, tab);
    tab.onDidDispose(() => this.pages.delete(name));
    fillWebview(tab.webview, tab.onDidDispose, { name }, this.deps);
  }

  private fill(tab: vscode.WebviewPanel, id: string | undefined): void {
    let shown = id;
    const page: SessionPage = {
      last: {
        get: () => shown,
        set(next) {
          shown = next;
        },
      },
      tab: { reveal: () => brought(tab), inSight: () => tab.visible },
      onTitle(title) {
        tab.title = tabTitle(title);
      },
    };
    this.sessions.set(tab, page);
    tab.onDidDispose(() => this.sessions.delete(tab));
    const activate = fillWebview(tab.webview, tab.onDidDispose, { name: "chat", shows: page }, this.deps);
    if (tab.active) activate();
    tab.onDidChangeViewState(() => tab.active && activate());
  }
}

/** To the front, where it has the focus: VS Code tells that it is so. */
async function brought(tab: vscode.WebviewPanel): Promise<void> {
  const changed = new Promise<void>(resolve => {
    const ends = vscode.Disposable.from(tab.onDidChangeViewState(done), tab.onDidDispose(done));
    function done() {
      ends.dispose();
      resolve();
    }
  });
  tab.reveal();
  if (!tab.active) await changed;
}

function tabTitle(title: string): string {
  const name = title || t("New session");
  return name.length > MAX_TITLE ? `${name.slice(0, MAX_TITLE - 1)}…` : name;
}
