/** Which model answers where none is named: one whose key or address is set, else VS Code's first, else a local server's. */
import type { Settings } from "../shared/settings";
import { isForText } from "./modelList";
import { findOffers, type ModelOffer, type OfferedModel, type OffersDeps } from "./offers";

export class AutoModel {
  /** Lists of providers that are paid for, by address: asked once. */
  readonly #lists = new Map<string, OfferedModel[]>();

  constructor(private readonly deps: OffersDeps) {}

  /** Its name with whose it is; `why`: none can be taken, as the beginning of a sentence. */
  async find(settings: Settings): Promise<{ name: string } | { why: string | undefined }> {
    const whose = settings["model.provider"];
    const offers = await findOffers(settings, this.deps);
    let why: string | undefined;
    for (const offer of offers.filter(({ source }) => whose === "auto" || source === whose)) {
      const models = await this.list(offer);
      const chosen = typeof models === "string" ? undefined : choose(offer, models);
      if (chosen) return { name: chosen.name };
      if (offer.kind === "configured") why ??= typeof models === "string" ? models : several(offer, models);
    }
    return { why };
  }

  private async list(offer: ModelOffer): Promise<OfferedModel[] | string> {
    if (offer.kind !== "configured" || !offer.baseUrl) return offer.list(new AbortController().signal);
    const known = this.#lists.get(offer.baseUrl);
    if (known) return known;
    const models = await offer.list(new AbortController().signal);
    if (typeof models !== "string") this.#lists.set(offer.baseUrl, models);
    return models;
  }
}

/** Of a server whose models say nothing of themselves the only one, or, on this machine, the first. */
function choose({ kind, provider }: ModelOffer, models: readonly OfferedModel[]): OfferedModel | undefined {
  const [first, ...more] = kind === "editor" ? models : models.filter(({ title }) => isForText(title));
  const preferred = kind === "configured" ? (provider?.ownAddress?.preferred ?? []) : [];
  for (const pattern of preferred) {
    const fitting = models.filter(({ title }) => pattern.test(title)).sort(byVersion);
    if (fitting.length > 0) return fitting.at(-1);
  }
  return kind !== "configured" || more.length === 0 ? first : undefined;
}

/** A name without a date comes after those with one. */
const byVersion = (one: OfferedModel, other: OfferedModel) =>
  one.title.localeCompare(other.title, "en", { numeric: true });

const several = ({ title }: ModelOffer, { length }: readonly OfferedModel[]) =>
  length === 0 ? `${title} has no models` : `${title} has ${length} models, and none is chosen`;
