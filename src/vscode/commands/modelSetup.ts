/** Steps that set a model up: address, name, key; and the check whether it answers. */
import * as vscode from "vscode";
import type { Clock, ModelFailureCode, Models } from "../../core/ports";
import { completeAddress, parseAddress } from "../../models/address";
import type { EditorChat, EditorModels } from "../../models/editorModel";
import { checkConnection, keyPlace } from "../../models/index";
import { withChoice } from "../../models/modelChoice";
import { type DescribedModel, type ModelDirectory, modelFacts } from "../../models/modelDirectory";
import { type ListedModel, sensibleFirst } from "../../models/modelList";
import { compatible } from "../../models/openai";
import { findProvider } from "../../models/providers";
import { errorMessage } from "../../shared/errorMessage";
import { count, formatTokens } from "../../shared/format";
import { COMMON, COMMON_COMPATIBLE, ownProviders } from "../../shared/modelProviders";
import type { SessionModel } from "../../shared/sessionModel";
import { type SettingName, type Settings, settingsSchema } from "../../shared/settings";
import { choose, complain, inform, saysYes } from "../platform/messages";
import { messageText } from "../platform/messageText";
import { withProgress } from "../platform/progress";
import type { ApiKey } from "../platform/secretStorage";
import type { VSCodeSettings } from "../platform/settings";
import { findLocalServers, listModels, type ModelSourceChoice, placeItems } from "./modelPlaces";

import { askWindow } from "./modelQuestions";
import type { EditorCommandName } from "./registration";

type Remedies = Record<string, EditorCommandName>;

/** What the user can do about a failure: the title of a button and its command. */
const remedies: Partial<Record<ModelFailureCode, Remedies>> = {
  auth: { "Set API Key": "setApiKey", "Choose Model": "chooseModel" },
  "no-model": { "Choose Model": "chooseModel", "Set API Key": "setApiKey" },
};
const otherwise: Remedies = { "Choose Model": "chooseModel", "Show Log": "showLog", Help: "help" };

interface ModelSetupDeps {
  settings: VSCodeSettings;
  key: ApiKey;
  models: Models;
  clock: Clock;
  /** what is known of models */
  directory: Pick<ModelDirectory, "describe">;
  editorModels: EditorModels;
  /** what the session that is shown has chosen for itself */
  choice(): SessionModel;
  /** the model answered */
  onAnswer(): void;
}

export class ModelSetup {
  constructor(private readonly deps: ModelSetupDeps) {}

  /** One that VS Code has, or a server's, for new sessions. false: the person gave up, and everything is as it was */
  async chooseModel(): Promise<boolean> {
    const settings = this.deps.settings.get();
    const [editor, local] = await Promise.all([this.deps.editorModels.list(), findLocalServers(compatible.listModels)]);
    const options = { title: "Choose a model", placeHolder: "Which provider should answer?", ignoreFocusOut: true };
    const place = (await choose(placeItems({ editor, local, settings }), options))?.place;
    if (place?.kind === "editor") return this.setEditorModel(place.chat);
    return place !== undefined && this.chooseServerModel(place);
  }

  private async setEditorModel({ name, title, maxInputTokens }: EditorChat): Promise<boolean> {
    const { "model.provider": provider, "model.name": before } = this.deps.settings.get();
    await save("model.provider", "vscode", provider);
    await save("model.name", name, before);
    const said = `The model is now ${title} from VS Code${size(maxInputTokens)}.`;
    this.offerCheckSoon(nowUsed({ "model.provider": "vscode", "model.name": name }) ?? said);
    return true;
  }

