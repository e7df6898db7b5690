/** Which models can be asked as things stand: VS Code's own, those of providers whose key is set, those of servers that answer. */
import type { SettingsSource, WallClock } from "../core/ground/ports";
import { defined } from "../shared/defined";
import { formatTokens, inARow } from "../shared/format";
import { t } from "../shared/l10n";
import type { ModelPrices } from "../shared/messages";
import { type LocalServer, localServers } from "../shared/modelProviders";
import type { Settings } from "../shared/settings";
import { type ModelSource, readModelName } from "../shared/settingValues";
import { isDefaultAddress, writeModelName } from "./address";
import type { EditorModels } from "./editorModel";
import { ModelCatalog, usableWindow } from "./modelCatalog";
import { type ListedModel, sensibleFirst, showsModels } from "./modelList";
import { compatible } from "./openai";
import type { Provider } from "./provider";
import { providers as allProviders, findProvider, type KeyPlace, keyPlace } from "./providers";

/** One model that can be asked. */
export interface OfferedModel {
  /** what `strata.model.name` is for it, with whose it is: `anthropic:claude-…` */
  name: string;
  title: string;
  /** where requests go; absent: to VS Code */
  baseUrl?: string;
  /** tokens, where its server says so */
  contextWindow?: number;
  seesImages?: boolean;
}

/** What one provider offers. */
export interface ModelOffer {
  source: ModelSource;
  title: string;
  kind: "editor" | "configured" | "local";
  /** absent: VS Code */
  baseUrl?: string;
  provider?: Provider;
  /** Those that an agent can work with first; a text: why there are none. Never rejects. */
  list(signal: AbortSignal): Promise<OfferedModel[] | string>;
}

export interface ModelOffersDeps {
  apiKey(place: KeyPlace): Promise<string | undefined>;
  editorModels?: EditorModels | undefined;
  providers?: readonly Provider[] | undefined;
}

/** A server on this machine that is not there refuses at once; one that is there answers in so many ms. */
const LOCAL_TIMEOUT_MS = 1_500;

/** In the order in which they are taken where no model is named. No request is made. */
export async function findOffers(settings: Settings, deps: ModelOffersDeps): Promise<ModelOffer[]> {
  const { editorModels } = deps;
  const { offer: configured, key } = (await settingsOffer(settings, deps)) ?? {};
  const own = await ownOffers(deps, key);
  const others = [...own, ...(editorModels ? [editorOffer(editorModels)] : []), ...localOffers()];
  const isSet = (offer: ModelOffer) => offer.source === configured?.source || offer.baseUrl === configured?.baseUrl;
  return configured ? [configured, ...others.filter(offer => !isSet(offer))] : others;
}

/** The address that is set, where it is no provider's own. */
async function settingsOffer(settings: Settings, deps: ModelOffersDeps) {
  if (isDefaultAddress(settings)) return undefined;
  try {
    const { provider, address } = findProvider({ ...settings, "model.name": "" }, deps.providers);
    const source = provider.name === settings["model.provider"] ? provider.name : "server";
    const key = await deps.apiKey(keyPlace(provider, address));
    const { host: title, baseUrl } = address;
    return { key, offer: serverOffer({ source, title, kind: "configured", baseUrl, provider, key }) };
  } catch {
    // An unusable address offers nothing: a request to it says why.
    return undefined;
  }
}

/** Those whose key is set. @param elsewhere the key of the address that is set: where it is the same, it is not theirs */
async function ownOffers({ apiKey, providers = allProviders }: ModelOffersDeps, elsewhere: string | undefined) {
  const found = await Promise.all(
    providers.map(async (provider): Promise<ModelOffer[]> => {
      const { address: baseUrl } = provider;
      if (baseUrl === undefined) return [];
      const key = await apiKey(keyPlace(provider, new URL(baseUrl)));
      if (!key || key === elsewhere) return [];
      const { name, title } = provider;
      return [serverOffer({ source: name as ModelSource, title, kind: "configured", baseUrl, provider, key })];
    }),
  );
  return found.flat();
}

const localOffers = (): ModelOffer[] =>
  (Object.keys(localServers) as LocalServer[]).map(source => {
    const { title, address: baseUrl } = localServers[source];
    return serverOffer({ source, title, baseUrl, kind: "local", provider: compatible, key: undefined });
  });

