import { type ListedModel, type ModelList, showsModels } from "../../models/modelList";
import { providers } from "../../models/providers";
import { namesText } from "../../shared/format";
import { t } from "../../shared/l10n";
import { COMMON_COMPATIBLE, keyServers, knownLocalServers, localTitles } from "../../shared/modelProviders";
import type { Settings } from "../../shared/settings";

/** A provider with an address of its own, a known address, or one that is asked for. */
export type ModelSourceChoice =
  | { kind: "own"; provider: Settings["model.provider"]; name: string }
  | { kind: "address"; baseUrl: string }
  | { kind: "other" };

/** How long a server on this machine may take to answer, ms: the list waits for it. */
const LOCAL_TIMEOUT_MS = 400;

type ListModels = (baseUrl: string, key: undefined, signal: AbortSignal) => Promise<ModelList>;

/** The servers that run on this machine and have models. Never rejects. */
export async function findLocalServers(
  list: ListModels,
): Promise<{ title: string; baseUrl: string; models: number }[]> {
  const found = await Promise.all(
    Object.values(knownLocalServers).map(async ({ title, address: baseUrl }) => {
      const models = await list(baseUrl, undefined, AbortSignal.timeout(LOCAL_TIMEOUT_MS));
      return { title, baseUrl, models: showsModels(models) ? models.length : 0 };
    }),
  );
  return found.filter(({ models }) => models > 0);
}

interface PlaceItem {
  label: string;
  description: string;
  detail: string;
  place: ModelSourceChoice;
}

const otherServer = (): PlaceItem => ({
  label: t("Another server…"),
  description: t("any {0} server", COMMON_COMPATIBLE),
  detail: t("vLLM, llama.cpp, a gateway, or {0} on another machine", namesText(localTitles)),
  place: { kind: "other" },
});

/** Where a key can belong whose form does not say it. */
export const keyItems = (): PlaceItem[] => [
  ...ownAddresses(),
  ...Object.values(keyServers).map(
    ({ title, address: baseUrl }): PlaceItem => ({
      label: title,
      description: "",
      detail: baseUrl,
      place: { kind: "address", baseUrl },
    }),
  ),
  otherServer(),
];

/** Those that need nothing but a key. */
function ownAddresses(): PlaceItem[] {
  return providers.flatMap(({ name, title, keyVariables: [variable], ownAddress }): PlaceItem[] => {
    if (!ownAddress) return [];
    const provider = ownAddress.setting;
    return [
      {
        label: title,
        description: ownAddress.models,
        detail: t("Needs a key from {0}, or {1} in the environment.", title, variable),
        place: { kind: "own", provider, name },
      },
    ];
  });
}

interface ListQuestion {
  /** without a trailing slash */
  baseUrl: string;
  /** that the person gave for it already */
  given?: string | undefined;
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
  models: ListedModel[] | undefined;
  /** nobody answers there */
  isDead?: true;
  /** the key that was given for it now */
  newKey?: string;
}

/**
 * Its models, asked for without the key first: an address that was just typed, perhaps wrongly, gets it only when the server
 * wants one and the person agrees, or where requests go with it already. Where none is stored, or the server refuses it, the
 * person is asked for one until the server takes it. undefined: they gave up.
 */
export async function listModels(question: ListQuestion): Promise<ServerModels | undefined> {
  const { baseUrl, given, inUse, needsKey, key, maySend, askKey, list } = question;
  if (given !== undefined) return listWith(given, question);
  const open = await list(undefined);
  const stored = open === "denied" || needsKey ? await key() : undefined;
  if (open !== "denied" && (!needsKey || stored !== undefined)) return listed(open);
  if (stored !== undefined) {
    if (urlOrigin(inUse) !== urlOrigin(baseUrl) && !(await maySend())) return { models: undefined };
    const models = await list(stored);
    if (models !== "denied") return listed(models);
  }
  const newKey = await askKey(stored !== undefined);
  return newKey === undefined ? undefined : listWith(newKey, question);
}

/** Until the server takes a key, or the person gives up. */
async function listWith(
  first: string,
  { list, askKey }: Pick<ListQuestion, "list" | "askKey">,
): Promise<ServerModels | undefined> {
  for (let newKey: string | undefined = first; newKey !== undefined; newKey = await askKey(true)) {
    const models = await list(newKey);
    if (models !== "denied") return { ...listed(models), newKey };
  }
  return undefined;
}

const listed = (list: ModelList | undefined): ServerModels => ({
  models: Array.isArray(list) ? list : undefined,
  ...(list === "dead" ? { isDead: true } : {}),
});

const urlOrigin = (address: string) => (URL.canParse(address.trim()) ? new URL(address.trim()).origin : undefined);
