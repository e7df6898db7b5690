/** What goes with a request beside its content, part of the manifest; and the model for what is asked beside the turns. */
import { defined } from "../../../shared/defined";
import type { Json } from "../../../shared/messages";
import type { Logger, ModelConnection, Models, SettingsSource } from "../../ground/ports";

/** The connection as a session's requests go over it: they share a cache where the provider is told whose they are. */
export function forSession(connection: ModelConnection, sessionId: string): ModelConnection {
  const { sessionOption: option, providerOptions } = connection;
  if (!option) return connection;
  const own = { ...providerOptions[option.provider], [option.name]: sessionId };
  return { ...connection, providerOptions: { ...providerOptions, [option.provider]: own } };
}

export function toCallOptions({
  providerOptions,
  maxOutputTokens,
  reasoning,
  protocol,
}: ModelConnection): Record<string, Json> {
  return {
    providerOptions,
    ...defined({ maxOutputTokens: maxOutputTokens || undefined, reasoning, protocol }),
  };
}

interface SideModelDeps {
  models: Models;
  settings: SettingsSource;
  logger: Logger;
}

/**
 * A workspace may name a smaller model of whom the person chose, and nobody else's: what is said here goes to no server that they
 * did not name. Rejects with NoModelError.
 * @param inUse the model that answers; absent: as the settings have it
 */
export async function connectSideModel(
  setting: "model.small" | "summary.model",
  { models, settings, logger }: SideModelDeps,
  inUse?: ModelConnection,
): Promise<ModelConnection> {
  const name = settings.get()[setting].trim();
  if (!name) return inUse ?? models.connect();
  const layer = settings.layers?.().findLast(({ values }) => values[setting] !== undefined);
  if (layer?.level !== "workspace") return models.connect({ name });
  const own = inUse ?? (await models.connect());
  const named = await models.connect({ name });
  if (named.provider === own.provider && named.address === own.address) return named;
  const words = "a workspace names a model of another provider, which is not asked";
  logger.log("warning", words, { setting: `strata.${setting}`, name, place: layer.place, instead: own.name });
  return own;
}
