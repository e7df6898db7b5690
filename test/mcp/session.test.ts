/** A whole session with a server's tools: looked for, agreed to, called, recorded, proven, and there again after a restart. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createSession, openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import type { RecordOf } from "../../src/shared/records";
import { last, log, reopened, runTurn, world } from "../fakes/agent";
import { eventually } from "../fakes/eventually";
import { mcpWorld, oddServer } from "../fakes/mcp";
import { bytesOf, verifyBytes } from "../fakes/proof";

const find = (input: object) => ({ name: "FindTools", input: input as never });
const echo = (word: string) => ({ name: "mcp__odd__echo", input: { word } });

/** The open question about a call of the tool. Starting a server takes as long as it takes. */
function asked(session: Session, tool: string): Promise<RecordOf<"approval">> {
  const { promise, resolve } = Promise.withResolvers<RecordOf<"approval">>();
  const look = () => {
    const approval = session.state === "asking" ? last(session, "approval") : undefined;
    if (approval && !approval.answer && approval.action.toolName === tool) resolve(approval);
  };
  const stop = session.subscribe(look);
  look();
  return promise.finally(stop);
}

describe("a session with MCP servers", () => {
  let servers: ReturnType<typeof mcpWorld>;
  afterEach(() => servers.end());

  it("asks for a workspace's server and for each tool, and goes on where it was in another process", async () => {
    servers = mcpWorld({ agrees: false, maxToolTokens: () => 0, servers: { odd: oddServer("calm") } });
    const agent = world({ mode: "auto", settings: { "permissions.runEverything": false } });
    const settings = { ...agent.ports.settings, allow: async () => undefined };
    const ports = { ...agent.ports, settings, foreignTools: servers.servers };
    const session = await createSession(ports);
    agent.models.play(
      { calls: [find({ server: "odd", query: "echo" })] },
      { calls: [echo("one")] },
      { calls: [{ name: "mcp__odd__environment", input: {} }] },
      { text: "done" },
    );
    await session.submit("use the server");
    const start = await asked(session, "FindTools");
    assert.equal(start.action.title, "Start the MCP server odd?");
    assert.match(start.action.reason ?? "", /^\.vscode\/mcp\.json of this workspace names it/);
    session.answer(start.approvalId, { decision: "allow", scope: "once" });
    const call = await asked(session, "odd:echo");
    assert.deepEqual(call.action.rules, [["odd:echo"]]);
    assert.deepEqual(call.action.detail, {
      type: "other",
      summary: "Calls a tool of the server odd",
      input: { word: "one" },
    });
    session.answer(call.approvalId, { decision: "allow", scope: "session" });
    await session.idle();
    const results = session.history.records.filter(record => record.kind === "result");
    assert.deepEqual(
      results.map(({ toolName, status, trust }) => [toolName, status, trust]),
      [
        ["FindTools", "success", "mcp"],
        ["odd:echo", "success", "mcp"],
        ["mcp__odd__environment", "error", undefined],
      ],
    );
    assert.match(results[2]?.error?.message ?? "", /There is no tool mcp__odd__environment/, "it was not looked for");
    assert.deepEqual([...session.history.conversation.foundTools], ["odd:echo"]);
    const requests = agent.disk
      .text(session.id, "requests.jsonl")
      ?.trim()
      .split("\n")
      .map(line => JSON.parse(line).cause);
    assert.deepEqual(requests, [undefined, "tools-changed", undefined, undefined]);
    await session.close();

    const again = await openSession({ ...ports, foreignTools: servers.again() }, session.id);
    agent.models.play({ calls: [echo("one")] }, { text: "done" });
    await runTurn(again, "again");
    assert.equal(last(again, "result").status, "success", "granted for the session, and agreed to for good");
    const causes = agent.disk
      .text(again.id, "requests.jsonl")
      ?.trim()
      .split("\n")
      .map(line => JSON.parse(line).cause);
    assert.deepEqual(causes?.slice(4), [undefined, undefined], "the same tools as before: nothing breaks");
    assert.match(log(agent.disk, again), /"foundTools":\["odd:echo"\]/);
    await again.close();
    assert.deepEqual((await verifyBytes(bytesOf(agent.disk, again.id))).defects, []);
  });

  it("tools that were found are offered still after a compaction, and in the process after that", async () => {
    servers = mcpWorld({ maxToolTokens: () => 0, servers: { odd: oddServer("calm") } });
    const agent = world({ settings: { "permissions.allow": ["odd:*"], "history.keepRounds": 1 } });
    const ports = { ...agent.ports, foreignTools: servers.servers };
    const session = await createSession(ports);
    agent.models.play({ calls: [find({ server: "odd", query: "echo" })] }, { calls: [echo("one")] }, { text: "done" });
    await runTurn(session, "use the server");
    for (const text of ["second", "third", "fourth", "fifth"]) {
      agent.models.play({ text: `${text} done. ${"word ".repeat(3_000)}` });
      await runTurn(session, text);
    }
    agent.models.play({ text: "## What happened\nThe server was used." });
    await session.compaction.compact();
    assert.equal(last(session, "compaction").kind, "compaction");
    const isFound = session.history.records.some(record => record.kind === "result" && record.toolName === "FindTools");
    assert.equal(isFound, false, "the call that found it is in the archive");
    const offered = () => agent.models.requests.at(-1)?.tools?.map(({ name }) => name) ?? [];
    agent.models.play({ calls: [echo("two")] }, { text: "done" });
    await runTurn(session, "again");
    assert.ok(offered().includes("mcp__odd__echo"), String(offered()));
    assert.equal(last(session, "result").status, "success");
    const again = await reopened(session, { ...ports, foreignTools: servers.again() });
    agent.models.play({ calls: [echo("three")] }, { text: "done" });
    await runTurn(again, "and again");
    assert.ok(offered().includes("mcp__odd__echo"), String(offered()));
    assert.equal(last(again, "result").status, "success");
    await again.close();
  });

  it("a compaction in a process that ran no turn is asked with the tools of the turns before", async () => {
    servers = mcpWorld({ maxToolTokens: () => 0, servers: { odd: oddServer("calm") } });
    const agent = world({ settings: { "permissions.allow": ["odd:*"], "history.keepRounds": 1 } });
    const ports = { ...agent.ports, foreignTools: servers.servers };
    const session = await createSession(ports);
    agent.models.play({ calls: [find({ server: "odd", query: "echo" })] }, { calls: [echo("one")] }, { text: "done" });
    for (const text of ["use the server", "second", "third"]) {
      await runTurn(session, text);
      agent.models.play({ text: `${text} done. ${"word ".repeat(3_000)}` });
    }
    const again = await reopened(session, { ...ports, foreignTools: servers.again() });
    agent.models.summaries.push({ text: "### ✅ Completed Milestones\n* [✓] it - out" });
    await again.compaction.compact();
    const [asked] = agent.models.summaryRequests;
    assert.deepEqual(asked?.tools, agent.models.requests.at(-1)?.tools);
    await again.close();
  });

  it("plan mode calls none of them; a rule lets one run; what came from a server makes edits ask", async () => {
    servers = mcpWorld({ servers: { odd: oddServer("calm") } });
    await servers.servers.refresh();
    await servers.servers.server("odd").look(new AbortController().signal);
    const agent = world({ mode: "plan", settings: { "permissions.allow": ["odd:ech*"] }, files: { "a.txt": "one\n" } });
    const session = await createSession({ ...agent.ports, foreignTools: servers.servers });
    agent.models.play({ calls: [echo("x")] }, { text: "no" });
    await runTurn(session, "plan");
    assert.equal(last(session, "result").error?.code, "DENIED");
    await session.setMode("edits");
    agent.models.play(
      { calls: [{ name: "Read", input: { file_path: "a.txt" } }, echo("x")] },
      { calls: [{ name: "Edit", input: { file_path: "a.txt", old_string: "one", new_string: "two" } }] },
      { text: "done" },
    );
    await session.submit("go");
    const question = await asked(session, "Edit");
    assert.match(question.action.reason ?? "", /the agent has read untrusted text since .*odd:echo/);
    session.answer(question.approvalId, { decision: "deny", scope: "once" });
    await session.idle();
    await session.close();
  });

  for (const [tool, how] of [
    ["ask", "while the server asks the person"],
    ["hang", "while the server works on it"],
  ] as const)
    it(`a call that is cut off ${how} is told as of unknown effect, and runs again only once somebody said so`, async () => {
      const asking = { command: process.execPath, args: [join(process.cwd(), "test/mcp/askingServer.mjs")] };
      servers = mcpWorld({ servers: { odd: asking } });
      await servers.servers.refresh();
      await servers.servers.server("odd").look(new AbortController().signal);
      const agent = world({ mode: "auto", settings: { "permissions.allow": ["odd:*"] } });
      const ports = { ...agent.ports, foreignTools: servers.servers };
      const session = await createSession(ports);
      let started = false;
      session.subscribe(({ type }) => {
        started ||= type === "toolStart";
      });
      const call = { name: `mcp__odd__${tool}`, input: {} };
      agent.models.play({ calls: [call] });
      await session.submit("go");
      await eventually("it runs", () => started);
      if (tool === "ask") await eventually("it asks", () => last(session, "question"));
      await session.close();
      assert.equal(last(session, "turnEnd").reason, "stopped");
      const again = await openSession(ports, session.id);
      assert.match(last(again, "result").error?.message ?? "", /effect is unknown: check before you repeat it/);
      agent.models.play({ calls: [call] }, { text: "done" });
      await again.resume();
      const question = await asked(again, `odd:${tool}`);
      assert.match(question.action.reason ?? "", /the same call was interrupted, and its effect is unknown/);
      again.answer(question.approvalId, { decision: "deny", scope: "once" });
      await again.idle();
      await again.close();
    });
});
