/** When a server is asked which models it has, and with which key. */
import type { ModelList } from "../../models/providers";

interface ListQuestion {
  /** without a trailing slash */
  baseUrl: string;
  /** the address that requests go to now, with the key: it needs no question */
  inUse: string;
  key(): Promise<string | undefined>;
  /** Asked before the key goes to another server. */
  maySend(): Promise<boolean>;
  list(key: string | undefined): Promise<ModelList | undefined>;
}

/**
 * The names, asked for without the key first: an address that was just typed, perhaps wrongly, gets it only when the server
 * wants one and the person agrees, or where requests go with it already. undefined: no list, or cancelled.
 */
export async function listModels(question: ListQuestion): Promise<string[] | undefined> {
  const { baseUrl, inUse, key, maySend, list } = question;
  let known = await list(undefined);
  if (known === "denied") {
    const stored = await key();
    const agreed = stored !== undefined && (urlOrigin(inUse) === urlOrigin(baseUrl) || (await maySend()));
    known = agreed ? await list(stored) : undefined;
  }
  return Array.isArray(known) ? known : undefined;
}

const urlOrigin = (address: string) => (URL.canParse(address.trim()) ? new URL(address.trim()).origin : undefined);
