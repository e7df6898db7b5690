/** The table of providers, the last of which serves every address. Their packages are loaded when they are needed: together they take longer than a start may. */
import { NoModelError } from "../core/ground/ports";
import { t } from "../shared/l10n";
import { type OwnProvider, ownProviderNames } from "../shared/modelProviders";
import type { Settings } from "../shared/settings";
import { type Address, completeAddress, isDefaultAddress, parseAddress } from "./address";
import { anthropic } from "./anthropic";
import { bedrock } from "./bedrock";
import { google } from "./google";
import { compatible, openai } from "./openai";
import type { Provider, ProviderName } from "./provider";

const rows: Record<OwnProvider, Provider> = { openai, anthropic, google, bedrock };

export const providers: readonly Provider[] = [...ownProviderNames.map(name => rows[name]), compatible];

type ModelSettings = Pick<Settings, "model.provider" | "model.baseUrl" | "model.api" | "model.name">;

/** Whose interface is spoken, and where: the provider that is set, else the one of such names, else the one of the address. Throws NoModelError. */
export function findProvider(settings: ModelSettings, among: readonly Provider[] = providers) {
  const { "model.provider": whose, "model.name": name } = settings;
  const isDefault = isDefaultAddress(settings);
  const byName = whose === "auto" && isDefault ? among.find(row => row.modelNames?.test(name.trim())) : undefined;
  const chosen = among.find(row => row.name === whose) ?? byName;
  const own = isDefault ? chosen?.address : undefined;
  const address = parseAddress(own === undefined ? settings : { ...settings, "model.baseUrl": own });
  const provider = chosen ?? among.find(row => row.serves(address));
  if (!provider) throw new NoModelError(t("No provider speaks to {0}.", address.host));
  return { provider, address };
}

export interface KeyPlace {
  provider: ProviderName;
  /** with its port, where it has one */
  host: string;
  /** environment variables; none: only a key that was stored for this very place is sent there */
  variables: readonly string[];
}

export const keyPlace = (provider: Provider, address: { host: string }): KeyPlace => ({
  provider: provider.name,
  host: address.host,
  variables: provider.keyVariables,
});

/** A variable's key is meant for its provider's own address and for the one that is set, not for a server that a name leads to or that was found on this machine. */
export function askedKeyPlace(provider: Provider, address: Address, set: Settings): KeyPlace {
  const place = keyPlace(provider, address);
  const written = completeAddress(set["model.baseUrl"]);
  const isSet = URL.canParse(written) && new URL(written).host === address.host;
  return provider.address || isSet ? place : { ...place, variables: [] };
}
