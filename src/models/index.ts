/**
 * Settings and key → a model that can be asked (ports.Models). OpenAI and every server that speaks its interfaces. The
 * SDK is loaded by the first `connect`, not with this module: it would be a third of the terminal's start.
 */
import { type Hash, type ModelConnection, type Models, NoModelError, type SettingsSource } from "../core/ports";
import { type Address, parseAddress } from "./address";
import { explainFailure } from "./failure";
import { CALL_HEADER, type Call, createFetch, type SendOptions } from "./modelFetch";
import { loadProvider, type Provider } from "./providers";

export { checkConnection } from "./checkConnection";

export interface ModelsOptions {
  settings: SettingsSource;
  /** from SecretStorage or `OPENAI_API_KEY`; undefined: none is set */
  apiKey(): Promise<string | undefined>;
  hash: Hash;
  fetch?: typeof fetch;
}

export function createModels(options: ModelsOptions): Models {
  return {
    async connect(override) {
      const settings = options.settings.get();
      const address = parseAddress(settings);
      const name = (override?.name ?? settings["model.name"]).trim();
      if (!name) throw new NoModelError(noName(address));
      const key = await readKey(options, address);
      const provider = await loadProvider({ address, name, key, reasoning: settings["model.reasoning"] });
      const timeoutMs = settings["model.timeoutSeconds"] * 1000;
      const where = { name, address: address.baseUrl, timeoutMs, key, now: Date.now };
      const fetch: typeof globalThis.fetch = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);
      const open = await modelPerCall(provider, { fetch, hash: options.hash, hasKey: key !== undefined });
      const connection: ModelConnection = {
        name,
        address: address.baseUrl,
        contextWindow: settings["model.contextWindow"],
        ...(settings["model.maxOutputTokens"] > 0 ? { maxOutputTokens: settings["model.maxOutputTokens"] } : {}),
        providerOptions: provider.options,
        timeoutMs,
        open,
        explain: error => explainFailure(error, where),
      };
      return connection;
    },
  };
}

/** One model for all requests; each is marked with the name of its call, by which `fetch` finds who waits for it. */
async function modelPerCall(provider: Provider, options: SendOptions): Promise<ModelConnection["open"]> {
  const { wrapLanguageModel } = await import("ai");
  const waiting = new Map<string, Call>();
  const model = provider.model(
    createFetch(options, name => {
      const call = waiting.get(name ?? "");
      waiting.delete(name ?? "");
      return call;
    }),
  );
  let calls = 0;
  return (beforeSend, onBytes) => {
    const name = String(++calls);
    waiting.set(name, { beforeSend, onBytes });
    return wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: "v4",
        transformParams: async ({ params }) => ({ ...params, headers: { ...params.headers, [CALL_HEADER]: name } }),
      },
    });
  };
}

async function readKey(options: ModelsOptions, address: Address): Promise<string | undefined> {
  const key = (await options.apiKey())?.trim() || undefined;
  if (!key && address.openai) {
    throw new NoModelError(
      `${address.host} answers only with a key and none is set: get one from OpenAI and store it with "Strata: Set API Key" (in a terminal: OPENAI_API_KEY), or set strata.model.baseUrl to a server of your own.`,
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
