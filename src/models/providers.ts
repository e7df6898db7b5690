/**
 * The table of providers: adding one is a row above the last, which serves every address, and, where it has a package, its
 * import in `load`. Packages are loaded when they are needed: together they take longer than a start may.
 */
import { NoModelError } from "../core/ports";
import type { Settings } from "../shared/settings";
import { type Address, isDefaultAddress, parseAddress } from "./address";
import { anthropic } from "./anthropic";
import { bedrock } from "./bedrock";
import { google } from "./google";
import { compatible, openai } from "./openai";
import type { Provider } from "./provider";

export const providers: readonly Provider[] = [openai, anthropic, google, bedrock, compatible];

type ModelSettings = Pick<Settings, "model.provider" | "model.baseUrl" | "model.api" | "model.name">;

/**
 * Whose interface is spoken, and where: the provider that is set, else the one whose models have such names, else the one
 * that serves the address. Throws NoModelError.
 */
export function findProvider(
  settings: ModelSettings,
  among: readonly Provider[] = providers,
): { provider: Provider; address: Address } {
  const { "model.provider": whose, "model.name": name } = settings;
  const isDefault = isDefaultAddress(settings);
  const byName = whose === "auto" && isDefault ? among.find(row => row.modelNames?.test(name.trim())) : undefined;
  const chosen = among.find(row => row.name === whose) ?? byName;
  const own = isDefault ? chosen?.ownAddress?.baseUrl : undefined;
  const address = parseAddress(own === undefined ? settings : { ...settings, "model.baseUrl": own });
  const provider = chosen ?? among.find(row => row.serves(address));
  if (!provider) throw new NoModelError(`No provider speaks to ${address.baseUrl}: change strata.model.baseUrl.`);
  return { provider, address };
}
