/** What a child changed is changed by the call that asked for it: undone, reviewed, rewound, marked and counted so. */
import assert from "node:assert/strict";
import { keepList } from "../../../../src/core/commands/commandObserver";
import { memorySlots } from "../../../../src/core/context/compaction/summaryText";
import { read, reopened } from "../../../fakes/agent";
import { delegated } from "../../../fakes/children";
import { compactTurns } from "../../../fakes/compacted";
import { hash } from "../../../fakes/hash";
import { rewinding } from "../../../fakes/rewinding";
import { edit, edited, LINES, named, uri, write } from "./edited";

const uriOfB = "file:///ws/app/b.ts";
const steps = [
  { calls: [read("src/a.ts")] },
  { calls: [edit("src/a.ts", "two", "TWO")] },
  { calls: [edit("src/a.ts", "three", "THREE")] },
  { calls: [write("b.ts", "new\n")] },
  { text: "Done." },
];
const BOTH = LINES.replace("two", "TWO").replace("three", "THREE");

/** The caller changes line seven in its turn 1; its child does the rest in turn 2. */
async function withChild(options: Parameters<typeof delegated>[3] = {}) {
  const agent = await edited([named("e1", edit("src/a.ts", "seven", "7"))]);
  const ports = { ...agent.ports, ...rewinding(agent.files) };
  const session = await reopened(agent.session, ports);
  const given = await delegated(session, { ...agent, ports }, steps, options);
  return { ...agent, ports, session, given };
}
const turned = (text: string) => text.replace("seven", "7");

describe("what a child changed", () => {
  it("is of its call: told, undone and made again by turn and by call, also behind a compaction and a restart", async () => {
    const { session, ports, files, disk, given } = await withChild();
    const { turn, callId } = given;
    assert.equal(files.onDisk("src/a.ts"), turned(BOTH));
    const told = async (of: typeof session) =>
      (await of.edits.changesOf(turn)).files.map(({ path, edits, undone }) => `${path} ${edits - undone}/${edits}`);
    assert.deepEqual(await told(session), ["src/a.ts 2/2", "b.ts 1/1"]);
    assert.deepEqual(
      [...disk.marks.keys()].filter(mark => !mark.endsWith(`.${session.id}`)),
      [],
    );
    assert.deepEqual([...disk.marks.values()].sort(), [uriOfB, uri]);
    await session.edits.revert("undo", { callId, uri });
    assert.equal(files.onDisk("src/a.ts"), turned(LINES));
    assert.deepEqual(await told(session), ["src/a.ts 0/2", "b.ts 1/1"]);
    const { conversation, records } = session.history;
    const facts = { roots: [], platform: "", shell: "" };
    const slots = memorySlots({
      window: 200_000,
      messages: conversation.messages,
      records,
      goal: "",
      model: "",
      facts,
    });
    assert.deepEqual(
      slots.files.map(({ path, changes }) => `${path} ${changes}`),
      ["src/a.ts 1", "b.ts 1"],
    );
    await compactTurns(session.history, [1, 2], { id: "sum", text: "Both turns." });
    const again = await reopened(session, ports);
    assert.deepEqual(again.history.conversation, session.history.conversation);
    await again.edits.revert("redo", { turn, uri });
    assert.equal(files.onDisk("src/a.ts"), turned(BOTH));
    await again.edits.revert("undo", { turn, uri: uriOfB });
    assert.equal(files.onDisk("b.ts"), undefined);
  });

  it("waits for a review with what its caller changed, and counts among the changed files", async () => {
    const { session, files, given } = await withChild();
    const [a, b] = await session.review.list();
    assert.deepEqual([a?.turns, a?.changes, a?.seq], [[1, 2], 2, given.ended.seq]);
    assert.deepEqual([b?.path, b?.kind, b?.seq], ["b.ts", "created", given.ended.seq]);
    await session.review.keep({ uri: uriOfB, seq: given.ended.seq });
    await session.review.undo(uri);
    assert.equal(files.onDisk("src/a.ts"), LINES);
    assert.deepEqual(await session.review.list(), []);
    assert.deepEqual([...session.history.conversation.changed.keys()], [uriOfB]);
  });

  it("goes back with the turn, whether the child ended in it or behind it", async () => {
    for (const behind of [false, true]) {
      const { session, files, given } = await withChild({ behind });
      const { stayed, files: count } = await session.rewind.rewind(given.turn, "both");
      assert.deepEqual([stayed, count], [undefined, 2]);
      assert.deepEqual([files.onDisk("src/a.ts"), files.onDisk("b.ts")], [turned(LINES), undefined]);
      const { conversation } = session.history;
      assert.equal(conversation.spent.cost, given.usage.cost, "what was spent stays spent");
      assert.ok(conversation.children.has(given.childId));
    }
  });

  it("of a file that its commands changed too is in their list, from before the first change to behind the last", async () => {
    for (const behind of [false, true]) {
      const { session, files, given } = await withChild({ behind });
      const { history } = session;
      const [before, after] = [turned(LINES), turned(BOTH).concat("by a command\n")];
      files.put("src/a.ts", Buffer.from(after));
      for (const text of [before, after]) await history.files.putSnapshot(hash.sha256(text), text);
      const state = (text: string) => ({ type: "file" as const, sha256: hash.sha256(text), mode: 0o644 });
      const list = await keepList(history, [{ uri, path: "src/a.ts", before: state(before), after: state(after) }]);
      const { callId, turn, begun } = given;
      await history.append({ kind: "commandFiles", callId, turn, since: begun.seq, files: 1, list, gaps: [] });
      assert.deepEqual(
        (await session.rewind.preview(turn)).files.map(({ path, merged }) => `${path} ${merged}`),
        ["b.ts false", "src/a.ts false"],
      );
      await session.rewind.rewind(turn, "files");
      assert.equal(files.onDisk("src/a.ts"), before);
    }
  });

  it("by a child that a person wrote to has no call, and is an edit of its own each time", async () => {
    const { session, ports, models, files } = await withChild();
    const by = { messageId: "", callId: "" };
    for (const [from, to] of [
      ["four", "FOUR"],
      ["five", "FIVE"],
    ] as const)
      await delegated(
        session,
        { ports, models },
        [{ calls: [read("src/a.ts")] }, { calls: [edit("src/a.ts", from, to)] }, {}],
        {
          by: { ...by, turn: 2 },
        },
      );
    await session.edits.revert("undo", { callId: "", uri });
    assert.equal(files.onDisk("src/a.ts"), turned(BOTH).replace("four", "FOUR"));
    const [file] = (await session.edits.changesOf(2)).files.filter(each => each.uri === uri);
    assert.deepEqual([file?.edits, file?.undone], [4, 1]);
  });
});
