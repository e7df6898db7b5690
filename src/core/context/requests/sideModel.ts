/** The model for questions beside the turns. */
import type { Logger, ModelConnection, Models, SettingsSource } from "../../ground/ports";

/**
 * A workspace may name a smaller model of the provider that the person chose, and no other's: what is said here goes to no server
 * that they did not name. Rejects with NoModelError.
 * @param inUse the model that answers; absent: as the settings have it
 */
export async function connectSideModel(
  setting: "model.small" | "summary.model",
  { models, settings, logger }: { models: Models; settings: SettingsSource; logger: Logger },
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
