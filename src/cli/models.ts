/** `strata models`: which models there are, and which is in use. */
import { createModels, ModelDirectory, modelFacts } from "../models";
import { proxyFromEnvironment, proxyHost } from "../node/proxy";
import { nodeClock, nodeHash } from "../node/system";
import { errorMessage } from "../shared/errorMessage";
import type { ModelsCommand } from "../terminal/args";
import { listModels } from "../terminal/models";
import { environmentKey, flagSettings, readSettings, type SessionPlace } from "./place";

export async function withModels(command: ModelsCommand, place: SessionPlace): Promise<number> {
  proxyFromEnvironment(process.env, text => place.streams.err(`${text}\n`));
  const settings = readSettings(place, flagSettings(command), command.trust);
  const proxy = proxyHost(process.env);
  const models = createModels({ settings, apiKey: environmentKey, hash: nodeHash, clock: nodeClock, proxy });
  const directory = new ModelDirectory({ settings, apiKey: environmentKey, clock: nodeClock });
  const inUse = models.connect().catch((error: unknown) => errorMessage(error));
  return listModels(command, {
    shelves: await directory.all(new AbortController().signal),
    inUse: await inUse,
    streams: place.streams,
    favorites: settings.get()["model.favorites"],
    facts: modelFacts,
  });
}
