/** A session as a trajectory of ATIF 1.7: accepted by the format's rules, whole, with the session's own totals. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { openSession } from "../../../src/core/agent/session/openSession";
import type { SessionFiles } from "../../../src/core/ground/ports";
import { sessionUsage } from "../../../src/core/log/costs";
import { readWholeLog } from "../../../src/core/log/readLog";
import { trajectory } from "../../../src/core/proof/trajectory";
import type { Redact } from "../../../src/shared/redacted";
import { edit, read, runTurn, start } from "../../fakes/agent";
import { atifComplaints, atifSums, type Trajectory } from "../../fakes/atif";
import { sessionTree } from "../../fakes/children";
import { compactedSession } from "../../fakes/compacted";
import { eventually } from "../../fakes/eventually";
import { conversation, say, words } from "../../fakes/longConversation";
import { png } from "../../fakes/png";
import { fullSession, sessionOn } from "../../fakes/proof";
import { asItIs } from "../../fakes/redact";
import { MemoryStorage } from "../../fakes/storage";

const SUMMARY = { text: "### ✅ Completed Milestones\n* [✓] Some questions were answered", input: 900, output: 70 };
const prices = { input: 1, output: 5, cachedInput: 0.1, dearer: [] };
const agentSteps = ({ steps }: Trajectory) => steps.filter(({ source }) => source === "agent");
const textOf = (document: Trajectory) => JSON.stringify(document.steps);
/** Of the calls of all steps: status of each result, `none` where there is none. */
const outcomes = (document: Trajectory) =>
  document.steps.flatMap(({ tool_calls = [], observation }) => {
    const results = (observation?.results ?? []) as { source_call_id?: string; extra: { status: string } }[];
    const ids = (tool_calls as { tool_call_id: string }[]).map(call => call.tool_call_id);
    return ids.map(id => results.find(({ source_call_id }) => source_call_id === id)?.extra.status ?? "none");
  });

async function golden(name: string): Promise<SessionFiles> {
  const folder = `test/golden/${name}`;
  const load = (names: string[]) => names.map(file => [file, readFileSync(`${folder}/${file}`)] as const);
  const archives = readdirSync(folder).includes("archive") ? readdirSync(`${folder}/archive`) : [];
  const files = load(["history.jsonl", "requests.jsonl", ...archives.map(file => `archive/${file}`)]);
  const blobs = readdirSync(`${folder}/blobs`).map(file => [file, readFileSync(`${folder}/blobs/${file}`)] as const);
  return sessionOn({ files: new Map(files), blobs: new Map(blobs) });
}

interface Case {
  files: () => Promise<SessionFiles>;
  holds: (document: Trajectory) => void;
}

