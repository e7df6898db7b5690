/** Steps that set a model up: address, name, key; and the check whether it answers. */
import * as vscode from "vscode";
import type { Clock, ModelFailureCode, Models } from "../../core/ground/ports";
import { withChoice } from "../../models/address";
import type { EditorChat, EditorModels } from "../../models/editorModel";
import { checkConnection, keyPlace } from "../../models/index";
import type { ListedModel } from "../../models/modelList";
import type { ModelDirectory } from "../../models/offers";
import { compatible } from "../../models/openai";
import { findProvider } from "../../models/providers";
import { errorMessage } from "../../shared/errorMessage";
import { formatTokens, namesText } from "../../shared/format";
import { t } from "../../shared/l10n";
import { keyOwner, keyServerTitles, ownFacts } from "../../shared/modelProviders";
import type { SessionModel } from "../../shared/sessionModel";
import { type SettingName, type Settings, settingsSchema } from "../../shared/settings";
import { choose, complain, inform } from "../platform/messages";
import { withProgress } from "../platform/progress";
import type { ApiKey } from "../platform/secretStorage";
import type { VSCodeSettings } from "../platform/settings";
import { findLocalServers, keyItems, listModels, type ModelSourceChoice } from "./modelPlaces";
import { askAboutDead, askAddress, askKey, askModel, askWindow, type GivenBefore, maySendKey } from "./modelQuestions";
import type { EditorCommandName } from "./registration";

/** What the user can do about a failure, by the command that does it. */
const remedies: Partial<Record<ModelFailureCode, EditorCommandName[]>> = {
  auth: ["setApiKey", "chooseModel"],
  "no-model": ["chooseModel", "setApiKey"],
};
const otherwise: EditorCommandName[] = ["chooseModel", "showLog", "help"];

/** The titles of their buttons. */
const remedyTitles: Partial<Record<EditorCommandName, () => string>> = {
  setApiKey: () => t("Set API Key"),
  chooseModel: () => t("Choose Model"),
  showLog: () => t("Show Log"),
  help: () => t("Help"),
};

/** Where a person begins: with a model that VS Code has, a key, or a server that runs here. */
export const modelWays = ["editor", "key", "local"] as const;
export type ModelWay = (typeof modelWays)[number];

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
}

export class ModelSetup {
  constructor(private readonly deps: ModelSetupDeps) {}

  /** Each resolves with false where the person gave up, and everything is as it was. */
  async addProvider(): Promise<boolean> {
    const options = {
      title: t("Choose a model"),
      placeHolder: t("Which provider should answer?"),
      ignoreFocusOut: true,
    };
    const place = (await choose(keyItems(), options))?.place;
    return place !== undefined && this.chooseServerModel(place);
  }

  /** No server was found on this machine. */
  enterAddress = (): Promise<boolean> => this.chooseServerModel({ kind: "other" }, { isMissed: true });

  /** What can answer without an account: VS Code's own models, and servers that run on this machine. */
  async ways(): Promise<{ editor: readonly EditorChat[]; local: Awaited<ReturnType<typeof findLocalServers>> }> {
    const [editor, local] = await Promise.all([this.deps.editorModels.list(), findLocalServers(compatible.listModels)]);
    return { editor, local };
  }

  /** A key says whose it is, or the person does. */
  async pasteKey(): Promise<boolean> {
    const titles = namesText([...ownFacts.map(({ title }) => title), ...keyServerTitles]);
    const given = await askKey(t("For example from {0}.", titles), t("Paste an API key"));
    if (given === undefined) return false;
    const owner = keyOwner(given);
    const options = { title: t("Paste an API key"), placeHolder: t("Whose key is it?"), ignoreFocusOut: true };
    const place = owner === undefined ? (await choose(keyItems(), options))?.place : ownedPlace(owner);
    return place !== undefined && this.chooseServerModel(place, { given });
  }

