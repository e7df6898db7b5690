/** What sets a model up: whose it is, its address and key, its name; and the check whether it answers. */
import * as vscode from "vscode";
import type { Clock, Models } from "../../core/ground/ports";
import { completeAddress, parseAddress, withChoice } from "../../models/address";
import type { EditorModels } from "../../models/editorModel";
import { checkConnection, keyPlace } from "../../models/index";
import { tokensWritten } from "../../models/modelCatalog";
import { type ListedModel, sensibleFirst } from "../../models/modelList";
import { type DescribedModel, type ModelDirectory, modelFacts } from "../../models/offers";
import { compatible } from "../../models/openai";
import { findProvider } from "../../models/providers";
import { errorMessage } from "../../shared/errorMessage";
import { inSentences, namesText } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import {
  COMMON,
  COMMON_COMPATIBLE,
  keyOwner,
  keyServers,
  keyServerTitles,
  localTitles,
  ownProviderNames,
  ownProviders,
} from "../../shared/modelProviders";
import type { SessionModel } from "../../shared/sessionModel";
import { defaultSettings, type Settings } from "../../shared/settings";
import { choose, complain, inform, withProgress } from "../platform/messages";
import { messageText } from "../platform/messageText";
import type { ApiKey } from "../platform/secretStorage";
import { save, type VSCodeSettings } from "../platform/settings";
import { findLocalServers, keysFor, listModels } from "./modelPlaces";

/** Where a person begins: with a model that VS Code has, a key, or a server that runs here. `window`: how much the model reads. */
export const modelWays = ["editor", "key", "local", "window"] as const;
export type ModelWay = (typeof modelWays)[number];

/** A provider with an address of its own, or the address of a server; `"other"`: the address is asked for. */
type OwnPlace = { provider: Settings["model.provider"]; name: string };
type ModelPlace = OwnPlace | { baseUrl: string } | "other";
const isOwn = (place: ModelPlace): place is OwnPlace => place !== "other" && "provider" in place;

interface ModelSetupDeps {
  settings: VSCodeSettings;
  key: ApiKey;
  models: Models;
  clock: Clock;
  directory: ModelDirectory;
  editorModels: EditorModels;
  /** what the session that is shown has chosen for itself */
  choice(): SessionModel;
}

type ServerAt = ReturnType<typeof findProvider>;

export class ModelSetup {
  constructor(private readonly deps: ModelSetupDeps) {}

  /** Each resolves with false where the person gave up, and everything is as it was. */
  async addProvider(): Promise<boolean> {
    const place = await choosePlace(t("Choose a model"), t("Which provider should answer?"));
    return place !== undefined && this.setUp(place);
  }

  /** The server that runs here, one of several, or where none does the one at an address that is typed. */
  async pickLocal(): Promise<boolean> {
    const { local } = await this.ways();
    const items = local.map(({ title: label, address }) => ({ label, description: address, baseUrl: address }));
    const place = items.length > 1 ? await choose(items, { title: t("Local server") }) : (items[0] ?? "other");
    return place !== undefined && this.setUp(place);
  }

  /** A key says whose it is, or the person does. */
  async pasteKey(): Promise<boolean> {
    const title = t("Paste an API key");
    const titles = namesText([...ownProviderNames.map(name => ownProviders[name].title), ...keyServerTitles]);
    const given = await askKey(t("For example from {0}.", titles), title);
    if (given === undefined) return false;
    const place = ownedPlace(given) ?? (await choosePlace(title, t("Whose key is it?")));
    return place !== undefined && this.setUp(place, given);
  }

  /** What can answer without an account: VS Code's own models, and servers that run on this machine. */
  async ways() {
    const [editor, local] = await Promise.all([this.deps.editorModels.list(), findLocalServers(compatible.listModels)]);
    return { editor, local };
  }

