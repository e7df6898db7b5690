/** The webview in the side bar. */

import * as vscode from "vscode";
import { t } from "../../../shared/l10n";
import { visibleLine } from "../../../shared/shown";
import type { Sessions, ShownMemory } from "../sessions/sessions";
import { fillWebview, type WebviewPageDeps } from "./webviewPage";

const VIEW_ID = "strata.chat";

/** Strata's view, as far as it is no page: whether it is in sight, and the number on its icon. */
export class PanelView implements vscode.Disposable {
  private shown: vscode.WebviewView | undefined;
  private badge: vscode.ViewBadge | undefined;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly registration: vscode.Disposable;
  readonly onDidChangeVisibility = this.changed.event;

  /** @param last the session that it showed last */
  constructor(deps: WebviewPageDeps, last: ShownMemory) {
    const resolveWebviewView = (view: vscode.WebviewView) => {
      this.follow(view);
      const onTitle = (title: string) => {
        view.title = visibleLine(title) || t("New session");
      };
      fillWebview(view.webview, view.onDidDispose, { name: "chat", shows: { last, onTitle } }, deps);
    };
    // Kept while hidden: what streams goes on, and the view is back at once, scrolled as it was.
    const options = { webviewOptions: { retainContextWhenHidden: true } };
    this.registration = vscode.window.registerWebviewViewProvider(VIEW_ID, { resolveWebviewView }, options);
  }

  get visible(): boolean {
    return this.shown?.visible ?? false;
  }

  /** Of a view that was never opened VS Code shows none: it has it with its first opening. */
  setBadge(badge: vscode.ViewBadge | undefined): void {
    this.badge = badge;
    if (this.shown) this.shown.badge = badge;
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }

  private follow(view: vscode.WebviewView): void {
    this.shown = view;
    view.badge = this.badge;
    view.onDidChangeVisibility(() => this.changed.fire());
    view.onDidDispose(() => {
      if (this.shown === view) this.shown = undefined;
      this.changed.fire();
    });
    this.changed.fire();
  }
}

/** Opens the view and moves the focus into it. */
export async function revealView(): Promise<void> {
  await vscode.commands.executeCommand(`${VIEW_ID}.focus`);
}

export const setContext = (key: string, value: boolean) =>
  void vscode.commands.executeCommand("setContext", key, value);

/** VS Code's own `focusedView` stays after the focus has left a webview: a key would change the mode from anywhere. */
export const pageFocus = (focused: boolean) => setContext("strata.panelFocus", focused);

/** The person is, or was last, in a tab of a session: keys that lead into the panel lead there. */
export const tabFocus = (inTab: boolean) => setContext("strata.inTab", inTab);

/** `strata.otherWaits`: a session waits for the person that no place shows. */
export const followWaiting = (sessions: Sessions) =>
  sessions.subscribeToAll((_, { type }) => {
    const waits = () => sessions.waiting.some(id => sessions.placeOf(id) === undefined);
    if (type === "state") setContext("strata.otherWaits", waits());
  });

const FOCUS_VIEW = "strata.focusView";

/** Whether the panel hides the work: remembered over reloads, for all panels of the window. */
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
