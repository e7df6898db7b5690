/** Settings and key → a model that can be asked, by the table of providers. The first `connect` loads the SDK: it is a third of the terminal's start. */
import type {
  Hash,
  ModelConnection,
  ModelFailure,
  Models,
  SettingsSource,
  Stopwatch,
  WallClock,
} from "../core/ground/ports";
import { AnswerError, NoModelError } from "../core/ground/ports";
import { untilAborted } from "../shared/async";
import { defined } from "../shared/defined";
import { formatDuration } from "../shared/format";
import { plural, t } from "../shared/l10n";
import { hostOf, isNear } from "../shared/nearAddress";
import { DEFAULT_WINDOW, type Settings } from "../shared/settings";
import { type Address, isOtherModel, keyWarning, withChoice } from "./address";
import { type EditorChat, type EditorModels, editorModel } from "./editorModel";
import { explainFailure } from "./failure";
import { LeftOut } from "./leftOut";
import { ModelCatalog } from "./modelCatalog";
import type { HttpSend } from "./modelFetch";
import { isForText } from "./modelList";
import { findOffers, type ModelOffer, type ModelOffersDeps, type OfferedModel } from "./offers";
import { compatible } from "./openai";
import { directModelPerCall, modelPerCall, WireFits } from "./perCall";
import type { Provider } from "./provider";
import { askedKeyPlace, findProvider, type KeyPlace, providers } from "./providers";
import { ToolProtocol } from "./react/protocol";
import { markOf } from "./sdk/prompt";
import { ServerWindows } from "./serverWindow";

export { type DescribedModel, ModelDirectory, modelFacts } from "./offers";
export { keyPlace } from "./providers";

interface ModelsOptions {
  settings: SettingsSource;
  /** From SecretStorage, or the first of the environment variables that is set; undefined: none is. */
  apiKey(place: KeyPlace): Promise<string | undefined>;
  hash: Hash;
  clock: WallClock;
  /** @param waitMs how long an answer is waited for now; absent: as long as `fetch` waits. The global one sends where this is absent. */
  fetch?: (waitMs?: () => number) => HttpSend;
  editorModels?: EditorModels;
  /** the host of the proxy that requests to other machines take, for people; absent: none is known */
  proxy?: string | undefined;
  /** the file of NODE_EXTRA_CA_CERTS, where it is not there */
  lostCertificates?: string | undefined;
  /** others than the house's own, for tests */
  providers?: readonly Provider[];
}

/** A few characters of an answer come in a frame of some hundred bytes. */
const WIRE = 10;

export function createModels(options: ModelsOptions): Models {
  const now = () => options.clock.now();
  const protocol = new ToolProtocol();
  const auto = new AutoModel(options);
  /** what each model's server refused, as long as this process lives */
  const refused = new Map<string, LeftOut["refused"]>();
  const catalog = new ModelCatalog(options.clock);
  const fits = new WireFits();
  const { clock, fetch: sender = globalFetch } = options;
  const windows = new ServerWindows(clock, sender());
  return {
    async connect(choice) {
      const set = options.settings.get();
      const chosen = withChoice(set, choice);
      const found = chosen["model.name"].trim() ? undefined : await auto.find(chosen);
      const window = chosen["model.contextWindow"];
      const settings = found && "name" in found ? withChoice(chosen, { ...found, contextWindow: window }) : chosen;
      const name = settings["model.name"].trim();
      const chat = await findEditorChat(settings["model.provider"], name, options.editorModels);
      if (chat) return connectEditor(chat, settings, { protocol, fits, now });
      const { provider, address } = findProvider({ ...settings, "model.name": name }, options.providers);
      const why = found && "why" in found ? found.why : undefined;
      if (!name)
        throw new NoModelError(why ? t("No model yet: {0}. Choose one.", why) : t("No model yet. Choose one."));
      const key = await readKey(options, askedKeyPlace(provider, address, set), address, provider);
      const modelKey = `${address.baseUrl} ${name}`;
      const leftOut = new LeftOut(refused.get(modelKey));
      refused.set(modelKey, leftOut.refused);
      const loaded = await provider.load({ address, name, key, reasoning: settings["model.reasoning"], leftOut });
      const { options: providerOptions, takesStop = true, wire: _, events: __, model: ___, ...own } = loaded;
      const warning = key === undefined ? undefined : keyWarning(address);
      const timeoutMs = settings["model.timeoutSeconds"] * 1000;
      const maxAnswerLength = settings["model.maxAnswerMegabytes"] * 1_000_000;
      const place = { name, baseUrl: address.baseUrl, key };
      // The setting means the set model: for another one at the same server its known window counts more.
      const ownWindow = choice?.contextWindow ?? (isOtherModel(set, choice) ? 0 : window);
      if ((await catalog.find(place)).capabilities.images === false) leftOut.add("images");
      const where = {
        ...{ name, address: address.baseUrl, timeoutMs, key, now },
        proxy: isNear(new URL(address.baseUrl).hostname) ? undefined : options.proxy,
        lostCertificates: options.lostCertificates,
        leftOut,
      };
      const send = { fetch: sender(() => timeoutMs), hash: options.hash, maxAnswerBytes: WIRE * maxAnswerLength };
      const mark = markOf(address.baseUrl, name);
      const open = modelPerCall(loaded, { ...send, leftOut, fits, mark });
      const learnWindow = !ownWindow && provider === compatible ? () => windows.find(place) : undefined;
      const known = (learnWindow && windows.known(place)) || (await catalog.affordableWindow(place));
      const connection: ModelConnection = {
        ...{ name, address: address.baseUrl, provider: provider.name },
        ...{ providerOptions, timeoutMs, maxAnswerLength, mark },
        ...defined({ warning: warning || undefined, ...own }),
        contextWindow: ownWindow || known || window || DEFAULT_WINDOW,
        ...(ownWindow || known || window ? {} : { isWindowGuessed: true }),
        pricesAt: async at => (await catalog.find(place, options.settings.get()["model.prices"], at)).prices,
        ...(settings["model.maxOutputTokens"] > 0 ? { maxOutputTokens: settings["model.maxOutputTokens"] } : {}),
        ...(learnWindow ? { learnWindow, open: askingBeside(open, learnWindow) } : { open }),
        ...(leftOut.has("images") ? { seesImages: false } : {}),
        leaveOut: part => leftOut.add(part),
        explain: (error, silentMs = timeoutMs) => explainFailure(error, { ...where, timeoutMs: silentMs }),
      };
      return protocol.choose(connection, { setting: settings["model.protocol"], takesStop, takesTools: true });
    },
  };
}

