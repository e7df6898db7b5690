/** Whose key is meant: each provider has its own at each address. */
import type { Address } from "./address";
import type { Provider } from "./provider";

export interface KeyPlace {
  provider: string;
  /** with its port, where it has one */
  host: string;
  /** environment variables */
  variables: readonly string[];
}

export const keyPlace = (
  provider: Pick<Provider, "name" | "keyVariables">,
  address: Pick<Address, "host">,
): KeyPlace => ({
  provider: provider.name,
  host: address.host,
  variables: provider.keyVariables,
});
