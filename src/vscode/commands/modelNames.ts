/** When a server is asked which models it has, with which key, and which of them come first. */
import type { ListedModel, ModelList } from "../../models/modelList";

interface ListQuestion {
  /** without a trailing slash */
  baseUrl: string;
  /** the address that requests go to now, with the key: it needs no question */
  inUse: string;
  /** Nobody is served there without a key. */
  needsKey: boolean;
  key(): Promise<string | undefined>;
  /** Asked before the key goes to another server. */
  maySend(): Promise<boolean>;
  /** Asks for a key. `refused`: the server knows the one it got not. undefined: the person gave up */
  askKey(refused: boolean): Promise<string | undefined>;
  list(key: string | undefined): Promise<ModelList | undefined>;
}

interface ServerModels {
  /** undefined: the server gave no list */
  models: ListedModel[] | undefined;
  /** the key that was given for it now */
  newKey?: string;
}

/**
 * Its models, asked for without the key first: an address that was just typed, perhaps wrongly, gets it only when the server
 * wants one and the person agrees, or where requests go with it already. Where none is stored, or the server refuses it, the
 * person is asked for one until the server takes it. undefined: they gave up.
 */
export async function listModels(question: ListQuestion): Promise<ServerModels | undefined> {
  const { baseUrl, inUse, needsKey, key, maySend, askKey, list } = question;
  const open = await list(undefined);
  const stored = open === "denied" || needsKey ? await key() : undefined;
  if (open !== "denied" && (!needsKey || stored !== undefined)) return { models: listed(open) };
  if (stored !== undefined) {
    if (urlOrigin(inUse) !== urlOrigin(baseUrl) && !(await maySend())) return { models: undefined };
    const models = await list(stored);
    if (models !== "denied") return { models: listed(models) };
  }
  for (let refused = stored !== undefined; ; refused = true) {
    const newKey = await askKey(refused);
    if (newKey === undefined) return undefined;
    const models = await list(newKey);
    if (models !== "denied") return { models: listed(models), newKey };
  }
}

const listed = (list: ModelList | undefined) => (Array.isArray(list) ? list : undefined);

const urlOrigin = (address: string) => (URL.canParse(address.trim()) ? new URL(address.trim()).origin : undefined);
