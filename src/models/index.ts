/**
 * Settings and key → a model that can be asked (ports.Models), by the table of providers. The SDK is loaded by the first
 * `connect`, not with this module: it would be a third of the terminal's start.
 */
import {
  type Clock,
  type Hash,
  type ModelConnection,
  type Models,
  NoModelError,
  type SettingsSource,
  type ToolRefusals,
} from "../core/ports";
import { defined } from "../shared/defined";
import { isNear } from "../shared/nearAddress";
import { DEFAULT_WINDOW } from "../shared/settings";
import { type Address, keyWarning } from "./address";
import { AutoModel } from "./autoModel";
import { connectEditor, findEditorChat } from "./editorConnection";
import { type EditorModels, TokenCounts } from "./editorModel";
import { explainFailure } from "./failure";
import { askedKeyPlace, type KeyPlace } from "./keyPlace";
import { LeftOut, SentParts } from "./leftOut";
import { ModelCatalog } from "./modelCatalog";
import { isOtherModel, withChoice } from "./modelChoice";
import { compatible } from "./openai";
import { hasMarks, markOf } from "./ownParts";
import { modelPerCall } from "./perCall";
import type { LoadedModel, Provider } from "./provider";
import { findProvider, providers } from "./providers";
import { ServerWindows } from "./serverWindow";
import { ToolProtocol } from "./toolProtocol";
import { WireFits } from "./wireFit";

export { checkConnection } from "./checkConnection";
export { keyPlace } from "./keyPlace";
export { ModelDirectory, modelFacts } from "./modelDirectory";

interface ModelsOptions {
  settings: SettingsSource;
  /** From SecretStorage, or the first of the environment variables that is set; undefined: none is. */
  apiKey(place: KeyPlace): Promise<string | undefined>;
  hash: Hash;
  clock: Pick<Clock, "now">;
  fetch?: typeof fetch;
  /** absent: there is no editor */
  editorModels?: EditorModels;
  /** the host of the proxy that requests to other machines take, for people; absent: none is known */
  proxy?: string | undefined;
  /** absent: which models refuse tools is known as long as the process runs */
  toolRefusals?: ToolRefusals;
  /** others than the house's own, for tests */
  providers?: readonly Provider[];
}

/** Characters that tell forms apart. */
const FORM_HASH = 16;

/** A few characters of an answer come in a frame of some hundred bytes. */
const WIRE = 10;

