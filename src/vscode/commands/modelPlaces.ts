/** The first step of choosing a model: whose it is. */
import { completeAddress } from "../../models/address";
import type { EditorChat } from "../../models/editorModel";
import { type ListedModel, type ModelList, showsModels } from "../../models/modelList";
import { providers } from "../../models/providers";
import { formatTokens } from "../../shared/format";
import { COMMON_COMPATIBLE, localServers, localTitles } from "../../shared/modelProviders";
import type { Settings } from "../../shared/settings";

/** A provider with an address of its own, a server that runs here, one whose address is asked for, or one of VS Code's models. */
export type ModelSourceChoice =
  | { kind: "editor"; chat: EditorChat }
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
    Object.values(localServers).map(async ({ title, address: baseUrl }) => {
      const models = await list(baseUrl, undefined, AbortSignal.timeout(LOCAL_TIMEOUT_MS));
      return { title, baseUrl, models: showsModels(models) ? models.length : 0 };
    }),
  );
  return found.filter(({ models }) => models > 0);
}

interface PlaceOffer {
  editor: readonly EditorChat[];
  local: Awaited<ReturnType<typeof findLocalServers>>;
  settings: Settings;
}

interface PlaceItem {
  label: string;
  description: string;
  detail: string;
  place: ModelSourceChoice;
}

/** In the order in which they are offered. */
export function placeItems({ editor, local: running, settings }: PlaceOffer): PlaceItem[] {
  const inUse = ({ name }: EditorChat) => settings["model.provider"] !== "server" && name === settings["model.name"];
  return [
    ...editor.map(
      (chat): PlaceItem => ({
        label: chat.title,
        description: `reads ${formatTokens(chat.maxInputTokens)}${inUse(chat) ? " · in use" : ""}`,
        detail: `from VS Code (${chat.name}): no key needed`,
        place: { kind: "editor", chat },
      }),
    ),
    ...running.map(
      ({ title, baseUrl, models }): PlaceItem => ({
        label: title,
        description: `runs on this machine · ${models === 1 ? "1 model" : `${models} models`}`,
        detail: `${baseUrl}: no key needed`,
        place: { kind: "address", baseUrl },
      }),
    ),
    ...serverInUse(settings["model.baseUrl"], running),
    ...ownAddresses(),
    {
      label: "Another server…",
      description: `any ${COMMON_COMPATIBLE} server`,
      detail: `vLLM, llama.cpp, a gateway, or ${localTitles.join(" and ")} on another machine`,
      place: { kind: "other" },
    },
  ];
}

/** The address that is set, where no other item leads there: choosing another model of that server asks for no address. */
function serverInUse(written: string, running: PlaceOffer["local"]): PlaceItem[] {
  const baseUrl = completeAddress(written);
  const others = [...running.map(local => local.baseUrl), ...providers.map(({ ownAddress }) => ownAddress?.baseUrl)];
  if (!URL.canParse(baseUrl) || others.includes(baseUrl.replace(/\/+$/, ""))) return [];
  return [
    {
      label: new URL(baseUrl).host,
      description: "the server in your settings",
      detail: baseUrl,
      place: { kind: "address", baseUrl },
    },
  ];
}

/** Those that need nothing but a key. */
function ownAddresses(): PlaceItem[] {
  return providers.flatMap(({ name, title, keyVariables: [variable], ownAddress }): PlaceItem[] => {
    if (!ownAddress) return [];
    const provider = ownAddress.setting;
    return [
      {
        label: title,
        description: ownAddress.models,
        detail: `Needs a key from ${title} (or ${variable} in the environment)`,
        place: { kind: "own", provider, name },
      },
    ];
  });
}

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
