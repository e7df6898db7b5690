/** The host's side of the panel on a whole agent of fakes: the protocol, several panels, sessions that come and go. */

import assert from "node:assert/strict";
import type { HostToPanel } from "../../src/shared/panelProtocol";
import { eventually } from "../fakes/eventually";
import { ended, startHost as start, surroundings } from "../fakes/panelHost";

describe("the panel's host", () => {
  it("opens on a new session, and remembers it", async () => {
    const { panel, memory } = start();
    const client = panel();
    const snapshot = await client.request("open", {});
    assert.deepEqual(
      { ...snapshot, sessionId: "" },
      {
        ...{ version: 1, sessionId: "", readOnly: false, title: "", mode: "ask", state: "idle" },
        ...{ records: [], denials: [], hasOlder: false, held: [], live: [], surroundings },
        ...{ todos: [], plan: null, pending: [], pins: [] },
      },
    );
    assert.equal(memory.last, snapshot.sessionId);
  });

  it("finds, and goes to a prompt, in the tab where the person is", async () => {
    const { host, sessions } = start();
    const shown: string[] = [];
    const tab = { reveal: async () => void shown.push("tab"), inSight: () => true };
    const told: string[] = [];
    const page = { last: { get: () => undefined, set: () => undefined }, tab };
    const connection = host.connect(message => told.push(message.type), page);
    connection.receive({ id: 1, method: "open", params: {} });
    await eventually("it is open", () => told.length > 0);
    connection.activate();
    await eventually("the person is there", () => sessions.active !== sessions.side);
    told.length = 0;
    host.find();
    await host.reveal("msg_1", 1);
    assert.deepEqual(
      told.filter(type => type === "find" || type === "reveal"),
      ["find", "reveal"],
    );
    assert.deepEqual(shown, ["tab"]);
  });

  it("says how things stand last, whichever look at them takes longest", async () => {
    const { host, around, sessions } = start();
    const told: HostToPanel[] = [];
    const connection = host.connect(message => told.push(message));
    connection.receive({ id: 1, method: "open", params: {} });
    await eventually("it is open", () => told.length > 0 && sessions.current);
    const slow = Promise.withResolvers<void>();
    around.next = [
      { wait: slow.promise, model: { state: "none", message: "No model yet." } },
      { wait: Promise.resolve(), model: surroundings.model },
    ];
    const first = host.sendSurroundings();
    await host.sendSurroundings();
    slow.resolve();
    await first;
    assert.deepEqual(told.slice(1), [{ type: "surroundings", surroundings }]);
  });

  it("tells a turn record by record; two panels hear the same", async () => {
    const { panel, models } = start({ mode: "edits" });
    models.play({ text: "I look.", calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] }, { text: "Done." });
    const [one, two] = [panel(), panel()];
    await one.request("open", {});
    await two.request("open", {});
    await one.request("submit", { text: "read it", delivery: "steer" });
    await Promise.all([ended(one), ended(two)]);
    assert.equal(one.kinds(), "message message result message turnEnd");
    assert.deepEqual(two.records, one.records);
    assert.ok(one.batches < one.events.length, "events come in batches");
  });

  it("asks, and takes the answer", async () => {
    const { panel, models, files } = start();
    const edit = { file_path: "src/a.ts", old_string: "one", new_string: "two" };
    models.play(
      { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
      { calls: [{ name: "Edit", input: edit }] },
      { text: "Done." },
    );
    const client = panel();
    await client.request("open", {});
    await client.request("submit", { text: "edit it", delivery: "steer" });
    const asked = await eventually("it asks", () => client.records.find(record => record.kind === "approval"));
    assert.ok(asked.action.detail.type === "edit");
    assert.match(asked.action.detail.changes[0]?.diff ?? "", /^\+two$/m);
    const answer = { approvalId: asked.approvalId, decision: "allow" as const, scope: "once" as const };
    await client.request("answer", answer);
    await ended(client);
    assert.equal(files.onDisk("src/a.ts"), "two\n");
    await assert.rejects(client.request("answer", answer), /already answered/);
  });

  it("takes what the person made of a proposal, with an allow from the panel", async () => {
    const { panel, models, files, typed, done } = start();
    const edit = { file_path: "src/a.ts", old_string: "one", new_string: "two" };
    models.play(
      { calls: [{ name: "Read", input: { file_path: "src/a.ts" } }] },
      { calls: [{ name: "Edit", input: edit, id: "edit" }] },
      { text: "Done." },
    );
    const client = panel();
    await client.request("open", {});
    await client.request("submit", { text: "edit it", delivery: "steer" });
    const { approvalId } = await eventually("it asks", () => client.records.find(record => record.kind === "approval"));
    await client.request("openProposal", { approvalId });
    assert.deepEqual(done, [`proposal ${approvalId}`]);
    typed.set(approvalId, "three\n");
    await client.request("answer", { approvalId, decision: "allow", scope: "once" });
    await ended(client);
    assert.equal(files.onDisk("src/a.ts"), "three\n");
    const answered = client.records.findLast(record => record.kind === "approval");
    assert.ok(answered?.kind === "approval");
    assert.deepEqual(answered.answer?.edited, { added: 1, removed: 1, diff: "" }, "counts, without the long text");
    await assert.rejects(client.request("openProposal", { approvalId }), /not open any more/);
  });

  it("gives details and diffs of what it showed in short", async () => {
    const long = "line\n".repeat(400);
    const { panel, models, done } = start({ mode: "auto", files: { "src/a.ts": "one\n", "long.txt": long } });
    models.play(
      {
        calls: [
          { name: "Read", input: { file_path: "long.txt" }, id: "read" },
          { name: "Read", input: { file_path: "src/a.ts" } },
        ],
      },
      {
        calls: [{ name: "Edit", input: { file_path: "src/a.ts", old_string: "one", new_string: "two" }, id: "edit" }],
      },
      { text: "Done." },
    );
    const client = panel();
    await client.request("open", {});
    await client.request("submit", { text: "go", delivery: "steer" });
    await ended(client);
    const shown = client.records.find(record => record.kind === "result" && record.callId === "read");
    assert.ok(shown?.kind === "result" && shown.forms.shown.length === 400);
    const { first: text } = await client.request("printed", { callId: "read" });
    assert.match(text, /400.line/);
    await client.request("openDiff", { callId: "edit", uri: "file:///ws/app/src/a.ts" });
    assert.deepEqual(done, ["diff src/a.ts true"]);
    await assert.rejects(
      client.request("openDiff", { callId: "edit", uri: "file:///other" }),
      /did not change that file/,
    );
    await assert.rejects(client.request("printed", { callId: "none" }), /no result yet/);
  });

  it("answers every request once, with words for people where it fails", async () => {
    const { panel, done, logged } = start();
    const client = panel();
    await client.request("open", {});
    await client.request("action", { action: "show-log" });
    await client.request("openFile", { path: "src/a.ts", line: 3 });
    assert.deepEqual(done, ["show-log", "file src/a.ts"]);
    await assert.rejects(client.request("openFile", { path: "none.ts" }), /^Error: There is no none.ts\.$/);
    await assert.rejects(client.request("submit", { text: "  ", delivery: "steer" }), /The message is empty/);
    await assert.rejects(client.request("openSession", { id: "ses_none" }), /./);
    await assert.rejects(client.request("resume", {}), /nothing to continue/);
    await assert.rejects(client.request("older", { before: "x" } as never), /invalid request/);
    assert.equal(logged.filter(line => line.level === "error").length, 0);
    await assert.rejects(
      client.request("openFile", { path: "broken.ts" }),
      /Something went wrong.*See the log for details/,
    );
    for (const nonsense of [undefined, null, 7, "open", {}, { id: 1, method: "hack", params: {} }])
      client.send(nonsense);
    await eventually("seven errors are logged", () => logged.filter(line => line.level === "error").length === 7);
  });

  it("refuses messages where nothing can be worked on, and only those", async () => {
    const { panel, refuse } = start();
    refuse("No folder is open.");
    const client = panel();
    await client.request("open", {});
    await assert.rejects(client.request("submit", { text: "go", delivery: "steer" }), /No folder is open/);
    await client.request("setMode", { mode: "plan" });
    assert.equal((await client.request("open", {})).mode, "plan");
  });

  it("keeps text for the composer until a panel is there", async () => {
    const { host, panel } = start();
    host.compose("@a.ts:1 ");
    const client = panel();
    assert.deepEqual(client.composed, []);
    await client.request("open", {});
    host.compose("@b.ts:2 ");
    const insert = (text: string) => ({ type: "compose", op: "mention", text, focus: true });
    assert.deepEqual(client.composed, [insert("@a.ts:1 "), insert("@b.ts:2 ")]);
  });

  it("takes text out of the composer only of panels that are there: no later one has it", async () => {
    const { host, panel } = start();
    host.takeFromComposer("before");
    const client = panel();
    await client.request("open", {});
    host.takeFromComposer("half a thought");
    assert.deepEqual(client.composed, [{ type: "compose", op: "remove", text: "half a thought", focus: false }]);
  });

  it("tells of a branch with the message that makes it, and takes the message out of the composer where its rewind is undone", async () => {
    const { panel, models } = start();
    const client = panel();
    await client.request("open", {});
    const say = async (text: string) => {
      models.play({ text: `To ${text}.` });
      const before = client.records.filter(({ kind }) => kind === "turnEnd").length;
      await client.request("submit", { text, delivery: "steer" });
      const ends = () => client.records.filter(({ kind }) => kind === "turnEnd").length;
      await eventually("the turn has ended", () => ends() > before && client.state === "idle");
    };
    await say("one");
    await client.request("rewind", { turn: 1, what: "conversation" });
    await eventually("the rewind is shown", () => client.snapshot?.rewound);
    await say("another");
    assert.deepEqual([client.forks.length, client.forks[0]?.current], [1, 1]);
    await client.request("rewind", { turn: 2, what: "conversation" });
    await eventually("the turn is out of sight", () => !client.records.some(({ kind }) => kind === "turnEnd"));
    await say("a third");
    assert.deepEqual([client.forks.length, client.forks[0]?.tips.length, client.forks[0]?.current], [1, 3, 2]);
    await client.request("undoRewind", { rewindId: client.snapshot?.rewound ?? "" });
    await eventually("the words are back in the composer", () => client.composed.length > 0);
    assert.deepEqual(client.composed, [{ type: "compose", op: "remove", text: "another", focus: false }]);
  });

  it("holds what waited when a turn was stopped, tells so in a snapshot, and sends it on request", async () => {
    const { panel, models } = start();
    models.play({ text: "Long", hang: true }, { text: "Short." });
    const client = panel();
    await client.request("open", {});
    await client.request("submit", { text: "long work", delivery: "steer" });
    await client.request("submit", { text: "then this", delivery: "queue" });
    await eventually("text streams", () => client.events.find(event => event.type === "text"));
    await client.request("stop", {});
    await ended(client);
    const pendingId = client.records.find(record => record.kind === "pending")?.pendingId ?? "";
    assert.deepEqual((await client.request("open", {})).held, [pendingId]);
    await client.request("sendPending", { pendingId });
    const ends = () => client.records.filter(record => record.kind === "turnEnd").length;
    await eventually("the turn has ended", () => ends() === 2 && client.state === "idle");
    const said = client.records.flatMap(record => (record.kind === "message" ? [record.message] : []));
    assert.deepEqual(
      said.filter(({ role }) => role === "user").map(({ parts }) => parts.find(part => part.type === "text")?.text),
      ["long work", "then this"],
    );
    assert.deepEqual((await client.request("open", {})).held, []);
    await assert.rejects(client.request("sendPending", { pendingId }), /already sent or removed/);
  });

  it("opens in the middle of an answer with what has streamed", async () => {
    const { panel, models } = start();
    models.play({ text: "Half an ans", hang: true });
    const client = panel();
    await client.request("open", {});
    await client.request("submit", { text: "go", delivery: "steer" });
    await eventually("text streams", () => client.events.find(event => event.type === "text"));
    const late = panel();
    const { live, state } = await late.request("open", {});
    assert.equal(state, "running");
    assert.deepEqual(
      live.flatMap(event => (event.type === "text" ? [event.delta] : [])),
      ["Half an ans"],
    );
    await late.request("stop", {});
    await Promise.all([ended(late), ended(client)]);
    assert.deepEqual(late.records, client.records);
  });
});
