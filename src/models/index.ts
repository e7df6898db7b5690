/**
 * Settings and key → a model that can be asked (ports.Models), by the table of providers. The SDK is loaded by the first
 * `connect`, not with this module: it would be a third of the terminal's start.
 */
import { type Hash, type ModelConnection, type Models, NoModelError, type SettingsSource } from "../core/ports";
import { DEFAULT_WINDOW } from "../shared/settings";
import { type Address, keyWarning } from "./address";
import { connectEditor, findEditorChat } from "./editorConnection";
import { type EditorModels, TokenCounts } from "./editorModel";
import { explainFailure } from "./failure";
import { ModelCatalog } from "./modelCatalog";
import { modelPerCall } from "./perCall";
import type { LoadedModel, Provider } from "./provider";
import { findProvider, providers } from "./providers";

export { checkConnection } from "./checkConnection";
export { isOfEditor } from "./editorConnection";

interface ModelsOptions {
  settings: SettingsSource;
  /** From SecretStorage, or the first of the environment variables that is set; undefined: none is. */
  apiKey(place: KeyPlace): Promise<string | undefined>;
  hash: Hash;
  fetch?: typeof fetch;
  /** absent: there is no editor */
  editorModels?: EditorModels;
  /** others than the house's own, for tests */
  providers?: readonly Provider[];
}

/** Whose key is meant: each provider has its own at each address. */
interface KeyPlace {
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

/** A few characters of an answer come in a frame of some hundred bytes. */
const WIRE = 10;

export function createModels(options: ModelsOptions): Models {
  const counts = new TokenCounts(options.hash);
  const catalog = new ModelCatalog();
  return {
    async connect(override) {
      const settings = options.settings.get();
      const name = (override?.name ?? settings["model.name"]).trim();
      const chat = await findEditorChat(settings["model.provider"], name, options.editorModels);
      if (chat) return connectEditor(chat, settings, counts);
      const { provider, address } = findProvider({ ...settings, "model.name": name }, options.providers);
      if (!name) throw new NoModelError(noName(address, provider));
      const key = await readKey(options, address, provider);
      const loaded = await provider.load({ address, name, key, reasoning: settings["model.reasoning"] });
      const warning = key === undefined ? undefined : keyWarning(address);
      const timeoutMs = settings["model.timeoutSeconds"] * 1000;
      const maxAnswerLength = settings["model.maxAnswerMegabytes"] * 1_000_000;
      const place = { name, baseUrl: address.baseUrl };
      const where = {
        name,
        address: address.baseUrl,
        timeoutMs,
        key,
        keyVariable: provider.keyVariables[0],
        contextSigns: provider.contextSigns,
        now: Date.now,
      };
      const fetch: typeof globalThis.fetch = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);
      const open = await modelPerCall(loaded, {
        fetch,
        hash: options.hash,
        maxAnswerBytes: WIRE * maxAnswerLength,
      });
      const connection: ModelConnection = {
        name,
        address: address.baseUrl,
        provider: provider.name,
        ...(warning ? { warning } : {}),
        contextWindow: settings["model.contextWindow"] || (await catalog.affordableWindow(place)) || DEFAULT_WINDOW,
        pricesAt: async at => (await catalog.find(place, options.settings.get()["model.prices"], at)).prices,
        providerOptions: loaded.options,
        ...pick(loaded),
        ...(settings["model.maxOutputTokens"] > 0 ? { maxOutputTokens: settings["model.maxOutputTokens"] } : {}),
        timeoutMs,
        maxAnswerLength,
        open,
        explain: error => explainFailure(error, where),
      };
      return connection;
    },
  };
}

/** Whether an environment variable holds a provider's key: no command of the agent sees it. */
export function isKeyVariable(name: string): boolean {
  return providers.some(({ keyVariables }) => keyVariables.includes(name.toUpperCase()));
}

async function readKey(options: ModelsOptions, address: Address, provider: Provider): Promise<string | undefined> {
  const key = (await options.apiKey(keyPlace(provider, address)))?.trim() || undefined;
  if (!key && provider.capabilities.needsKey) {
    throw new NoModelError(
      `${address.host} answers only with a key and none is set: get one from ${provider.title} and store it with "Strata: Set API Key" (in a terminal: ${provider.keyVariables[0]}), or set strata.model.baseUrl to a server of your own.`,
    );
  }
  if (key && !/^[\x21-\x7e]+$/.test(key)) {
    throw new NoModelError(
      "The model's key holds spaces or characters that no key has, as a bad copy does: set it again.",
    );
  }
  return key;
}

/** What a connection takes over as it is. */
function pick(loaded: LoadedModel): Partial<ModelConnection> {
  const { reasoning, cachePoint, reasoningBinding, sessionOption, maxOutputTokens } = loaded;
  return {
    ...(maxOutputTokens ? { maxOutputTokens } : {}),
    ...(reasoning ? { reasoning } : {}),
    ...(cachePoint ? { cachePoint } : {}),
    ...(reasoningBinding ? { reasoningBinding } : {}),
    ...(sessionOption ? { sessionOption } : {}),
  };
}

function noName({ baseUrl }: Address, { title, keyVariables: [variable], capabilities }: Provider): string {
  const served = capabilities.needsKey ? "" : ` to one that ${baseUrl} serves`;
  const key = capabilities.needsKey ? `, and store the key from ${title} with "Strata: Set API Key"` : "";
  return `No model is set up: run "Strata: Choose Model" or set strata.model.name${served}${key} (in a terminal: STRATA_MODEL_NAME and ${variable}); strata.model.baseUrl says where it runs.`;
}
