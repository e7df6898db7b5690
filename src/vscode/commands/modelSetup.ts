/** Steps that set a model up: address, name, key; and the check whether it answers. */
import * as vscode from "vscode";
import type { ModelFailureCode, Models } from "../../core/ports";
import { parseAddress } from "../../models/address";
import { checkConnection, providerFor } from "../../models/index";
import { errorMessage } from "../../shared/errorMessage";
import { count } from "../../shared/format";
import type { Settings } from "../../shared/settings";
import { withProgress } from "../platform/progress";
import type { ApiKey } from "../platform/secretStorage";
import type { VSCodeSettings } from "../platform/settings";
import { listModels } from "./modelNames";
import type { CommandName } from "./registration";

type Remedies = Record<string, CommandName>;

/** What the user can do about a failure: the title of a button and its command. */
const remedies: Partial<Record<ModelFailureCode, Remedies>> = {
  auth: { "Set API Key": "setApiKey", "Choose Model": "chooseModel" },
  "no-model": { "Choose Model": "chooseModel", "Set API Key": "setApiKey" },
};
const otherwise: Remedies = { "Choose Model": "chooseModel", "Show Log": "showLog" };

export class ModelSetup {
  constructor(private readonly deps: { settings: VSCodeSettings; key: ApiKey; models: Models }) {}

  /** Address, then name, then a key where the server wants one. Esc leaves everything as it was. */
  async chooseModel(): Promise<void> {
    const { settings, key } = this.deps;
    const baseUrl = await askAddress(settings.get()["model.baseUrl"]);
    if (baseUrl === undefined) return;
    const address = parseAddress({ "model.baseUrl": baseUrl, "model.api": "auto" });
    const { host } = address;
    const provider = providerFor(address);
    const known = await listModels({
      baseUrl: address.baseUrl,
      inUse: settings.get()["model.baseUrl"],
      key: () => key.get(provider.keyVariable),
      maySend: () => maySendKey(address.baseUrl, host),
      list: sent =>
        progress(`Asking ${host} for its models`, signal => provider.listModels(address.baseUrl, sent, signal)),
    });
    const name = await askName(known, settings.get()["model.name"], host);
    if (name === undefined) return;
    await save("model.baseUrl", baseUrl, settings.get()["model.baseUrl"]);
    await save("model.name", name, settings.get()["model.name"]);
    if (provider.capabilities.needsKey && !(await key.get(provider.keyVariable))) await this.setKey();
    else await this.offerCheck(nowUsed(baseUrl, name) ?? `The model is now "${name}" at ${host}.`);
  }

  async setKey(): Promise<void> {
    const key = await vscode.window.showInputBox({
      title: "Set the key of the model's server",
      prompt: "It is kept in VS Code's secret storage and sent to the model's server only.",
      password: true,
      ignoreFocusOut: true,
      validateInput: text => (/^\s*[\x21-\x7e]+\s*$/.test(text) ? undefined : "A key has no spaces and is not empty."),
    });
    if (key === undefined) return;
    await this.deps.key.set(key.trim());
    await this.offerCheck("The key is stored.");
  }

  async clearKey(): Promise<void> {
    const { key, settings } = this.deps;
    await key.clear();
    const variable = keyVariable(settings.get());
    const left = variable && (await key.get(variable)) ? ` ${variable} of the environment is used now.` : "";
    void vscode.window.showInformationMessage(`The stored key was removed.${left}`);
  }

  /** One small request; one sentence about how it went. */
  async check(): Promise<void> {
    const { models } = this.deps;
    const result = await progress("Checking the model connection", signal => checkConnection(models, signal));
    if (result === undefined) return;
    if (result.ok) void vscode.window.showInformationMessage(result.message);
    else {
      const { message, code } = result.failure;
      const actions = remedies[code] ?? otherwise;
      const chosen = await vscode.window.showErrorMessage(message, ...Object.keys(actions));
      if (chosen) await vscode.commands.executeCommand(`strata.${actions[chosen]}`);
    }
  }

  private async offerCheck(message: string): Promise<void> {
    const check = "Check Connection";
    if ((await vscode.window.showInformationMessage(message, check)) === check) await this.check();
  }
}

/** The environment variable with the key of the server in use. */
function keyVariable(settings: Settings): string | undefined {
  try {
    return providerFor(parseAddress(settings)).keyVariable;
  } catch {
    // An address that cannot be used has no key: the next message says what is wrong with it.
    return undefined;
  }
}

async function askAddress(current: string): Promise<string | undefined> {
  const written = await vscode.window.showInputBox({
    title: "Choose a model (1 of 2): where it runs",
    prompt: "Address of OpenAI or of any server that speaks its interface, up to and including the version.",
    placeHolder: "https://api.openai.com/v1 or http://localhost:11434/v1",
    value: current,
    ignoreFocusOut: true,
    validateInput: complaintAbout,
  });
  return written?.trim();
}

function complaintAbout(baseUrl: string): string | undefined {
  try {
    parseAddress({ "model.baseUrl": baseUrl, "model.api": "auto" });
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** From the server's own list where it gives one; any other name can be typed. */
async function askName(known: readonly string[] | undefined, current: string, host: string) {
  const title = "Choose a model (2 of 2): its name";
  const type = "Type another name…";
  if (known && known.length > 0) {
    const placeHolder = `${count(known.length, "model")} at ${host}`;
    const chosen = await vscode.window.showQuickPick([...known, type], { title, placeHolder, ignoreFocusOut: true });
    if (chosen !== type) return chosen;
  }
  const name = await vscode.window.showInputBox({
    title,
    prompt: known
      ? "The name as the server knows it."
      : `${host} gave no list of its models: type the name as it knows it.`,
    value: current,
    ignoreFocusOut: true,
    validateInput: text => (text.trim() ? undefined : "The name is empty."),
  });
  return name?.trim();
}

/** undefined: what was chosen is what is used; else which setting of the workspace stands before it. */
function nowUsed(baseUrl: string, name: string): string | undefined {
  const configuration = vscode.workspace.getConfiguration("strata");
  const others = Object.entries({ "model.baseUrl": baseUrl, "model.name": name }).flatMap(([setting, chosen]) => {
    const used = configuration.get<string>(setting) ?? "";
    return used.trim() === chosen ? [] : [`strata.${setting} to "${used}"`];
  });
  if (others.length === 0) return undefined;
  const words = others.join(" and ");
  return `Your choice is kept in your user settings, but this workspace sets ${words}, and that is what is used here.`;
}

async function maySendKey(baseUrl: string, host: string): Promise<boolean> {
  const send = `Send the stored key to ${host}`;
  const open = baseUrl.startsWith("http:") ? " The connection is not encrypted: others on the way can read it." : "";
  const detail = `${host} wants a key before it lists its models, and yours has not been used there yet.${open} Without it, you can type the model's name.`;
  const message = `Send the stored key to ${host}?`;
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, send)) === send;
}

async function save(name: "model.baseUrl" | "model.name", value: string, before: string): Promise<void> {
  if (value === before) return;
  await vscode.workspace.getConfiguration("strata").update(name, value, vscode.ConfigurationTarget.Global);
}

/** undefined: the user cancelled, whatever came of it */
async function progress<T>(title: string, task: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const done = await withProgress(title, async signal => ({ result: await task(signal), signal }));
  return done?.result.signal.aborted ? undefined : done?.result.result;
}
