/** A turn on a history without any session: what a subagent runs. */

import assert from "node:assert/strict";
import * as z from "zod";
import { Approvals } from "../../../src/core/agent/approvals";
import { TurnRunner } from "../../../src/core/agent/turnRunner";
import { RequestLog } from "../../../src/core/context/requestLog";
import { ToolSet } from "../../../src/core/context/requests/requestBuilder";
import { KnownSkills } from "../../../src/core/guidance/skills/knownSkills";
import { History } from "../../../src/core/log/history";
import { verifySession } from "../../../src/core/proof/verify";
import { defineTool, type Tool } from "../../../src/core/tool/tool";
import type { AgentEvent } from "../../../src/shared/events";
import { world } from "../../fakes/agent";
import { noQuestions } from "../../fakes/call";
import { eventually } from "../../fakes/eventually";
import { hash } from "../../fakes/hash";
import { transcript } from "../../fakes/model";
import { asItIs } from "../../fakes/redact";

const look = defineTool({
  name: "LS",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  effect: "read",
  prepare: async ({ at }) => ({
    targets: [],
    title: `Look at ${at}`,
    detail: { type: "read", paths: [at] },
    binding: at,
    perform: async ({ inject }) => {
      inject.injectSystemOnce("Mind the gap.", "gap", "rules:gap");
      return { result: { status: "success", data: {}, text: `saw ${at}`, digest: at } };
    },
  }),
});

async function begin() {
  const { ports, models, clock } = world();
  const files = await ports.storage.create("sub_1");
  const events: AgentEvent[] = [];
  const emit = (event: AgentEvent) => void events.push(event);
  const { ids, redactor } = ports;
  const history = History.create(files, { clock, ids, hash, emit, redact: redactor.redact });
  const approvals = new Approvals({
    ...{ history, ids, emit, attended: false, redact: redactor.redact },
    onChange: () => undefined,
  });
  const runner = new TurnRunner({
    ...{ ports, history, approvals, emit, questions: noQuestions },
    log: new RequestLog(files, hash, { repaired: false, onRepair: async () => undefined }),
    tools: new ToolSet([look as Tool], { refresh: async () => undefined, list: () => [] }, asItIs),
    skills: new KnownSkills(undefined, hash),
    mode: () => "ask",
  });
  const metadata = { ts: 1, turn: 1, step: 0, runId: "run_1", kind: "normal" as const };
  const parts = [{ type: "text" as const, text: "Look around." }];
  await history.append({ kind: "message", parentId: null, message: { id: "msg_1", role: "user", parts, metadata } });
  const kinds = () => history.records.map(({ kind }) => kind).join(" ");
  return { models, files, history, runner, events, kinds };
}

const proven = async (files: Parameters<typeof verifySession>[0]) => {
  const { defects, proven: sound, requests } = await verifySession(files, hash);
  assert.deepEqual(defects, []);
  assert.equal(sound, requests);
};

describe("a turn without a session", () => {
  it("runs its steps and tools, records them, and every request can be proven", async () => {
    const { models, files, history, runner, events, kinds } = await begin();
    models.play({ calls: [{ name: "LS", input: { at: "home" } }] }, { text: "Nothing there." });
    assert.deepEqual(await runner.run(new AbortController().signal), { reason: "done" });
    assert.equal(kinds(), "message message result inject message turnEnd");
    assert.match(transcript(models.requests[1]!).join("\n"), /Look around\.[\s\S]*saw home[\s\S]*Mind the gap/);
    assert.equal(history.conversation.turnOpen, false);
    assert.ok(events.some(({ type }) => type === "toolStart"));
    await proven(files);
  });

  it("takes what somebody says meanwhile, and ends where it is stopped", async () => {
    const { models, history, runner } = await begin();
    const stop = new AbortController();
    models.play({ text: "First." }, { text: "Half", hang: true });
    let steered = 0;
    const outcome = await runner.run(stop.signal, {
      takeSteering: async () => {
        if (history.conversation.step === 0 || steered > 0) return 0;
        steered += 1;
        void eventually("the second answer hangs", () => models.requests.length === 2).then(() => stop.abort());
        return 1;
      },
    });
    assert.deepEqual(outcome, { reason: "stopped" });
    assert.equal(history.records.at(-1)?.kind, "turnEnd");
  });

  it("compacts its own history, and says how a fault ended it", async () => {
    const { models, files, runner, kinds, history } = await begin();
    models.play({ text: "word ".repeat(9000) });
    await runner.run(new AbortController().signal);
    await runner.compactor.compact({ reason: "context-too-long", level: "all" }, new AbortController().signal);
    assert.match(kinds(), /compaction/);
    models.connectError = new Error("no line");
    const { reason, error } = await runner.run(new AbortController().signal);
    assert.deepEqual([reason, error?.code], ["error", "internal"]);
    assert.equal(history.records.at(-1)?.kind, "turnEnd");
    await proven(files);
  });
});