  /** @param given a key for it; @param dead the address that did not answer */
  private async setUp(place: ModelPlace, given?: string, dead?: ServerAt["address"]): Promise<boolean> {
    const { settings, key, directory } = this.deps;
    const { "model.baseUrl": inUse, "model.name": nameInUse, "model.provider": providerInUse } = settings.get();
    const wanted = await askWhere(place, inUse, dead);
    if (wanted === undefined) return false;
    const server = findProvider({ ...wanted, "model.api": "auto", "model.name": "" });
    const { host, baseUrl } = server.address;
    const found = await this.listAt(server, isOwn(place), given);
    if (!found) return false;
    if (found.isDead && !isOwn(place)) return this.setUp("other", given, server.address);
    const describe = ({ id, ...said }: ListedModel) => directory.describe({ name: id, title: id, baseUrl, ...said });
    const model = await askModel(found.models, nameInUse, host, describe);
    if (!model) return false;
    const newKey = found.newKey ?? given;
    if (newKey !== undefined) await key.set(keyPlace(server.provider, server.address), newKey);
    const { "model.provider": whose } = wanted;
    const isOther = wanted["model.baseUrl"] !== inUse || model.name !== nameInUse || whose !== providerInUse;
    await save("model.provider", whose === "auto" ? undefined : whose);
    await save("model.baseUrl", whose === "auto" ? wanted["model.baseUrl"] : undefined);
    await save("model.name", model.name);
    // The catalogue is asked each time: only words of its server are kept. A setting for another model says nothing about this one.
    const { contextWindow: tokens } = model;
    if (tokens !== undefined || isOther) await save("model.contextWindow", tokens);
    settings.leaveDemo();
    this.offerCheck(t("The model is now {0} at {1}.", model.name, host)).catch(error => complain(errorMessage(error)));
    return true;
  }

  private async listAt({ provider, address }: ServerAt, isOwn: boolean, given: string | undefined) {
    const { key, settings } = this.deps;
    const { host, baseUrl } = address;
    const title = t("Asking {0} for its models", host);
    return listModels({
      key: given ?? (await key.get(keysFor(keyPlace(provider, address), isOwn, settings.get()["model.baseUrl"]))),
      needsKey: provider.needsKey,
      askKey: refused =>
        askKey(refused ? t("That key was rejected by {0}. Try another.", host) : t("{0} needs an API key.", host)),
      list: sent => progress(title, signal => provider.listModels(baseUrl, sent, signal)),
    });
  }

  /** For the provider that is set up. */
  async setKey(): Promise<void> {
    const place = this.findPlace();
    const key = await askKey(t("For {0}.", place.host));
    if (key === undefined) return;
    await this.deps.key.set(place, key);
    await this.offerCheck(t("The key for {0} is stored.", place.host));
  }

  async clearKey(): Promise<void> {
    const { key } = this.deps;
    const place = this.findPlace();
    await key.clear(place);
    const { host, variables } = place;
    const names = namesText(variables);
    const instead = t("The stored key for {0} was removed. {1} from the environment is used now.", host, names);
    void inform((await key.get(place)) ? instead : t("The stored key for {0} was removed.", host));
  }

  /** One small request; one sentence about how it went. */
  async check(): Promise<void> {
    const { models, clock, choice } = this.deps;
    const inUse = { connect: () => models.connect(choice()) };
    const result = await progress(t("Checking the model connection"), signal => checkConnection(inUse, clock, signal));
    if (result === undefined) return;
    if (result.ok) return void inform(result.message);
    const remedies = { [t("Choose Model")]: "chooseModel", [t("Set API Key")]: "setApiKey", [t("Help")]: "help" };
    const { message, details } = result.failure;
    const chosen = await complain(inSentences([message, details]), ...Object.keys(remedies));
    if (chosen) await vscode.commands.executeCommand(`strata.${remedies[chosen]}`);
  }

  /** Where the key of the settings goes. Throws NoModelError where they name no address that can be used. */
  private findPlace() {
    const { provider, address } = findProvider(withChoice(this.deps.settings.get(), this.deps.choice()));
    return keyPlace(provider, address);
  }

  private async offerCheck(message: string): Promise<void> {
    const check = t("Check Connection");
    if ((await inform(message, check)) === check) await this.check();
  }
}

const ownPlaces = () =>
  ownProviderNames.map(name => {
    const { title, keyVariables, models: description } = ownProviders[name];
    const detail = t("Needs a key from {0}, or {1} in the environment.", title, keyVariables[0]);
    return { label: title, description, detail, place: { provider: name === COMMON ? ("auto" as const) : name, name } };
  });

/** undefined: the person gave up */
async function choosePlace(title: string, placeHolder: string): Promise<ModelPlace | undefined> {
  const servers = Object.values(keyServers).map(server => {
    const place: ModelPlace = { baseUrl: server.address };
    return { label: server.title, description: "", detail: server.address, place };
  });
  const [label, description] = [t("Another server…"), t("any {0} server", COMMON_COMPATIBLE)];
  const detail = t("vLLM, llama.cpp, a gateway, or {0} on another machine", namesText(localTitles));
  const other = { label, description, detail, place: "other" as const };
  const items = [...ownPlaces(), ...servers, other];
  return (await choose(items, { title, placeHolder, ignoreFocusOut: true }))?.place;
}

