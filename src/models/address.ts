/** What the settings say about where requests go and which of OpenAI's interfaces is spoken there. */
import { type ModelChoice, NoModelError } from "../core/ground/ports";
import { defined } from "../shared/defined";
import { t } from "../shared/l10n";
import { COMMON, isLocalServer, isOwnProvider, localServers, ownProviders } from "../shared/modelProviders";
import { isNear } from "../shared/nearAddress";
import { defaultSettings, type Settings } from "../shared/settings";
import { type ModelSource, readModelName } from "../shared/settingValues";

const OPENAI_HOST = new URL(ownProviders[COMMON].address).hostname;
const bare = (written: string) => written.trim().replace(/\/+$/, "");

/** Whether no server but OpenAI's, the default, is set. */
export const isDefaultAddress = (settings: { "model.baseUrl": string }): boolean =>
  bare(settings["model.baseUrl"]) === bare(defaultSettings["model.baseUrl"]);

export interface Address {
  /** without a trailing slash: what `/chat/completions` is appended to */
  baseUrl: string;
  host: string;
  /** OpenAI itself: needs a key, knows `developer` messages and `max_completion_tokens` */
  openai: boolean;
  api: "responses" | "chat";
  /** It was written with the path of Anthropic's interface. */
  isMessages?: true;
  /** what follows `?` in each request, as Azure's `api-version`; absent: nothing */
  query?: Record<string, string>;
}

/** What people copy from a documentation: the whole address of one call. */
const CALL = /\/(chat\/completions|completions|responses|messages|models)$/;
/** Of Ollama's own interface: the one that is spoken here lies beside it. */
const OLLAMA = /\/api\/(?:chat|generate|tags)$/;
const AZURE = /\.(?:openai\.azure|cognitiveservices\.azure|services\.ai\.azure|models\.ai\.azure)\.(?:com|us|cn)$/;

/** Whether the key goes in Azure's own header. */
export const isAzure = ({ host }: { host: string }): boolean => AZURE.test(host.replace(/:\d+$/, ""));

/** `localhost:11434` is `http://localhost:11434/v1`: people type what a server tells them. With its scheme it is complete. */
export function completeAddress(written: string): string {
  const text = written.trim();
  // a word alone is no server's name
  if (text.includes("://") || !/^localhost\b|[.:]/i.test(text)) return text;
  const local = /^(?:localhost\b|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[|[^./:]+:\d)/i.test(text);
  const url = `${local ? "http" : "https"}://${text}`;
  return URL.canParse(url) && new URL(url).pathname === "/" ? `${url.replace(/\/$/, "")}/v1` : url;
}

/** Throws NoModelError for an unusable address: names the setting and the fault. */
export function parseAddress(settings: { "model.baseUrl": string; "model.api": Settings["model.api"] }): Address {
  const written = completeAddress(settings["model.baseUrl"]);
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const wrong = url ? addressProblem(url) : t("it is not a complete address, like {0}", localServers.ollama.address);
  if (!url || wrong) {
    // A key may be in either part that is left out.
    const plain = written.replace(/\/\/[^/]*@/, "//").replace(/[?#].*/s, "");
    const shown = url ? `${url.protocol}//${url.host}${url.pathname}` : plain;
    throw new NoModelError(t("The server address “{0}” cannot be used: {1}.", shown, wrong ?? ""));
  }
  const openai = url.hostname === OPENAI_HOST;
  const path = url.pathname.replace(/\/+$/, "");
  const [, found] = CALL.exec(path) ?? [];
  // Azure's models lie below `/models`: there it is no call.
  const call = found === "models" && isAzure({ host: url.host }) ? undefined : found;
  const called = call === "responses" ? "responses" : call === "chat/completions" ? "chat" : undefined;
  const auto = called ?? (openai ? "responses" : "chat");
  const api = settings["model.api"] === "auto" ? auto : settings["model.api"];
  const query = Object.fromEntries(url.searchParams);
  const baseUrl = `${url.origin}${call ? path.replace(CALL, "") : path.replace(OLLAMA, "/v1")}`;
  return {
    baseUrl,
    host: url.host,
    openai,
    api,
    ...(call === "messages" ? { isMessages: true } : {}),
    ...(url.search ? { query } : {}),
  };
}

/** What the person should know before a key goes there; undefined: nothing. */
export function keyWarning({ baseUrl, host }: Address): string | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== "http:" || isNear(hostname)) return undefined;
  return t(
    "The API key goes to {0} unencrypted (http): anyone on the way can read it and the conversation. Use an https:// address.",
    host,
  );
}

function addressProblem(url: URL): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") return t("it must begin with http:// or https://");
  if (url.username || url.password) return t("it holds a user name or password; a key has its own place");
  const others = [...url.searchParams.keys()].filter(name => name !== "api-version");
  if (others.length > 0 || url.hash || url.href.endsWith("?")) return t("it must not have a part after ? or #");
  return undefined;
}

export const writeModelName = (source: ModelSource, name: string): string => `${source}:${name}`;

/** Whether it names another model than the one that is set. */
export const isOtherModel = (set: Settings, { name }: ModelChoice = {}): boolean =>
  name !== undefined && name.trim() !== set["model.name"].trim();

/** The settings with which a choice is asked. Another provider than the one that is set is asked at its own address. */
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
