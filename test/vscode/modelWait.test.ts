/** A message that is sent before a model is there. */
import assert from "node:assert/strict";
import { ModelWait } from "../../src/vscode/panel/start/modelWait";
import { eventually } from "../fakes/eventually";
import { startHost } from "../fakes/panelHost";

function start() {
  const host = startHost();
  const kept = new Map<string, unknown>();
  const state = {
    keys: () => [],
    get: <T>(name: string) => kept.get(name) as T | undefined,
    update: async (name: string, value: unknown) => void kept.set(name, value),
  };
  const model = { ready: false };
  const open = () => {
    const { sessions } = host.open();
    return { sessions, wait: new ModelWait({ sessions, state, isReady: async () => model.ready }) };
  };
  return { models: host.models, open, model, kept };
}

const texts = (session: { history: { conversation: { pending: readonly { text: string }[] } } }) =>
  session.history.conversation.pending.map(({ text }) => text);

describe("a message before a model", () => {
  it("waits in the session and goes out by itself, those behind it too", async () => {
    const { open, models, model } = start();
    const { sessions, wait } = open();
    const session = await sessions.show();
    await wait.submit(session, "one");
    await wait.submit(session, "two");
    assert.deepEqual(texts(session), ["one", "two"]);
    assert.equal(session.state, "idle");
    wait.saw("none");
    assert.deepEqual(texts(session), ["one", "two"]);
    models.play({ text: "First." }, { text: "Second." });
    model.ready = true;
    wait.saw("ready");
    await eventually(
      "both are answered",
      () => session.history.conversation.lastTurn === 2 && session.state === "idle",
    );
    assert.deepEqual(texts(session), []);
    wait.saw("ready");
    assert.equal(session.history.conversation.lastTurn, 2);
  });

  const reloads = [
    { title: "survives a reload, and is sent when the session is shown with a model", isKept: true },
    {
      title: "goes out after a reload before which VS Code did not keep that it waits: the person saw it wait",
      isKept: false,
    },
  ];
  for (const { title, isKept } of reloads)
    it(title, async () => {
      const { open, models, model, kept } = start();
      const before = open();
      await before.wait.submit(await before.sessions.show(), "why?");
      before.wait.dispose();
      await before.sessions.close();
      if (!isKept) kept.clear();
      const { sessions, wait } = open();
      const session = await sessions.show();
      assert.deepEqual(texts(session), ["why?"]);
      if (!isKept) wait.saw("none");
      models.play({ text: "Because." });
      model.ready = true;
      wait.saw("ready");
      await eventually("it is answered", () => session.history.conversation.lastTurn === 1 && session.state === "idle");
    });

  it("is not sent while the person changes it, but then", async () => {
    const { open, models, model } = start();
    const { sessions, wait } = open();
    const session = await sessions.show();
    await wait.submit(session, "why?");
    const [waiting] = session.history.conversation.pending;
    session.messages.beginEdit(waiting?.pendingId ?? "");
    model.ready = true;
    wait.saw("ready");
    await eventually("it was looked at", () => session.state === "idle");
    assert.equal(session.history.conversation.lastTurn, 0);
    await session.messages.edit(waiting?.pendingId ?? "", "how?");
    models.play({ text: "So." });
    session.endEdit(waiting?.pendingId);
    await eventually("it is answered", () => session.history.conversation.lastTurn === 1 && session.state === "idle");
    assert.match(JSON.stringify(models.requests), /how\?/);
    assert.doesNotMatch(JSON.stringify(models.requests), /why\?/);
  });

  it("is not lost by a new session, and stays where it was removed", async () => {
    const { open, model } = start();
    const { sessions, wait } = open();
    const session = await sessions.show();
    await wait.submit(session, "why?");
    assert.equal(await sessions.create(), session);
    const [waiting] = session.history.conversation.pending;
    await session.messages.remove(waiting?.pendingId ?? "");
    model.ready = true;
    wait.saw("ready");
    assert.equal(session.history.conversation.lastTurn, 0);
    assert.equal(session.state, "idle");
  });

  it("goes out at once where a model is there, and is refused as ever where it is empty", async () => {
    const { open, models, model } = start();
    const { sessions, wait } = open();
    const session = await sessions.show();
    await assert.rejects(wait.submit(session, " "), /The message is empty/);
    model.ready = true;
    models.play({ text: "Because." });
    await wait.submit(session, "why?");
    await session.idle();
    assert.equal(session.history.conversation.lastTurn, 1);
  });
});
