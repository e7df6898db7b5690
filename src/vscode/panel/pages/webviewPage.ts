/** The panel's page in a webview, in the side bar or in an editor tab, and its connection to the panel's host, which is loaded when the first page opens. */
import * as vscode from "vscode";
import { errorMessage } from "../../../shared/errorMessage";
import { locale, t } from "../../../shared/l10n";
import { once, pause } from "../../platform/async";
import type { PanelConnection, PanelHost } from "../host/panelHost";
import type { Drafts } from "../sessions/drafts";
import type { SessionPage, ShownMemory } from "../sessions/sessions";
import { firstPictureFile, type PanelPageName, panelPage } from "./panelPage";

export interface WebviewPageDeps {
  extensionUri: vscode.Uri;
  /** the text of a file in dist/webview */
  read(name: string): string;
  /** The webview's own memory is written once a minute: a reload of the window would lose what was typed since. */
  drafts: Drafts;
  /** loads everything behind the panel; rejects with what keeps it from starting */
  host(): Promise<PanelHost>;
}

/** The session that the side bar showed last. */
export const lastSession = (state: vscode.Memento): ShownMemory => ({
  get: () => state.get<string>("strata.session"),
  set: id => void state.update("strata.session", id),
});

/** After this the page has left the extension host, ms. */
const PAGE_LEAVES_MS = 40;

/**
 * @param name what of the panel the page shows
 * @param closed fires when the webview is gone
 * @param shows absent: what the page shows is of the session that a person is at
 * @returns says that a person went there
 */
export function fillWebview(
  webview: vscode.Webview,
  closed: vscode.Event<void>,
  { name, shows, section }: { name: PanelPageName; shows?: SessionPage; section?: string | undefined },
  { extensionUri, read, drafts, host }: WebviewPageDeps,
): () => void {
  const folder = vscode.Uri.joinPath(extensionUri, "dist", "webview");
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = panelPage({
    styles: read("main.css"),
    firstPicture: name === "chat" ? read(firstPictureFile(locale())) : "",
    folder: webview.asWebviewUri(folder).toString(),
    cspSource: webview.cspSource,
    nonce: crypto.randomUUID(),
    draft: shows && drafts.of(shows.last.get()),
    ...{ name, section },
    language: locale(),
  });
  // The page leaves in several asynchronous steps (it is compressed). Loading the host keeps this process busy for some
  // 100 ms, so it waits until the page is on its way, and loads while the page does.
  const connect = async () => (await host()).connect(message => void webview.postMessage(message), shows ?? "active");
  const connection = once(() => pause(PAGE_LEAVES_MS).then(connect));
  const none = () => undefined;
  // Begun at once; whoever asks hears what went wrong.
  connection().catch(none);
  webview.onDidReceiveMessage(message => receive(message, connection(), webview));
  closed(() => void connection().then(open => open.dispose(), none));
  return () => void connection().then(open => open.activate(), none);
}

/** Where the host could not be loaded, every request is refused with the reason. */
function receive(message: unknown, connection: Promise<PanelConnection>, webview: vscode.Webview): void {
  connection.then(
    open => open.receive(message),
    error => {
      const id = typeof message === "object" && message !== null && "id" in message ? message.id : undefined;
      if (typeof id !== "number") return;
      const reason = t("Strata could not start: {0}", errorMessage(error));
      void webview.postMessage({ type: "failure", id, ok: false, message: reason });
    },
  );
}
