/** The webview in the side bar: a page and a connection to the panel's host, which is loaded when the view first opens. */
import * as vscode from "vscode";
import { errorMessage } from "../../shared/errorMessage";
import { once, pause } from "../platform/async";
import type { PanelConnection, PanelHost } from "./panelHost";
import { panelPage } from "./panelPage";

const VIEW_ID = "strata.chat";

interface ViewDeps {
  extensionUri: vscode.Uri;
  /** the text of a file in dist/webview */
  read(name: string): string;
  /** The webview's own memory is written once a minute: a reload of the window would lose what was typed since. */
  state: vscode.Memento;
  /** loads everything behind the panel; rejects with what keeps it from starting */
  host(): Promise<PanelHost>;
}

/** under it is kept what was not sent */
export const DRAFT = "strata.draft";

/** After this the page has left the extension host, ms. */
const PAGE_LEAVES_MS = 40;

/** Strata's view, as far as it is no page: whether it is in sight, and the number on its icon. */
export class PanelView implements vscode.Disposable {
  private shown: vscode.WebviewView | undefined;
  private badge: vscode.ViewBadge | undefined;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly registration: vscode.Disposable;
  readonly onDidChangeVisibility = this.changed.event;

  constructor(deps: ViewDeps) {
    const resolveWebviewView = (view: vscode.WebviewView) => {
      this.follow(view);
      fill(view, deps);
    };
    // Kept while hidden: what streams goes on, and the view is back at once, scrolled as it was.
    this.registration = vscode.window.registerWebviewViewProvider(
      VIEW_ID,
      { resolveWebviewView },
      { webviewOptions: { retainContextWhenHidden: true } },
    );
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

function fill(view: vscode.WebviewView, { extensionUri, read, state, host }: ViewDeps): void {
  const { webview } = view;
  const folder = vscode.Uri.joinPath(extensionUri, "dist", "webview");
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = panelPage({
    styles: read("main.css"),
    firstPicture: read("first.html"),
    folder: webview.asWebviewUri(folder).toString(),
    cspSource: webview.cspSource,
    nonce: crypto.randomUUID(),
    draft: state.get(DRAFT),
  });
  // The page leaves in several asynchronous steps (it is compressed). Loading the host keeps this process busy for some
  // 100 ms, so it waits until the page is on its way, and loads while the page does.
  const connect = async () => (await host()).connect(message => void webview.postMessage(message));
  const connection = once(() => pause(PAGE_LEAVES_MS).then(connect));
  const none = () => undefined;
  // Begun at once; whoever asks hears what went wrong.
  connection().catch(none);
  webview.onDidReceiveMessage(message => receive(message, connection(), webview));
  view.onDidDispose(() => void connection().then(open => open.dispose(), none));
}

/** Where the host could not be loaded, every request is refused with the reason. */
function receive(message: unknown, connection: Promise<PanelConnection>, webview: vscode.Webview): void {
  connection.then(
    open => open.receive(message),
    error => {
      const id = typeof message === "object" && message !== null && "id" in message ? message.id : undefined;
      if (typeof id !== "number") return;
      const reason = `Strata could not start: ${errorMessage(error)}`;
      void webview.postMessage({ type: "failure", id, ok: false, message: reason });
    },
  );
}
