/** Models by address and name: what they read, cost and can do. The data (scripts/lib/modelData.mjs) is read when it is first asked for. Absent: unknown. */
import type { WallClock } from "../core/ground/ports";
import { defined } from "../shared/defined";
import type { ModelPrices } from "../shared/messages";
import { ownFacts } from "../shared/modelProviders";
import { isNear } from "../shared/nearAddress";
import { type Settings, settingsSchema } from "../shared/settings";
import modelFamilies from "./modelFamilies.json";

/** Whether it calls tools, is shown pictures, thinks before it answers. */
type Capabilities = { tools?: boolean; images?: boolean; reasoning?: boolean };

type CatalogPlace = { baseUrl: string; name: string };

type PricePeriod =
  | { type: "start_date"; start_date: string }
  | { type: "time_of_date"; start_time: string; end_time: string };

interface ModelData {
  /** pattern of its names in lower case */
  match: string;
  window?: number;
  /** The last that holds counts. */
  prices: (ModelPrices & { when?: PricePeriod })[];
}

interface ProviderData {
  id: string;
  /** pattern of what its addresses begin with */
  address: string;
  /** whose models it serves too */
  others?: string[];
  models: ModelData[];
}

/** Reads the data once, when the first model is asked for. */
export class ModelCatalog {
  #data: Promise<ProviderData[]> | undefined;

  constructor(private readonly clock: WallClock) {}

  /** Its window without a setting: up to where a request becomes dearer as a whole. undefined: unknown. */
  async affordableWindow(place: CatalogPlace): Promise<number | undefined> {
    const { contextWindow, prices } = await this.find(place);
    if (contextWindow === undefined) return undefined;
    return Math.min(contextWindow, ...(prices?.dearer ?? []).map(({ above }) => above));
  }

  /** Unknown fields are absent. @param prices the person's own, by the name of the model: they count more than the data */
  async find(place: CatalogPlace, prices: Settings["model.prices"] = {}, at = new Date(this.clock.now())) {
    this.#data ??= import("#model-data").then(({ default: json }) => JSON.parse(json) as ProviderData[]);
    const data = await this.#data;
    const name = place.name
      .trim()
      .replace(/^models\//, "")
      .toLowerCase();
    const isOwnServer = isNear(new URL(place.baseUrl).hostname);
    const provider = data.find(({ address }) => new RegExp(`^(?:${address})`).test(place.baseUrl));
    const model = provider && findModel(provider, name, data);
    const own = prices[place.name.trim()];
    const served = isOwnServer ? pricesHere(name) : model && pricesAt(model, at);
    const known = own ? { ...own, dearer: [] } : served;
    // A server of one's own reads what it was started with, not what the model could.
    const { window: familyWindow, can: capabilities = {} } = families.find(family => fits(family, name)) ?? {};
    const contextWindow = isOwnServer ? undefined : (readable(name, model?.window) ?? familyWindow);
    return { ...defined({ contextWindow, prices: known }), capabilities };
  }
}

const FREE: ModelPrices = { input: 0, output: 0, dearer: [] };
/** On a server near by; undefined: unknown. Some only their makers run: a server that has them passes requests on, for money. */
const pricesHere = (name: string) => (ownFacts.some(({ makes }) => makes?.test(name)) ? undefined : FREE);

function findModel(provider: ProviderData, name: string, all: readonly ProviderData[]): ModelData | undefined {
  const own = provider.models.find(model => fits(model, name));
  if (own || !provider.others) return own;
  const others = all.filter(({ id }) => provider.others?.includes(id));
  return others.flatMap(({ models }) => models).find(model => fits(model, name));
}

/** @param name in lower case */
const fits = ({ match }: { match: string }, name: string): boolean => new RegExp(match).test(name);

function pricesAt({ prices }: ModelData, at: Date): ModelPrices | undefined {
  const row = prices.findLast(({ when }) => holds(when, at));
  if (!row) return undefined;
  const { when: _, ...held } = row;
  return held;
}

function holds(when: PricePeriod | undefined, at: Date): boolean {
  if (!when) return true;
  const iso = at.toISOString();
  if (when.type === "start_date") return iso.slice(0, 10) >= when.start_date;
  // "00:30:00Z": by the clock of UTC, perhaps over midnight
  const now = iso.slice(11, 19);
  const [start, end] = [when.start_time.slice(0, 8), when.end_time.slice(0, 8)];
  return start <= end ? now >= start && now < end : now >= start || now < end;
}

/** A window that answers share: OpenAI's own 400,000 are 272,000 to read and 128,000 to write. */
const readable = (name: string, window: number | undefined): number | undefined =>
  /\bgpt-5/.test(name) && window === 400_000 ? 272_000 : window;

/** What requests to well-known families may have, and what they can. The first that fits counts; another is asked for: a wrong size costs more than a question. */
const families: readonly { match: string; window?: number; can?: Capabilities }[] = modelFamilies;

const units: Record<string, number> = { k: 1000, m: 1_000_000 };

/** `128k`, `1M`, `200,000`; undefined: no size that a window can have */
export function tokensWritten(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d[\d.,_ ]*)([km]?)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const factor = units[unit.toLowerCase()] ?? 1;
  return usableWindow(Math.round(Number(digits.replaceAll(factor === 1 ? /[.,_ ]/g : /[,_ ]/g, "")) * factor));
}

/** undefined: the setting takes no such size */
export const usableWindow = (tokens: unknown): number | undefined =>
  settingsSchema.shape["model.contextWindow"].safeParse(tokens).data || undefined;
