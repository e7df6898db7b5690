/** The panel's door: each request is answered once, refused, or given up; what comes by itself reaches the store. */

import assert from "node:assert/strict";
import type { PanelToHost } from "../../src/shared/panelProtocol";
import { Host, type HostWire } from "../../webview-ui/src/bridge/host";
import { Panel } from "../../webview-ui/src/panel/panel";
import { createStore } from "../../webview-ui/src/store/store";
import { pluck } from "../fakes/pluck";
import { Script, SESSION, snapshot } from "../panel/script";

/** A wire whose other end is the test. */
function fakeWire() {
  const sent: PanelToHost[] = [];
  let deliver: (data: unknown) => void = () => assert.fail("nobody listens");
  const wire: HostWire = {
    post: message => sent.push(message),
    listen: listener => {
      deliver = listener;
    },
  };
  return {
    wire,
    sent,
    deliver: (data: unknown) => deliver(data),
    reply: (result: unknown) => deliver({ type: "reply", id: sent.at(-1)?.id, ok: true, result }),
    refuse: (message: string) => deliver({ type: "failure", id: sent.at(-1)?.id, ok: false, message }),
  };
}

function openPanel() {
  const far = fakeWire();
  const store = createStore(callback => callback());
  const draft = { draft: "", inFlight: [] };
  return { ...far, store, panel: new Panel(new Host(far.wire), store, draft, () => 0) };
}

describe("panel bridge", () => {
  it("an answer resolves its own request", async () => {
    const { wire, deliver } = fakeWire();
    const host = new Host(wire);
    const first = host.request("printed", { callId: "a" });
    const second = host.request("printed", { callId: "b" });
    deliver({ type: "reply", id: 2, ok: true, result: { text: "two" } });
    deliver({ type: "reply", id: 1, ok: true, result: { text: "one" } });
    assert.deepEqual(await Promise.all([first, second]), [{ text: "one" }, { text: "two" }]);
  });

  it("a refusal and no answer reject, each with words", async () => {
    const far = fakeWire();
    const host = new Host(far.wire, 20);
    const refused = host.request("stop", {});
    far.refuse("Nothing runs.");
    await assert.rejects(refused, { message: "Nothing runs." });
    await assert.rejects(host.request("sessions", {}), /did not answer within 0 s \(sessions\)/);
    far.reply({ sessions: [] });
  });

  it("what is no message is dropped", () => {
    const { wire, deliver } = fakeWire();
    new Host(wire).onMessage(() => assert.fail("it was told"));
    for (const odd of [null, 3, { kind: "evil" }]) deliver(odd);
  });

  it("records that were missed are fetched by opening again, once", async () => {
    const { panel, store, reply, deliver, sent } = openPanel();
    const opening = panel.open();
    reply(snapshot());
    await opening;
    const script = new Script(4).user("four");
    deliver({ type: "events", sessionId: SESSION, events: script.take() });
    deliver({ type: "events", sessionId: SESSION, events: script.user("five").take() });
    assert.deepEqual(pluck(sent, "method"), ["open", "open"]);
    reply(snapshot({ records: script.records }));
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(store.get().gap, false);
    assert.equal(store.get().session.lastSeq, 5);
  });

  it("what is submitted while it opens is sent then, or given back where it cannot", async () => {
    for (const [answer, sent] of [
      [snapshot(), true],
      [snapshot({ readOnly: true }), false],
      [undefined, false],
    ] as const) {
      const far = openPanel();
      void far.panel.open();
      const sending = far.panel.submit("hello", "steer");
      assert.deepEqual(pluck(far.sent, "method"), ["open"]);
      if (answer === undefined) far.refuse("No.");
      else far.reply(answer);
      await new Promise(resolve => setImmediate(resolve));
      if (sent) far.reply({});
      assert.equal(await sending, sent);
      assert.equal(far.sent.at(-1)?.method, sent ? "submit" : "open");
    }
  });
});
