/**
 * Which model is meant, where it is not the one of the settings: names that say whose model it is. `anthropic:claude-…` is
 * Anthropic's whatever the settings say of the server; a name alone is of the provider that is set. Pure.
 */
import type { ModelChoice } from "../core/ground/ports";
import { defined } from "../shared/defined";
import { COMMON, isLocalServer, isOwnProvider, localServers } from "../shared/modelProviders";
import type { Settings } from "../shared/settings";
import { type ModelSource, readModelName } from "../shared/settingValues";
import { defaultSettings, isDefaultAddress } from "./address";

export const writeModelName = (source: ModelSource, name: string): string => `${source}:${name}`;

/** Whether it names another model than the one that is set. */
export const isOtherModel = (set: Settings, { name }: ModelChoice = {}): boolean =>
  name !== undefined && name.trim() !== set["model.name"].trim();

/**
 * The settings with which a choice is asked. A provider other than the one that is set is asked at its own address: the one
 * that is set is another server's.
 */
export function withChoice(set: Settings, choice: ModelChoice = {}): Settings {
  const { name, reasoning, contextWindow } = choice;
  // The window that is set is that of the server that is set.
  const isElsewhere = isOtherModel(set, choice) && readModelName(name ?? "") !== undefined;
  const window = contextWindow ?? (isElsewhere ? 0 : undefined);
  const settings = {
    ...set,
    ...(name === undefined ? {} : { "model.name": name.trim() }),
    ...defined({ "model.reasoning": reasoning, "model.contextWindow": window }),
  };
  const named = readModelName(settings["model.name"]) ?? readSlashed(settings);
  return named ? { ...settings, ...placeOf(named.source, set), "model.name": named.name } : settings;
}

/** `anthropic/claude-…`: gateways have such names, OpenAI has none. */
function readSlashed(settings: Settings): ReturnType<typeof readModelName> {
  if (settings["model.provider"] !== "auto" || !isDefaultAddress(settings)) return undefined;
  const [, source, name] = /^([a-z]+)\/(.+)$/.exec(settings["model.name"]) ?? [];
  return isOwnProvider(source) && name ? { source, name } : undefined;
}

function placeOf(source: ModelSource, set: Settings): Partial<Settings> {
  const own = { "model.baseUrl": defaultSettings["model.baseUrl"], "model.api": defaultSettings["model.api"] };
  if (isLocalServer(source))
    return { ...own, "model.provider": "server", "model.baseUrl": localServers[source].address };
  if (source === COMMON) return { ...own, "model.provider": "server" };
  if (source === "server" || source === set["model.provider"]) return { "model.provider": source };
  return { ...own, "model.provider": source };
}
