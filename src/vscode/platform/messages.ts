/** Messages and lists of VS Code's own: all of them go out here, so that none forgets whose text it shows. */

import * as vscode from "vscode";
import type { Logger } from "../../core/ground/ports";
import { defined } from "../../shared/defined";
import type { Json } from "../../shared/messages";
import { visibleLine } from "../../shared/shown";
import { messageText, withoutIcons } from "./messageText";

type Tell = (text: string, ...buttons: string[]) => Promise<string | undefined>;

/** Each resolves with the button that was pressed. */
export const inform: Tell = async (text, ...buttons) =>
  vscode.window.showInformationMessage(messageText(text), ...buttons);
export const warn: Tell = async (text, ...buttons) => vscode.window.showWarningMessage(messageText(text), ...buttons);
export const complain: Tell = async (text, ...buttons) => vscode.window.showErrorMessage(messageText(text), ...buttons);

/** A question that has to be answered: whether it was `yes`. */
export async function saysYes(question: string, detail: string, yes: string): Promise<boolean> {
  const options = { modal: true, detail: messageText(detail) };
  return (await vscode.window.showWarningMessage(messageText(question), options, yes)) === yes;
}

/**
 * @param items what has to be read first is given as a promise: the list opens at once, and has the keys
 * @returns the item as it was given
 */
export async function choose<T extends vscode.QuickPickItem>(
  items: readonly T[] | Promise<readonly T[]>,
  options: vscode.QuickPickOptions,
): Promise<T | undefined> {
  const read = Promise.resolve(items).then(all => all.map(shown));
  return (await vscode.window.showQuickPick(read, options))?.item;
}

export async function chooseSeveral<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: vscode.QuickPickOptions,
): Promise<T[] | undefined> {
  const chosen = await vscode.window.showQuickPick(items.map(shown), { ...options, canPickMany: true });
  return chosen?.map(({ item }) => item);
}

/** A list that is filled anew while a person types. */
export function livePicker<T extends vscode.QuickPickItem>() {
  const picker = vscode.window.createQuickPick<T>();
  const fill = (items: readonly T[]) => {
    picker.items = items.map(shown);
  };
  return { picker, fill };
}

/** All of the item stays, what kind it is too: a line above a group is none to choose. */
const shown = <T extends vscode.QuickPickItem>(item: T) => ({ ...item, item, ...visibleParts(item) });

/** A label has icons of ours, so that texts of others in it are for who makes it. */
function visibleParts({ label, description, detail }: vscode.QuickPickItem) {
  const words = (text?: string) => (text === undefined ? undefined : withoutIcons(visibleLine(text)));
  return { label: visibleLine(label), ...defined({ description: words(description), detail: words(detail) }) };
}

/** Opens an address in the person's browser. VS Code may ask them once more; false: they said no there. */
export const openAddress = async (address: string) => vscode.env.openExternal(vscode.Uri.parse(address, true));

// The output channel "Strata", beside the log file.

/** Lines go to the channel, for people, and to `file`, whole. */
export const channelLogger = (channel: vscode.LogOutputChannel, file: Logger): Logger => ({
  log(level, message, fields) {
    file.log(level, message, fields);
    const write = { debug: "debug", info: "info", warning: "warn", error: "error" } as const;
    channel[write[level]](fields ? `${message} ${describe(fields)}` : message);
  },
});

/** `key=value` pairs; a payload would make the channel unreadable and is in the file. */
function describe(fields: Record<string, Json>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .map(text => (text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text))
    .join(" ");
}

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
