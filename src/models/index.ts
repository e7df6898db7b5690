/**
 * Settings and key → a model that can be asked (ports.Models), by the table of providers. The SDK is loaded by the first
 * `connect`, not with this module: it would be a third of the terminal's start.
 */
import { type Hash, type ModelConnection, type Models, NoModelError, type SettingsSource } from "../core/ports";
import { type Address, keyWarning, parseAddress } from "./address";
import { connectEditor, findEditorChat } from "./editorConnection";
import { type EditorModels, TokenCounts } from "./editorModel";
import { explainFailure } from "./failure";
import { modelPerCall } from "./perCall";
import { type Provider, providers } from "./providers";

export { checkConnection } from "./checkConnection";
export { isOfEditor } from "./editorConnection";

interface ModelsOptions {
  settings: SettingsSource;
  /** From SecretStorage, or the environment variable of that name; undefined: none is set. */
  apiKey(keyVariable: string): Promise<string | undefined>;
  hash: Hash;
  fetch?: typeof fetch;
  /** absent: there is no editor */
  editorModels?: EditorModels;
  /** others than the house's own, for tests */
  providers?: readonly Provider[];
}

/** A few characters of an answer come in a frame of some hundred bytes. */
const WIRE = 10;

export function createModels(options: ModelsOptions): Models {
  const counts = new TokenCounts(options.hash);
  return {
    async connect(override) {
      const settings = options.settings.get();
      const name = (override?.name ?? settings["model.name"]).trim();
      const chat = await findEditorChat(settings["model.provider"], name, options.editorModels);
      if (chat) return connectEditor(chat, settings, counts);
      const address = parseAddress(settings);
      if (!name) throw new NoModelError(noName(address));
      const provider = providerFor(address, options.providers);
      const key = await readKey(options, address, provider);
      const loaded = await provider.load({ address, name, key, reasoning: settings["model.reasoning"] });
      const warning = key === undefined ? undefined : keyWarning(address);
      const timeoutMs = settings["model.timeoutSeconds"] * 1000;
      const maxAnswerLength = settings["model.maxAnswerMegabytes"] * 1_000_000;
      const where = {
        name,
        address: address.baseUrl,
        timeoutMs,
        key,
        contextSigns: provider.contextSigns,
        now: Date.now,
      };
      const fetch: typeof globalThis.fetch = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);
      const open = await modelPerCall(loaded, {
        fetch,
        hash: options.hash,
        hasKey: key !== undefined,
        maxAnswerBytes: WIRE * maxAnswerLength,
      });
      const connection: ModelConnection = {
        name,
        address: address.baseUrl,
        ...(warning ? { warning } : {}),
        contextWindow: settings["model.contextWindow"],
        ...(settings["model.maxOutputTokens"] > 0 ? { maxOutputTokens: settings["model.maxOutputTokens"] } : {}),
        providerOptions: loaded.options,
        timeoutMs,
        maxAnswerLength,
        open,
        explain: error => explainFailure(error, where),
      };
      return connection;
    },
  };
}

/** The provider that serves an address. */
export function providerFor(address: Address, among: readonly Provider[] = providers): Provider {
  const provider = among.find(row => row.serves(address));
  if (!provider) throw new NoModelError(`No provider speaks to ${address.baseUrl}: change strata.model.baseUrl.`);
  return provider;
}

/** Whether an environment variable holds a provider's key: no command of the agent sees it. */
export function isKeyVariable(name: string): boolean {
  return providers.some(({ keyVariable }) => keyVariable === name.toUpperCase());
}

async function readKey(
  options: ModelsOptions,
  address: Address,
  { capabilities, keyVariable }: Provider,
): Promise<string | undefined> {
  const key = (await options.apiKey(keyVariable))?.trim() || undefined;
  if (!key && capabilities.needsKey) {
    throw new NoModelError(
      `${address.host} answers only with a key and none is set: get one ${address.openai ? "from OpenAI" : "there"} and store it with "Strata: Set API Key" (in a terminal: ${keyVariable}), or set strata.model.baseUrl to a server of your own.`,
    );
  }
  if (key && !/^[\x21-\x7e]+$/.test(key)) {
    throw new NoModelError(
      "The model's key holds spaces or characters that no key has, as a bad copy does: set it again.",
    );
  }
  return key;
}

function noName({ baseUrl, openai }: Address): string {
  const served = openai ? "" : ` to one that ${baseUrl} serves`;
  const key = openai ? ', and store the key with "Strata: Set API Key"' : "";
  return `No model is set up: run "Strata: Choose Model" or set strata.model.name${served}${key} (in a terminal: STRATA_MODEL_NAME and OPENAI_API_KEY); strata.model.baseUrl says where it runs.`;
}
