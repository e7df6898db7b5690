/** Hooks in whole sessions: each moment that has them, and that nothing goes around what they forbid. */
import assert from "node:assert/strict";
import { createSession, openSession } from "../../../../src/core/agent/session/openSession";
import type { HookFile } from "../../../../src/core/ground/ports";
import { verifySession } from "../../../../src/core/proof/verify";
import { success, type Tool } from "../../../../src/core/tool/tool";
import { everything, last, log, read, runTurn, type WorldOptions, world } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { hash } from "../../../fakes/hash";
import { agreedHooks, hookFile, prints, refuses } from "../../../fakes/hooks";
import { settings, words } from "../../../fakes/longConversation";
import { transcript } from "../../../fakes/model";
import type { ShellScript } from "../../../fakes/shell";

const bash = (command: string) => ({ name: "Bash", input: { command } });
const yes = { hookSpecificOutput: { permissionDecision: "allow" } };

async function start(files: HookFile[], shell: Record<string, ShellScript>, options: WorldOptions = {}, tool?: Tool) {
  const agent = world({ mode: "auto", ...options, shell: { "*": prints("ok"), ...shell } });
  const session = await createSession({
    ...{ ...agent.ports, hooks: agreedHooks(...files) },
    ...(tool && { foreignTools: { refresh: async () => undefined, list: () => [tool] } }),
  });
  const ran = (command: string) => agent.shell.runs.filter(run => run.command === command);
  const input = (command: string) => JSON.parse(String(ran(command)[0]?.input ?? "{}"));
  const sent = () => agent.models.requests.map(request => transcript(request).join("\n"));
  async function say(text: string, ...answers: Parameters<typeof agent.models.play>) {
    agent.models.play(...answers);
    await runTurn(session, text);
  }
  async function proven() {
    const { defects, breaks } = await verifySession(session.history.files, hash);
    assert.deepEqual([defects, breaks.unexplained], [[], undefined]);
  }
  return { ...agent, session, ran, input, sent, say, proven };
}

const one = (event: string, matcher?: string) => hookFile([{ event, ...(matcher && { matcher }), command: "hook" }]);
const results = ({ session }: Awaited<ReturnType<typeof start>>) =>
  session.history.records.flatMap(record => (record.kind === "result" ? [record] : []));

describe("hooks of a compaction", function () {
  this.timeout(30_000);
  async function long(agent: Awaited<ReturnType<typeof start>>) {
    for (const at of [1, 2, 3, 4]) await agent.say(`Question ${at}.`, { text: words(2600, `Answer ${at}.`) });
    agent.models.summaries.push({
      text: "## 📌 Archived Session Summary\n### 🎯 Objectives & Status\n* Rounding was looked at.\n",
    });
  }

  it("keep one by hand from beginning", async () => {
    const agent = await start([one("PreCompact", "manual")], { hook: refuses("the log is not saved") }, { settings });
    await long(agent);
    await agent.session.compaction.compact("short");
    assert.equal(last(agent.session, "compaction"), undefined);
    assert.equal(agent.models.summaryRequests.length, 0);
    assert.deepEqual([agent.input("hook").trigger, agent.input("hook").custom_instructions], ["manual", "short"]);
    await agent.proven();
  });

  it("tell the model something after it, once, with the next request", async () => {
    const files = [
      hookFile([
        { event: "PostCompact", command: "after" },
        { event: "SessionStart", matcher: "compact", command: "anew" },
      ]),
    ];
    const context = (additionalContext: string) => prints({ hookSpecificOutput: { additionalContext } });
    const agent = await start(files, { after: context("word of after"), anew: context("word of anew") }, { settings });
    await long(agent);
    await agent.session.compaction.compact();
    assert.ok(last(agent.session, "compaction"));
    await agent.say("Question 5.", { calls: [read("src/a.ts")] }, { text: "Answer 5." });
    await agent.say("Question 6.", { text: "Answer 6." });
    const counts = agent.sent().map(text => text.split("word of anew").length - 1);
    assert.deepEqual(counts.slice(-3), [1, 1, 1], "it stands where it came, and does not come again");
    assert.match(agent.sent().at(-1) ?? "", /word of after/);
    assert.equal(agent.ran("anew").length, 1);
    await agent.proven();
  });
});