export function createModels(options: ModelsOptions): Models {
  const now = () => options.clock.now();
  const counts = new TokenCounts(options.hash);
  const protocol = new ToolProtocol(options.clock, options.toolRefusals);
  const auto = new AutoModel(options);
  const refused = new RefusedParts();
  const catalog = new ModelCatalog(options.clock);
  const fits = new WireFits();
  const windows = new ServerWindows(options.clock);
  return {
    async connect(choice) {
      const set = options.settings.get();
      const chosen = withChoice(set, choice);
      const found = chosen["model.name"].trim() ? undefined : await auto.find(chosen);
      const window = chosen["model.contextWindow"];
      const settings = found && "name" in found ? withChoice(chosen, { ...found, contextWindow: window }) : chosen;
      const name = settings["model.name"].trim();
      const chat = await findEditorChat(settings["model.provider"], name, options.editorModels);
      if (chat) return connectEditor(chat, settings, { counts, protocol, fits, now });
      const { provider, address } = findProvider({ ...settings, "model.name": name }, options.providers);
      if (!name) throw new NoModelError(noName(address, provider, found && "why" in found ? found.why : undefined));
      const key = await readKey(options, askedKeyPlace(provider, address, set), address, provider);
      const leftOut = refused.of(name, address);
      const parts = { leftOut, sent: new SentParts() };
      const loaded = await provider.load({ address, name, key, reasoning: settings["model.reasoning"], leftOut });
      const warning = key === undefined ? undefined : keyWarning(address);
      const timeoutMs = settings["model.timeoutSeconds"] * 1000;
      const maxAnswerLength = settings["model.maxAnswerMegabytes"] * 1_000_000;
      const place = { name, baseUrl: address.baseUrl };
      // The setting is of the model that is set: of another at the same server, what is known of that one counts more.
      const ownWindow = choice?.contextWindow ?? (isOtherModel(set, choice) ? 0 : window);
      if ((await catalog.find(place)).capabilities.images === false) leftOut.add("images");
      const where = {
        ...{ name, address: address.baseUrl, timeoutMs, key, now },
        proxy: isNear(new URL(address.baseUrl).hostname) ? undefined : options.proxy,
        keyVariable: provider.keyVariables[0],
        contextSigns: provider.contextSigns,
        ...parts,
      };
      const fetch: typeof globalThis.fetch = (input, init) => (options.fetch ?? globalThis.fetch)(input, init);
      const send = { fetch, hash: options.hash, maxAnswerBytes: WIRE * maxAnswerLength };
      const mark = markOf(address.baseUrl, name);
      const open = await modelPerCall(loaded, { ...send, ...parts, fits, mark });
      const served = !ownWindow && provider === compatible && (await windows.find(place, key));
      const known = served || (await catalog.affordableWindow(place));
      const connection: ModelConnection = {
        name,
        address: address.baseUrl,
        provider: provider.name,
        ...(warning ? { warning } : {}),
        contextWindow: ownWindow || known || window || DEFAULT_WINDOW,
        pricesAt: async at => (await catalog.find(place, options.settings.get()["model.prices"], at)).prices,
        providerOptions: loaded.options,
        ...pick(loaded),
        ...(settings["model.maxOutputTokens"] > 0 ? { maxOutputTokens: settings["model.maxOutputTokens"] } : {}),
        timeoutMs,
        ...{ maxAnswerLength, mark, open },
        ...(leftOut.has("images") ? { seesImages: false } : {}),
        leaveOut: part => leftOut.add(part),
        ...formOf(loaded, { leftOut, mark, hash: options.hash }),
        explain: error => explainFailure(error, where),
      };
      const { takesStop = true } = loaded;
      return protocol.choose(connection, { setting: settings["model.protocol"], takesStop, takesTools: true });
    },
  };
}

/** Where parts of models stand in a request, whose of them stay behind hangs on whom it goes to. */
function formOf(
  { bodyForm }: LoadedModel,
  { leftOut, mark, hash }: { leftOut: LeftOut; mark: string; hash: Hash },
): Pick<ModelConnection, "bodyForm"> {
  if (!bodyForm) return {};
  return {
    bodyForm(messages) {
      const form = [...bodyForm, ...leftOut.names, ...(hasMarks(messages) ? [mark] : [])];
      return hash.sha256(JSON.stringify(form)).slice(0, FORM_HASH);
    },
  };
}

/** What each model's server refused, as long as this process lives. */
class RefusedParts {
  private readonly byModel = new Map<string, LeftOut>();

  of(name: string, { baseUrl }: Address): LeftOut {
    const key = `${baseUrl} ${name}`;
    const parts = this.byModel.get(key) ?? new LeftOut();
    this.byModel.set(key, parts);
    return parts;
  }
}

/** Whether an environment variable holds a provider's key: no command of the agent sees it. */
export function isKeyVariable(name: string): boolean {
  return providers.some(({ keyVariables }) => keyVariables.includes(name.toUpperCase()));
}

async function readKey(
  options: ModelsOptions,
  place: KeyPlace,
  address: Address,
  provider: Provider,
): Promise<string | undefined> {
  const key = (await options.apiKey(place))?.trim() || undefined;
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
    ...defined({ reasoning, cachePoint, reasoningBinding, sessionOption }),
  };
}

function noName({ baseUrl }: Address, { keyVariables: [variable], capabilities }: Provider, why?: string): string {
  const served = capabilities.needsKey ? "" : ` to one that ${baseUrl} serves`;
  const because = why ? ` (${why})` : "";
  return `No model is set up${because}: choose one with "Strata: Choose Model", or set strata.model.name${served} (in a terminal: STRATA_MODEL_NAME and ${variable}; "strata models" lists what can be asked).`;
}
