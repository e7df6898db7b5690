/**
 * What was built apart, together: a session's own model, another provider that takes over by the text protocol, thinking that is
 * bound, a compaction, a title, and what all of it costs.
 */

import assert from "node:assert/strict";
import { eventually } from "../fakes/eventually";
import { SUMMARY } from "../fakes/longConversation";
import { pluck } from "../fakes/pluck";
import { MemorySpending } from "../fakes/spending";
import type { AnthropicRequest, WireAnswer } from "../wire/anthropicServer";
import { KEY, startAnthropicServer } from "../wire/anthropicServer";
import { endWorlds, newest, proven, records, say, type World, type WorldOptions, words, world } from "./world";

const LOCAL_KEY = "sk-local-0123456789abcdefghij";
const CLAUDE = "claude-opus-5-5";
const prices = {
  [CLAUDE]: { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
  "offline-model": { input: 1, output: 2 },
};
const OVERLOADED: WireAnswer = {
  refuse: { status: 529, body: JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "" } }) },
};

const asText = ({ system, messages }: AnthropicRequest): string => JSON.stringify([system, messages.at(-1)]);

/** A session that chose Claude, while the settings name the local server. `sent`: which key went to which host. */
async function withClaude(options: WorldOptions = {}) {
  const state = { down: false, answers: [] as WireAnswer[] };
  const claude = await startAnthropicServer({
    answer: body => {
      if (state.down) return OVERLOADED;
      if (asText(body).includes("You name conversations")) return { text: "Sum mended" };
      if (asText(body).includes("Write the archive summary of")) return { text: SUMMARY };
      return state.answers.shift() ?? { thinking: "Nothing to do.", text: "Well." };
    },
  });
  const sent: [host: string, key: string][] = [];
  const spending = new MemorySpending();
  const at = await world({
    ...options,
    key: host => (host === "api.anthropic.com" ? KEY : LOCAL_KEY),
    ports: { spending, titles: true },
    settings: {
      "model.prices": prices,
      "history.keepRounds": 1,
      "context.memory": "plain" as const,
      ...options.settings,
    },
    fetch: (input, init) => {
      const url = new URL(String(input));
      const headers = new Headers(init?.headers);
      sent.push([url.hostname, headers.get("x-api-key") ?? headers.get("authorization") ?? ""]);
      return fetch(url.hostname === "api.anthropic.com" ? `${new URL(claude.url).origin}${url.pathname}` : url, init);
    },
    files: { "src/sum.ts": "export const sum = (a: number, b: number) => a - b;\n" },
  });
  await at.session.setModel({ name: `anthropic:${CLAUDE}`, reasoning: "low" });
  return { ...at, state, claude, sent, spending };
}

const reads = (id: string): WireAnswer => ({
  thinking: `Thought of ${id}.`,
  calls: [{ id, name: "Read", input: { file_path: "src/sum.ts" } }],
});

/** What the session's records say, what its meter says, and what counts for the day are one sum. */
async function assertCountedOnce(at: World, spending: MemorySpending): Promise<void> {
  const usages = [
    ...records(at, "message").map(({ message }) => message.metadata.usage),
    ...records(at, "compaction").map(({ usage }) => usage),
    ...records(at, "title").map(({ usage }) => usage),
  ].filter(usage => usage !== undefined);
  const inAll = usages.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  const today = spending.entries.reduce((sum, { cost }) => sum + cost, 0);
  const { spent } = await at.session.compaction.use();
  assert.ok(inAll > 0);
  assert.equal(spending.entries.length, usages.length);
  assert.deepEqual([today.toFixed(9), spent.cost?.toFixed(9)], [inAll.toFixed(9), inAll.toFixed(9)]);
}

describe("over HTTP: one with the other", () => {
  afterEach(endWorlds);

  it("a server without tools takes Claude's turn over by text, Claude comes back, all is compacted and undone", async () => {
    const at = await withClaude({ settings: { "model.fallback": ["server:offline-model"] } });
    const { state, claude, script, sent, session } = at;
    const { answer } = script;
    script.answer = request => {
      if (request.tools.length > 0) return { fault: "refuse-tools" };
      state.down = false;
      return answer(request);
    };
    session.subscribe(event => {
      if (event.type === "record" && event.record.kind === "result") state.down = true;
    });
    state.answers.push(reads("c0"));
    await say(at, `Mend sum. ${words(2000)}`, {
      text: "Thought: It subtracts.\nAction: Finish[It subtracts, and I only looked.]",
    });
    assert.equal(newest(at, "turnEnd").reason, "done", newest(at, "turnEnd").error?.message);
    await eventually("it has a title", () => records(at, "title").length > 0);
    assert.deepEqual(pluck(records(at, "note"), "code"), ["model-fallback", "no-tools"]);
    for (const turn of [2, 3, 4]) {
      state.answers.push({ thinking: `Thought of ${turn}.`, text: `Answer ${turn}.` });
      await say(at, `Question ${turn}. ${words(2000)}`);
    }
    await session.compaction.compact();
    const { failure, usage, summaries } = newest(at, "compaction");
    assert.deepEqual([failure, (usage?.cost ?? 0) > 0], [undefined, true]);
    assert.match(summaries[0]?.text ?? "", new RegExp(`model ${CLAUDE}`));
    await say(at, "After it.");
    await session.compaction.undo();
    await say(at, "And now?");
    assert.deepEqual(claude.refused, []);
    assert.deepEqual([...new Set(claude.served.map(({ mismatches }) => mismatches))], [0]);
    assert.deepEqual([...new Set(sent.map(each => each.join(" ")))].sort(), [
      `127.0.0.1 Bearer ${LOCAL_KEY}`,
      `api.anthropic.com ${KEY}`,
    ]);
    const { breaks } = await proven(at);
    // Over the text and back to tools.
    assert.deepEqual([breaks["model-changed"], breaks["protocol-changed"]], [1, 2]);
    await assertCountedOnce(at, at.spending);
    await claude.close();
  });

  it("a gateway that has the model by the same name goes on where Claude's thoughts were dropped", async () => {
    const at = await withClaude({ settings: { "model.fallback": [`server:${CLAUDE}`] } });
    const { state, claude, session } = at;
    for (const turn of [1, 2, 3]) {
      state.answers.push({ ...reads(`c${turn}`) }, { thinking: `Thought of ${turn}.`, text: `Answer ${turn}.` });
      await say(at, `Question ${turn}. ${words(2000)}`);
    }
    await session.compaction.compact();
    await say(at, "After it.");
    state.down = true;
    await say(at, "Who answers?", { text: "The gateway." });
    state.down = false;
    await say(at, "And now?");
    assert.equal(newest(at, "turnEnd").reason, "done", newest(at, "turnEnd").error?.message);
    assert.equal(at.script.asked.length, 1);
    assert.deepEqual(claude.refused, []);
    await proven(at);
    await assertCountedOnce(at, at.spending);
    await claude.close();
  });

  it("the window is that of the model that the session chose, whatever is set for another", async () => {
    const at = await withClaude({ settings: { "model.contextWindow": 40_000 } });
    const use = await at.session.compaction.use();
    assert.ok(use.window > 150_000, String(use.window));
    await at.session.setModel({});
    assert.equal((await at.session.compaction.use()).window, 40_000);
    await at.claude.close();
  });
});
