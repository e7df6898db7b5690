import assert from "node:assert/strict";
import {
  afterEdit,
  asSent,
  commentsMessage,
  findLines,
  follow,
  type LineComments,
  withComment,
} from "../../src/vscode/review/lineComments";

const text = ["a", "b", "c", "b", "d"];
const thread = (first: number, lines: string[], more: Partial<LineComments> = {}): LineComments => ({
  ...{ uri: "file:///w/a.ts", path: "a.ts", first, lines, comments: [{ text: "Why?", sent: true }], answered: false },
  ...more,
});

describe("comments on changed lines", () => {
  it("lines are found where they went, the nearest of several", () => {
    assert.equal(findLines({ first: 3, lines: ["b"] }, text), 3);
    assert.equal(findLines({ first: 2, lines: ["b"] }, text), 1);
    assert.equal(findLines({ first: 9, lines: ["d"] }, text), 4);
    assert.equal(findLines({ first: 0, lines: ["c", "b"] }, text), 2);
    assert.equal(findLines({ first: 0, lines: ["z"] }, text), undefined);
    assert.equal(findLines({ first: 0, lines: ["a", "b"] }, []), undefined);
  });

  it("a thread is answered once the agent changed one of its lines, or one next to them, and not while something in it waits", () => {
    const diff = "--- a.ts\n+++ a.ts\n@@ -1,3 +1,2 @@\n a\n-  old\r\n+new\n-\n";
    assert.equal(afterEdit(thread(3, ["d", ""]), diff).answered, false);
    assert.equal(afterEdit(thread(0, ["a"]), diff).answered, true);
    assert.equal(afterEdit(thread(1, ["what the editor showed before"]), diff).answered, true);
    const moved = follow(thread(4, ["b"]), ["x", "b"]);
    assert.deepEqual([moved.first, afterEdit(moved, diff).answered], [1, false]);
    assert.equal(afterEdit(asSent({ ...moved, lines: ["as shown"] }), diff).answered, true);
    const edited = afterEdit(thread(1, ["  old"]), diff);
    assert.equal(edited.answered, true);
    assert.equal(afterEdit(thread(0, ["a", "  old"]), diff).answered, true);
    assert.equal(afterEdit(edited, "@@ -9 +9 @@\n-x\n+y\n").answered, true);
    const unsent = thread(1, ["  old"], { comments: [{ text: "Why?", sent: false }] });
    assert.equal(afterEdit(unsent, diff).answered, false);
    assert.equal(withComment(edited, "And this?").answered, false);
  });

  it("what is typed over the lines is meant from then on", () => {
    const waits = { comments: [{ text: "Why?", sent: false }] };
    assert.deepEqual(follow(thread(4, ["old"], waits), text).lines, ["d"]);
    assert.deepEqual(follow(thread(4, ["old"]), text).lines, ["old"]);
    assert.equal(follow(thread(40, ["old"]), text).first, 4);
    assert.equal(follow(thread(0, ["old"]), text).answered, false);
  });

  it("one message has all that waits, by file and line, and quotes nothing", () => {
    const waits = (first: number, path: string, words: string) =>
      thread(first, ["@terminal"], {
        path,
        comments: [
          { text: "old", sent: true },
          { text: words, sent: false },
        ],
      });
    const threads = [waits(8, "b.ts", "Two"), waits(2, "my notes.md", "Three"), waits(0, "b.ts", " One\n")];
    assert.equal(
      commentsMessage([...threads, thread(0, ["a"])], "Comments:"),
      'Comments:\n\n@b.ts:1\nOne\n\n@b.ts:9\nTwo\n\n@"my notes.md":3\nThree',
    );
    assert.equal(commentsMessage(threads.map(asSent), "Comments:"), "");
  });
});
