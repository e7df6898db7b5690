/** What the settings say about where requests go and which of OpenAI's interfaces is spoken there. */
import { NoModelError } from "../core/ports";
import type { Settings } from "../shared/settings";

const OPENAI_HOST = "api.openai.com";

export interface Address {
  /** without a trailing slash: what `/chat/completions` is appended to */
  baseUrl: string;
  host: string;
  /** OpenAI itself: needs a key, knows `developer` messages and `max_completion_tokens` */
  openai: boolean;
  api: "responses" | "chat";
}

/** Throws NoModelError for an address that cannot be used: names the setting and what is wrong with it. */
export function parseAddress(settings: Pick<Settings, "model.baseUrl" | "model.api">): Address {
  const written = settings["model.baseUrl"].trim();
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const wrong = url ? addressProblem(url) : "it is not a complete address";
  if (!url || wrong) {
    const shown = url ? `${url.protocol}//${url.host}${url.pathname}` : written;
    throw new NoModelError(
      `The model's address "${shown}" cannot be used: ${wrong}. Change the setting strata.model.baseUrl to something like https://api.openai.com/v1 or http://localhost:11434/v1.`,
    );
  }
  const openai = url.hostname === OPENAI_HOST;
  const api = settings["model.api"] === "auto" ? (openai ? "responses" : "chat") : settings["model.api"];
  return { baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, "")}`, host: url.host, openai, api };
}

function addressProblem(url: URL): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") return "it must begin with http:// or https://";
  if (url.username || url.password) return "it holds a user name or password; a key has its own place";
  if (url.search || url.hash) return "it must not have a part after ? or #";
  return undefined;
}
