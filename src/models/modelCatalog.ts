/**
 * What is known of models by their provider's address and their name: what they read, what they cost, what they can do. The
 * data comes with the product (scripts/lib/modelData.mjs) and is read when it is first asked for. What nobody knows is absent.
 */

import type { WallClock } from "../core/ground/ports";
import { defined } from "../shared/defined";
import type { ModelPrices, TokenPrices } from "../shared/messages";
import { ownFacts } from "../shared/modelProviders";
import { isNear } from "../shared/nearAddress";
import { type Settings, settingsSchema } from "../shared/settings";

interface KnownModel {
  /** tokens that a request may have */
  contextWindow?: number;
  /** absent: nobody knows them; all 0: it runs on a server of one's own */
  prices?: ModelPrices;
  capabilities: Capabilities;
}

/** Whether it calls tools, is shown pictures, thinks before it answers. */
interface Capabilities {
  tools?: boolean;
  images?: boolean;
  reasoning?: boolean;
}

interface CatalogPlace {
  /** where requests go: `https://api.openai.com/v1` */
  baseUrl: string;
  /** as the server knows it */
  name: string;
}

type Match =
  | { or: Match[] }
  | { and: Match[] }
  | { equals: string }
  | { starts_with: string }
  | { ends_with: string }
  | { contains: string }
  | { regex: string };

/** One price, or one that changes for the whole of a request with more input than `start`. */
type Price = number | { base: number; tiers: { start: number; price: number }[] };

type PricePeriod =
  | { type: "start_date"; start_date: string }
  | { type: "time_of_date"; start_time: string; end_time: string };

type PriceRow = Record<"input" | "output", Price> & Partial<Record<"cachedInput" | "cacheWrite", Price>>;

interface ModelData {
  match: Match;
  window?: number;
  /** The last that holds counts. */
  prices: (PriceRow & { when?: PricePeriod })[];
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

  /** Its window where nobody set one: up to where a request becomes dearer as a whole. undefined: nobody knows it. */
  async affordableWindow(place: CatalogPlace): Promise<number | undefined> {
    const { contextWindow, prices } = await this.find(place);
    if (contextWindow === undefined) return undefined;
    return Math.min(contextWindow, ...(prices?.dearer ?? []).map(({ above }) => above));
  }