describe("hooks of a notification", () => {
  it("hear that an approval waits, and a question", async () => {
    const agent = await start(
      [one("Notification", "permission_prompt")],
      {},
      { mode: "ask", settings: { "permissions.runEverything": false } },
    );
    agent.models.play(
      { calls: [bash("make")] },
      {
        calls: [
          {
            name: "AskUser",
            input: { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] },
          },
        ],
      },
      { text: "Done." },
    );
    await agent.session.submit("go");
    const { approvalId } = await eventually(
      "it asks",
      () => agent.session.state === "asking" && last(agent.session, "approval"),
    );
    await eventually("hook 1 runs", () => agent.ran("hook")[0]);
    assert.equal(agent.input("hook").notification_type, "permission_prompt");
    assert.match(agent.input("hook").message, /make/);
    agent.session.answer(approvalId, { decision: "allow", scope: "once" });
    const { questionId } = await eventually(
      "it asks a question",
      () => agent.session.state === "asking" && last(agent.session, "question"),
    );
    await eventually("hook 2 runs", () => agent.ran("hook")[1]);
    agent.session.reply(questionId, { action: "accept", values: { q1: ["A"] } });
    await agent.session.idle();
    assert.equal(agent.ran("hook").length, 2, "an answer is no news");
  });
});

describe("hooks of a session's end", () => {
  it("run once, of a session that was used", async () => {
    const used = await start([one("SessionEnd")], {});
    await used.say("go", { text: "Done." });
    await used.session.close();
    assert.deepEqual([used.ran("hook").length, used.input("hook").hook_event_name], [1, "SessionEnd"]);
    const unused = await start([one("SessionEnd")], {});
    await unused.session.close();
    assert.equal(unused.ran("hook").length, 0);
  });
});

describe("hooks around calls", () => {
  it("continue: false ends the turn, and says why", async () => {
    const agent = await start([one("PostToolUse", "Read")], {
      hook: prints({ continue: false, stopReason: "budget is gone" }),
    });
    await agent.say("go", { calls: [read("src/a.ts")] }, { text: "never asked" });
    assert.equal(agent.models.requests.length, 1);
    const { reason, error } = last(agent.session, "turnEnd");
    assert.deepEqual([reason, error?.code], ["limit", "hook-stopped"]);
    assert.match(error?.message ?? "", /budget is gone/);
    const before = await start([one("PreToolUse", "Bash")], { hook: prints({ continue: false }) });
    await before.say("go", { calls: [bash("make")] }, { text: "never asked" });
    assert.deepEqual([before.ran("make").length, before.models.requests.length], [0, 1]);
    await before.proven();
  });

  it("forbid a tool of a server, by its other name", async () => {
    let performed = 0;
    const tool: Tool<object> = {
      ...{ name: "db:query", description: "Asks", effect: "network", trust: "mcp" },
      input: { jsonSchema: { type: "object" }, parse: () => ({ value: {} }) },
      prepare: async () => ({
        ...{ targets: [], title: "Ask", binding: "x", detail: { type: "other", summary: "Asks", input: {} } },
        async perform() {
          performed += 1;
          return success({ data: {}, text: "rows", digest: "Ask" });
        },
      }),
    };
    const agent = await start([one("PreToolUse", "mcp__db__.*")], { hook: refuses("no queries") }, {}, tool);
    await agent.say("go", { calls: [{ name: "db:query", input: {} }] }, { text: "Done." });
    assert.equal(performed, 0);
    assert.match(
      results(agent)[0]?.error?.message ?? "",
      /^A hook does not let this call run\. Do not try to reach the same by another way\. Other ways to it ask the user, too\. It says:\nno queries/,
    );
    assert.equal(agent.input("hook").tool_name, "mcp__db__query");
  });

  it("forbid each of several reads that go side by side, whoever else says yes", async () => {
    const files = [
      hookFile([
        { event: "PreToolUse", command: "yes" },
        { event: "PreToolUse", matcher: "Read", command: "no" },
      ]),
    ];
    const agent = await start(files, { yes: prints(yes), no: refuses("secret files") });
    await agent.say("go", { calls: [read("src/a.ts"), read("src/a.ts"), read("src/a.ts")] }, { text: "Done." });
    assert.deepEqual(
      results(agent).map(({ error }) => error?.code),
      ["DENIED", "DENIED", "DENIED"],
    );
    await agent.proven();
  });

  it("leave a denial of what the call would have done, once, with the name of the hook", async () => {
    const agent = await start([one("PreToolUse")], { hook: refuses("keep it") });
    const clear = { calls: [bash("rm -r data")] };
    await agent.say("go", clear, clear, { text: "Done." });
    assert.deepEqual(
      agent.session.history.conversation.denials.map(({ title, by, rule }) => [title, by, rule]),
      [["Run `rm -r data`", "hook", "hook"]],
    );
  });

  it("a yes does not reach what may do what was refused before", async () => {
    const settings = { "permissions.runEverything": false, "permissions.deny": ["Bash(rm *)"] };
    const agent = await start([one("PreToolUse")], { hook: prints(yes) }, { mode: "ask", answers: "never", settings });
    await agent.say(
      "go",
      { calls: [bash("make")] },
      { calls: [bash("rm -r data")] },
      { calls: [bash("make")] },
      { text: "Done." },
    );
    assert.equal(agent.ran("make").length, 1);
  });

  it("a person's yes is not to what a workspace's hook made of the call", async () => {
    const files = [
      hookFile([{ event: "PreToolUse", command: "mine" }]),
      hookFile([{ event: "PreToolUse", command: "theirs" }], "/ws/app"),
    ];
    const theirs = prints({ hookSpecificOutput: { updatedInput: { command: "evil" } } });
    const options: WorldOptions = { mode: "ask", answers: "never", settings: { "permissions.runEverything": false } };
    const agent = await start(files, { mine: prints(yes), theirs }, options);
    await agent.say("go", { calls: [bash("echo hi")] }, { text: "Done." });
    assert.deepEqual([agent.ran("evil").length, agent.ran("echo hi").length], [0, 0]);
    const alone = await start(files.slice(0, 1), { mine: prints(yes) }, options);
    await alone.say("go", { calls: [bash("make")] }, { text: "Done." });
    assert.equal(alone.ran("make").length, 1);
  });

  it("Stop ends one that runs, and the call does not", async () => {
    const agent = await start([one("PreToolUse")], { hook: { hangs: true } });
    agent.models.play({ calls: [bash("make")] });
    await agent.session.submit("go");
    await eventually("hook 1 runs", () => agent.ran("hook")[0]);
    await agent.session.stop();
    await agent.session.idle();
    assert.deepEqual([last(agent.session, "turnEnd").reason, agent.ran("make").length], ["stopped", 0]);
    await agent.proven();
  });

  it("what they say holds no known secret, neither for the model nor in the log", async () => {
    const key = "correct-horse-battery-9931-staple";
    const files = [
      hookFile([
        { event: "UserPromptSubmit", command: "prompt" },
        { event: "PreToolUse", matcher: "Read", command: "no" },
        { event: "PreToolUse", matcher: "Bash", command: "change" },
        { event: "PostToolUse", command: "post" },
      ]),
    ];
    const shell = {
      prompt: prints(`the prompt's is ${key}`),
      no: refuses(`the read's is ${key}`),
      change: prints({ systemMessage: key, hookSpecificOutput: { updatedInput: { command: "echo changed" } } }),
      post: prints({ continue: false, stopReason: key, hookSpecificOutput: { additionalContext: `after ${key}` } }),
    };
    const agent = await start(files, shell, { secrets: { environment: { SERVICE_API_KEY: key } } });
    await agent.say("go", { calls: [read("src/a.ts")] }, { calls: [bash("echo hi")] }, { text: "Done." });
    await agent.say("again", { text: "Done." });
    assert.equal(agent.ran("echo changed").length, 1);
    assert.doesNotMatch(everything(agent.disk), /correct-horse/);
    assert.doesNotMatch(agent.sent().join("\n"), /correct-horse/);
    assert.doesNotMatch(JSON.stringify(agent.logged), /correct-horse/);
  });
});