  /** Address where it is not known, a key where the server wants one, name, and the window where nobody knows it. */
  private async chooseServerModel(place: ModelSourceChoice, known: GivenBefore = {}): Promise<boolean> {
    const { settings, key } = this.deps;
    const { "model.baseUrl": inUse, "model.name": nameInUse, "model.provider": providerInUse } = settings.get();
    const wanted = await askWhere(place, inUse, known);
    if (wanted === undefined) return false;
    const { provider, address } = findProvider({ ...wanted, "model.api": "auto", "model.name": "" });
    const { host } = address;
    const found = await this.listAt({ provider, address }, { place, inUse, given: known.given });
    if (!found) return false;
    if (found.isDead && place.kind !== "own") {
      const next = await askAboutDead(host);
      if (next === undefined) return false;
      if (next === "again") return this.chooseServerModel({ kind: "address", baseUrl: address.baseUrl }, known);
      if (next === "address") return this.chooseServerModel({ kind: "other" }, { ...known, typed: address.baseUrl });
    }
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
    settings.leaveDemo();
    this.offerCheckSoon(nowAnswers(model.name, host, tokens ?? model.reads));
    return true;
  }

  /** undefined: the person gave up */
  private listAt(
    { provider, address: { baseUrl, host, ...address } }: ReturnType<typeof findProvider>,
    { place, inUse, given }: { place: ModelSourceChoice; inUse: string; given: string | undefined },
  ) {
    return listModels({
      ...{ baseUrl, given },
      // The provider's own address needs no question: the key is for it.
      inUse: place.kind === "own" ? baseUrl : inUse,
      needsKey: provider.capabilities.needsKey,
      key: () => this.deps.key.get(keyPlace(provider, { ...address, host })),
      maySend: () => maySendKey(baseUrl, host),
      askKey: refused =>
        askKey(refused ? t("That key was rejected by {0}. Try another.", host) : t("{0} needs an API key.", host)),
      list: sent =>
        progress(t("Asking {0} for its models", host), signal => provider.listModels(baseUrl, sent, signal)),
    });
  }

  /** For the provider that is set up. */
  async setKey(): Promise<void> {
    const place = this.findPlace();
    if (typeof place === "string") return void complain(place);
    const key = await askKey(t("For {0}.", place.host));
    if (key === undefined) return;
    await this.deps.key.set(place, key);
    await this.offerCheck(t("The key for {0} is stored.", place.host));
  }

  async clearKey(): Promise<void> {
    const { key } = this.deps;
    const place = this.findPlace();
    if (typeof place === "string") return void complain(place);
    await key.clear(place);
    const { host, variables } = place;
    void inform(
      (await key.get(place))
        ? t("The stored key for {0} was removed. {1} from the environment is used now.", host, namesText(variables))
        : t("The stored key for {0} was removed.", host),
    );
  }

  /** One small request; one sentence about how it went. */
  async check(): Promise<void> {
    const { models, clock, choice } = this.deps;
    const inUse = { connect: () => models.connect(choice()) };
    const result = await progress(t("Checking the model connection"), signal => checkConnection(inUse, clock, signal));
    if (result === undefined) return;
    if (result.ok) void inform(result.message);
    else {
      const { message, code } = result.failure;
      const actions = new Map((remedies[code] ?? otherwise).map(command => [remedyTitles[command]?.() ?? "", command]));
      const chosen = await complain(message, ...actions.keys());
      if (chosen) await vscode.commands.executeCommand(`strata.${actions.get(chosen)}`);
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
    const check = t("Check Connection");
    if ((await inform(message, check)) === check) await this.check();
  }
}

/** Where the key of the settings goes; a sentence where they name no address that can be used. */
function findPlace(settings: Settings) {
  try {
    const { provider, address } = findProvider(settings);
    return keyPlace(provider, address);
  } catch (error) {
    return errorMessage(error);
  }
}

function ownedPlace(owner: NonNullable<ReturnType<typeof keyOwner>>): ModelSourceChoice | undefined {
  if ("address" in owner) return { kind: "address", baseUrl: owner.address };
  return keyItems().find(({ place }) => place.kind === "own" && place.name === owner.provider)?.place;
}

/** undefined: the person gave up */
async function askWhere(place: ModelSourceChoice, inUse: string, known: GivenBefore) {
  const own = settingsSchema.shape["model.baseUrl"].parse(undefined);
  if (place.kind === "own") return { "model.provider": place.provider, "model.baseUrl": own };
  const baseUrl = place.kind === "address" ? place.baseUrl : await askAddress(inUse, known);
  return baseUrl === undefined ? undefined : ({ "model.provider": "auto", "model.baseUrl": baseUrl } as const);
}

const nowAnswers = (name: string, host: string, tokens: number | undefined) =>
  tokens === undefined
    ? t("The model is now {0} at {1}.", name, host)
    : t("The model is now {0} at {1}. It reads {2} tokens.", name, host, formatTokens(tokens));

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
