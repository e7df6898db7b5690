/** Whose key is meant: each provider has its own at each address. */
import type { Settings } from "../shared/settings";
import { type Address, completeAddress } from "./address";
import type { Provider, ProviderName } from "./provider";

export interface KeyPlace {
  provider: ProviderName;
  /** with its port, where it has one */
  host: string;
  /** environment variables; none: only a key that was stored for this very place is sent there */
  variables: readonly string[];
}

export const keyPlace = (provider: Provider, address: Pick<Address, "host">): KeyPlace => ({
  provider: provider.name,
  host: address.host,
  variables: provider.keyVariables,
});

/**
 * Of a model that is asked: a variable's key is meant for its provider's own address and for the one that is set, not for a
 * server that a name leads to or that was found on this machine.
 */
export function askedKeyPlace(provider: Provider, address: Address, set: Settings): KeyPlace {
  const place = keyPlace(provider, address);
  const written = completeAddress(set["model.baseUrl"]);
  const isSet = URL.canParse(written) && new URL(written).host === address.host;
  return provider.ownAddress || isSet ? place : { ...place, variables: [] };
}
