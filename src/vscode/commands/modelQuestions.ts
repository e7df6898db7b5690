/** What a person is asked while a model is set up. */
import * as vscode from "vscode";
import { completeAddress, parseAddress } from "../../models/address";
import { tokensWritten } from "../../models/modelCatalog";
import { type ListedModel, sensibleFirst } from "../../models/modelList";
import { type DescribedModel, modelFacts } from "../../models/offers";
import { errorMessage } from "../../shared/errorMessage";
import { inSentences, namesText } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import { COMMON_COMPATIBLE, knownLocalTitles } from "../../shared/modelProviders";
import { choose, saysYes } from "../platform/messages";
import { messageText } from "../platform/messageText";

/** What was said before its models are looked for. */
export interface GivenBefore {
  /** a key */
  given?: string;
  /** an address at which nobody answered */
  typed?: string;
  /** none was found on this machine */
  isMissed?: boolean;
}

/** @param why what makes it needed now */
export async function askKey(why: string, title = t("Set API key")): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title,
    prompt: t("{0} It is kept in VS Code's secret storage and sent only to the model's server.", messageText(why)),
    password: true,
    ignoreFocusOut: true,
    // A terminal and a password manager copy a line's end along.
    validateInput: text => (/^\s*[\x21-\x7e]+\s*$/.test(text) ? undefined : t("Enter a key without spaces.")),
  });
  return key?.trim();
}

export async function askAddress(inUse: string, { typed, isMissed = false }: GivenBefore): Promise<string | undefined> {
  const written = await vscode.window.showInputBox({
    title: t("Server address"),
    prompt: isMissed
      ? t("No local server was found. Start {0}, or enter an address.", namesText(knownLocalTitles))
      : t("Base URL of an {0} server, including the version.", COMMON_COMPATIBLE),
    placeHolder: "localhost:11434",
    value: typed ?? (isMissed ? "" : inUse),
    ignoreFocusOut: true,
    validateInput: complaintAbout,
  });
  return written === undefined ? undefined : completeAddress(written);
}

function complaintAbout(baseUrl: string): string | undefined {
  try {
    parseAddress({ "model.baseUrl": baseUrl, "model.api": "auto" });
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** From the server's own list where it gives one; any other name can be typed. undefined: the person gave up */
export async function askModel(
  known: readonly ListedModel[] | undefined,
  current: string,
  host: string,
  describe: (model: ListedModel) => Promise<DescribedModel>,
): Promise<DescribedModel | undefined> {
  const title = t("Model name");
  const type = t("Type another name…");
  if (known && known.length > 0) {
    const placeHolder = plural(known.length, "1 model at {1}", "{0} models at {1}", host);
    const described = await Promise.all(sensibleFirst(known).map(describe));
    const listed = described.map(model => ({ model, label: model.title, description: modelFacts(model) }));
    const items = [...listed, { label: type, model: undefined }];
    const chosen = await choose(items, { title, placeHolder, ignoreFocusOut: true });
    if (!chosen || chosen.model !== undefined) return chosen?.model;
  }
  const name = await vscode.window.showInputBox({
    title,
    prompt: known
      ? t("The model's name on the server.")
      : t("{0} did not list its models. Enter the model's name.", messageText(host)),
    value: current,
    ignoreFocusOut: true,
    validateInput: text => (text.trim() ? undefined : t("Enter a name.")),
  });
  return name === undefined ? undefined : describe({ id: name.trim() });
}

/** undefined: the person gave up */
export async function askAboutDead(host: string): Promise<"again" | "address" | "name" | undefined> {
  const items = [
    { label: t("Retry"), next: "again" as const },
    { label: t("Change the address…"), next: "address" as const },
    { label: t("Enter the model's name…"), description: t("The server is used once it runs."), next: "name" as const },
  ];
  const placeHolder = t("No server answers at {0}. Start it, or change the address.", host);
  return (await choose(items, { title: t("Server address"), placeHolder, ignoreFocusOut: true }))?.next;
}

export function maySendKey(baseUrl: string, host: string): Promise<boolean> {
  const needs = t("{0} needs a key to list its models, and your key has not been used there yet.", host);
  const open = baseUrl.startsWith("http:") ? [t("The connection is not encrypted, so others can read the key.")] : [];
  const detail = inSentences([needs, ...open, t("You can also type the model's name.")]);
  return saysYes(t("Send the stored key to {0}?", host), detail, t("Send the key"));
}

/** `tokens` undefined: left open */
export async function askWindow(name: string): Promise<{ tokens: number | undefined } | undefined> {
  const written = await vscode.window.showInputBox({
    title: t("Context window"),
    prompt: t(
      "How many tokens does {0} read? The server prints it when it starts. Leave this empty if you do not know.",
      messageText(name),
    ),
    placeHolder: t("32768 or 128k"),
    ignoreFocusOut: true,
    validateInput: text =>
      text.trim() === "" || tokensWritten(text) !== undefined
        ? undefined
        : t("Enter a number of at least 4000, or nothing."),
  });
  return written === undefined ? undefined : { tokens: tokensWritten(written) };
}