  /** Address where it is not known, a key where the server wants one, name, and the window where nobody knows it. */
  private async chooseServerModel(place: Exclude<ModelSourceChoice, { kind: "editor" }>): Promise<boolean> {
    const { settings, key } = this.deps;
    const { "model.baseUrl": inUse, "model.name": nameInUse, "model.provider": providerInUse } = settings.get();
    const wanted = await askWhere(place, inUse);
    if (wanted === undefined) return false;
    const { provider, address } = findProvider({ ...wanted, "model.api": "auto", "model.name": "" });
    const { host } = address;
    const found = await listModels({
      baseUrl: address.baseUrl,
      // The provider's own address needs no question: the key is for it.
      inUse: place.kind === "own" ? address.baseUrl : inUse,
      needsKey: provider.capabilities.needsKey,
      key: () => key.get(keyPlace(provider, address)),
      maySend: () => maySendKey(address.baseUrl, host),
      askKey: refused =>
        askKey(refused ? `That key was rejected by ${host}. Try another.` : `${host} needs an API key.`),
      list: sent =>
        progress(`Asking ${host} for its models`, signal => provider.listModels(address.baseUrl, sent, signal)),
    });
    if (!found) return false;
    const describe = ({ id, ...said }: ListedModel) =>
      this.deps.directory.describe({ name: id, title: id, baseUrl: address.baseUrl, ...said });
    const model = await askModel(found.models, nameInUse, host, describe);
    if (model === undefined) return false;
    // What is known of it is asked of the catalogue each time: only what its server or the person says is kept.
    const answer = model.reads === undefined ? await askWindow(model.name) : { tokens: model.contextWindow };
    if (answer === undefined) return false;
    if (found.newKey !== undefined) await key.set(keyPlace(provider, address), found.newKey);
    const { "model.baseUrl": baseUrl, "model.provider": whose } = wanted;
    const isOther = baseUrl !== inUse || model.name !== nameInUse || whose !== providerInUse;
    await save("model.provider", whose === "auto" ? undefined : whose, providerInUse);
    await save("model.baseUrl", place.kind === "own" ? undefined : baseUrl, inUse);
    await save("model.name", model.name, nameInUse);
    // What was set for another model says nothing about this one.
    const { tokens } = answer;
    if (tokens !== undefined || isOther) await save("model.contextWindow", tokens, undefined);
    this.offerCheckSoon(
      nowUsed({ "model.provider": whose, "model.baseUrl": baseUrl, "model.name": model.name }) ??
        `The model is now "${model.name}" at ${host}${size(tokens ?? model.reads)}.`,
    );
    return true;
  }

  /** For the provider that is set up. */
  async setKey(): Promise<void> {
    const place = this.findPlace();
    if (typeof place === "string") return void complain(place);
    const key = await askKey(`For ${place.host}.`);
    if (key === undefined) return;
    await this.deps.key.set(place, key);
    await this.offerCheck(`The key for ${place.host} is stored.`);
  }

  /** Whether the server has a key, or none is needed. */
  async hasKey(): Promise<boolean> {
    const { key, models, choice } = this.deps;
    const isAnswered = await models.connect(choice()).then(
      () => true,
      () => false,
    );
    if (isAnswered) return true;
    const place = this.findPlace();
    // An address that cannot be used has no key: the first step says what is wrong with it.
    return typeof place !== "string" && (!place.needsKey || (await key.get(place)) !== undefined);
  }

  async clearKey(): Promise<void> {
    const { key } = this.deps;
    const place = this.findPlace();
    if (typeof place === "string") return void complain(place);
    await key.clear(place);
    const left = (await key.get(place)) ? ` ${place.variables.join(" or ")} from the environment is used now.` : "";
    void inform(`The stored key for ${place.host} was removed.${left}`);
  }

  /** One small request; one sentence about how it went. */
  async check(): Promise<void> {
    const { models, clock, choice, onAnswer } = this.deps;
    const inUse = { connect: () => models.connect(choice()) };
    const result = await progress("Checking the model connection", signal => checkConnection(inUse, clock, signal));
    if (result === undefined) return;
    if (result.ok) {
      onAnswer();
      void inform(result.message);
    } else {
      const { message, code } = result.failure;
      const actions = remedies[code] ?? otherwise;
      const chosen = await complain(message, ...Object.keys(actions));
      if (chosen) await vscode.commands.executeCommand(`strata.${actions[chosen]}`);
    }
  }

  private findPlace() {
    return findPlace(withChoice(this.deps.settings.get(), this.deps.choice()));
  }

  /** Nobody waits for the answer: what was chosen is in use meanwhile. */
  private offerCheckSoon(message: string): void {
    this.offerCheck(message).catch(error => void complain(errorMessage(error)));
  }

  private async offerCheck(message: string): Promise<void> {
    const check = "Check Connection";
    if ((await inform(message, check)) === check) await this.check();
  }
}

