/**
 * Which model is meant, where it is not the one of the settings: names that say whose model it is. `anthropic:claude-…` is
 * Anthropic's whatever the settings say of the server; a name alone is of the provider that is set. Pure.
 */
import type { ModelChoice } from "../core/ports";
import { defined } from "../shared/defined";
import { type Settings, settingsSchema } from "../shared/settings";
import { type ModelSource, readModelName } from "../shared/settingValues";
import { isDefaultAddress } from "./address";

/** Servers that run on this machine: where they are, unless somebody changed it. */
export const localServers = [
  { source: "ollama", title: "Ollama", baseUrl: "http://localhost:11434/v1" },
  { source: "lmstudio", title: "LM Studio", baseUrl: "http://localhost:1234/v1" },
] as const;

const defaults = settingsSchema.parse({});

export const writeModelName = (source: ModelSource, name: string): string => `${source}:${name}`;

/** Whether it names another model than the one that is set. */
export const isOtherModel = (set: Pick<Settings, "model.name">, { name }: ModelChoice = {}): boolean =>
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
  const [, source, name] = /^(openai|anthropic|google|bedrock)\/(.+)$/.exec(settings["model.name"]) ?? [];
  return source && name ? { source: source as ModelSource, name } : undefined;
}

type Place = Pick<Settings, "model.provider" | "model.baseUrl" | "model.api">;

function placeOf(source: ModelSource, set: Settings): Partial<Place> {
  const own = { "model.baseUrl": defaults["model.baseUrl"], "model.api": defaults["model.api"] };
  const local = localServers.find(server => server.source === source);
  if (local) return { ...own, "model.provider": "server", "model.baseUrl": local.baseUrl };
  if (source === "openai") return { ...own, "model.provider": "server" };
  const provider = source as Settings["model.provider"];
  if (provider === "server" || provider === set["model.provider"]) return { "model.provider": provider };
  return { ...own, "model.provider": provider };
}
