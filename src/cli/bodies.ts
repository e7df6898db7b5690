/** Bodies of requests as they left, made again for `strata verify`: by the same connection, which sends nothing. */
import type { RequestContent } from "../core/context/compose";
import { modelStep } from "../core/context/requests/modelStep";
import type { Hash, ModelConnection, SettingsSource } from "../core/ground/ports";
import type { BodyAsSent } from "../core/proof/bodies";
import { createModels } from "../models";
import { providers } from "../models/providers";
import { nodeClock } from "../node/system";
import { defined } from "../shared/defined";
import type { Manifest } from "../shared/manifest";
import type { Settings } from "../shared/settings";

/** A server of one's own: where nothing of its address plays a part in what is sent. */
const ANY_SERVER: Partial<Settings> = { "model.baseUrl": "http://localhost/v1", "model.provider": "server" };

/** Those whose interface is their own alone, at their own address. */
const OWN: readonly Partial<Settings>[] = providers.flatMap(({ ownAddress }) =>
  ownAddress && ownAddress.setting !== "auto"
    ? [{ "model.baseUrl": ownAddress.baseUrl, "model.provider": ownAddress.setting }]
    : [],
);

/** A window that is set is asked of nobody. */
const WINDOW = 10_000;

class HashTaken extends Error {}

export function bodiesAsSent(settings: SettingsSource, hash: Hash): BodyAsSent {
  const known = new Map<string, Promise<ModelConnection | undefined>>();
  return async (manifest, content) => {
    // What tools as text become is made of more than the request.
    if (manifest.callOptions.protocol !== undefined) return undefined;
    const key = `${manifest.model} ${manifest.bodyForm}`;
    const connection = known.get(key) ?? find(manifest, content, settings, hash);
    known.set(key, connection);
    const found = await connection;
    if (!found) return undefined;
    const { maxOutputTokens: _, reasoning: __, ...rest } = found;
    return bodyHash({ ...rest, ...optionsOf(manifest) }, content);
  };
}

/** By the address that is set, else by any, else by providers' own: the form says whether it is the same. */
async function find(
  manifest: Manifest,
  { messages }: RequestContent,
  settings: SettingsSource,
  hash: Hash,
): Promise<ModelConnection | undefined> {
  const set = settings.get();
  for (const place of [{}, ANY_SERVER, ...OWN]) {
    const own: Settings = {
      ...set,
      ...place,
      "model.name": manifest.model,
      "model.contextWindow": WINDOW,
      "model.protocol": "tools",
    };
    const nobody = () => Promise.reject(new Error("nothing is sent"));
    const source = { ...settings, get: () => own };
    const models = createModels({
      settings: source,
      apiKey: async () => "none",
      hash,
      clock: nodeClock,
      fetch: nobody,
    });
    const connection = await models.connect().catch(() => undefined);
    if (connection && connection.bodyForm?.(messages) === manifest.bodyForm) return connection;
  }
  return undefined;
}

type BodiesOptions = Pick<ModelConnection, "providerOptions" | "maxOutputTokens" | "reasoning">;

/** As they went with it. */
function optionsOf({ callOptions }: Manifest): BodiesOptions {
  const { providerOptions, maxOutputTokens, reasoning } = callOptions as unknown as BodiesOptions;
  return {
    providerOptions,
    ...defined({ maxOutputTokens, reasoning }),
  };
}

async function bodyHash(connection: ModelConnection, content: RequestContent): Promise<string | undefined> {
  let sha256: string | null = null;
  const step = modelStep({
    connection,
    request: content,
    signal: new AbortController().signal,
    clock: nodeClock,
    onDelta: () => undefined,
    beforeSend: async taken => {
      sha256 = taken;
      throw new HashTaken();
    },
  });
  await step.catch(error => {
    if (!(error instanceof HashTaken)) throw error;
  });
  return sha256 ?? undefined;
}
