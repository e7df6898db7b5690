/** The view of the context against the log of a real session: its numbers are the manifests'. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import { parseManifest } from "../../../../src/core/context/requestLog";
import { NoRequestError, rebuildRequest } from "../../../../src/core/proof/rebuild";
import type { Manifest } from "../../../../src/shared/manifest";
import { read, runTurn, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { hash } from "../../../fakes/hash";
import { conversation, say } from "../../../fakes/longConversation";

type Agent = Awaited<ReturnType<typeof start>>;

const manifests = ({ disk, session }: Pick<Agent, "disk" | "session">): Manifest[] =>
  (disk.text(session.id, "requests.jsonl") ?? "").split("\n").flatMap(line => parseManifest(line) ?? []);
const sum = (all: readonly { tokens: number }[]) => all.reduce((total, { tokens }) => total + tokens, 0);

describe("the view of the context", () => {
  it("has, while a request is under way, the tokens of its manifest, whole and by stratum", async () => {
    const agent = await start({ mode: "auto", rules: "Round half up." });
    agent.models.play({ calls: [read("src/a.ts")] }, { text: "half", hang: true });
    await agent.session.submit("Read it, please.");
    await eventually("the second request is out", () => agent.models.requests.length === 2);
    const { session } = agent;
    const manifest = manifests(agent).at(-1)!;
    const view = await session.context.view();
    assert.equal(view.tokens, manifest.totalTokens);
    assert.equal(sum(view.strata), manifest.totalTokens);
    assert.equal(sum(view.rows), manifest.totalTokens);
    const { segments } = await rebuildRequest(session.history.files, hash, -1);
    const ofLayers = (...layers: string[]) => sum(segments.filter(({ layer }) => layers.includes(layer)));
    const of = (stratum: string) => view.strata.find(each => each.stratum === stratum)?.tokens ?? 0;
    assert.equal(of("tools"), ofLayers("L1"));
    assert.equal(of("rules"), ofLayers("L2"));
    assert.equal(of("conversation"), ofLayers("L3", "turn"));
    assert.equal(of("tail"), ofLayers("tail"));
    await session.stop();
  });

  it("tells before anything was sent what the first request will have", async () => {
    const agent = await start({ rules: "Round half up." });
    const before = await agent.session.context.view();
    assert.deepEqual(
      [before.turns, await agent.session.context.sent()],
      [0, { requests: [], hasOlder: false, unreadable: 0 }],
    );
    agent.models.play({ text: "Hi." });
    await runTurn(agent.session, "Hello.");
    const { segments } = await rebuildRequest(agent.session.history.files, hash, 1);
    assert.equal(before.tokens, sum(segments.filter(({ layer }) => layer === "L1" || layer === "L2")));
  });

  it("lists requests with what came since, what the cache gave, and what they cost", async () => {
    const agent = await start({ mode: "auto" });
    agent.models.play(
      { calls: [read("src/a.ts")], input: 1000, output: 10 },
      { text: "One.", input: 1200, output: 5, cached: 900 },
    );
    await runTurn(agent.session, "Read it.");
    const { requests } = await agent.session.context.sent();
    const written = manifests(agent);
    assert.deepEqual(
      requests.map(({ number, tokens, shared }) => [number, tokens, shared]),
      written.map(({ totalTokens, sharedTokens }, at) => [at + 1, totalTokens, sharedTokens]).reverse(),
    );
    const [second, first] = requests;
    assert.equal(
      second?.tokens,
      (first?.tokens ?? 0) + second!.added.tokens - second!.removed.tokens + second!.changed.tokens,
    );
    assert.deepEqual(second?.added.first.map(({ kind }) => kind).sort(), ["answer", "result"]);
    assert.deepEqual([second?.usage?.input, second?.usage?.cachedInput, first?.cause], [1200, 900, undefined]);
    const text = await agent.session.context.requestText(2);
    assert.match(text, /Request 2[\s\S]*Read it\.[\s\S]*← Read/);
    await assert.rejects(agent.session.context.requestText(9), NoRequestError);
  });

  it("tells why a prefix broke, and knows what archived turns cost", async () => {
    const agent = await conversation(4, 2600);
    agent.models.reportsUsage = true;
    await say(agent, "More.", { text: "Yes.", input: 9000, output: 3 });
    agent.models.summaries.push({ text: "### ✅ Completed Milestones\n* [✓] Rounding - done" });
    await agent.session.compaction.compact("", 5);
    await say(agent, "Next.", { text: "Yes." });
    const { requests } = await agent.session.context.sent();
    const [next, summary, more] = requests;
    assert.deepEqual([next?.cause, summary?.purpose, more?.usage?.input], ["compaction", "summary", 9000]);
    const { files } = agent.session.history;
    const { read } = files;
    files.read = async name =>
      name === "requests.jsonl" ? read.call(files, name) : assert.fail(`${name}: read again`);
    assert.equal((await agent.session.context.sent()).requests[2]?.usage?.input, 9000);
    files.read = read;
    const view = await agent.session.context.view();
    const talk = view.rows
      .filter(({ stratum }) => stratum === "conversation")
      .map(({ kind, from, turn }) => [kind, from, turn]);
    assert.deepEqual(talk.slice(0, 3), [
      ["turn", undefined, 6],
      ["turn", undefined, 5],
      ["summary", 1, 4],
    ]);
    assert.equal(view.last?.can, "undo");
    await agent.session.compaction.undo();
    assert.deepEqual(
      [(await agent.session.context.view()).last?.can, (await agent.session.context.view()).held],
      ["redo", true],
    );
  });

  it("pages over thousands of turns and requests, and each page is what the whole list says", async () => {
    const agent = await conversation(230, 2);
    const { context } = agent.session;
    const view = await context.view();
    const turns = (rows: typeof view.rows) => rows.flatMap(({ kind, turn }) => (kind === "turn" ? [turn] : []));
    assert.deepEqual([view.turns, turns(view.rows).length, turns(view.rows)[0]], [230, 100, 230]);
    const older = [...(await context.turns(131)), ...(await context.turns(31))];
    assert.deepEqual(
      [...turns(view.rows), ...turns(older)],
      Array.from({ length: 230 }, (_, at) => 230 - at),
    );
    const written = manifests(agent);
    const seen = [];
    for (let before: number | undefined; ; ) {
      const { requests, hasOlder, unreadable } = await context.sent(before);
      seen.push(...requests);
      assert.equal(unreadable, 0);
      before = requests.at(-1)?.number;
      if (!hasOlder) break;
    }
    assert.deepEqual(
      seen.map(({ tokens }) => tokens).reverse(),
      written.map(({ totalTokens }) => totalTokens),
    );
    for (const [at, { tokens, added, removed, changed }] of seen.slice(0, -1).entries())
      assert.equal(tokens, seen[at + 1]!.tokens + added.tokens - removed.tokens + changed.tokens);
  });

  it("opens what a row holds as it would be sent, a rules file as a file; names what is gone", async () => {
    const agent = await start({ rules: "Round half up.", files: { "AGENTS.md": "Round half up." } });
    const { context } = agent.session;
    const { rows } = await context.view();
    const rules = rows.find(({ kind }) => kind === "rules");
    assert.equal((await context.rowText(rules!.key)).file, rules!.name);
    assert.match((await context.rowText("tool:Read")).text, /Read: \{"name":"Read"/);
    assert.doesNotMatch((await context.rowText("tool:Read")).text, /"name":"Bash"/);
    await assert.rejects(context.rowText("turn:7"), /no longer part of the next request/);
  });

  it("skips lines that cannot be read, and reads on behind them", async () => {
    const agent = await start();
    for (const turn of [1, 2, 3]) {
      agent.models.play({ text: "Yes." });
      await runTurn(agent.session, `Question ${turn}`);
    }
    const text = agent.disk.text(agent.session.id, "requests.jsonl") ?? "";
    const lines = text.trimEnd().split("\n");
    const written = `${[lines[0], "{}", lines[2]].join("\n")}\n{"torn`;
    agent.disk.sessions.get(agent.session.id)?.files.set("requests.jsonl", Buffer.from(written));
    const reopened = await openSession(agent.ports, agent.session.id);
    const { requests, unreadable } = await reopened.context.sent();
    assert.deepEqual([requests.map(({ number }) => number), unreadable], [[1], 2]);
  });

  it("is right at once after a compaction and its undo, and says what auto-compact goes by", async () => {
    const agent = await conversation(5, 2600);
    const { context, compaction } = agent.session;
    const before = await context.view();
    assert.equal(before.counted, (await compaction.use()).tokens);
    agent.models.summaries.push({ text: "### ✅ Completed Milestones\n* [✓] Rounding - done" });
    await compaction.compact();
    const after = await context.view();
    assert.ok(after.tokens < before.tokens / 1.5, `${before.tokens} → ${after.tokens}`);
    assert.equal(after.counted, (await compaction.use()).tokens);
    await compaction.undo();
    assert.equal((await context.view()).tokens, before.tokens);
    await say(agent, "Next.", { text: "Yes." });
    const sent = manifests(agent).at(-1)!;
    const { requests } = await context.sent();
    assert.deepEqual([requests[0]?.tokens, requests[0]?.cause], [sent.totalTokens, sent.cause]);
  });
});