  /** @param prices the person's own, by the name of the model: they count more than what is known */
  async find(
    place: CatalogPlace,
    prices: Settings["model.prices"] = {},
    at = new Date(this.clock.now()),
  ): Promise<KnownModel> {
    this.#data ??= read();
    const data = await this.#data;
    const name = place.name
      .trim()
      .replace(/^models\//, "")
      .toLowerCase();
    const { hostname } = new URL(place.baseUrl);
    const isOwnServer = isNear(hostname);
    const provider = data.find(({ address }) => new RegExp(`^(?:${address})`).test(place.baseUrl));
    const model = provider && findModel(provider, name, data);
    const own = prices[place.name.trim()];
    const served = isOwnServer ? pricesHere(name) : model && pricesAt(model, at);
    const known = own ? { ...own, dearer: [] } : served;
    // A server of one's own reads what it was started with, whatever the model could.
    const contextWindow = isOwnServer ? undefined : (readable(name, model?.window) ?? familyWindow(name));
    return {
      ...defined({ contextWindow, prices: known }),
      capabilities: capabilitiesOf(name),
    };
  }
}

async function read(): Promise<ProviderData[]> {
  const { default: json } = await import("#model-data");
  return JSON.parse(json) as ProviderData[];
}

const FREE: ModelPrices = { input: 0, output: 0, dearer: [] };
/** Nobody runs these themselves: a server near by that has them passes requests on, and somebody is paid. */
const isMadeElsewhere = (name: string) => ownFacts.some(({ makes }) => makes?.test(name));

/** Of a server on this machine or in one's own network; undefined: nobody knows. */
const pricesHere = (name: string): ModelPrices | undefined => (isMadeElsewhere(name) ? undefined : FREE);

function findModel(provider: ProviderData, name: string, all: readonly ProviderData[]): ModelData | undefined {
  const own = provider.models.find(({ match }) => fits(match, name));
  if (own || !provider.others) return own;
  const others = all.filter(({ id }) => provider.others?.includes(id));
  return others.flatMap(({ models }) => models).find(({ match }) => fits(match, name));
}

/** @param name in lower case */
function fits(match: Match, name: string): boolean {
  if ("or" in match) return match.or.some(each => fits(each, name));
  if ("and" in match) return match.and.every(each => fits(each, name));
  if ("equals" in match) return name === match.equals.toLowerCase();
  if ("starts_with" in match) return name.startsWith(match.starts_with.toLowerCase());
  if ("ends_with" in match) return name.endsWith(match.ends_with.toLowerCase());
  if ("contains" in match) return name.includes(match.contains.toLowerCase());
  return new RegExp(match.regex).test(name);
}

function pricesAt({ prices }: ModelData, at: Date): ModelPrices | undefined {
  const row = prices.findLast(({ when }) => holds(when, at));
  if (!row) return undefined;
  const starts = new Set(
    Object.values(row).flatMap(price => (isTiered(price) ? price.tiers.map(tier => tier.start) : [])),
  );
  const dearer = [...starts].sort((one, other) => one - other).map(above => ({ above, ...pricesOf(row, above + 1) }));
  return { ...pricesOf(row, 0), dearer };
}

const isTiered = (price: unknown): price is Exclude<Price, number> =>
  typeof price === "object" && price !== null && "tiers" in price;

function pricesOf({ input, output, cachedInput, cacheWrite }: PriceRow, tokens: number): TokenPrices {
  const of = (price: Price) =>
    isTiered(price) ? (price.tiers.findLast(({ start }) => tokens > start)?.price ?? price.base) : price;
  return {
    input: of(input),
    output: of(output),
    ...(cachedInput === undefined ? {} : { cachedInput: of(cachedInput) }),
    ...(cacheWrite === undefined ? {} : { cacheWrite: of(cacheWrite) }),
  };
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
function readable(name: string, window: number | undefined): number | undefined {
  return /\bgpt-5/.test(name) && window === 400_000 ? 272_000 : window;
}

/** What whole families can, as their makers say; the first that fits the name counts. */
const families: readonly [RegExp, Capabilities][] = [
  [/\bclaude-(?:3-5|3\.5|3-opus|3-haiku)/, { tools: true, images: true, reasoning: false }],
  [/\bclaude-/, { tools: true, images: true, reasoning: true }],
  [/\bgpt-4o\b|\bgpt-4\.1\b/, { tools: true, images: true, reasoning: false }],
  [/\bgpt-oss/, { tools: true, images: false, reasoning: true }],
  [/\bgpt-[5-9]|\bo[34](?:-|$)/, { tools: true, images: true, reasoning: true }],
  [/\bgemini-(?:2\.5|[3-9])/, { tools: true, images: true, reasoning: true }],
  [/\bdeepseek-(?:chat|v3)/, { tools: true, images: false, reasoning: false }],
  [/\bgrok-4/, { tools: true, images: true, reasoning: true }],
];

const capabilitiesOf = (name: string): Capabilities => families.find(([family]) => family.test(name))?.[1] ?? {};

/** How much well-known models read, in tokens: what fits into a request. The first that fits the name counts. A name that is not here is asked for: a wrong size costs more than a question. */
const windows: readonly [RegExp, number][] = [
  [/\bgpt-4\.1\b/, 1_047_576],
  [/\bgpt-5/, 272_000],
  [/\bgpt-4o\b|\bgpt-4-turbo\b/, 128_000],
  [/\bgpt-oss\b/, 131_072],
  [/\bo[134](?:-mini|-pro)?\b/, 200_000],
  [/\bclaude-/, 200_000],
  [/\bgemini-[23]/, 1_048_576],
  [/\bgrok-(?:4|code)/, 256_000],
  [/\bdeepseek-(?:chat|reasoner|v3|r1)/, 128_000],
  [/\bkimi-k2/, 131_072],
  [/\bqwen3-coder\b/, 262_144],
  [/\bglm-4\.[67]\b/, 200_000],
  [/\bglm-4\.5\b/, 128_000],
  [/\bllama-?3\.[123]\b|\bllama-?4\b|\bmistral-large\b|\bdevstral\b|\bmistral-medium\b/, 128_000],
];

const familyWindow = (name: string) => windows.find(([family]) => family.test(name))?.[1];

const units: Record<string, number> = { k: 1000, m: 1_000_000 };

/** `128k`, `1M`, `200,000`; undefined: no size that a window can have */
export function tokensWritten(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d[\d.,_ ]*)([km]?)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const factor = units[unit.toLowerCase()] ?? 1;
  return usableWindow(Math.round(Number(digits.replaceAll(factor === 1 ? /[.,_ ]/g : /[,_ ]/g, "")) * factor));
}

/** undefined: the setting takes no such size */
export function usableWindow(tokens: unknown): number | undefined {
  return settingsSchema.shape["model.contextWindow"].safeParse(tokens).data || undefined;
}
