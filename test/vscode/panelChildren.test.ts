/** Conversations of agents that work for a session, in a window. */
import assert from "node:assert/strict";
import { addKind } from "../fakes/children";
import { eventually } from "../fakes/eventually";
import { type ScriptedAnswer, transcript } from "../fakes/model";
import { ended, startHost } from "../fakes/panelHost";
import { pluck } from "../fakes/pluck";

/** A session that gave a task: in the background where the child hangs. @param answers of the child */
async function delegated(answers: ScriptedAnswer[], subagent_type = "explore") {
  const host = startHost({ settings: { "agents.enabled": "on", "sessions.titles": false }, mode: "auto" });
  host.ports.titles = true;
  const { models, panel, sessions } = host;
  const isOfChild = (line: string) => line.startsWith("user:") && line.includes("Do: look");
  models.route = options => (transcript(options).some(isOfChild) ? answers.shift() : undefined);
  const background = answers.some(({ hang }) => hang);
  const input = { description: "Look", prompt: "Do: look", subagent_type, background };
  models.play({ calls: [{ name: "Task", input }] }, { text: "Done." });
  const client = panel();
  await client.request("open", {});
  const root = await sessions.show();
  addKind(root, "writer");
  await client.request("submit", { text: "go", delivery: "steer" });
  const asked = () => client.records.find(({ kind }) => kind === "approval");
  const question = await eventually("it asks with the price", asked);
  assert.ok(question.kind === "approval");
  await client.request("answer", { approvalId: question.approvalId, decision: "allow", scope: "once" });
  await ended(client);
  await host.clock.advance(300);
  const [childId = ""] = root.history.conversation.children.keys();
  const isWritten = async (id: string) => {
    const files = await (id === root.id ? host.ports.storage : root.history.files.children)?.open(id);
    const isHeld = files?.writable === false;
    await files?.close();
    return isHeld;
  };
  return { ...host, client, root, childId, isWritten };
}

describe("the conversation of an agent that works for a session", () => {
  it("opens from its caller's, and leads back; it is written to, and what is remembered is the caller's", async () => {
    const { client, root, childId, memory, models, sessions } = await delegated([{ text: "Seen." }]);
    const snapshot = await client.request("openSession", { id: childId });
    assert.deepEqual([snapshot.sessionId, snapshot.caller?.id, snapshot.caller?.agent], [childId, root.id, "explore"]);
    assert.equal(memory.last, root.id);
    models.route = undefined;
    models.play({ text: "Seen there too." });
    await client.request("submit", { text: "look there too", delivery: "steer" });
    await eventually("it answers", () => client.kinds().endsWith("message message turnEnd"));
    const listed = (await client.request("sessions", {})).sessions.map(({ id }) => id);
    assert.deepEqual(listed, [root.id]);
    // A new session takes the place of no child's.
    await client.request("newSession", {});
    assert.notEqual(client.snapshot?.sessionId, childId);
    await client.request("openSession", { id: root.id });
    const spent = async () => (await sessions.show()).history.conversation.children.get(childId)?.spent.input === 200;
    await eventually("its caller knows what it took", spent);
  });

  it("is left open while it works, and its caller's with it; both are closed behind its end", async () => {
    const { client, root, childId, isWritten } = await delegated([{ text: "…", hang: true }]);
    await client.request("openSession", { id: childId });
    assert.equal(client.state, "running");
    await client.request("newSession", {});
    assert.deepEqual([await isWritten(root.id), await isWritten(childId)], [true, true]);
    assert.equal(pluck((await client.request("sessions", {})).sessions, "running")[0], true);
    await client.request("openSession", { id: root.id });
    assert.ok(client.snapshot?.live.some(({ type }) => type === "child"));
    await client.request("stopChild", { childId });
    await eventually("it has ended", () => root.history.conversation.children.get(childId)?.ended);
    const { callId } = root.history.conversation.children.get(childId) ?? { callId: "" };
    assert.match((await client.request("printed", { callId })).first, /^…/, "what it said since is the call's result");
    await client.request("newSession", {});
    await eventually("both are closed", async () => !(await isWritten(root.id)) && !(await isWritten(childId)));
  });

  it("goes with its caller into the trash, and with the window", async () => {
    const { client, root, childId } = await delegated([{ text: "Seen." }]);
    await client.request("openSession", { id: childId });
    await client.request("deleteSession", { id: root.id });
    assert.notEqual(client.snapshot?.sessionId, childId);
    const other = await delegated([{ text: "Seen." }]);
    await other.client.request("openSession", { id: other.childId });
    await other.sessions.close();
    assert.equal(await other.isWritten(other.childId), false);
  });

  it("shows all its changes in one editor, and is not kept open for that", async () => {
    const write = { name: "Write", input: { file_path: "src/new.ts", content: "two\n" } };
    const { client, childId, done, isWritten } = await delegated([{ calls: [write] }, { text: "Written." }], "writer");
    await client.request("openChildDiffs", { childId });
    assert.equal(done.at(-1), "Changes: Look: src/new.ts");
    await eventually("it is closed", async () => !(await isWritten(childId)));
    const changed = client.records.find(each => each.kind === "child" && each.phase === "changed");
    assert.ok(changed?.kind === "child");
    await client.request("openDiff", { callId: changed.callId, uri: changed.changes?.[0]?.uri ?? "" });
    assert.match(done.at(-1) ?? "", /^diff src\/new\.ts/);
  });
});
