/** A session with Claude, over the wire: what is cached, and thinking that is bound to what came before it. */

import assert from "node:assert/strict";
import { pluck } from "../fakes/pluck";
import { KEY, startAnthropicServer, type WireAnswer } from "../wire/anthropicServer";
import type { WorldOptions } from "./world";
import { endWorlds, foldAndUndo, proven, read, records, reopened, say, summaryFor, todos, words, world } from "./world";

async function withClaude(options: WorldOptions & { model?: string; answers: WireAnswer[] }) {
  const { answers, model = "claude-opus-5-5", settings, ...rest } = options;
  let id = 0;
  const server = await startAnthropicServer({
    answer: ({ messages }) =>
      summaryFor(messages.at(-1)) ?? answers.shift() ?? { thinking: `thought ${++id}`, text: "Done." },
  });
  const at = await world({
    ...rest,
    provider: server,
    key: KEY,
    files: { "src/a.ts": words(2000), "src/b.ts": words(3000), ...rest.files },
    settings: { "model.provider": "anthropic", "model.name": model, ...settings },
  });
  return { at, server };
}

const thinking = (body: { messages: { content: unknown }[] }) =>
  (JSON.stringify(body.messages).match(/"type":"thinking"/g) ?? []).length;

describe("over HTTP: Claude", () => {
  afterEach(endWorlds);

  it("thinking travels with every step of its turn, the todo list included, and after it as far as nothing changed before it", async () => {
    const { at, server } = await withClaude({
      answers: [
        { thinking: "first", calls: [todos("t1", "in_progress")] },
        { thinking: "second", text: "Reading.", calls: [read("r1"), read("r2", "src/b.ts")] },
        { thinking: "third", calls: [todos("t2", "completed")] },
        { thinking: "fourth", text: "Done." },
        { thinking: "fifth", text: "Nothing more." },
      ],
    });
    await say(at, "Look at the files.");
    await say(at, "And now?");
    assert.deepEqual(server.refused, []);
    assert.deepEqual(pluck(server.served, "mismatches"), [0, 0, 0, 0, 0]);
    assert.deepEqual(
      server.served.map(({ body }) => thinking(body)),
      [0, 1, 2, 3, 2],
    );
    await proven(at);
  });

  it("after a fold, a compaction and its undo none travels that was bound to what changed, and the proof says so", async () => {
    const { at, server } = await withClaude({
      settings: { "model.contextWindow": 30_000, "history.keepRounds": 1 },
      answers: [
        { thinking: "first", calls: [read("r1")] },
        { thinking: "second", calls: [read("r2", "src/b.ts")] },
        { thinking: "third", text: "Read both." },
      ],
    });
    await foldAndUndo(at);
    assert.deepEqual(server.refused, []);
    assert.deepEqual(new Set(server.served.map(({ mismatches }) => mismatches)), new Set([0]));
    assert.ok(server.served.some(({ body }) => thinking(body) > 0));
  });

  it("four cache points, and what the step before sent is read from the cache", async () => {
    const { at, server } = await withClaude({
      answers: [
        { calls: [read("r1")] },
        { calls: [read("r2", "src/b.ts"), ...Array.from({ length: 12 }, (_, n) => read(`m${n}`))] },
        { text: "Done." },
        { text: "Yes." },
      ],
    });
    await say(at, "Look at the files.");
    await say(at, "Both?");
    assert.deepEqual(server.refused, []);
    assert.ok(server.served.every(({ cachePoints }) => cachePoints <= 4));
    for (const [before, now] of server.served.slice(1).map((now, index) => [server.served[index], now] as const)) {
      const sent = (before?.cacheRead ?? 0) + (before?.cacheWrite ?? 0);
      const least = now === server.served.at(-1) ? 0.5 * sent : sent;
      assert.ok(sent > 0 && now.cacheRead >= least, `${now.cacheRead} read of ${sent} written`);
    }
    const usage = records(at, "message").flatMap(({ message }) => message.metadata.usage ?? []);
    assert.deepEqual(
      usage.map(({ input, cachedInput }) => [input, cachedInput]),
      server.served.map(({ input, cacheRead, cacheWrite }) => [input + cacheRead + cacheWrite, cacheRead]),
    );
    await proven(at);
  });

  it("whatever breaks a beginning, a request reads all of it that was ever cached", async () => {
    const wide = (step: string) => Array.from({ length: 14 }, (_, at) => read(`${step}-${at}`, `src/${at}.ts`));
    for (const model of ["claude-opus-5-5", "claude-sonnet-4-5"]) {
      let said = 0;
      const server = await startAnthropicServer({
        leastCacheable: 0,
        answer: ({ messages }) => {
          const summary = said > 20 && summaryFor(messages.at(-1));
          if (summary) return summary;
          said += 1;
          if (said === 7) return { breakOff: "error", text: "Half" };
          const thinking = model.includes("opus") ? { thinking: `thought ${said}` } : {};
          if (said % 4 === 0) return { ...thinking, text: `Done ${said}.` };
          const calls =
            said % 4 === 1 ? wide(`s${said}`) : [read(`s${said}`, "src/b.ts"), todos(`t${said}`, "in_progress")];
          return { ...thinking, text: `Step ${said}.`, calls };
        },
      });
      const files = Object.fromEntries(
        Array.from({ length: 14 }, (_, at) => [`src/${at}.ts`, words(60 + 20 * at, `${at}`)]),
      );
      let at = await world({
        provider: server,
        key: KEY,
        files: { "src/b.ts": words(700), ...files },
        settings: {
          ...{ "model.provider": "anthropic", "model.name": model },
          ...{ "model.contextWindow": 60_000, "history.keepRounds": 2 },
        },
      });
      for (let turn = 1; turn <= 5; turn++)
        await say(at, words(600, `Look again, ${turn}: the limit is ${turn}00 km.`));
      said += 100;
      await at.session.compaction.compact();
      await say(at, words(1200, "Go on, with 77 of them."));
      await at.session.compaction.compact();
      await say(at, words(1200, "And on, with 88 of them."));
      await at.session.compaction.undo();
      await say(at, "Once more.");
      at = await reopened(at);
      await say(at, "And after that?");
      await at.session.compaction.redo();
      await say(at, "And the last one.");
      assert.deepEqual(server.refused, []);
      const lost = server.served.map(({ couldRead, cacheRead }) => couldRead - cacheRead);
      assert.deepEqual(lost, Array(lost.length).fill(0));
      assert.ok(server.served.slice(1).every(({ cacheRead }) => cacheRead > 0));
      const { breaks } = await proven(at);
      assert.deepEqual(
        [(breaks.fold ?? 0) + (breaks["turn-end"] ?? 0) > 1, (breaks.compaction ?? 0) > 1, (breaks.undo ?? 0) > 0],
        [true, true, true],
      );
    }
  }).timeout(30_000);
});
