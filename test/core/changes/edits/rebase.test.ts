/** Edits of files that changed since they were read: merged where nothing touches, refused with both sides where it does. */
import assert from "node:assert/strict";
import { Harness, numbered } from "../../looking/harness";

const path = "src/a.ts";
type Call = { tool?: string; input: object };
const edit = (old_string: string, new_string: string, more = {}): Call => ({
  input: { file_path: path, old_string, new_string, ...more },
});
const write = (text: string): Call => ({ tool: "Write", input: { file_path: path, content: lines(text) } });
/** `a b c` is short for three lines. */
const lines = (text: string) => (text.includes("\n") ? text : `${text.replaceAll(" ", "\n")}\n`);

async function run(read: string, now: string, { tool = "Edit", input }: Call, between?: (harness: Harness) => void) {
  const harness = new Harness({ app: { [path]: lines(read) } });
  await harness.call("Read", { file_path: path });
  harness.files.put(path, lines(now));
  if (between) harness.between = () => between(harness);
  const answer = await harness.call(tool, input as never);
  return { ...answer, harness, stands: harness.files.onDisk(path) };
}

const five = lines("a b c d e");

describe("an edit of a file that changed since it was read", () => {
  const check = (title: string, read: string, now: string, call: Call, stands: string) =>
    it(`is made: ${title}`, async () => {
      const answer = await run(read, now, call);
      assert.equal(answer.status, "ok", answer.text);
      assert.equal(answer.stands, lines(stands));
      assert.equal(answer.data.modifiedExternally, true);
      assert.match(answer.text, /\nSince you read the file, it changed/);
    });
  check("above", five, "x a b c d e", edit("d", "D"), "x a b c D e");
  check("in the line before", five, "a X c d e", edit("c", "C"), "a X C d e");
  check(
    "in the same line, beside what it quotes",
    "let a = 1;\n",
    "let a = 1; // one\n",
    edit("a = 1", "a = 2"),
    "let a = 2; // one\n",
  );
  check("in lines that it only quotes", five, "a b c d E", edit("a\nb\nc\nd\ne", "A\nb\nc\nd\ne"), "A b c d E");
  check("its text stands a second time by now", five, "b 1 2 a b c d e", edit("b", "B"), "b 1 2 a B c d e");
  check("it quotes what stands now, and was not there then", five, "a b c d E2", edit("E2", "E3"), "a b c d E3");
  check(
    "behind the last line, where somebody else added lines too",
    "a\nb\n",
    "a\nb\nc\nd\n",
    edit("b\n", "b\nB\n"),
    "a\nb\nB\nc\nd\n",
  );
  check("the whole file written", five, "a b c d E", write("A b c d e"), "A b c d E");
  check(
    "everywhere, but not where it came since",
    "x 1 x 2",
    "x 1 x 2 3 x",
    edit("x", "y", { replace_all: true }),
    "y 1 y 2 3 x",
  );

  const refuse = (title: string, read: string, now: string, call: Call, code: string, text: RegExp) =>
    it(`is refused: ${title}`, async () => {
      const answer = await run(read, now, call);
      assert.deepEqual([answer.status, answer.stands], [code, lines(now)], answer.text);
      assert.match(answer.text, text);
    });
  const both = /What stands there now:\n2\tX\nWhat your edit would put there:\n2\tB\nKeep what/;
  refuse("its line changed", five, "a X c d e", edit("b", "B"), "CONFLICT", both);
  refuse("its line is gone", five, "a c d e", edit("b", "B"), "CONFLICT", /before line 2 is gone; you read:\n2\tb/);
  refuse("the whole file written over a change", five, "a X c d e", write("a B c d e"), "CONFLICT", both);
  refuse(
    "everywhere, and one of these changed",
    "x 1 x",
    "x 1 x!",
    edit("x", "y", { replace_all: true }),
    "CONFLICT",
    /3\tx!/,
  );
  refuse(
    "it quotes neither",
    five,
    "a X c d e",
    edit("z", "Z"),
    "NO_MATCH",
    /^src\/a\.ts changed since you read it\. old_string is not in/,
  );
  refuse("it is made already", five, "a B c d e", edit("b", "B"), "NO_MATCH", /holds this change already/);
  refuse("what it read is written over a change", five, "a B c d e", write(five), "STALE", /is what it held then/);

  it("is refused where nobody knows what was read", async () => {
    const harness = new Harness({ app: { [path]: five } });
    await harness.call("Read", { file_path: path });
    for (const other of ["1", "2", "3"]) harness.known.put(other, other.repeat(10_000_000));
    harness.files.put(path, lines("a b c d E"));
    const answer = await harness.call("Edit", edit("a", "A").input as never);
    assert.deepEqual([answer.status, harness.files.onDisk(path)], ["STALE", lines("a b c d E")]);
  });

  it("bounds what it shows of a long conflict and of long changes", async () => {
    const conflict = await run(
      numbered(300),
      numbered(300, line => `their ${line}`),
      write(numbered(300, line => `our ${line}`)),
    );
    assert.equal(conflict.status, "CONFLICT");
    assert.equal(conflict.text.split("\n").length, 46);
    assert.match(conflict.text, /… 280 more lines/);
    const merged = await run(
      numbered(300),
      numbered(300, line => (line > 100 ? `their ${line}` : `line ${line}`)),
      edit("line 1\n", "our 1\n"),
    );
    assert.match(merged.text, /\+?.*\n… 388 more lines$/);
  });

  it("shows no line of a private key, and no half of a secret", async () => {
    const key = (body: string) =>
      `-----BEGIN PRIVATE KEY-----\n${`${body.repeat(64)}\n`.repeat(4)}-----END PRIVATE KEY-----\n`;
    const [read, now] = [`a\n${key("A")}b\n`, `a\n${key("B")}b\n`];
    const merged = await run(read, now, edit("b", "bb"));
    assert.equal(merged.status, "ok", merged.text);
    assert.doesNotMatch(merged.text + JSON.stringify(merged.performed?.changes), /AAAA|BBBB/);
    assert.match(merged.text, /\+\[line of a private key\]/);
    const conflict = await run(read, now, write(`a\n${key("C")}b\n`));
    assert.equal(conflict.status, "CONFLICT");
    assert.doesNotMatch(conflict.text, /BBBB|CCCC/);
  });

  it("follows what is typed while it is asked, and asks for that", async () => {
    const harness = new Harness({ app: { [path]: five } });
    await harness.call("Read", { file_path: path });
    const first = await harness.prepare("Edit", edit("b", "B").input as never);
    harness.files.edit(path, lines("a b c d typed"));
    const second = await harness.prepare("Edit", edit("b", "B").input as never);
    assert.notEqual(second.binding, first.binding);
    await harness.call("Edit", edit("b", "B").input as never);
    assert.equal(harness.files.inEditor(path), lines("a B c d typed"));
    assert.equal(harness.files.onDisk(path), five, "what the user had not saved is not saved");
  });

  it("what stands after it is known: the next one needs no reading", async () => {
    const { harness } = await run(five, lines("x a b c d e"), edit("d", "D"));
    harness.files.put(path, lines("x a b c D e y"));
    const answer = await harness.call("Edit", edit("D", "DD").input as never);
    assert.equal(answer.status, "ok");
    assert.equal(harness.files.onDisk(path), lines("x a b c DD e y"));
  });
});
