/** The models that a server lists (`GET /models`, as OpenAI and the servers like it have it). */
import * as z from "zod";

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const TIMEOUT_MS = 5_000;

/** Sorted names; `denied`: the server wants a key, or another one; `none`: it gives no such list, or not in time. */
export type ModelList = string[] | "denied" | "none";

/** Never rejects. Without a `key`, none is sent. A redirection to another server goes without it (the Fetch standard). */
export async function modelNames(baseUrl: string, key: string | undefined, signal: AbortSignal): Promise<ModelList> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      headers: key ? { authorization: `Bearer ${key}` } : {},
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (response.status === 401 || response.status === 403) return "denied";
    const list = listSchema.safeParse(response.ok ? await response.json() : undefined);
    return list.success ? list.data.data.map(model => model.id).sort() : "none";
  } catch {
    // Whatever it was, the name can still be typed; the connection check says what is wrong.
    return "none";
  }
}

export interface ListQuestion {
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
