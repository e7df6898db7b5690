/** `strata models`: which models there are, and which is in use. */
import type { ModelIdentity } from "../core/ground/ports";
import { createModels, type DescribedModel, ModelDirectory, modelFacts } from "../models";
import { proxyFromEnvironment, proxyHost } from "../node/proxy";
import { nodeClock, nodeHash } from "../node/system";
import { errorMessage } from "../shared/errorMessage";
import { asSentence, eitherOf, inARow } from "../shared/format";
import { t } from "../shared/l10n";
import { keyVariableNames, localTitles } from "../shared/modelProviders";
import type { CommandOf } from "../terminal/args";
import type { Streams } from "../terminal/eventPrinter";
import { EXIT, jsonLine } from "../terminal/output";
import { environmentKey, flagSettings, readSettings, type SessionPlace } from "./place";

export async function withModels(command: CommandOf<"models">, place: SessionPlace): Promise<number> {
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
  });
}

interface ModelsDeps {
  shelves: Awaited<ReturnType<ModelDirectory["all"]>>;
  /** the model that a task would be given to; a text: why there is none */
  inUse: ModelIdentity | string;
  favorites: readonly string[];
  streams: Streams;
}

/** Standard output is the list; the model in use goes to standard error. */
export function listModels({ words, json }: CommandOf<"models">, deps: ModelsDeps): number {
  const { shelves, inUse, favorites, streams } = deps;
  const isMeant = (title: string, { name }: DescribedModel) =>
    words.every(word => `${title} ${name}`.toLowerCase().includes(word));
  const found = shelves.flatMap(shelf =>
    "models" in shelf
      ? shelf.models.filter(model => isMeant(shelf.title, model)).map(model => ({ provider: shelf.title, model }))
      : [],
  );
  if (json) {
    for (const { provider, model } of found) streams.out(jsonLine({ provider, ...toJson(model, favorites) }));
    return EXIT.done;
  }
  const width = Math.max(0, ...found.map(({ model }) => model.name.length));
  for (const { model } of found) {
    const star = favorites.includes(model.name) ? "★" : " ";
    streams.out(`${star} ${model.name.padEnd(width)}  ${modelFacts(model)}`.trimEnd().concat("\n"));
  }
  for (const shelf of shelves) if ("why" in shelf) streams.err(`${shelf.title}: ${asSentence(shelf.why)}\n`);
  if (found.length === 0) streams.err(words.length > 0 ? t('No model has "{0}".\n', words.join(" ")) : none());
  streams.err(typeof inUse === "string" ? `${inUse}\n` : t("In use: {0} at {1}\n", inUse.name, inUse.address));
  return EXIT.done;
}

const none = () =>
  t(
    "Nothing can be asked yet: set a provider's key ({0}), name a server with --base-url, or start {1}.\n",
    inARow(keyVariableNames),
    eitherOf(localTitles),
  );

/** Prices are US dollars for a million tokens. */
function toJson({ name, reads, prices, tools, images, reasoning }: DescribedModel, favorites: readonly string[]) {
  return { name, contextWindow: reads, prices, tools, images, reasoning, favorite: favorites.includes(name) };
}
