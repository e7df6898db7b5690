/** What a row of the table of providers says. */
import type { ModelConnection, StreamedModel } from "../core/ground/ports";
import { type OwnProvider, ownProviders, type ProviderFacts } from "../shared/modelProviders";
import type { Settings } from "../shared/settings";
import type { Address } from "./address";
import type { EventKind } from "./events/eventReader";
import type { LeftOut } from "./leftOut";
import type { ModelList } from "./modelList";
import type { CallIds } from "./sdk/prompt";

/** What an interface takes; absent fields are as most have them. */
export interface WireRules {
  ids?: CallIds;
  /** names under which its package keeps its own fields with a part; absent: unknown */
  keys?: readonly string[];
  gemini?: true;
}

/** A model that was loaded. */
export type LoadedModel = Pick<
  ModelConnection,
  "reasoning" | "cachePoint" | "reasoningBinding" | "sessionOption" | "maxOutputTokens"
> & {
  options: ModelConnection["providerOptions"];
  /** false: requests with stop sequences are refused, or these are left out. Absent: it takes them. */
  takesStop?: false;
  /** what its interface takes; absent: as most have it */
  wire?: WireRules;
  /** whose events its answers are made of; absent: of none that are text */
  events?: EventKind;
  model(fetch: typeof globalThis.fetch): StreamedModel;
};

export interface LoadInput {
  address: Address;
  name: string;
  key: string | undefined;
  reasoning: Settings["model.reasoning"];
  /** what its server refused; it may grow */
  leftOut: LeftOut;
}

export interface Provider extends Pick<ProviderFacts, "title" | "keyVariables"> {
  name: ProviderName;
  /** its own, used where `strata.model.baseUrl` names no other than OpenAI's; absent: it has none, or any */
  address?: string;
  /** which is taken where a key is set and no model is named: of the first that fit, the newest by its name */
  preferred?: readonly RegExp[];
  /** names that its models alone have: such a name says whose it is */
  modelNames?: RegExp;
  /** Whether it serves this address; the first row that does is taken. */
  serves(address: Address): boolean;
  load(input: LoadInput): Promise<LoadedModel>;
  /** Its models. Never rejects. */
  listModels(baseUrl: string, key: string | undefined, signal: AbortSignal): Promise<ModelList>;
  /** false: it answers without a key, too */
  needsKey: boolean;
}

/** The last is any server with the common interface. */
export type ProviderName = OwnProvider | "openai-compatible";

export const ownRow = <N extends OwnProvider>(name: N) => ({ name, ...ownProviders[name] });