function serverOffer({ key, ...server }: Required<Omit<ModelOffer, "list">> & { key: string | undefined }): ModelOffer {
  const { source, title, kind, baseUrl, provider } = server;
  const toModel = ({ id: title, contextWindow }: ListedModel): OfferedModel => ({
    name: writeModelName(source, title),
    title,
    baseUrl,
    ...defined({ contextWindow }),
  });
  return {
    ...server,
    async list(signal) {
      const patience = kind === "local" ? AbortSignal.any([signal, AbortSignal.timeout(LOCAL_TIMEOUT_MS)]) : signal;
      const models = await provider.listModels(baseUrl, key, patience);
      if (showsModels(models)) return sensibleFirst(models).map(toModel);
      if (models === "denied") return key ? t("{0} rejected the API key", title) : t("{0} needs an API key", title);
      return models === "dead" ? t("{0} does not answer", title) : t("{0} does not list its models", title);
    },
  };
}

const editorOffer = (models: EditorModels): ModelOffer => ({
  source: "vscode",
  title: "VS Code",
  kind: "editor",
  async list() {
    return (await models.list()).map(({ name, title, maxInputTokens: contextWindow, seesImages }) => ({
      name: writeModelName("vscode", name),
      title,
      contextWindow,
      seesImages,
    }));
  },
});

/** Absent fields are unknown. */
export interface DescribedModel extends OfferedModel {
  /** tokens that it can read; `contextWindow` has them where only its server says so */
  reads?: number;
  prices?: ModelPrices;
  tools?: boolean;
  images?: boolean;
  reasoning?: boolean;
}

export class ModelDirectory {
  private readonly catalog: ModelCatalog;

  constructor(private readonly deps: ModelOffersDeps & { settings: SettingsSource; clock: WallClock }) {
    this.catalog = new ModelCatalog(deps.clock);
  }

  /** Whose models can be asked; each is asked for them by its `list`. */
  offers = (): Promise<ModelOffer[]> => findOffers(this.deps.settings.get(), this.deps);

  /** All of them, asked at once. Local servers and VS Code that have none are left out. */
  async all(signal: AbortSignal): Promise<({ title: string } & ({ models: DescribedModel[] } | { why: string }))[]> {
    const shelves = await Promise.all(
      (await this.offers()).map(async ({ title, kind, list }) => {
        const models = await list(signal);
        if (typeof models === "string") return kind === "configured" ? [{ title, why: models }] : [];
        return [{ title, models: await Promise.all(models.map(model => this.describe(model))) }];
      }),
    );
    return shelves.flat();
  }

  async describe(model: OfferedModel): Promise<DescribedModel> {
    const { baseUrl } = model;
    const images = defined({ images: model.seesImages });
    if (baseUrl === undefined) return { ...model, tools: true, ...images, ...defined({ reads: model.contextWindow }) };
    const name = readModelName(model.name)?.name ?? model.name;
    const known = await this.catalog.find({ baseUrl, name }, this.deps.settings.get()["model.prices"]);
    const { capabilities, prices } = known;
    const { contextWindow: said, ...rest } = model;
    const contextWindow = said === undefined ? undefined : usableWindow(said);
    return {
      ...rest,
      ...capabilities,
      ...images,
      ...defined({ reads: contextWindow ?? known.contextWindow, prices }),
      // The catalogue is asked each time: it also knows up to where a request is cheaper.
      ...(contextWindow === undefined || known.contextWindow !== undefined ? {} : { contextWindow }),
    };
  }
}

/** "200k · $3 / $15 per M · tools, images, reasoning" */
export function modelFacts({ reads, prices, tools, images, reasoning }: DescribedModel): string {
  const can = inARow(
    [tools && t("tools"), images && t("images"), reasoning && t("reasoning")].filter(part => typeof part === "string"),
  );
  const isFree = prices && prices.input === 0 && prices.output === 0;
  const price = isFree ? t("free") : prices && t("{0} / {1} per M", `$${prices.input}`, `$${prices.output}`);
  return [reads && formatTokens(reads), price, can].filter(Boolean).join(" · ");
}