/** Looked up with each request: VS Code puts its own there when that is ready. */
const globalFetch = (): HttpSend => (url, request) => fetch(url, request);

/** The server is asked while it answers: no request waits for that which needs no window. */
const askingBeside =
  (open: ModelConnection["open"], ask: () => Promise<unknown>): ModelConnection["open"] =>
  (beforeSend, onBytes) => {
    let isAsked = false;
    return open(beforeSend, () => {
      if (!isAsked) void ask();
      isAsked = true;
      onBytes?.();
    });
  };

/** Whether an environment variable holds a provider's key: no command of the agent sees it. */
export const isKeyVariable = (name: string): boolean =>
  providers.some(({ keyVariables }) => keyVariables.includes(name.toUpperCase()));

async function readKey(options: ModelsOptions, place: KeyPlace, address: Address, provider: Provider) {
  const key = (await options.apiKey(place))?.trim() || undefined;
  if (!key && provider.needsKey) throw new NoModelError(t("{0} needs an API key.", address.host));
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new NoModelError(
      t("The API key has spaces or characters that no key has, as after a bad copy. Set it again."),
    );
  return key;
}

/** Which model answers where none is named: one whose key or address is set, else VS Code's first, else a local server's. */
class AutoModel {
  /** Lists of providers that are paid for, by address: asked once. */
  readonly #lists = new Map<string, OfferedModel[]>();

  constructor(private readonly deps: ModelOffersDeps) {}

  /** Its name with whose it is; `why`: none can be taken, as the beginning of a sentence. */
  async find(settings: Settings): Promise<{ name: string } | { why: string | undefined }> {
    const whose = settings["model.provider"];
    const offers = await findOffers(settings, this.deps);
    let why: string | undefined;
    for (const offer of offers.filter(({ source }) => whose === "auto" || source === whose)) {
      const models = await this.list(offer);
      const chosen = typeof models === "string" ? undefined : choose(offer, models);
      if (chosen) return { name: chosen.name };
      if (offer.kind === "configured") why ??= typeof models === "string" ? models : several(offer, models);
    }
    return { why };
  }

  private async list(offer: ModelOffer): Promise<OfferedModel[] | string> {
    if (offer.kind !== "configured" || !offer.baseUrl) return offer.list(new AbortController().signal);
    const known = this.#lists.get(offer.baseUrl);
    if (known) return known;
    const models = await offer.list(new AbortController().signal);
    if (typeof models !== "string") this.#lists.set(offer.baseUrl, models);
    return models;
  }
}

/** Of a server whose models say nothing of themselves the only one, or, on this machine, the first. */
function choose({ kind, provider }: ModelOffer, models: readonly OfferedModel[]): OfferedModel | undefined {
  const [first, ...more] = kind === "editor" ? models : models.filter(({ title }) => isForText(title));
  const preferred = kind === "configured" ? (provider?.preferred ?? []) : [];
  for (const pattern of preferred) {
    const fitting = models.filter(({ title }) => pattern.test(title)).sort(byVersion);
    if (fitting.length > 0) return fitting.at(-1);
  }
  return kind !== "configured" || more.length === 0 ? first : undefined;
}

/** A name without a date comes after those with one. */
const byVersion = (one: OfferedModel, other: OfferedModel) =>
  one.title.localeCompare(other.title, "en", { numeric: true });