/** The place whose key it is, where its form leaves no doubt. */
function ownedPlace(key: string): ModelPlace | undefined {
  const owner = keyOwner(key);
  if (owner && "address" in owner) return { baseUrl: owner.address };
  return ownPlaces().find(({ place }) => place.name === owner?.provider)?.place;
}

/** undefined: the person gave up */
async function askWhere(place: ModelPlace, inUse: string, dead: ServerAt["address"] | undefined) {
  if (isOwn(place)) return { "model.provider": place.provider, "model.baseUrl": defaultSettings["model.baseUrl"] };
  const baseUrl = place === "other" ? await askAddress(inUse, dead) : place.baseUrl;
  return baseUrl === undefined ? undefined : ({ "model.provider": "auto", "model.baseUrl": baseUrl } as const);
}

/** A click elsewhere leaves it open. */
const askLine = (options: vscode.InputBoxOptions) => vscode.window.showInputBox({ ignoreFocusOut: true, ...options });

/** @param why what makes it needed now */
async function askKey(why: string, title = t("Set API key")): Promise<string | undefined> {
  const prompt = t("{0} It is kept in VS Code's secret storage and sent only to the model's server.", messageText(why));
  // A terminal and a password manager copy a line's end along.
  const isKey = (text: string) => /^\s*[\x21-\x7e]+\s*$/.test(text);
  const validateInput = (text: string) => (isKey(text) ? undefined : t("Enter a key without spaces."));
  return (await askLine({ title, prompt, password: true, validateInput }))?.trim();
}

async function askAddress(inUse: string, dead?: ServerAt["address"]): Promise<string | undefined> {
  const prompt = dead
    ? t("No server answers at {0}. Start it, or change the address.", dead.host)
    : t("Base URL of an {0} server, including the version.", COMMON_COMPATIBLE);
  const [title, placeHolder, value] = [t("Server address"), "localhost:11434", dead?.baseUrl ?? inUse];
  const written = await askLine({ title, prompt, placeHolder, value, validateInput: complaintAbout });
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

/** The server's only one; else from its own list where it gives one, or a name that is typed. undefined: the person gave up */
async function askModel(
  known: readonly ListedModel[] | undefined,
  current: string,
  host: string,
  describe: (model: ListedModel) => Promise<DescribedModel>,
): Promise<DescribedModel | undefined> {
  const title = t("Model name");
  const [only, ...others] = known ?? [];
  if (only && others.length === 0) return describe(only);
  if (known && only) {
    const placeHolder = plural(known.length, "1 model at {1}", "{0} models at {1}", host);
    const described = await Promise.all(sensibleFirst(known).map(describe));
    const listed = described.map(model => ({ model, label: model.title, description: modelFacts(model) }));
    const items = [...listed, { label: t("Type another name…"), model: undefined }];
    const chosen = await choose(items, { title, placeHolder, ignoreFocusOut: true });
    if (!chosen || chosen.model !== undefined) return chosen?.model;
  }
  const unlisted = t("{0} did not list its models. Enter the model's name.", messageText(host));
  const prompt = known ? t("The model's name on the server.") : unlisted;
  const validateInput = (text: string) => (text.trim() ? undefined : t("Enter a name."));
  const name = await askLine({ title, prompt, value: current, validateInput });
  return name === undefined ? undefined : describe({ id: name.trim() });
}

/** `tokens` undefined: left to what is known */
export async function askWindow(name: string): Promise<{ tokens: number | undefined } | undefined> {
  const prompt = t(
    "How many tokens does {0} read? The server prints it when it starts. Leave this empty if you do not know.",
    messageText(name),
  );
  const isGood = (text: string) => text.trim() === "" || tokensWritten(text) !== undefined;
  const validateInput = (text: string) =>
    isGood(text) ? undefined : t("Enter a number of at least 4000, or nothing.");
  const written = await askLine({ title: t("Context window"), prompt, placeHolder: t("32768 or 128k"), validateInput });
  return written === undefined ? undefined : { tokens: tokensWritten(written) };
}

/** undefined: the user cancelled */
async function progress<T>(title: string, task: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const done = await withProgress(title, async signal => ({ result: await task(signal), signal }));
  return done?.result.signal.aborted ? undefined : done?.result.result;
}
