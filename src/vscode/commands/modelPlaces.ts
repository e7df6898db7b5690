/** The first step of choosing a model: whose it is. */
import { completeAddress } from "../../models/address";
import type { EditorChat } from "../../models/editorModel";
import { type ModelList, showsModels } from "../../models/modelList";
import { providers } from "../../models/providers";
import { formatTokens } from "../../shared/format";
import { COMMON_INTERFACE, localServers, localTitles } from "../../shared/modelProviders";
import type { Settings } from "../../shared/settings";

/** A provider with an address of its own, a server that runs here, one whose address is asked for, or one of VS Code's models. */
export type ModelPlace =
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

interface Offer {
  editor: readonly EditorChat[];
  local: Awaited<ReturnType<typeof findLocalServers>>;
  settings: Pick<Settings, "model.name" | "model.provider" | "model.baseUrl">;
}

interface PlaceItem {
  label: string;
  description: string;
  detail: string;
  place: ModelPlace;
}

/** In the order in which they are offered. */
export function placeItems({ editor, local: running, settings }: Offer): PlaceItem[] {
  const inUse = ({ name }: EditorChat) => settings["model.provider"] !== "server" && name === settings["model.name"];
  return [
    ...editor.map(
      (chat): PlaceItem => ({
        label: chat.title,
        description: `reads ${formatTokens(chat.maxInputTokens)}${inUse(chat) ? " · in use" : ""}`,
        detail: `VS Code has it (${chat.name}): no key needed`,
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
      description: `whatever speaks ${COMMON_INTERFACE}`,
      detail: `vLLM, llama.cpp, a gateway, or ${localTitles.join(" and ")} elsewhere: needs its address, and a key where it wants one`,
      place: { kind: "other" },
    },
  ];
}

/** The address that is set, where no other item leads there: choosing another model of that server asks for no address. */
function serverInUse(written: string, running: Offer["local"]): PlaceItem[] {
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
