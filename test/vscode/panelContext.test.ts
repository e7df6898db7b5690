/** The host's side of compactions: the panel compacts, takes back, looks and pins, on a whole agent of fakes. */

import assert from "node:assert/strict";
import type { PanelMethod, PanelParams } from "../../src/shared/panelProtocol";
import { eventually } from "../fakes/eventually";
import type { PanelClient } from "../fakes/panelClient";
import { startHost } from "../fakes/panelHost";

const SUMMARY = "### ✅ Completed Milestones\n* [✓] Rounding - half up, as the tax office wants it";
const settings = { "model.contextWindow": 40_000, "history.keepRounds": 1, "context.memory": "plain" as const };

/** A panel on a session of so many turns, each with some 2,600 tokens. */
async function talked(turns = 4) {
  const host = startHost({ settings });
  host.models.reportsUsage = false;
  const client = host.panel();
  await client.request("open", {});
  for (let turn = 1; turn <= turns; turn += 1) {
    host.models.play({ text: `Answer ${turn}. ${"word ".repeat(1500)}` });
    await client.request("submit", { text: `Question ${turn}.`, delivery: "steer" });
    await eventually("the turn has ended", () => ends(client) === turn && client.state === "idle");
  }
  return { ...host, client };
}

const ends = (client: PanelClient) => client.records.filter(record => record.kind === "turnEnd").length;
const phases = (client: PanelClient) =>
  client.events.flatMap(event => (event.type === "compaction" ? [event.phase] : []));
const over = (client: PanelClient) =>
  eventually(
    "the compaction has ended",
    () => client.state === "idle" && /done|cancelled|failed|unneeded/.test(phases(client).at(-1) ?? ""),
  );
const texts = (client: PanelClient) =>
  client.records
    .flatMap(record => (record.kind === "message" ? record.message.parts : []))
    .flatMap(part => (part.type === "text" ? [part.text.slice(0, 11)] : []));

async function compacted(turns?: number) {
  const agent = await talked(turns);
  agent.models.summaries.push({ text: SUMMARY });
  await agent.client.request("compact", { guidance: "keep the names" });
  await over(agent.client);
  const mark = agent.client.records.at(-1);
  assert.ok(mark?.kind === "compaction");
  return { ...agent, mark };
}

describe("the panel's host: compactions", () => {
  it("compacts by hand, and tells how it goes on", async () => {
    const { client, mark } = await compacted();
    assert.deepEqual(phases(client), ["planning", "summarising", "checking", "committing", "done"]);
    assert.deepEqual([mark.guidance, mark.reason, mark.rounds.summarised], ["keep the names", "manual", 3]);
    assert.match(mark.summaries[0]?.text ?? "", /^## 📌 Archived Session Summary\n/);
    assert.deepEqual([mark.removed, mark.snapshot.goal], [[], ""], "beside its summary the panel gets it light");
  });

  it("shows the whole conversation also after it, to a panel that opens then", async () => {
    const { client, panel } = await compacted();
    const late = panel();
    const { hasOlder } = await late.request("open", {});
    assert.deepEqual(late.records, client.records);
    assert.deepEqual(texts(late).filter(text => text.startsWith("Question")).length, 4);
    assert.equal(hasOlder, false);
    await eventually("the context is counted", () => late.counted !== undefined);
    const { counted: context } = late;
    assert.equal(context?.tokens, (await late.request("contextView", {})).counted);
    assert.ok((context?.tokens ?? 0) > 1000);
  });

  it("gives details of what is archived", async () => {
    const agent = startHost({ mode: "auto", settings });
    agent.models.reportsUsage = false;
    agent.models.play({ calls: [{ name: "Read", input: { file_path: "src/a.ts" }, id: "read" }] }, { text: "One." });
    const client = agent.panel();
    await client.request("open", {});
    await client.request("submit", { text: "read it", delivery: "steer" });
    await eventually("the turn has ended", () => ends(client) === 1 && client.state === "idle");
    agent.models.play({ text: "word ".repeat(4000) }, { text: "Short." });
    for (const turn of [2, 3]) {
      await client.request("submit", { text: "go on", delivery: "steer" });
      await eventually("the turn has ended", () => ends(client) === turn && client.state === "idle");
    }
    agent.models.summaries.push({ text: SUMMARY });
    await client.request("compact", {});
    await over(client);
    const live = (await agent.sessions.show()).history.records;
    assert.ok(!live.some(record => record.kind === "result"));
    assert.match((await client.request("printed", { callId: "read" })).first, /one/);
    const handle = client.records.flatMap(record =>
      record.kind === "result" && record.raw ? [record.raw.sha256] : [],
    )[0];
    await client.request("openHandle", { handle: `obs:${handle?.slice(0, 12)}` });
    assert.deepEqual(agent.done, ["text Recorded output.txt"]);
  });

  it("undoes and redoes the newest one, and no other", async () => {
    const { client, mark } = await compacted();
    const compactionId = mark.id;
    await assert.rejects(client.request("redoCompaction", { compactionId }), /Only the newest compaction/);
    await client.request("undoCompaction", { compactionId });
    await client.request("open", {});
    const { held } = await client.request("contextView", {});
    assert.deepEqual([held, client.records.at(-1)?.kind], [true, "undo"]);
    await assert.rejects(client.request("undoCompaction", { compactionId }), /Only the newest compaction/);
    await client.request("redoCompaction", { compactionId });
    assert.equal((await client.request("contextView", {})).held, false);
    await assert.rejects(client.request("undoCompaction", { compactionId: "rec_none" }), /Only the newest compaction/);
  });

  it("opens what one would do, and what one left out, also when it was undone", async () => {
    const { client, mark, pages } = await compacted();
    await client.request("previewCompaction", {});
    await client.request("openLeftOut", { compactionId: mark.id });
    await client.request("undoCompaction", { compactionId: mark.id });
    await client.request("openLeftOut", { compactionId: mark.id });
    const [preview, leftOut, undone] = pages;
    assert.match(preview?.text ?? "", /^# [^\n]*would do/);
    assert.match(leftOut?.text ?? "", /Question 1[\s\S]*Answer 3/);
    assert.doesNotMatch(leftOut?.text ?? "", /Answer 4/);
    assert.equal(undone?.text, leftOut?.text);
    await assert.rejects(client.request("openLeftOut", { compactionId: "rec_none" }), /no longer in the session's log/);
  });

  it("of an empty session there is none, and nothing is said of its context", async () => {
    const { panel } = startHost();
    const client = panel();
    await client.request("open", {});
    await client.request("compact", {});
    await over(client);
    assert.equal(client.counted, undefined);
    assert.equal(phases(client).at(-1), "unneeded");
    const refused: [PanelMethod, PanelParams<PanelMethod>][] = [["undoCompaction", { compactionId: "rec_1" }]];
    for (const [method, params] of refused) await assert.rejects(client.request(method, params), /Only the newest/);
  });
});
