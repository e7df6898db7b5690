/** What somebody allowed with its diff in sight does not wait for a review; what changes later does. */
import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { edit, last, read, start } from "../../../fakes/agent";
import { eventually } from "../../../fakes/eventually";
import { LINES, named, uri, write } from "../timeline/edited";

/** A turn whose edits ask one after the other. @param seen how each is answered */
async function asked(calls: { name: string; input: Record<string, string> }[], seen: boolean[]) {
  const agent = await start({ files: { "src/a.ts": LINES } });
  const { session, models } = agent;
  const all = calls.map((call, at) => ({ calls: [named(`e${at}`, call)] }));
  models.play({ calls: [read("src/a.ts")] }, ...all, { text: "Done." });
  await session.submit("go");
  for (const inSight of seen) {
    const [approvalId] = await eventually("it asks", () => {
      const [first] = session.history.conversation.asked.keys();
      return first !== undefined && session.state === "asking" ? [first] : undefined;
    });
    session.answer(approvalId, { decision: "allow", scope: "once", ...(inSight && { seen: true }) });
    await eventually("it was answered", () => !session.history.conversation.asked.has(approvalId) || undefined);
  }
  await session.idle();
  return agent;
}

const removed = async ({ review }: Session, text: string) =>
  (await review.changesIn(uri, text)).map(change => change.removed.join());

describe("what was allowed in sight", () => {
  it("waits for no review, also after a reload", async () => {
    const { session, ports } = await asked([edit("src/a.ts", "two", "TWO")], [true]);
    assert.equal(last(session, "result").seen, true);
    assert.deepEqual(await session.review.list(), []);
    await session.close();
    assert.deepEqual(await (await openSession(ports, session.id)).review.list(), []);
  });

  it("waits where not all of it was in sight", async () => {
    const { session } = await asked([edit("src/a.ts", "two", "TWO")], [false]);
    assert.equal((await session.review.list()).length, 1);
  });

  it("leaves what waits of the edits before and after", async () => {
    const calls = [
      edit("src/a.ts", "two", "TWO"),
      edit("src/a.ts", "five", "FIVE"),
      edit("src/a.ts", "eight", "EIGHT"),
    ];
    const { session } = await asked(calls, [false, true, false]);
    const text = LINES.replace("two", "TWO").replace("five", "FIVE").replace("eight", "EIGHT");
    assert.deepEqual(await removed(session, text), ["two", "eight"]);
  });

  it("counts again where it is changed in part", async () => {
    const calls = [edit("src/a.ts", "two\nthree", "TWO\nTHREE"), edit("src/a.ts", "THREE", "3")];
    const { session } = await asked(calls, [true, false]);
    assert.deepEqual(await removed(session, LINES.replace("two\nthree", "TWO\n3")), ["THREE"]);
  });

  it("takes what waited of the same lines along", async () => {
    const calls = [edit("src/a.ts", "two", "TWO"), edit("src/a.ts", "TWO", "2")];
    const { session } = await asked(calls, [false, true]);
    assert.deepEqual(await session.review.list(), []);
  });

  it("is a new file as well", async () => {
    const { session } = await asked([write("new.txt", "one\n")], [true]);
    assert.deepEqual(await session.review.list(), []);
  });

  it("is not what a formatter made of it", async () => {
    const agent = await start({ files: { "src/a.ts": LINES } });
    const { session, models, files } = agent;
    files.formatOnSave = text => text.replace("TWO", "TWO;");
    models.play({ calls: [read("src/a.ts")] }, { calls: [edit("src/a.ts", "two", "TWO")] }, { text: "Done." });
    await session.submit("go");
    const approvalId = await eventually("it asks", () => [...session.history.conversation.asked.keys()][0]);
    session.answer(approvalId, { decision: "allow", scope: "once", seen: true });
    await session.idle();
    assert.equal((await session.review.list()).length, 1);
  });
});