describe("hooks of a message", () => {
  it("Stop is no way around one that has not answered yet", async () => {
    const agent = await start([one("UserPromptSubmit")], { hook: { hangs: true } });
    const sent = agent.session.submit("password: hunter2").catch((error: unknown) => error);
    await eventually("hook 1 runs", () => agent.ran("hook")[0]);
    await agent.session.stop();
    await sent;
    await agent.session.idle();
    assert.doesNotMatch(everything(agent.disk), /hunter2/);
    assert.equal(agent.models.requests.length, 0);
  });
});

describe("hooks behind a call and at a turn's end", () => {
  it("an objection to what a call did is told to the model", async () => {
    const agent = await start([one("PostToolUse")], { hook: refuses("use tabs") });
    await agent.say("go", { calls: [bash("echo hi")] }, { text: "Done." });
    assert.match(agent.sent().at(-1) ?? "", /A hook has an objection to what Bash did:\nuse tabs/);
  });

  it("one that keeps the turn from its end is heard, eight times at most", async () => {
    const agent = await start([one("Stop")], { hook: refuses("tests fail") });
    await agent.say("go", ...Array.from({ length: 20 }, () => ({ text: "I am done." })));
    assert.equal(agent.models.requests.length, 9);
    assert.match(agent.sent().at(-1) ?? "", /does not let the turn end yet. It says:\ntests fail/);
    assert.match(last(agent.session, "note")?.text ?? "", /from its end 8 times/);
    // The process died while it was asked a second time.
    const lines = log(agent.disk, agent.session).split("\n");
    const answers = lines.flatMap((line, at) => (line.includes('"I am done."') ? [at] : []));
    await agent.session.close();
    agent.disk.put(agent.session.id, "history.jsonl", `${lines.slice(0, answers[1]! + 1).join("\n")}\n`);
    const again = await openSession({ ...agent.ports, hooks: agreedHooks(one("Stop")) }, agent.session.id);
    await again.resume();
    await again.idle();
    assert.equal(agent.models.requests.length, 9 + 7);
  });
});
