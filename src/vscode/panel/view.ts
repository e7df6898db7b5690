/** The webview in the side bar: a page and a connection to the panel's host, which is loaded when the view first opens. */
import * as vscode from "vscode";
import { errorMessage } from "../../shared/errorMessage";
import { once, pause } from "../platform/async";
import type { PanelConnection, PanelHost } from "./panelHost";
import { panelPage } from "./panelPage";

const VIEW_ID = "strata.chat";

interface ViewDeps {
  extensionUri: vscode.Uri;
  /** loads everything behind the panel; rejects with what keeps it from starting */
  host(): Promise<PanelHost>;
}

/** After this the page has left the extension host, ms. */
const PAGE_LEAVES_MS = 40;

/** @returns what takes the view away again */
export function registerView(deps: ViewDeps): vscode.Disposable {
  const provider = { resolveWebviewView: (view: vscode.WebviewView) => fill(view, deps) };
  // Kept while hidden: what streams goes on, and the view is back at once, scrolled as it was.
  return vscode.window.registerWebviewViewProvider(VIEW_ID, provider, {
    webviewOptions: { retainContextWhenHidden: true },
  });
}

/** Opens the view and moves the focus into it. */
export async function revealView(): Promise<void> {
  await vscode.commands.executeCommand(`${VIEW_ID}.focus`);
}

function fill(view: vscode.WebviewView, { extensionUri, host }: ViewDeps): void {
  const { webview } = view;
  const folder = vscode.Uri.joinPath(extensionUri, "dist", "webview");
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = panelPage({
    script: webview.asWebviewUri(vscode.Uri.joinPath(folder, "main.js")).toString(),
    style: webview.asWebviewUri(vscode.Uri.joinPath(folder, "main.css")).toString(),
    cspSource: webview.cspSource,
    nonce: crypto.randomUUID(),
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