/** Where the key of the settings goes; a sentence where they name no address that can be used. */
function findPlace(settings: Settings) {
  try {
    const { provider, address } = findProvider(settings);
    return { ...keyPlace(provider, address), needsKey: provider.capabilities.needsKey };
  } catch (error) {
    return errorMessage(error);
  }
}

/** undefined: the person gave up */
async function askWhere(place: Exclude<ModelSourceChoice, { kind: "editor" }>, inUse: string) {
  const own = settingsSchema.shape["model.baseUrl"].parse(undefined);
  if (place.kind === "own") return { "model.provider": place.provider, "model.baseUrl": own };
  const baseUrl = place.kind === "address" ? place.baseUrl : await askAddress(inUse);
  return baseUrl === undefined ? undefined : ({ "model.provider": "auto", "model.baseUrl": baseUrl } as const);
}

/** @param why what makes it needed now */
async function askKey(why = ""): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: "Set API key",
    prompt: `${messageText(why)} It is kept in VS Code's secret storage and sent only to the model's server.`.trim(),
    password: true,
    ignoreFocusOut: true,
    validateInput: text => (/^\s*[\x21-\x7e]+\s*$/.test(text) ? undefined : "Enter a key without spaces."),
  });
  return key?.trim();
}

async function askAddress(current: string): Promise<string | undefined> {
  const written = await vscode.window.showInputBox({
    title: "Server address",
    prompt: `Base URL of an ${COMMON_COMPATIBLE} server, including the version.`,
    placeHolder: `${ownProviders[COMMON].address} or localhost:11434`,
    value: current,
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
async function askModel(
  known: readonly ListedModel[] | undefined,
  current: string,
  host: string,
  describe: (model: ListedModel) => Promise<DescribedModel>,
): Promise<DescribedModel | undefined> {
  const title = "Model name";
  const type = "Type another name…";
  if (known && known.length > 0) {
    const placeHolder = `${count(known.length, "model")} at ${host}`;
    const described = await Promise.all(sensibleFirst(known).map(describe));
    const listed = described.map(model => ({ model, label: model.title, description: modelFacts(model) }));
    const items = [...listed, { label: type, model: undefined }];
    const chosen = await choose(items, { title, placeHolder, ignoreFocusOut: true });
    if (!chosen || chosen.model !== undefined) return chosen?.model;
  }
  const name = await vscode.window.showInputBox({
    title,
    prompt: known ? "The model's name on the server." : `${host} did not list its models. Enter the model's name.`,
    value: current,
    ignoreFocusOut: true,
    validateInput: text => (text.trim() ? undefined : "Enter a name."),
  });
  return name === undefined ? undefined : describe({ id: name.trim() });
}

const size = (tokens: number | undefined) =>
  tokens === undefined ? "" : `, which reads ${formatTokens(tokens)} tokens`;

/** undefined: what was chosen is what is used; else which setting of the workspace stands before it. */
function nowUsed(settings: Partial<Record<SettingName, string>>): string | undefined {
  const configuration = vscode.workspace.getConfiguration("strata");
  const others = Object.entries(settings).flatMap(([setting, chosen]) => {
    const used = configuration.get<string>(setting) ?? "";
    return used.trim() === chosen ? [] : [`strata.${setting} to "${used}"`];
  });
  if (others.length === 0) return undefined;
  const words = others.join(" and ");
  return `Your choice is saved in your user settings, but this workspace sets ${words} and overrides it.`;
}

function maySendKey(baseUrl: string, host: string): Promise<boolean> {
  const send = `Send the stored key to ${host}`;
  const open = baseUrl.startsWith("http:") ? " The connection is not encrypted, so others can read the key." : "";
  const detail = `${host} needs a key to list its models, and your key has not been used there yet.${open} You can also type the model's name.`;
  return saysYes(`${send}?`, detail, send);
}

/** @param value undefined: the default */
async function save<N extends SettingName>(name: N, value: Settings[N] | undefined, before: Settings[N] | undefined) {
  if (value === before && value !== undefined) return;
  await vscode.workspace.getConfiguration("strata").update(name, value, vscode.ConfigurationTarget.Global);
}

/** undefined: the user cancelled, whatever came of it */
async function progress<T>(title: string, task: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const done = await withProgress(title, async signal => ({ result: await task(signal), signal }));
  return done?.result.signal.aborted ? undefined : done?.result.result;
}
