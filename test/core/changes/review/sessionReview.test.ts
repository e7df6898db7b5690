/** A review in a whole session: the file, the log, what is left after a reload, and what the model hears. */

import assert from "node:assert/strict";
import { openSession } from "../../../../src/core/agent/session/openSession";
import type { Session } from "../../../../src/core/agent/session/session";
import { verifySession } from "../../../../src/core/proof/verify";
import { edit, kinds, last, reopened, runTurn } from "../../../fakes/agent";
import { compactFirstTurn } from "../../../fakes/compacted";
import { hash } from "../../../fakes/hash";
import { transcript } from "../../../fakes/model";
import { pluck } from "../../../fakes/pluck";
import { edited, LINES, named, play, refused, uri, write } from "../timeline/edited";

/** Two changes of src/a.ts: lines two and seven. */
const twoChanges = (options: Parameters<typeof edited>[1] = {}) =>
  edited([named("e1", edit("src/a.ts", "two", "TWO\nmore")), named("e2", edit("src/a.ts", "seven\n", ""))], options);
const BOTH = LINES.replace("two", "TWO\nmore").replace("seven\n", "");

const changes = async ({ review }: Session, text: string) =>
  (await review.changesIn(uri, text)).map(({ first, count, removed }) => ({ first, count, removed }));
const ids = async ({ review }: Session, text: string) => (await review.changesIn(uri, text)).map(({ id }) => id);

const newestEdit = (session: Session) =>
  session.history.records.findLast(record => record.kind === "result" && record.changes?.length)?.seq ?? 0;
/** What somebody keeps who looks at the file as it is now. */
const seen = (session: Session) => ({ uri, seq: newestEdit(session) });

const FIRST = { first: 1, count: 2, removed: ["two"] };

