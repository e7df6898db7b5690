/** What a person is asked about a model of which nobody else knows it. */
import * as vscode from "vscode";
import { tokensWritten } from "../../models/contextWindows";
import { messageText } from "../platform/messageText";

/** `tokens` undefined: left open */
export async function askWindow(name: string): Promise<{ tokens: number | undefined } | undefined> {
  const written = await vscode.window.showInputBox({
    title: "Context window",
    prompt: `How many tokens fit into "${messageText(name)}" (its context window)? The server prints it when it starts. Leave this empty if you do not know.`,
    placeHolder: "32768 or 128k",
    ignoreFocusOut: true,
    validateInput: text =>
      text.trim() === "" || tokensWritten(text) !== undefined
        ? undefined
        : "Enter a number of at least 4000, or nothing.",
  });
  return written === undefined ? undefined : { tokens: tokensWritten(written) };
}
