/** Lines that are too long to be shown whole: what models are told of them is short, and shows what changed. */

import assert from "node:assert/strict";
import { clipLine, diffLines, fragment, hunkLines } from "../../../../src/core/ground/text/diff";
import { asItIs, hiding } from "../../../fakes/redact";
import { Harness } from "../../looking/harness";

const file_path = "a.min.js";
const filler = (seed: string) => `${seed} `.repeat(500_000);
const LONG = `${filler("x")}var a=1;${filler("y")}`;

async function readOf(text: string): Promise<Harness> {
  const harness = new Harness({ app: { [file_path]: text } });
  await harness.call("Read", { file_path });
  return harness;
}

const edit = (harness: Harness, old_string: string, new_string: string) =>
  harness.call("Edit", { file_path, old_string, new_string });

describe("a long line", () => {
  it("is cut around what changed in it", () => {
    assert.equal(clipLine("short", "shore", 10), "short");
    assert.equal(clipLine("0123456789abcdef", undefined, 10), "0123456789… [6 more characters]");
    assert.equal(
      clipLine("0123456789aXcdef0123456789", "0123456789abcdef0123456789", 10),
      "[7 characters] …789aXcdef0… [9 more characters]",
    );
    assert.equal(clipLine("0123456789abcdeX", "0123456789abcdef", 10), "[6 characters] …6789abcdeX");
  });

  it("of a diff is the one that stands for it on the other side", () => {
    const lines = [" a", "-b", "-c", "\\ No newline at end of file", "+B", " d", "+e"];
    assert.deepEqual(
      hunkLines(lines).map(({ text, other }) => [text, other]),
      [
        ["a", undefined],
        ["b", "B"],
        ["c", undefined],
        ["B", "b"],
        ["d", undefined],
        ["e", undefined],
      ],
    );
  });

  it("leaves room for few others", () => {
    const apart = Array.from({ length: 30 }, (_, n) => ({ first: 5 * n + 3, last: 5 * n + 3 }));
    const shown = fragment(`${"z".repeat(3_000)}\n`.repeat(150), apart, asItIs);
    assert.ok(shown.length < 13_000, `${shown.length} characters`);
    assert.match(shown, /\n {4}…$/);
    assert.doesNotMatch(shown, /…\n {4}…$/);
  });

  it("of a notebook's cell is cut, too", async () => {
    const cell = { cell_type: "code", execution_count: 1, metadata: {}, outputs: [], source: [LONG] };
    const harness = new Harness({
      app: { "a.ipynb": JSON.stringify({ cells: [cell, cell], metadata: {}, nbformat: 4 }) },
    });
    await harness.call("Read", { file_path: "a.ipynb" });
    const change = { old_string: "var a=1;", new_string: "var a=2;", replace_all: true };
    const { status, text } = await harness.call("Edit", { file_path: "a.ipynb", ...change });
    assert.equal(status, "ok", text);
    assert.ok(text.length < 6_000, `${text.length} characters`);
    assert.equal(text.match(/(x )+… \[[\d,]+ more characters\]/g)?.length, 2);
  });

  it("that somebody else changed is told where it changed", async () => {
    const harness = await readOf(`a\nb\nc\n${LONG}\n`);
    harness.files.put(file_path, `a\nb\nc\n${LONG.replace("a=1", "a=3")}\n`);
    const { status, text } = await edit(harness, "a\n", "A\n");
    assert.equal(status, "ok", text);
    assert.match(text, /\n-\[[^\n]*var a=1;[^\n]*\n\+\[[^\n]*var a=3;/);
    assert.ok(text.length < 4_000, `${text.length} characters`);
  });

  it("in conflict is shown with what differs, on both sides", async () => {
    const harness = await readOf(`${LONG}\n`);
    harness.files.put(file_path, `${LONG.replace("a=1", "a=3")}\n`);
    const { status, text } = await edit(harness, "var a=1;", "var a=2;");
    assert.equal(status, "CONFLICT", text);
    assert.match(text, /stands there now:\n[^\n]*var a=3;[^\n]*\nWhat your edit would put there:\n[^\n]*var a=2;/);
    assert.ok(text.length < 1_500, `${text.length} characters`);
  });

  it("shows no half of a secret where it is cut", () => {
    const secret = "s3cr3t".repeat(500);
    const text = `${filler("x")}${secret}=2;${secret}\n`;
    const redact = hiding(of => of.replaceAll(secret, "[secret:x]"));
    const { ranges } = diffLines(text.replace("=2", "=1"), text);
    assert.doesNotMatch(fragment(text, ranges, redact), /s3cr3t/);
  });
});