const SESSIONS: Record<string, Case> = {
  "calls together, reasoning, a failed call, a retry": {
    files: async () => {
      const { ports, id } = await fullSession();
      return ports.storage.open(id);
    },
    holds: document => {
      assert.deepEqual(outcomes(document), ["success", "success", "success", "success", "success", "error", "success"]);
      assert.equal(agentSteps(document)[0]?.reasoning_content, "Look first.");
      const { tool_definitions: tools = [], model_name } = document.agent;
      const named = tools.map(tool => (tool.function as { name?: string }).name);
      assert.ok(named.includes("Read") && model_name === "scripted");
      assert.ok(tools.every(tool => "parameters" in tool.function && !("inputSchema" in tool.function)));
    },
  },
  "an answer that was stopped": {
    files: async () => {
      const { session, models } = await start();
      models.play({ text: "Half an ans", hang: true });
      await session.submit("go");
      await eventually("it is asked", () => models.requests.length > 0 || undefined);
      await session.stop();
      await session.idle();
      return session.history.files;
    },
    holds: ({ steps }) => assert.deepEqual(steps.at(-1)?.extra, { turn: 1, reason: "stopped" }),
  },
  "an answer that was cut off and asked for again": {
    files: async () => {
      const { session, models, clock } = await start();
      clock.sleep = async () => undefined;
      const fail = { code: "server" as const, message: "Cut.", retryable: true };
      models.play({ text: "Half", fail }, { text: "Whole." });
      await runTurn(session, "go");
      return session.history.files;
    },
    holds: document => {
      const [cut, whole] = agentSteps(document);
      assert.deepEqual([cut?.message, whole?.message], ["Half", "Whole."]);
      assert.match(JSON.stringify(cut?.extra), /"cut_off":"Cut\."/);
    },
  },
  "a call that a crash interrupted, and a turn that ended badly": {
    files: async () => {
      const { session, models, ports, disk } = await start({ mode: "auto" });
      models.play({ calls: [{ name: "Bash", input: { command: "make" } }] }, { text: "Done." });
      await runTurn(session, "go");
      await session.close();
      const lines = (disk.text(session.id, "history.jsonl") ?? "").split("\n");
      const ran = lines.findIndex(line => line.includes('"kind":"result"'));
      disk.put(session.id, "history.jsonl", `${lines.slice(0, ran).join("\n")}\n`);
      models.play({ fail: { code: "auth", message: "The key is wrong.", retryable: false } });
      const again = await openSession(ports, session.id);
      await runTurn(again, "go on");
      return again.history.files;
    },
    holds: document => {
      assert.match(textOf(document), /INTERRUPTED.*Turn 2 ended: The key is wrong\./);
      assert.deepEqual(outcomes(document), ["error"]);
    },
  },
  "pictures of the person, and words that are no JSON": {
    files: async () => {
      const { session, models } = await start();
      models.play({ calls: [{ name: "Read", input: "{broken" }] }, { text: "I see." });
      await runTurn(session, "Compare", "steer", [await session.keepPicture("one.png", png(4, 4))]);
      return session.history.files;
    },
    holds: document => {
      const message = document.steps.find(({ source }) => source === "user")?.message;
      assert.ok(Array.isArray(message));
      const image = message.find(part => part.type === "image");
      assert.match(image?.source.path ?? "", /^blobs\/[0-9a-f]{64}$/);
      assert.deepEqual(outcomes(document), ["error"]);
    },
  },
  "a compaction by hand, with all that it took": {
    files: async () => {
      const { ports, id } = await compactedSession();
      return ports.storage.open(id);
    },
    holds: document => {
      assert.equal(outcomes(document).length, 7);
      assert.match(textOf(document), /Archived Session Summary/);
    },
  },
  "a summary by a model, which is paid for": {
    files: async () => {
      const agent = await conversation(3, 2_600);
      agent.models.prices = prices;
      agent.models.reportsUsage = true;
      await say(agent, "Question 4.", { text: words(2_600, "Yes."), input: 5_000, cached: 4_000 });
      agent.models.summaries.push(SUMMARY);
      await agent.session.compaction.compact();
      await say(agent, "And now?", { text: "This." });
      return agent.session.history.files;
    },
    holds: document => {
      const { beside_steps: beside } = document.final_metrics.extra;
      assert.deepEqual([beside.prompt_tokens, beside.completion_tokens], [900, 70]);
      assert.ok(Number(document.final_metrics.total_cost_usd) > Number(beside.cost_usd));
      assert.equal(agentSteps(document).length, 5);
    },
  },
  "a turn that was rewound": {
    files: async () => {
      const agent = await conversation(2, 20);
      await agent.session.rewind.rewind(2, "conversation");
      await say(agent, "Otherwise.", { text: "So be it." });
      return agent.session.history.files;
    },
    holds: document => {
      const said = document.steps.map(({ source, message }) => `${source}: ${String(message).slice(0, 12)}`);
      for (const step of ["agent: Answer 2. wo", "system: The conversa", "agent: So be it."])
        assert.ok(said.includes(step));
    },
  },
  "results whose call is gone, lines that cannot be read": {
    files: async () => {
      const { disk, id } = await fullSession();
      const lines = (disk.text(id, "history.jsonl") ?? "").split("\n");
      const answer = lines.findIndex(line => line.includes('"role":"assistant"'));
      disk.put(id, "history.jsonl", lines.map((line, at) => (at === answer ? "{torn" : line)).join("\n"));
      return new MemoryStorage(disk).open(id);
    },
    holds: document => {
      const gone = agentSteps(document).filter(({ llm_call_count }) => llm_call_count === 0);
      assert.equal(gone.length, 2);
      assert.match(document.notes ?? "", /Line 3 of history\.jsonl cannot be read/);
    },
  },
  "agents, with those that work for them": {
    files: async () => {
      const { ports, id } = await sessionTree();
      return ports.storage.open(id);
    },
    holds: document => {
      const [child] = document.subagent_trajectories ?? [];
      assert.deepEqual(
        child?.subagent_trajectories?.map(({ agent }) => agent.name),
        ["strata"],
      );
      const results = document.steps.flatMap(({ observation }) => observation?.results ?? []);
      const named = results.flatMap(result =>
        "subagent_trajectory_ref" in result ? result.subagent_trajectory_ref : [],
      );
      assert.deepEqual(named, [{ trajectory_id: child?.trajectory_id }]);
      assert.equal(document.final_metrics.total_cost_usd, 0.25);
      assert.match(textOf(document), /The agent explore \(Look around\) ended: done/);
      assert.match(JSON.stringify(child?.steps), /deep|obs:/);
    },
  },
  "nothing yet": {
    files: async () => (await start()).session.history.files,
    holds: ({ steps }) => assert.equal(steps.length, 1),
  },
  ...Object.fromEntries(
    ["session.v1", "session.ledger3"].map(name => [name, { files: () => golden(name), holds: () => undefined }]),
  ),
};

