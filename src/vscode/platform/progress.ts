import * as vscode from "vscode";
import { messageText } from "./messageText";

/** Work under a notification that can cancel it; undefined: the user cancelled. */
export async function withProgress<T>(title: string, work: (signal: AbortSignal) => Promise<T>) {
  const stop = new AbortController();
  const options = { location: vscode.ProgressLocation.Notification, title: messageText(title), cancellable: true };
  try {
    const result = await vscode.window.withProgress(options, (_, token) => {
      token.onCancellationRequested(() => stop.abort());
      return work(stop.signal);
    });
    return { result };
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    throw error;
  }
}
