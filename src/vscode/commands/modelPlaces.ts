/** Which servers have which models, and which key goes where while that is asked. */

import { type ListedModel, type ModelList, showsModels } from "../../models/modelList";
import type { KeyPlace } from "../../models/providers";
import { knownLocalServers } from "../../shared/modelProviders";

/** How long a server on this machine may take to answer, ms: the list waits for it. */
const LOCAL_TIMEOUT_MS = 400;

type ListModels = (baseUrl: string, key: undefined, signal: AbortSignal) => Promise<ModelList>;

/** The servers that run on this machine and have models. Never rejects. */
export async function findLocalServers(list: ListModels) {
  const found = await Promise.all(
    Object.values(knownLocalServers).map(async ({ title, address }) => {
      const models = await list(address, undefined, AbortSignal.timeout(LOCAL_TIMEOUT_MS));
      return { title, address, models: showsModels(models) ? models.length : 0 };
    }),
  );
  return found.filter(({ models }) => models > 0);
}

/**
 * The keys that may go to a place unasked: one that was stored for it, and one of the environment only where requests go
 * there with it already.
 * @param inUse the address that is set
 */
export function keysFor(place: KeyPlace, isOwn: boolean, inUse: string): KeyPlace {
  const set = URL.canParse(inUse.trim()) ? new URL(inUse.trim()).host : undefined;
  return isOwn || place.host === set ? place : { ...place, variables: [] };
}

interface ListQuestion {
  /** a key that the person gave for it, or that may go there unasked */
  key: string | undefined;
  /** Nobody is served there without a key. */
  needsKey: boolean;
  /** `refused`: the server did not take the last one. undefined: the person gave up */
  askKey(refused: boolean): Promise<string | undefined>;
  list(key: string | undefined): Promise<ModelList | undefined>;
}

interface ServerModels {
  /** undefined: its names can only be typed */
  models: ListedModel[] | undefined;
  isDead?: true;
  /** the key that was asked for */
  newKey?: string;
}

/** Asks for a key where the server wants one, until it takes it. undefined: the person gave up */
export async function listModels({ key, needsKey, askKey, list }: ListQuestion): Promise<ServerModels | undefined> {
  let sent = key;
  for (;;) {
    const models = sent === undefined && needsKey ? "denied" : await list(sent);
    if (models === "dead") return { models: undefined, isDead: true };
    const newKey = sent !== undefined && sent !== key ? { newKey: sent } : {};
    if (models !== "denied") return { models: models && showsModels(models) ? models : undefined, ...newKey };
    sent = await askKey(sent !== undefined);
    if (sent === undefined) return undefined;
  }
}
