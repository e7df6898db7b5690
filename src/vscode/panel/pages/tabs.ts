/** The panel in tabs of the editor: the page of tools and rules, once, and sessions, as many as a person opens. */
import * as vscode from "vscode";
import { t } from "../../../shared/l10n";
import type { HostToPanel, ToolSectionName } from "../../../shared/panelProtocol";
import type { SessionPage } from "../sessions/sessions";
import { fillWebview, type WebviewPageDeps } from "./webviewPage";

const TOOLS_VIEW = "strata.page.tools";
const SESSION_VIEW = "strata.session";
/** Tabs are cut by VS Code, titles of windows are not. */
const MAX_TITLE = 60;

export class PanelTabs implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private tools: vscode.WebviewPanel | undefined;
  /** by the session that it shows now */
  private readonly sessions = new Map<vscode.WebviewPanel, SessionPage>();
  private readonly serializers: vscode.Disposable;

  constructor(private readonly deps: WebviewPageDeps) {
    const tools = { deserializeWebviewPanel: async (tab: vscode.WebviewPanel) => this.fillTools(tab) };
    this.serializers = vscode.Disposable.from(
      vscode.window.registerWebviewPanelSerializer(SESSION_VIEW, this),
      vscode.window.registerWebviewPanelSerializer(TOOLS_VIEW, tools),
    );
  }

  /** One that is open already comes to the front. */
  showTools(section: ToolSectionName | undefined): void {
    const { tools } = this;
    if (tools === undefined) this.fillTools(this.create(TOOLS_VIEW, t("Tools and Rules")), section);
    tools?.reveal();
    if (section) void tools?.webview.postMessage({ type: "show", view: section } satisfies HostToPanel);
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
    for (const tab of [this.tools, ...this.sessions.keys()]) tab?.dispose();
  }

  private create(view: string, title: string): vscode.WebviewPanel {
    const options = { retainContextWhenHidden: true };
    const tab = vscode.window.createWebviewPanel(view, title, vscode.ViewColumn.Active, options);
    tab.iconPath = vscode.Uri.joinPath(this.deps.extensionUri, "media", "strata.svg");
    return tab;
  }

  private fillTools(tab: vscode.WebviewPanel, section?: ToolSectionName): void {
    this.tools = tab;
    tab.onDidDispose(() => {
      this.tools = undefined;
    });
    fillWebview(tab.webview, tab.onDidDispose, { name: "tools", section }, this.deps);
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
  const { promise: changed, resolve } = Promise.withResolvers<unknown>();
  const ends = vscode.Disposable.from(tab.onDidChangeViewState(resolve), tab.onDidDispose(resolve));
  tab.reveal();
  if (!tab.active) await changed;
  ends.dispose();
}

function tabTitle(title: string): string {
  const name = title || t("New session");
  return name.length > MAX_TITLE ? `${name.slice(0, MAX_TITLE - 1)}…` : name;
}
