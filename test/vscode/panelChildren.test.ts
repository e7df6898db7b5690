/** Conversations of agents that work for a session, in a window. */
import assert from "node:assert/strict";
import { createSession, openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { eventually } from "../fakes/eventually";
import { ended, startHost } from "../fakes/panelHost";

const CHILD = "ses_child";

/** A session with a turn and a child, as core makes them. */
async function withChild() {
  const host = startHost();
  host.models.play({ text: "One." });
  const client = host.panel();
  await client.request("open", {});
  await client.request("submit", { text: "go", delivery: "steer" });
  await ended(client);
  const root = await host.sessions.show();
  const storage = root.history.files.children;
  assert.ok(storage);
  const opened: Session[] = [];
  const stopped: string[] = [];
  const asCallers = (child: Session) => {
    Object.defineProperty(child, "caller", { value: { id: root.id, title: "go", agent: "explore" } });
    opened.push(child);
    return child;
  };
  const ports = { ...host.ports, storage };
  const created = asCallers(await createSession(ports, CHILD));
  const open = async (id: string) => (opened.length > 1 ? asCallers(await openSession(ports, id)) : created);
  Object.defineProperty(root, "children", { value: { open, stop: (id: string) => stopped.push(id) } });
  const said = { childId: CHILD, messageId: "m", callId: "c", turn: 1, agent: "explore", title: "Look" } as const;
  await root.history.append({ kind: "child", phase: "begun", ...said });
  return { ...host, client, root, created, opened, stopped, said };
}

describe("the conversation of an agent that works for a session", () => {
  it("opens from its caller's, and leads back; it is written to, and what is remembered is the caller's", async () => {
    const { client, models, root, memory, sessions, stopped } = await withChild();
    const snapshot = await client.request("openSession", { id: CHILD });
    assert.deepEqual([snapshot.sessionId, snapshot.caller], [CHILD, { id: root.id, title: "go", agent: "explore" }]);
    assert.equal(memory.last, root.id);
    models.play({ text: "Two." });
    await client.request("submit", { text: "look there too", delivery: "steer" });
    await ended(client);
    assert.equal(client.kinds(), "message message turnEnd");
    const { sessions: listed } = await client.request("sessions", {});
    assert.deepEqual(
      listed.map(({ id }) => id),
      [root.id],
    );
    // A new session takes the place of no child's.
    await client.request("newSession", {});
    assert.notEqual(client.snapshot?.sessionId, CHILD);
    await client.request("openSession", { id: root.id });
    await client.request("stopChild", { childId: CHILD });
    assert.deepEqual(stopped, [CHILD]);
    await sessions.close();
  });

  it("is closed when it is left and quiet; its caller stays open for it", async () => {
    const { client, root, created, said } = await withChild();
    const work = { spent: { input: 1, output: 1 }, startedAt: 0, doing: "" };
    const tell = Reflect.get(root, "deps").events.emit;
    tell({ type: "child", childId: CHILD, state: "running", ...work });
    await client.request("openSession", { id: CHILD });
    await client.request("openSession", { id: root.id });
    assert.ok(root.history.files.writable && created.history.files.writable);
    const listed = async () => (await client.request("sessions", {})).sessions.map(({ running }) => running);
    assert.deepEqual(await listed(), [true]);
    await client.request("openSession", { id: CHILD });
    await root.history.append({ kind: "child", phase: "ended", reason: "done", ...said });
    assert.ok(root.history.files.writable && created.history.files.writable, "it is shown");
    assert.deepEqual(await listed(), [false]);
    await client.request("newSession", {});
    await eventually("both are closed", () => !root.history.files.writable && !created.history.files.writable);
  });

  it("goes with its caller into the trash, and with the window", async () => {
    const { client, root, created } = await withChild();
    await client.request("openSession", { id: CHILD });
    await client.request("deleteSession", { id: root.id });
    assert.notEqual(client.snapshot?.sessionId, CHILD);
    assert.ok(!created.history.files.writable);
    const other = await withChild();
    await other.client.request("openSession", { id: CHILD });
    await other.sessions.close();
    assert.ok(!other.created.history.files.writable && !other.root.history.files.writable);
  });

  it("shows all its changes in one editor, and is not kept open for that", async () => {
    const { client, models, created, done, root, said } = await withChild();
    await client.request("openSession", { id: CHILD });
    await created.setMode("edits");
    models.play(
      { calls: [{ name: "Write", input: { file_path: "src/new.ts", content: "two\n" } }] },
      { text: "Done." },
    );
    await client.request("submit", { text: "write", delivery: "steer" });
    await ended(client);
    await client.request("openSession", { id: root.id });
    await eventually("it is closed", () => !created.history.files.writable);
    await client.request("openChildDiffs", { childId: CHILD });
    assert.match(done.at(-1) ?? "", /^Changes: .*: src\/new\.ts$/);
    const changes = created.history.records.flatMap(each => (each.kind === "result" ? (each.changes ?? []) : []));
    await root.history.append({ kind: "child", phase: "changed", ...said, callId: "theirs", changes });
    await client.request("openDiff", { callId: "theirs", uri: changes[0]?.uri ?? "" });
    assert.match(done.at(-1) ?? "", /^diff src\/new\.ts/);
  });
});
