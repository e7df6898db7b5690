/** What can be asked, with what is known of it: for lists that a person chooses from. */
import type { SettingsSource, WallClock } from "../core/ground/ports";
import { formatTokens, inARow } from "../shared/format";
import { t } from "../shared/l10n";
import { readModelName } from "../shared/settingValues";
import type { ModelPrices } from "../shared/tokenPrices";
import { ModelCatalog, usableWindow } from "./modelCatalog";
import { findOffers, type ModelOffer, type ModelOffersDeps, type OfferedModel } from "./offers";

/** What is absent nobody knows. */
export interface DescribedModel extends OfferedModel {
  /** tokens that it can read; `contextWindow` has them where only its server says so */
  reads?: number;
  prices?: ModelPrices;
  tools?: boolean;
  images?: boolean;
  reasoning?: boolean;
}

interface DirectoryDeps extends ModelOffersDeps {
  settings: SettingsSource;
  clock: WallClock;
}

export class ModelDirectory {
  private readonly catalog: ModelCatalog;

  constructor(private readonly deps: DirectoryDeps) {
    this.catalog = new ModelCatalog(deps.clock);
  }

  /** Whose models can be asked; each is asked for them by its `list`. */
  offers(): Promise<ModelOffer[]> {
    return findOffers(this.deps.settings.get(), this.deps);
  }

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
    const { baseUrl, seesImages } = model;
    const images = seesImages === undefined ? {} : { images: seesImages };
    const reads = (tokens: number | undefined) => (tokens === undefined ? {} : { reads: tokens });
    if (baseUrl === undefined) return { ...model, tools: true, ...images, ...reads(model.contextWindow) };
    const name = readModelName(model.name)?.name ?? model.name;
    const known = await this.catalog.find({ baseUrl, name }, this.deps.settings.get()["model.prices"]);
    const { capabilities, prices } = known;
    const { contextWindow: said, ...rest } = model;
    const contextWindow = said === undefined ? undefined : usableWindow(said);
    return {
      ...rest,
      ...capabilities,
      ...images,
      ...reads(contextWindow ?? known.contextWindow),
      // What the catalogue knows is asked of it each time: it also knows up to where a request is cheaper.
      ...(contextWindow === undefined || known.contextWindow !== undefined ? {} : { contextWindow }),
      ...(prices === undefined ? {} : { prices }),
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
