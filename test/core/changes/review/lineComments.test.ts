import assert from "node:assert/strict";
import {
  afterEdit,
  asSent,
  commentsMessage,
  findLines,
  follow,
  type LineComments,
  settled,
  withComment,
} from "../../../../src/core/changes/review/lineComments";

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

  it("a thread is answered once the agent changed its lines, and not while something in it waits", () => {
    const diff = "--- a.ts\n+++ a.ts\n@@ -1,3 +1,2 @@\n a\n-  old\n+new\n-\n";
    assert.equal(afterEdit(thread(0, ["a"]), diff).answered, false);
    assert.equal(afterEdit(thread(3, ["d"]), diff).answered, false);
    const edited = afterEdit(thread(1, ["  old"]), diff);
    assert.equal(edited.answered, true);
    assert.equal(afterEdit(thread(0, ["a", "  old"]), diff).answered, true);
    assert.equal(afterEdit(edited, "@@ -9 +9 @@\n-x\n+y\n").answered, true);
    const unsent = thread(1, ["  old"], { comments: [{ text: "Why?", sent: false }] });
    assert.equal(afterEdit(unsent, diff).answered, false);
    assert.equal(withComment(edited, "And this?").answered, false);
  });

  it("the same words elsewhere are no answer", () => {
    const diff = "@@ -2,3 +2,2 @@\n {\n-}\n end\n";
    const elsewhere = afterEdit(thread(199, ["}"]), diff);
    assert.deepEqual([elsewhere.answered, elsewhere.first], [false, 198]);
    assert.equal(afterEdit(thread(2, ["}"]), diff).answered, true);
  });

  it("lines that are only added there are an answer too", () => {
    const at = (line: number) => afterEdit(thread(5, ["x", "y"]), `@@ -${line},0 +${line + 1},2 @@\n+1\n+2\n`);
    const answers = [4, 5, 6, 7, 8].map(line => at(line).answered);
    assert.deepEqual(answers, [false, true, true, true, false]);
    assert.deepEqual([at(4).first, at(8).first], [7, 5]);
    const within = "@@ -5,4 +5,5 @@\n w\n x\n+1\n y\n z\n";
    assert.equal(afterEdit(thread(5, ["x", "y"]), within).answered, true);
  });

  it("an edit that the file shows before it is told finds the lines where they stood", () => {
    const above = "@@ -1,2 +1,4 @@\n+1\n+2\n a\n b\n";
    const moved = follow(thread(2, ["c"]), ["1", "2", ...text]);
    assert.deepEqual([moved.first, moved.was], [4, 2]);
    const told = afterEdit(moved, above);
    assert.deepEqual([told.first, told.was, told.answered], [4, undefined, false]);
    const gone = follow(thread(3, ["b"]), ["a", "b", "c", "d"]);
    assert.equal(gone.first, 1);
    assert.equal(afterEdit(gone, "@@ -3,3 +3,2 @@\n c\n-b\n d\n").answered, true);
    // typed above meanwhile: the place before is none of the old text
    const typed = follow(thread(2, ["c"]), ["new", ...text]);
    assert.equal(afterEdit(typed, "@@ -3,3 +3,3 @@\n b\n-c\n+C\n b\n").answered, true);
    assert.equal(settled(typed).was, undefined);
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