describe("a trajectory", () => {
  for (const [what, { files, holds }] of Object.entries(SESSIONS))
    it(`has ${what}`, async () => {
      const session = await files();
      const document = JSON.parse(JSON.stringify(await trajectory(session, { redact: asItIs, app: "1.0.0" })));
      assert.deepEqual(atifComplaints(document), []);
      const [counted, named] = atifSums(document);
      assert.deepEqual(counted, named);
      const { records } = await readWholeLog(session);
      const { input, output } = sessionUsage(records);
      assert.deepEqual(named.slice(0, 2), [input, output]);
      const answers = records.filter(record => record.kind === "message" && record.message.role === "assistant");
      const answered = agentSteps(document).filter(({ extra }) => !("cut_off" in extra) && !("tool_call_id" in extra));
      assert.equal(answered.length, answers.length);
      holds(document);
    });

  it("hides what became a secret since", async () => {
    const { session, models } = await start();
    models.play({ calls: [edit("src/a.ts", "one", "hunter22")] }, { text: "hunter22" });
    await runTurn(session, "hunter22");
    const redact = ((text: string) => text.replaceAll("hunter22", "[secret]")) as Redact;
    assert.doesNotMatch(JSON.stringify(await trajectory(session.history.files, { redact, app: "1" })), /hunter22/);
  });

  it("is refused where it is none", async () => {
    const { session, models } = await start();
    models.play({ calls: [read("src/a.ts")] }, { text: "Done." });
    await runTurn(session, "go");
    const document = await trajectory(session.history.files, { redact: asItIs, app: "1" });
    const at = (source: string) => document.steps.findIndex(step => step.source === source);
    const [user, agent] = [at("user"), at("agent")];
    const result = { source_call_id: "call_99", content: "" };
    const wrong: Record<string, (steps: Record<string, unknown>[]) => unknown> = {
      "a gap": steps => steps.splice(user, 1),
      "a field of an agent on a person's step": steps => Object.assign(steps[user] ?? {}, { model_name: "m" }),
      "a field that nobody knows": steps => Object.assign(steps[user] ?? {}, { kind: "x" }),
      "a result of another step's call": steps =>
        Object.assign(steps[agent] ?? {}, { observation: { results: [result] } }),
      "metrics where no model was asked": steps => Object.assign(steps[agent] ?? {}, { llm_call_count: 0 }),
      "no message": steps => Reflect.deleteProperty(steps[agent] ?? {}, "message"),
      "a time of day": steps => Object.assign(steps[user] ?? {}, { timestamp: "12:00" }),
      "no step": steps => steps.splice(0),
    };
    for (const [what, change] of Object.entries(wrong)) {
      const copy = structuredClone(document);
      change(copy.steps as unknown as Record<string, unknown>[]);
      assert.ok(atifComplaints(copy).length > 0, what);
    }
  });
});
