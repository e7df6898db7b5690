/** What waits to be sent, in the order that the person gives it; and the mode, round and round. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { transcript } from "../../../fakes/model";
import { png } from "../../../fakes/png";

const pending = ({ history }: Session) => history.conversation.pending;
const texts = (session: Session) => pending(session).map(({ text, delivery }) => `${delivery}: ${text}`);

/** A turn that hangs, with three messages that wait for its end. */
async function queued(next: { text: string; hang?: true } = { text: "ok" }) {
  const { session, models, ports, disk } = await start();
  models.play({ text: "x", hang: true }, next, { text: "ok" }, { text: "ok" });
  await session.submit("go");
  await eventually("text streams", () => session.live().some(event => event.type === "text"));
  for (const text of ["one", "two", "three"]) await session.submit(text, "queue");
  const ids = pending(session).map(({ pendingId }) => pendingId);
  const order = (...at: number[]) => session.messages.order(at.map(each => ids[each] ?? ""));
  return { session, models, ports, disk, ids, order };
}

describe("the queue", () => {
  it("is sent in the order that it was given, also where only some were moved", async () => {
    const { session, models, order } = await queued();
    await order(2, 0, 1);
    assert.deepEqual(texts(session), ["queue: three", "queue: one", "queue: two"]);
    await order(2, 1);
    assert.deepEqual(texts(session), ["queue: three", "queue: two", "queue: one"]);
    await session.stop();
    const [first] = pending(session);
    await session.sendPending(first?.pendingId ?? "");
    await session.idle();
    assert.match(transcript(models.requests[1]!).at(-1)!, /^user: three$/);
  });

  it("a message takes along how it goes out", async () => {
    const { session, ids } = await queued();
    await session.submit("soon", "steer");
    const soon = pending(session).at(-1)?.pendingId ?? "";
    await session.messages.order([soon, ...ids]);
    assert.deepEqual(texts(session), ["steer: soon", "queue: one", "queue: two", "queue: three"]);
  });

  it("a message takes its pictures along, also over a crash; one goes with its place holder", async () => {
    const { session, ids, models, ports, disk } = await queued();
    const [one, two] = [await session.keepPicture("a.png", png(4, 4)), await session.keepPicture("a.png", png(8, 4))];
    await session.submit("see [Picture 1: a.png] [Picture 2: a.png]", "queue", [one, two]);
    const seen = pending(session).at(-1)?.pendingId ?? "";
    await session.messages.order([seen, ...ids]);
    const pictures = ({ history }: Session) =>
      history.conversation.pending.map(({ pictures: all = [] }) => all.map(({ url }) => url));
    assert.deepEqual(pictures(session), [[one.url, two.url], [], [], []]);
    const [first = ""] = ids;
    await session.messages.edit(first, "see [Picture 2: a.png] alone");
    disk.crash();
    const again = await openSession(ports, session.id);
    assert.deepEqual(pictures(again), [[two.url], [], [], []]);
    await again.messages.edit(first, "see nothing");
    assert.deepEqual(pictures(again), [[], [], [], []]);
    await again.stop();
    models.play({ text: "ok" });
    await again.sendPending(first);
    await again.idle();
    assert.ok(!JSON.stringify(models.requests.at(-1)).includes(Buffer.from(png(8, 4)).toString("base64")));
    await again.close();
  });

  it("stays as it was where one was sent meanwhile, is named twice, or waits for something else", async () => {
    const { session, ids, order } = await queued({ text: "y", hang: true });
    await session.messages.remove(ids[1] ?? "");
    await assert.rejects(order(2, 1, 0), /already sent or removed/);
    await assert.rejects(order(2, 2, 0), /another order/);
    assert.deepEqual(texts(session), ["queue: one", "queue: three"]);
    await session.stop();
    // What was held waits for the person, what comes now for the end of the turn.
    await session.submit("again");
    await session.submit("fresh", "queue");
    const fresh = pending(session).at(-1);
    assert.deepEqual([fresh?.text, fresh?.held], ["fresh", false]);
    await assert.rejects(session.messages.order([fresh?.pendingId ?? "", ids[0] ?? ""]), /another order/);
    await session.stop();
  });
});

describe("the next mode", () => {
  it("comes after this one, and after the last the first", async () => {
    const { session } = await start();
    const seen: string[] = [];
    for (let step = 0; step < 5; step += 1) {
      seen.push(session.mode);
      await session.nextMode();
    }
    const at = ["plan", "ask", "edits", "auto"].indexOf(seen[0] ?? "");
    const round = ["plan", "ask", "edits", "auto"];
    assert.deepEqual(
      seen,
      Array.from({ length: 5 }, (_, step) => round[(at + step) % 4]),
    );
  });
});