describe("a review of changes", () => {
  it("has each change of a file, with what stood there", async () => {
    const { session } = await twoChanges();
    assert.deepEqual(await session.review.list(), [
      { uri, path: "src/a.ts", turns: [1], seq: newestEdit(session), kind: "edited", changes: 2, added: 2, removed: 2 },
    ]);
    assert.deepEqual(await changes(session, BOTH), [FIRST, { first: 7, count: 0, removed: ["seven"] }]);
    assert.deepEqual(await changes(session, `typed\r\n${BOTH.replaceAll("\n", "\r\n")}`), [
      { ...FIRST, first: 2 },
      { first: 8, count: 0, removed: ["seven"] },
    ]);
  });

  it("takes one back and leaves the other, and what was typed since", async () => {
    const { session, files } = await twoChanges();
    const typed = BOTH.replace("four", "four, typed");
    files.edit("src/a.ts", typed);
    files.save = false;
    const [first] = await ids(session, typed);
    await session.review.undo(uri, first);
    const left = LINES.replace("four", "four, typed").replace("seven\n", "");
    assert.equal(files.inEditor("src/a.ts"), left);
    assert.equal(files.onDisk("src/a.ts"), BOTH);
    assert.deepEqual(await changes(session, left), [{ first: 6, count: 0, removed: ["seven"] }]);
    const { action, changes: many, added, removed, by } = last(session, "review");
    assert.deepEqual([action, many, added, removed, by], ["undo", 1, 1, 2, undefined]);
    await refused(
      session.review.undo(uri, first),
      /^The change of src\/a\.ts can't be undone: it was kept, undone or rewritten\.$/,
    );
  });

  it("keeps one: it waits no more, the other does; kept both, none does", async () => {
    const { session, files } = await twoChanges();
    const [, second] = await ids(session, BOTH);
    await session.review.keep(seen(session), second);
    assert.deepEqual(await changes(session, BOTH), [FIRST]);
    const [first] = await ids(session, BOTH);
    await session.review.keep(seen(session), first);
    assert.deepEqual(await session.review.list(), []);
    assert.equal(files.onDisk("src/a.ts"), BOTH);
    await refused(session.review.keep(seen(session)), /^Nothing of this file waits/);
  });

  it("takes a file back as a whole, but for what was typed into it", async () => {
    const { session, files } = await twoChanges();
    files.put("src/a.ts", BOTH.replace("more", "mine"));
    session.review.touch();
    await session.review.undo(uri);
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("two\n", "two\nmine\n"));
    assert.deepEqual(await session.review.list(), []);
  });

  it("waits again after a reload: what was kept is kept, what was taken back is gone", async () => {
    const { session, files, ports } = await edited([
      named("e1", edit("src/a.ts", "two", "TWO")),
      named("e2", edit("src/a.ts", "four", "FOUR")),
      named("e3", edit("src/a.ts", "seven", "SEVEN")),
    ]);
    const all = LINES.replace("two", "TWO").replace("four", "FOUR").replace("seven", "SEVEN");
    const [one] = await ids(session, all);
    await session.review.keep(seen(session), one);
    const [four] = await ids(session, all);
    await session.review.undo(uri, four);
    const again = await reopened(session, ports);
    assert.deepEqual(await changes(again, files.onDisk("src/a.ts") ?? ""), [
      { first: 6, count: 1, removed: ["seven"] },
    ]);
    assert.deepEqual(pluck(await again.review.list(), "changes"), [1]);
  });

  it("of two turns over the same lines goes back to before the first, with what was typed between them", async () => {
    const agent = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    const { session, files } = agent;
    files.put("src/a.ts", LINES.replace("two", "TWO").replace("six", "six, typed"));
    await play(agent, [named("e2", edit("src/a.ts", "TWO", "TWO AGAIN"))]);
    const now = files.onDisk("src/a.ts") ?? "";
    assert.deepEqual(await changes(session, now), [{ first: 1, count: 1, removed: ["two"] }]);
    assert.deepEqual(pluck(await session.review.list(), "turns"), [[1, 2]]);
    await session.review.undo(uri);
    assert.equal(files.onDisk("src/a.ts"), LINES.replace("six", "six, typed"));
  });

  it("of what was kept and changed again goes back to what was kept", async () => {
    const agent = await edited([named("e1", edit("src/a.ts", "two", "TWO"))]);
    await agent.session.review.keep(seen(agent.session));
    await play(agent, [named("e2", edit("src/a.ts", "TWO", "THREE"))]);
    await agent.session.review.undo(uri);
    assert.equal(agent.files.onDisk("src/a.ts"), LINES.replace("two", "TWO"));
  });

  it("takes a new file away, unless somebody wrote into it", async () => {
    const made = write("new/b.ts", "hello\n");
    const other = "file:///ws/app/new/b.ts";
    const { session, files } = await edited([made]);
    assert.deepEqual(pluck(await session.review.list(), "kind"), ["created"]);
    await session.review.undo(other);
    assert.equal(files.onDisk("new/b.ts"), undefined);
    assert.equal(last(session, "review").gone, true);
    const second = await edited([made]);
    second.files.put("new/b.ts", "hello\nmine\n");
    await second.session.review.undo(other);
    assert.equal(second.files.onDisk("new/b.ts"), "mine\n");
  });

  it("keeps line ends, whatever they are", async () => {
    const crlf = LINES.replaceAll("\n", "\r\n");
    const { session, files } = await edited([named("e1", edit("src/a.ts", "two", "TWO\nmore"))], {
      files: { "src/a.ts": crlf },
    });
    await session.review.undo(uri);
    assert.equal(files.onDisk("src/a.ts"), crlf);
  });

  it("keeps no edit that the agent made while somebody pressed Keep: of a change, of the file", async () => {
    const agent = await twoChanges();
    const { session } = agent;
    const [first] = await session.review.changesIn(uri, BOTH);
    const [file] = await session.review.list();
    assert.ok(first && file);
    await play(agent, [named("e3", edit("src/a.ts", "TWO\nmore\n", "TWO\nmore\nunseen\n"))]);
    const why = /^The agent changed src\/a\.ts at this very moment\. Look at it again\.$/;
    await refused(session.review.keep({ uri, seq: first.seq }, first.id), why);
    await refused(session.review.keep(file), why);
    assert.equal((await session.review.list())[0]?.changes, 2);
  });

  it("keeps several changes one after the other, each as it was shown before the first of them", async () => {
    const { session } = await edited([
      named("e1", edit("src/a.ts", "two", "TWO")),
      named("e2", edit("src/a.ts", "four", "FOUR")),
      named("e3", edit("src/a.ts", "seven", "SEVEN")),
    ]);
    const all = LINES.replace("two", "TWO").replace("four", "FOUR").replace("seven", "SEVEN");
    for (const { seq, id } of await session.review.changesIn(uri, all)) await session.review.keep({ uri, seq }, id);
    assert.deepEqual(await session.review.list(), []);
  });

  it("says the same to all who ask at the same time", async () => {
    const { session } = await twoChanges();
    const lists = await Promise.all([1, 2, 3].map(() => session.review.list()));
    assert.deepEqual(
      lists.map(files => files.map(({ changes }) => changes)),
      [[2], [2], [2]],
    );
  });

  it("has nothing of a file that is gone, and does not bring it back", async () => {
    const { session, files } = await twoChanges();
    files.remove("src/a.ts");
    session.review.touch(uri);
    assert.deepEqual(await session.review.list(), []);
    await refused(
      session.review.undo(uri),
      /^The change of src\/a\.ts can't be undone: it is not there any more \(deleted or renamed\)\.$/,
    );
  });

  it("puts its changes back where the editor's own undo did", async () => {
    const { session, files } = await twoChanges();
    const [first] = await ids(session, BOTH);
    await session.review.undo(uri, first);
    assert.equal(await session.review.followUndo(uri, "something else"), false);
    const left = files.onDisk("src/a.ts") ?? "";
    files.put("src/a.ts", BOTH);
    assert.equal(await session.review.followUndo(uri, BOTH), true);
    assert.equal((await changes(session, BOTH)).length, 2);
    assert.equal(await session.review.followUndo(uri, BOTH), false);
    assert.deepEqual(session.history.conversation.untoldReviews, [], "it was done and taken back: nothing to hear");
    assert.equal(await session.review.followUndo(uri, left), true, "and redone");
    assert.equal((await changes(session, left)).length, 1);
    assert.equal(session.history.conversation.untoldReviews.length, 1);
    assert.match(kinds(session), /review review review$/);
  });

  it("is followed by the editor's own undo after a reload too", async () => {
    const { session, files, ports } = await twoChanges();
    const [first] = await ids(session, BOTH);
    await session.review.undo(uri, first);
    const again = await reopened(session, ports);
    files.put("src/a.ts", BOTH);
    assert.equal(await again.review.followUndo(uri, BOTH), true);
    assert.equal((await changes(again, BOTH)).length, 2);
  });

  it("is told the model with its next request, once, and every request can be proven", async () => {
    const { session, models } = await twoChanges();
    const [first] = await ids(session, BOTH);
    await session.review.undo(uri, first);
    const [second] = await ids(session, LINES.replace("seven\n", ""));
    await session.review.keep(seen(session), second);
    for (const words of ["and now?", "go on"]) {
      models.play({ text: "Yes." });
      await runTurn(session, words);
    }
    assert.match(
      transcript(models.requests.at(-2)!).at(-2)!,
      /^user: <system-reminder>\nIn a review, the user undid a change of yours in src\/a\.ts \(as you left it: lines 2–3\)\.\nDo not make again/,
    );
    assert.equal(session.history.records.filter(({ kind }) => kind === "inject").length, 1);
    const { defects, proven, requests, breaks } = await verifySession(session.history.files, hash);
    assert.deepEqual([defects, proven, breaks.unexplained], [[], requests, undefined]);
  });

  it("outlives a compaction, and what the model has to hear does too", async () => {
    const { session, ports } = await twoChanges();
    const [first] = await ids(session, BOTH);
    await session.review.undo(uri, first);
    await session.close();
    await compactFirstTurn(ports, session.id);
    const again = await openSession(ports, session.id);
    assert.equal(again.history.records[0]?.kind, "compaction");
    assert.equal(again.history.conversation.untoldReviews.length, 1);
    const left = LINES.replace("seven\n", "");
    assert.deepEqual(await changes(again, left), [{ first: 6, count: 0, removed: ["seven"] }]);
  });
});
