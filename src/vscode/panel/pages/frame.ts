/** The panel's frame as VS Code draws it: the context keys by which its actions and keys hold. */
import * as vscode from "vscode";
import type { Sessions } from "../sessions/sessions";

const setContext = (key: string, value: boolean) => void vscode.commands.executeCommand("setContext", key, value);

/** VS Code's own `focusedView` stays after the focus has left a webview: a key would change the mode from anywhere. */
export const pageFocus = (focused: boolean) => setContext("strata.panelFocus", focused);

/** The person is, or was last, in a tab of a session: keys that lead into the panel lead there. */
export const tabFocus = (inTab: boolean) => setContext("strata.inTab", inTab);

/** `strata.otherWaits`: a session waits for the person that no place shows. */
export function followWaiting(sessions: Sessions): vscode.Disposable {
  let waits = false;
  const unsubscribe = sessions.subscribeToAll((_, event) => {
    if (event.type !== "state") return;
    const others = sessions.waiting.some(id => sessions.placeOf(id) === undefined);
    if (others !== waits) setContext("strata.otherWaits", others);
    waits = others;
  });
  return new vscode.Disposable(unsubscribe);
}