const several = ({ title }: ModelOffer, { length }: readonly OfferedModel[]) =>
  length === 0
    ? t("{0} has no models", title)
    : plural(length, "{1} has 1 model, and it is not chosen", "{1} has {0} models, and none is chosen", title);

/** When one of the editor's own models is meant, and how it is asked. */
const EDITOR = "VS Code";

/** The editor's model that the settings mean; undefined: a server's. Rejects with NoModelError where it is not there. */
async function findEditorChat(provider: Settings["model.provider"], name: string, models: EditorModels | undefined) {
  // A name without a provider is a server's, as it always was.
  if (provider !== "vscode") return undefined;
  const offered = (await models?.list()) ?? [];
  const chat = name ? offered.find(each => each.name === name) : offered[0];
  if (chat) return chat;
  if (!models)
    throw new NoModelError(t("Only VS Code has models of its own, and this is a terminal. Choose another model."));
  throw new NoModelError(
    name
      ? t('VS Code does not offer the model "{0}". Choose another one.', name)
      : t("VS Code offers no model. Choose another one."),
  );
}

function connectEditor(
  chat: EditorChat,
  settings: Settings,
  { protocol, fits, now }: { protocol: ToolProtocol; fits: WireFits; now(): number },
): ModelConnection {
  const timeoutMs = settings["model.timeoutSeconds"] * 1000;
  const where = { name: chat.name, address: EDITOR, timeoutMs, key: undefined, now };
  const mark = markOf(EDITOR, chat.name);
  const connection = {
    ...{ mark, name: chat.name, address: EDITOR, provider: "vscode", providerOptions: {}, timeoutMs },
    ...{ contextWindow: chat.maxInputTokens, seesImages: chat.seesImages },
    maxAnswerLength: settings["model.maxAnswerMegabytes"] * 1_000_000,
    open: directModelPerCall(editorModel(chat), { fits, mark }),
    explain: (error: unknown, silentMs = timeoutMs) => explainFailure(error, { ...where, timeoutMs: silentMs }),
  };
  const setting = settings["model.protocol"];
  return protocol.choose(connection, { setting, takesStop: false, takesTools: chat.takesTools ?? true });
}

type ConnectionCheck = { ok: true; message: string } | { ok: false; failure: ModelFailure };

/** "Strata: Check Model Connection": one small request the way the agent sends them, streamed and with a tool. */
export async function checkConnection(models: Models, clock: Stopwatch, signal?: AbortSignal) {
  try {
    return await check(await models.connect(), clock, signal);
  } catch (error) {
    if (!(error instanceof NoModelError)) throw error;
    return {
      ok: false,
      failure: { code: "no-model", message: error.message, retryable: false },
    } satisfies ConnectionCheck;
  }
}

async function check(connection: ModelConnection, clock: Stopwatch, signal?: AbortSignal): Promise<ConnectionCheck> {
  const { name, address, protocol, warning } = connection;
  const started = clock.steady();
  try {
    await firstWords(connection, signal);
  } catch (error) {
    const failure = connection.explain(error, clock.steady() - started);
    const textual = failure.code === "no-tools" ? connection.withoutTools?.() : undefined;
    return textual ? check(textual, clock, signal) : { ok: false, failure };
  }
  const waited = formatDuration(clock.steady() - started);
  const message = t("Connected to {0} at {1}: the answer began after {2}.", name, hostOf(address), waited);
  return { ok: true, message: protocol && warning ? `${message} ${warning}` : message };
}

/** Resolves with the first thing that the model says, and leaves: the rest would only cost. Rejects with why it says nothing. Not every model hears the signal. */
async function firstWords(connection: ModelConnection, signal?: AbortSignal): Promise<void> {
  const left = new AbortController();
  const late = AbortSignal.timeout(connection.timeoutMs);
  const abortSignal = AbortSignal.any([left.signal, late, ...(signal ? [signal] : [])]);
  try {
    abortSignal.throwIfAborted();
    await untilAborted(heard(connection, abortSignal), abortSignal);
  } catch (error) {
    throw late.aborted ? new AnswerError("timeout", "no answer in time") : error;
  } finally {
    left.abort();
  }
}

async function heard(connection: ModelConnection, abortSignal: AbortSignal): Promise<void> {
  const inputSchema = { type: "object", properties: {} } as const;
  const model = connection.open(async () => undefined);
  const { stream } = await model.doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: "Reply with the word OK." }] }],
    tools: [{ type: "function", name: "NoOp", description: "Does nothing.", strict: false, inputSchema }],
    toolChoice: { type: "auto" },
    providerOptions: connection.providerOptions,
    abortSignal,
  });
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta" || part.type === "reasoning-delta" || part.type === "tool-call") return;
    const { unified, raw } = part.type === "finish" ? part.finishReason : {};
    // Without a reason, it was cut off.
    if (unified !== undefined && (unified !== "other" || raw !== undefined))
      throw new AnswerError("empty", "the answer is empty", unified);
  }
  throw new AnswerError("cut", "the stream ended before the answer did");
}
