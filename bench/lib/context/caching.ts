/** Plays a scenario over HTTP with a server that caches as Anthropic's does; bundled by bench/caching.mjs. */
import { createSession } from "../../../src/core/agent/session/openSession";
import { createModels } from "../../../src/models/index";
import { type Settings, settingsSchema } from "../../../src/shared/settings";
import { world } from "../../../test/fakes/agent";
import { hash } from "../../../test/fakes/hash";
import { type AnthropicRequest, KEY, startAnthropicServer, type WireAnswer } from "../../../test/wire/anthropicServer";
import type { Scenario } from "./scenario";

export { conversation, longTurn } from "./scenario";

/** Tokens as the server counts them. */
export interface CachedPlay {
  requests: number;
  fresh: number;
  read: number;
  written: number;
  /** what stood in the cache for requests that read less of it */
  missed: number;
  /** answers whose usage was recorded with cache reads and writes: what the panel shows */
  reported: { read: number; written: number };
  /** requests that the server refused */
  refused: string[];
}

/** Every step over the real request builder and provider package. */
export async function playCached(scenario: Scenario, model: string, own: Partial<Settings> = {}): Promise<CachedPlay> {
  const answers = toAnswers(scenario, model.includes("opus-5"));
  const server = await startAnthropicServer({ answer: request => nextAnswer(request, answers), leastCacheable: 1024 });
  const { ports } = world({ files: scenario.files, shell: scenario.shell });
  const settings = settingsSchema.parse({
    ...{ "permissions.mode": "auto", "permissions.runEverything": true, "agent.maxSteps": 1_000 },
    ...{ "model.provider": "anthropic", "model.baseUrl": server.url, "model.name": model },
    ...own,
  });
  const source = { get: () => settings };
  const models = createModels({ settings: source, apiKey: async () => KEY, hash, clock: ports.clock });
  const session = await createSession({ ...ports, models, settings: source });
  for (const { says } of scenario.turns) {
    await session.submit(says);
    await session.idle();
    const { end } = session.history.conversation;
    if (end?.reason !== "done") throw new Error(`a turn ended otherwise: ${JSON.stringify(end)}`);
  }
  const { cachedInput = 0, cacheWrite = 0 } = session.history.conversation.spent;
  await session.close();
  await server.close();
  const sum = (key: "input" | "cacheRead" | "cacheWrite" | "couldRead") =>
    server.served.reduce((all, each) => all + each[key], 0);
  return {
    requests: server.served.length,
    ...{ fresh: sum("input"), read: sum("cacheRead"), written: sum("cacheWrite") },
    missed: sum("couldRead") - sum("cacheRead"),
    reported: { read: cachedInput, written: cacheWrite },
    refused: server.refused.map(({ message }) => message),
  };
}

function nextAnswer({ messages }: AnthropicRequest, answers: WireAnswer[]): WireAnswer {
  const last = JSON.stringify(messages.at(-1));
  if (last.includes("Write the archive summary")) return { text: "### Objectives\n* the amounts are rounded up" };
  return answers.shift() ?? { text: "The script is over." };
}

function toAnswers({ turns }: Scenario, thinks: boolean): WireAnswer[] {
  let id = 0;
  const thinking = () => (thinks ? { thinking: "What is next follows from what was read, so it is done now." } : {});
  return turns.flatMap(({ calls }, turn) => [
    ...calls.map(({ name, input }, step): WireAnswer => {
      const call = { id: `toolu_${++id}`, name, input: input as NonNullable<WireAnswer["calls"]>[number]["input"] };
      return { ...thinking(), text: `Step ${step + 1}: ${name} comes next, as planned.`, calls: [call] };
    }),
    { ...thinking(), text: `Task ${turn + 1} is done: what was asked for is changed.` },
  ]);
}
